"""Whatever is changed in a log is found, and the hand is named."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from fivehundred.rules.hand import HandResult
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.facts import read_facts
from fivehundred.storage.rows import hand_row
from fivehundred.storage.schema import HAND_ORIGIN, hands
from fivehundred.storage.store import Store, read_store
from fivehundred.storage.values import NewTournament, TournamentState
from fivehundred.storage.verify import Problem, verify
from fivehundred.table.values import HandKey, HandRecord

MakeTournament = Callable[..., NewTournament]
MakeRecord = Callable[..., HandRecord]
PlayMatch = Callable[..., None]

COLUMNS = tuple(column.name for column in hands.c if column not in set(HAND_ORIGIN))


@pytest.fixture
def played(store: Store, make_tournament: MakeTournament, play_match: PlayMatch) -> Store:
    """A database with a tournament of four single hands."""
    store.create_tournament(make_tournament())
    play_match(store)
    store.finish("cup")
    return store


@pytest.fixture
def games(store: Store, make_tournament: MakeTournament, play_match: PlayMatch) -> Store:
    """A database with a tournament of games."""
    store.create_tournament(make_tournament(games=True))
    play_match(store)
    store.finish("cup")
    return store


def _run(database: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement, values)


def _problems(store: Store) -> list[str]:
    return [str(problem) for problem in verify(store).problems]


def _rewrite(store: Store, database: Path, number: int, record: HandRecord) -> None:
    """Puts a record in a hand's place as one would who knows how rows are made."""
    row = hand_row(number, record)
    columns = ", ".join(f"{name} = ?" for name in row)
    _run(database, f"UPDATE hands SET {columns} WHERE id = {number}", *row.values())


@pytest.mark.parametrize("value", [None, 7, -1, 1 << 62, "text", b"\xff\xfe"])
@pytest.mark.parametrize("column", [column.name for column in HAND_ORIGIN])
def test_the_origin_of_a_hand_is_for_display(
    played: Store, database: Path, column: str, value: object
) -> None:
    before = played.log_digest("cup")
    _run(database, f"UPDATE hands SET {column} = ? WHERE id = 3", value)

    assert verify(played).is_clean
    assert played.log_digest("cup") == before
    assert len(read_facts(played, "cup", RuleSet()).counted(games=False)) == 4


def test_a_database_whose_hands_have_no_origin_is_verified_as_it_is(
    played: Store, database: Path
) -> None:
    for column in HAND_ORIGIN:
        _run(database, f"ALTER TABLE hands DROP COLUMN {column.name}")
    _run(database, "UPDATE alembic_version SET version_num = '0004'")

    with read_store(database) as older:
        report = verify(older)

    assert (report.hands, report.problems) == (4, ())


def test_untouched_boards_are_clean(played: Store) -> None:
    seen: list[tuple[int, int]] = []

    report = verify(played, "cup", lambda done, total: seen.append((done, total)))

    assert (report.tournaments, report.hands, report.problems) == (1, 4, ())
    assert seen == [(4, 4)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("strikes", [None, 3])
def test_untouched_games_are_clean(
    store: Store,
    make_tournament: MakeTournament,
    play_match: PlayMatch,
    seed: int,
    strikes: int | None,
) -> None:
    store.create_tournament(make_tournament(games=True, boards=3, strikes=strikes))
    play_match(store, seed=seed)
    store.finish("cup")

    report = verify(store)

    assert report.problems == ()
    assert report.hands >= 6


def test_log_is_verified_beside_its_writer(played: Store, database: Path) -> None:
    with read_store(database) as reader:
        assert verify(reader).is_clean


@pytest.mark.parametrize("part", range(12))
def test_every_changed_byte_of_a_record_is_found(
    store: Store,
    database: Path,
    make_tournament: MakeTournament,
    play_match: PlayMatch,
    part: int,
) -> None:
    store.create_tournament(make_tournament(boards=1))
    play_match(store, seed=4)
    blob = hand_row(2, store.hand(2).record)["record"]
    assert isinstance(blob, bytes)
    for place in range(part, len(blob), 12):
        changed = blob[:place] + bytes([blob[place] ^ 0x55]) + blob[place + 1 :]
        _run(database, "UPDATE hands SET record = ? WHERE id = 2", changed)

        assert {problem.hand for problem in verify(store).problems} == {2}, place


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(
    "change",
    [
        lambda value: value + 1 if isinstance(value, int) else value[:-1] + value[-1:] * 2,
        lambda value: value[:1] + value[2:] if not isinstance(value, int) else value + 256,
        lambda value: "text" if not isinstance(value, int) else value + (1 << 40),
        lambda value: b"\xff\xfe" if not isinstance(value, int) else value - 1000,
    ],
    ids=["longer", "shorter", "text", "bytes"],
)
def test_every_changed_column_is_found(
    played: Store, database: Path, column: str, change: Callable[[object], object]
) -> None:
    with closing(sqlite3.connect(database)) as connection:
        (value,) = connection.execute(f"SELECT {column} FROM hands WHERE id = 4").fetchone()
    _run(database, f"UPDATE hands SET {column} = ? WHERE id = 4", change(value))

    problems = verify(played).problems

    assert any(problem.hand in (4, change(4)) for problem in problems)


@pytest.mark.parametrize("column", [name for name in COLUMNS if name not in ("id", "record")])
def test_every_changed_byte_of_a_column_is_found(
    played: Store, database: Path, column: str
) -> None:
    with closing(sqlite3.connect(database)) as connection:
        (value,) = connection.execute(f"SELECT {column} FROM hands WHERE id = 3").fetchone()
    raw = value if isinstance(value, bytes) else str(value).encode()
    for place in range(len(raw)):
        changed = raw[:place] + bytes([raw[place] ^ 0x81]) + raw[place + 1 :]
        kind = "BLOB" if isinstance(value, bytes) else "TEXT"
        _run(database, f"UPDATE hands SET {column} = CAST(? AS {kind}) WHERE id = 3", changed)

        assert 3 in {problem.hand for problem in verify(played).problems}, place


def test_problem_names_the_hand_and_what_is_wrong(played: Store, database: Path) -> None:
    _run(database, "UPDATE hands SET seating = 9 WHERE id = 2")

    assert (
        "hand 2 (cup match 0 board 0 seating 1 hand 0 attempt 0): its column 'seating' is not "
        in (_problems(played)[0])
    )


def test_removed_hand_is_named(played: Store, database: Path) -> None:
    _run(database, "DELETE FROM hands WHERE id = 2")

    problems = verify(played).problems

    assert Problem("cup", "it is missing", 2) in problems
    assert any(
        str(each).startswith("cup: match 0 board 0 seating 1 hand 0 is missing: ")
        for each in problems
    )
    assert any("digest is not the one stored" in problem.what for problem in problems)


def test_added_hand_is_named(played: Store, database: Path) -> None:
    record = played.hand(2).record
    key = replace(record.started.key, attempt=1)
    again = replace(record, started=replace(record.started, key=key))
    row = hand_row(9, again)
    marks = ", ".join("?" * len(row))
    _run(database, f"INSERT INTO hands ({', '.join(row)}) VALUES ({marks})", *row.values())

    problems = _problems(played)

    assert any(text.startswith("hand 9 ") and "no event" in text for text in problems)
    assert any(text.startswith("hand 9 ") and "counted twice" in text for text in problems)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda r: replace(r, rules_hash=b"x" * 32), "rules hash"),
        (lambda r: replace(r, started=replace(r.started, deck=r.started.deck[::-1])), "the deck"),
        (lambda r: replace(r, started=replace(r.started, dealer=3)), "deals, it is seat"),
        (lambda r: replace(r, started=replace(r.started, scores_before=(90, 0))), "scores before"),
        (lambda r: replace(r, started=replace(r.started, bots=())), "its bots are , those"),
        (lambda r: replace(r, decisions=r.decisions[:-1]), "the hand is not over"),
        (lambda r: replace(r, decisions=r.decisions + r.decisions[-1:]), "follows the hand's end"),
        (lambda r: replace(r, decisions=r.decisions[1:]), "'s turn"),
        (
            lambda r: _with_result(r, replace(r.ended.result, change=(500, -500))),
            "its change is (500, -500)",
        ),
        (
            lambda r: _with_result(r, replace(r.ended.result, tricks_won=(10, 0, 0, 0))),
            "its tricks won is",
        ),
        (lambda r: _with_result(r, replace(r.ended.result, contract=None)), "its contract is None"),
        (
            lambda r: replace(r, ended=replace(r.ended, forfeited_by=1)),
            "forfeited by 1, the faults",
        ),
        (
            lambda r: replace(r, ended=replace(r.ended, forfeited_by=5)),
            "forfeited by 5, the faults",
        ),
    ],
)
def test_record_that_breaks_the_rules_is_found_though_its_row_is_sound(
    store: Store,
    database: Path,
    make_tournament: MakeTournament,
    play_match: PlayMatch,
    change: Callable[[HandRecord], HandRecord],
    what: str,
) -> None:
    store.create_tournament(make_tournament(boards=4))
    play_match(store, seed=5)
    number = next(s.id for s in store.hands("cup") if s.record.ended.result.contract)
    _rewrite(store, database, number, change(store.hand(number).record))

    problems = _problems(store)

    assert any(text.startswith(f"hand {number} ") and what in text for text in problems), problems


def _with_result(record: HandRecord, result: HandResult) -> HandRecord:
    return replace(record, ended=replace(record.ended, result=result))


def test_illegal_card_is_found(played: Store, database: Path) -> None:
    stored = next(s for s in played.hands("cup") if s.record.ended.result.contract)
    decisions = list(stored.record.decisions)
    decisions[-1] = replace(decisions[-1], action=decisions[-2].action)
    _rewrite(played, database, stored.id, replace(stored.record, decisions=tuple(decisions)))

    assert any("may not be played" in text for text in _problems(played))


def test_substitute_that_is_not_declared_is_found(
    store: Store,
    database: Path,
    make_tournament: MakeTournament,
    play_match: PlayMatch,
    make_record: MakeRecord,
) -> None:
    store.create_tournament(make_tournament())
    play_match(store)
    fault = make_record().decisions[-1].fault
    stored = next(s for s in store.hands("cup") if s.record.ended.result.contract)
    faulty = tuple(replace(decided, fault=fault) for decided in stored.record.decisions)
    _rewrite(store, database, stored.id, replace(stored.record, decisions=faulty))

    assert any("cannot stand for a fault: the substitute is P" in text for text in _problems(store))


def test_scores_must_follow_from_hand_to_hand(games: Store, database: Path) -> None:
    stored = next(s for s in games.hands("cup") if s.key.hand == 1)
    started = replace(stored.record.started, scores_before=(123, 0))
    _rewrite(games, database, stored.id, replace(stored.record, started=started))

    assert any("scores before are (123, 0)" in text for text in _problems(games))


def test_game_without_its_end_is_found(games: Store, database: Path) -> None:
    last = max(games.hands("cup"), key=lambda stored: stored.key)
    _run(database, "DELETE FROM hands WHERE id = ?", last.id)

    problems = _problems(games)

    key = last.key
    place = f"match 0 board {key.board} seating {key.seating} hand {key.hand}"
    assert f"cup: {place} is missing" in problems


@pytest.mark.parametrize(
    ("column", "what"),
    [
        ("seed", "the seed is not the one committed to"),
        ("commitment", "the seed is not the one committed to"),
        ("rules_hash", "the rule set does not have the hash"),
        ("log_digest", "the log's digest is not the one stored"),
        ("rules", "the tournament cannot be read"),
        ("spec", "the tournament cannot be read"),
    ],
)
def test_changed_tournament_is_found(played: Store, database: Path, column: str, what: str) -> None:
    _run(database, f"UPDATE tournaments SET {column} = ?", b"\xff" * 32)

    assert any(text.startswith(f"cup: {what}") for text in _problems(played))


@pytest.mark.parametrize(
    ("bots", "what"),
    [
        ('["other@1", "right@2"]', "the bot of entrant 0 is other@1, its hands have left@1"),
        ('["right@2", "left@1"]', "the bot of entrant 1 is left@1, its hands have right@2"),
        ('["left@1"]', "the bot of entrant 1 is not named, its hands have right@2"),
        ("[]", "the bot of entrant 0 is not named, its hands have left@1"),
        ('["left@1", "right@2", "x@1"]', "the bot of entrant 2 is x@1, its hands have none"),
    ],
)
def test_bots_must_be_those_of_the_hands(
    played: Store, database: Path, bots: str, what: str
) -> None:
    _run(database, "UPDATE tournaments SET bots = ?", bots)

    assert f"cup: {what}" in _problems(played)


def test_finished_tournament_needs_a_log_digest(played: Store, database: Path) -> None:
    _run(database, "UPDATE tournaments SET log_digest = ?", b"")

    assert "cup: it is finished without a log digest" in _problems(played)


def test_only_a_finished_tournament_has_a_log_digest(played: Store, database: Path) -> None:
    _run(database, "UPDATE tournaments SET state = ?", int(TournamentState.PAUSED))

    assert _problems(played) == [
        "cup: it has a seal but is not finished",
        "cup: it is PAUSED, its last event says FINISHED",
        "cup: it has a log digest but is not finished",
    ]


def test_unfinished_tournament_may_lack_hands(
    store: Store, database: Path, make_tournament: MakeTournament, play_match: PlayMatch
) -> None:
    store.create_tournament(make_tournament(boards=3))
    play_match(store)
    _run(database, "DELETE FROM hands WHERE board = 2")
    _run(database, "DELETE FROM watch_events WHERE hand > 4")

    report = verify(store)

    assert report.problems == ()
    assert report.hands == 4


def test_unknown_tournament_is_a_problem(played: Store) -> None:
    assert verify(played, "none").problems == (Problem("none", "there is no tournament 'none'"),)


def test_damaged_file_is_a_problem(played: Store, database: Path) -> None:
    played.close()
    content = bytearray(database.read_bytes())
    with closing(sqlite3.connect(database)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'hands'"
        ).fetchone()
    start = (page - 1) * 4096
    content[start : start + 64] = b"\xee" * 64
    database.write_bytes(content)

    with read_store(database) as reader:
        assert not verify(reader).is_clean


def test_key_is_part_of_what_is_printed() -> None:
    problem = Problem("cup", "it is wrong", 7, HandKey("cup", 1, 2, 3, 4, 5))

    assert str(problem) == "hand 7 (cup match 1 board 2 seating 3 hand 4 attempt 5): it is wrong"
    assert str(Problem("cup", "it is wrong")) == "cup: it is wrong"
    assert str(Problem("cup", "it is missing", 7)) == "hand 7 (cup): it is missing"

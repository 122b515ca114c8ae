"""Reading databases for pools: what is chosen, what is left out, and that nothing is written."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from fivehundred.storage.errors import StorageError
from fivehundred.storage.pools import (
    Wanted,
    chosen,
    read_boards,
    registered_bots,
    whole_matches,
)
from fivehundred.storage.store import Store, read_store
from fivehundred.storage.values import NewTournament, RegisteredBot, TournamentState
from fivehundred.tournament.pools import EventForm, pools
from fivehundred.v1 import record_pb2, tournament_pb2
from forged_logs import flips
from pool_hands import boards, event, played


@pytest.fixture
def log(
    store: Store,
    database: Path,
    make_tournament: Callable[..., NewTournament],
    play_match: Callable[..., None],
) -> Path:
    """A database with a finished tournament of boards, "cup", and one of games, "league"."""
    for name, games in (("cup", False), ("league", True)):
        seed = sha256(name.encode()).digest()
        store.create_tournament(make_tournament(name, games=games, seed=seed))
        play_match(store, name)
        store.finish(name)
    return database


@pytest.fixture
def read(log: Path) -> Iterator[Store]:
    """The same, open to be read."""
    with read_store(log) as opened:
        yield opened


@pytest.fixture
def copy(log: Path, tmp_path: Path) -> Path:
    """A copy that may be changed."""
    path = tmp_path / "copy.db"
    with closing(sqlite3.connect(log)) as one, closing(sqlite3.connect(path)) as other:
        one.backup(other)
        other.execute("PRAGMA journal_mode = DELETE")
    return path


def test_finished_tournaments_are_read_by_name(read: Store) -> None:
    found = chosen(read, Wanted())

    assert [stored.name for stored in found.tournaments] == ["cup", "league"]
    assert found.hands == sum(map(read.hand_count, ("cup", "league")))
    assert found.names == {"cup", "league"}
    assert not found.left


def test_every_hand_of_a_whole_board_is_in_a_board(read: Store) -> None:
    result = read_boards(read, chosen(read, Wanted()))

    kinds = {pool.key.event: pool for pool in pools(result.boards)}
    assert set(kinds) == set(EventForm)
    assert kinds[EventForm.BOARDS].players() == ("left@1", "right@2")
    hands = sum(board.hands for board in result.boards)
    assert hands == sum(map(read.hand_count, ("cup", "league")))
    assert result.remarks == ()


def test_progress_ends_with_all_hands(read: Store) -> None:
    told: list[tuple[int, int]] = []

    read_boards(read, chosen(read, Wanted()), lambda done, total: told.append((done, total)))

    total = sum(map(read.hand_count, ("cup", "league")))
    assert told[-1] == (total, total)


def test_boards_agree_with_what_is_stored(read: Store) -> None:
    result = read_boards(read, chosen(read, Wanted(frozenset({"cup"}))))

    change = [0.0, 0.0]
    for hand in read.hands("cup"):
        started, ended = hand.record.started, hand.record.ended
        for side, more in enumerate(ended.result.change):
            change[started.entrants[side]] += more
    totals = [0.0, 0.0]
    for board in result.boards:
        assert board.teams == (("left@1",), ("right@2",))
        for team, points in enumerate(board.points):
            totals[team] += points * board.hands
    assert totals == change


@pytest.mark.parametrize("least", [1, 20, 24, 25, 10_000])
def test_no_match_is_divided_however_few_hands_are_held(least: int) -> None:
    cup = event()
    hands = played(cup, ("ann@1", "bob@1", "cid@1"), boards=4)

    parts = list(whole_matches(hands, least))

    assert [hand for part in parts for hand in part] == hands
    assert all(len(part) >= least for part in parts[:-1])
    assert [board for part in parts for board in boards(cup, part)] == list(boards(cup, hands))


def test_one_tournament_may_be_named(read: Store) -> None:
    found = chosen(read, Wanted(frozenset({"league"})))

    assert [stored.name for stored in found.tournaments] == ["league"]


def test_a_rule_set_may_be_named_by_the_start_of_its_hash(read: Store) -> None:
    (digest,) = {stored.rules_hash for stored in read.tournaments()}

    assert len(chosen(read, Wanted(rules=digest.hex()[:8])).tournaments) == 2
    assert chosen(read, Wanted(rules="0000")).tournaments == ()


def test_a_copy_of_a_database_repeats_every_board(read: Store, copy: Path) -> None:
    first = read_boards(read, chosen(read, Wanted())).boards
    with read_store(copy) as store:
        second = read_boards(store, chosen(store, Wanted())).boards

    once, twice = pools(first), pools(first + second)

    assert [pool.boards for pool in twice] == [pool.boards for pool in once]
    assert [pool.repeats for pool in twice] == [len(pool.boards) for pool in once]


def test_reading_writes_nothing(copy: Path) -> None:
    copy.chmod(0o400)
    before = sha256(copy.read_bytes()).digest()

    with read_store(copy) as store:
        read_boards(store, chosen(store, Wanted()))

    assert sha256(copy.read_bytes()).digest() == before


def test_a_tournament_under_way_counts_only_where_it_is_named(
    store: Store, make_tournament: Callable[..., NewTournament], play_match: Callable[..., None]
) -> None:
    store.create_tournament(make_tournament(boards=3))
    play_match(store)

    unnamed, named = chosen(store, Wanted()), chosen(store, Wanted(frozenset({"cup"})))

    assert unnamed.tournaments == ()
    assert "RUNNING, not finished" in unnamed.left[0].why
    assert len(read_boards(store, named).boards) == 3


def test_hands_of_a_board_under_way_are_told(
    store: Store,
    database: Path,
    make_tournament: Callable[..., NewTournament],
    play_match: Callable[..., None],
) -> None:
    store.create_tournament(make_tournament(boards=3))
    play_match(store)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM hands WHERE id = (SELECT max(id) FROM hands)")

    result = read_boards(store, chosen(store, Wanted(frozenset({"cup"}))))

    assert len(result.boards) == 2
    assert [remark.why for remark in result.remarks] == [
        "1 hand of boards that are not whole, or were void, do not count"
    ]


@pytest.mark.parametrize("in_stages", [False, True])
def test_a_sequential_test_counts_only_where_it_is_asked_for(
    store: Store, make_tournament: Callable[..., NewTournament], in_stages: bool
) -> None:
    new = make_tournament()
    spec = tournament_pb2.TournamentSpec.FromString(new.spec)
    form = spec.format.stages.stages.add().format if in_stages else spec.format
    form.sequential.most_matches = 30
    store.create_tournament(replace(new, spec=spec.SerializeToString()))
    store.finish("cup")

    left = chosen(store, Wanted(frozenset({"cup"}))).left
    asked = chosen(store, Wanted(with_sequential=True))

    assert "--with-sequential" in left[0].why
    assert [stored.name for stored in asked.tournaments] == ["cup"]


def _spoil(database: Path, change: Callable[[record_pb2.HandRecord], None]) -> None:
    """Change the record of one hand."""
    with closing(sqlite3.connect(database)) as connection, connection:
        number, blob = connection.execute(
            "SELECT id, record FROM hands LIMIT 1 OFFSET 3"
        ).fetchone()
        message = record_pb2.HandRecord.FromString(blob)
        change(message)
        values = message.SerializeToString(), number
        connection.execute("UPDATE hands SET record = ? WHERE id = ?", values)


@pytest.mark.parametrize(
    "change",
    [
        lambda message: message.Clear(),
        lambda message: message.facts.bots.append("more@1"),
        lambda message: message.facts.entrants.append(0),
        lambda message: message.facts.result.change.append(0),
        lambda message: message.facts.result.winners.append(7),
        lambda message: message.facts.result.change.__setitem__(0, 1 << 40),
        lambda message: setattr(message.facts, "schema_version", 99),
    ],
    ids=["nothing", "bots", "entrants", "sides", "winners", "change", "schema"],
)
def test_a_hand_that_cannot_be_counted_is_named(
    copy: Path, change: Callable[[record_pb2.HandRecord], None]
) -> None:
    _spoil(copy, change)

    with read_store(copy) as store, pytest.raises(StorageError, match=r"hand \d+ of '\w+' cannot"):
        read_boards(store, chosen(store, Wanted()))


def test_whatever_one_field_of_a_hand_becomes_it_counts_or_is_named(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, read_store(copy) as store:
        number, blob = connection.execute("SELECT id, record FROM hands LIMIT 1").fetchone()
        changed = list(flips(record_pb2.HandRecord.FromString(blob)))
        found, refused = chosen(store, Wanted()), 0
        for flip in Random(5).sample(changed, 120):
            values = flip.message.SerializeToString(), number
            connection.execute("UPDATE hands SET record = ? WHERE id = ?", values)
            connection.commit()
            try:
                read_boards(store, found)
            except StorageError as error:
                refused += f"hand {number} of" in str(error)

    assert 0 < refused < 120


def test_bytes_that_are_no_record_are_named(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE hands SET record = x'ff00ff' WHERE id = 2")

    with read_store(copy) as store, pytest.raises(StorageError, match="hand 2 of"):
        read_boards(store, chosen(store, Wanted()))


def test_all_registered_bots_are_listed(store: Store, database: Path) -> None:
    store.register_bot(RegisteredBot("bot-000", "127.0.0.1:5001", "", 1))
    _multiply(database, "bots", "bot", 205)

    assert [bot.name for bot in registered_bots(store)] == [f"bot-{at:03}" for at in range(205)]


def test_all_tournaments_are_listed(
    store: Store, database: Path, make_tournament: Callable[..., NewTournament]
) -> None:
    store.create_tournament(make_tournament("cup-000"))
    _multiply(database, "tournaments", "cup", 205)

    found = chosen(store, Wanted())

    assert len(found.names) == len(found.left) == 205
    assert TournamentState.CREATED.name in found.left[0].why


def _multiply(database: Path, table: str, prefix: str, count: int) -> None:
    """Make many rows of one, by other names."""
    with closing(sqlite3.connect(database)) as connection, connection:
        name, *rest = connection.execute(f"SELECT * FROM {table}").fetchone()
        assert name == f"{prefix}-000"
        marks = ", ".join("?" * (1 + len(rest)))
        rows = [(f"{prefix}-{number:03}", *rest) for number in range(1, count)]
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

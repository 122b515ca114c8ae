"""Whatever is changed in a log is found, and what a forger could change unseen is on a list.

Three kinds of change are tried on every field of every record and every column of every row: plain
ones, which a checksum or a seal finds; forged ones, in which every checksum is made anew, so that
only the meaning is wrong; and whole stories, in which several fields agree on a lie. `UNSEEN` and
its like name what stays unseen and why; nothing else may.
"""

import random
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from google.protobuf.message import Message

from fivehundred.storage.values import TournamentState
from fivehundred.storage.verify import Report, verify
from fivehundred.v1 import record_pb2, tournament_pb2
from fivehundred.wire.errors import SpecError
from fivehundred.wire.spec import check_spec
from forged_logs import KEYS, Flip, Forger, flips, play_log, record_of, spec_of

pytestmark = pytest.mark.timeout(1800)

Row = Mapping[str, object]
Record = record_pb2.HandRecord

UNSEEN = {
    "evidence.answer": "what the bot sent: kept as it came, nothing follows from it",
    "evidence.reason": "words for people",
    "facts.decisions.call.strain": "a bid that was beaten: another would have been beaten as well",
    "facts.decisions.call.level": "as its strain",
    "facts.decisions.play.card": "another legal card, where the hand was forfeited before it told",
    "facts.decisions.fault": "one kind for another: the substitute and the strike are the same",
    "notes": "a bot's remark left out: nothing follows from it",
    "notes.decision": "a remark at another decision",
    "notes.text": "a bot's remark",
    "receipts": "two decisions' times exchanged: the clocks' arithmetic is right either way",
}
"""By field of a record what a forger may change alone and why nobody can tell."""

UNSEEN_SPEC = {
    "entrants": "their order exchanged: as their names",
    "entrants.address": "how a bot was reached leaves no trace in a hand",
    "entrants.name": "hands know entrants by number and bot",
    "format.boards.common": "a round of two entrants is one match, whose boards are its own",
    "format.games.common": "as that of boards",
    "rules.preset": "the rule set is kept beside the definition, its hash is in every hand",
    "tables": "how many tables played at once leaves no trace",
    "time_control.connect": "how long a bot may take to come up leaves no trace",
    "time_control.discard": "a limit that no decision came near",
}
"""By field of a definition what a forger may change alone and why nobody can tell."""

UNSEEN_COLUMNS = {
    "create_time_us": "wall time is for display",
    "request_id": "what the caller named its request",
}
"""By column of a tournament what a forger may change."""

UNSEEN_ORIGINS = {
    "stored_time_us": "wall time is for display",
    "player": "who played a hand is for display: it is told by the daemon alone",
}
"""By column of a hand what anybody may change: it stands beside the record, in no checksum."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log that nobody has touched."""
    path = tmp_path_factory.mktemp("forged") / "log.db"
    play_log(path)
    return path


@pytest.fixture
def forger(log: Path, tmp_path: Path) -> Iterator[Forger]:
    """The forger and a copy of the log."""
    path = tmp_path / "log.db"
    with closing(sqlite3.connect(log)) as original, closing(sqlite3.connect(path)) as copy:
        original.backup(copy)
    forger = Forger(path)
    yield forger
    forger.close()


@pytest.fixture
def every(nightly: bool) -> Callable[[Sequence[tuple[Row, Flip]]], list[tuple[Row, Flip]]]:
    """Picks some changes of every field and kind, and at night twenty times as many."""

    def pick(changes: Sequence[tuple[Row, Flip]]) -> list[tuple[Row, Flip]]:
        groups = defaultdict(list)
        for row, flip in changes:
            groups[flip.path, flip.how].append((row, flip))
        rng = random.Random(5)
        return [
            one
            for group in groups.values()
            for one in rng.sample(group, min(len(group), 20 if nightly else 1))
        ]

    return pick


def _looked_at(forger: Forger, name: object) -> Report:
    return verify(forger.store, str(name))


def _record_flips(forger: Forger) -> list[tuple[Row, Flip]]:
    return [(row, flip) for row in forger.rows("hands") for flip in flips(record_of(row))]


def test_the_log_has_something_of_everything(forger: Forger) -> None:
    records = [record_of(row) for row in forger.rows("hands")]
    made = [decision for record in records for decision in record.facts.decisions]
    receipts = [receipt for record in records for receipt in record.receipts]

    report = verify(forger.store)

    assert report.problems == ()
    assert report.hands == len(records) == 10
    assert {decision.fault for decision in made} == {0, 1, 2, 3}
    assert {record.facts.result.outcome for record in records} == {1, 2, 3}
    assert {decision.WhichOneof("action") for decision in made} == {"call", "exchange", "play"}
    assert any(record.notes for record in records)
    assert any(receipt.bank_left_us < 2_000_000 for receipt in receipts)
    assert any(receipt.elapsed_us > 5_000_000 > receipt.charged_us for receipt in receipts)
    assert all(row["entropy"] for row in forger.rows("tournaments"))


def test_every_plain_change_of_a_record_is_found_in_its_hand(
    forger: Forger, every: Callable[[Sequence[tuple[Row, Flip]]], list[tuple[Row, Flip]]]
) -> None:
    for row, flip in every(_record_flips(forger)):
        forger.put("hands", row, {"record": flip.message.SerializeToString()})

        report = _looked_at(forger, row["tournament"])

        assert row["id"] in {problem.hand for problem in report.problems}, flip
        forger.restore("hands", row)


@pytest.mark.parametrize("table", ["hands", "tournaments", "watch_events"])
def test_every_plain_change_of_a_column_is_found(forger: Forger, table: str, nightly: bool) -> None:
    unseen = []
    for row in forger.rows(table)[:: 1 if nightly else 5]:
        for column, value in row.items():
            for other in _others(value):
                try:
                    forger.put(table, row, {column: other})
                except sqlite3.IntegrityError:
                    continue  # The database itself refuses it.
                if verify(forger.store).is_clean:
                    unseen.append((row, column))
                _undo(forger, table, row, {**row, column: other})

    in_hands = {column for _, column in unseen if table == "hands"}
    assert in_hands == (UNSEEN_ORIGINS.keys() if table == "hands" else set())
    elsewhere = [] if table == "hands" else unseen
    assert all(column == "reason" and _has_passed(row) for row, column in elsewhere), unseen


def _has_passed(row: Row) -> bool:
    """Whether an event tells of a state that others follow: its reason is words for people."""
    return row.get("state") in (TournamentState.CREATED, TournamentState.RUNNING)


def _others(value: object) -> Iterator[object]:
    """Near and far from what is there, and of another type."""
    if isinstance(value, int):
        yield from (value + 1, value - 1, value ^ 1 << 20, "text")
    elif isinstance(value, bytes):
        yield from (value[:-1], value + b"\0", bytes([value[0] ^ 1]) + value[1:] if value else b"x")
    elif isinstance(value, str):
        yield from (value + "x", value[:-1] if value else "y")
    else:
        yield from ("text", b"bytes")


def _undo(forger: Forger, table: str, row: Row, changed: Row) -> None:
    """Takes back a change that may have been one of the key."""
    where = " AND ".join(f"{name} = ?" for name in KEYS[table])
    forger.run(f"DELETE FROM {table} WHERE {where}", *(changed[name] for name in KEYS[table]))
    forger.restore(table, row)


def test_every_forged_record_is_found_but_what_is_listed(
    forger: Forger,
    every: Callable[[Sequence[tuple[Row, Flip]]], list[tuple[Row, Flip]]],
) -> None:
    unseen = defaultdict(list)
    for row, flip in every(_record_flips(forger)):
        if not _forge(forger, row, flip.message):
            continue
        report = _looked_at(forger, row["tournament"])
        if report.is_clean:
            unseen[flip.path].append((row, flip))
        else:
            assert row["id"] in {problem.hand for problem in report.problems}, flip
        _put_back(forger, row)

    assert unseen.keys() <= UNSEEN.keys(), unseen.keys() - UNSEEN.keys()
    assert all(_both_faults(row, flip) for row, flip in unseen["facts.decisions.fault"])
    assert all(flip.how == "dropped" for _, flip in unseen["notes"])
    assert all(flip.how == "swapped" for _, flip in unseen["receipts"])
    assert all(_was_beaten(*each) for each in unseen["facts.decisions.call.strain"])
    assert all(_was_beaten(*each) for each in unseen["facts.decisions.call.level"])
    assert all(_was_forfeited(row) for row, _ in unseen["facts.decisions.play.card"])


def _both_faults(row: Row, flip: Flip) -> bool:
    (index,) = flip.at
    assert isinstance(flip.message, Record)
    kinds = [record.facts.decisions[index].fault for record in (record_of(row), flip.message)]
    return all(kinds)


def _was_beaten(row: Row, flip: Flip) -> bool:
    """Whether a bid is not the contract's."""
    (index,) = flip.at
    facts = record_of(row).facts
    return facts.decisions[index].call != facts.result.contract.bid


def _was_forfeited(row: Row) -> bool:
    return record_of(row).facts.result.outcome == record_pb2.HAND_OUTCOME_FORFEITED


def _forge(forger: Forger, row: Row, message: Message) -> bool:
    """Puts a record in a hand's place; False where the database itself refuses it."""
    assert isinstance(message, Record)
    try:
        forger.put_record(row, message)
    except sqlite3.IntegrityError:
        return False
    forger.seal(str(row["tournament"]))
    return True


def _put_back(forger: Forger, row: Row) -> None:
    forger.restore("hands", row)
    forger.restore("tournaments", forger.originals[str(row["tournament"])])


def test_every_forged_definition_is_found_but_what_is_listed(forger: Forger) -> None:
    found, tried = set(), set()
    for row in forger.rows("tournaments"):
        for flip in filter(lambda each: _is_another(row, each), flips(spec_of(row))):
            forger.put("tournaments", row, {"spec": flip.message.SerializeToString()})
            forger.seal(str(row["name"]))
            tried.add((flip.path, flip.how, flip.at))
            if not _looked_at(forger, row["name"]).is_clean:
                found.add((flip.path, flip.how, flip.at))
            forger.restore("tournaments", row)

    unseen = {path.removesuffix(".seconds").removesuffix(".nanos") for path, *_ in tried - found}
    assert unseen == UNSEEN_SPEC.keys()


def _is_another(row: Row, flip: Flip) -> bool:
    """Whether a definition makes another plan."""
    assert isinstance(flip.message, tournament_pb2.TournamentSpec)
    try:
        return check_spec(flip.message) != check_spec(spec_of(row))
    except SpecError:
        return True


def test_every_forged_column_of_a_tournament_is_found_but_what_is_listed(forger: Forger) -> None:
    unseen = set()
    for row in forger.rows("tournaments"):
        for column in row.keys() - {"spec", "seal"}:
            for other in _others(row[column]):
                forger.put("tournaments", row, {column: other})
                forger.seal_row(str(row["name"]))
                if verify(forger.store).is_clean:
                    unseen.add(column)
                _undo(forger, "tournaments", row, {**row, column: other})

    assert unseen == UNSEEN_COLUMNS.keys()


# Stories: several fields agree on a lie. Each gives the rows it has forged.


def _hand(forger: Forger, where: Callable[[Record], bool]) -> tuple[Row, Record]:
    """The first hand of a kind."""
    rows = ((row, record_of(row)) for row in forger.rows("hands"))
    return next((row, record) for row, record in rows if where(record))


def _fault_of_kind(kind: int) -> Callable[[Record], bool]:
    return lambda record: any(made.fault == kind for made in record.facts.decisions)


def _without_fault(record: Record, kind: int) -> int:
    """Takes the first fault of a kind away with its evidence; gives the decision's number."""
    at = next(n for n, made in enumerate(record.facts.decisions) if made.fault == kind)
    record.facts.decisions[at].fault = record_pb2.FAULT_KIND_UNSPECIFIED
    for entry in [each for each in record.evidence if each.decision == at]:
        record.evidence.remove(entry)
    return at


def _timeout_hushed_up(forger: Forger) -> None:
    row, record = _hand(forger, _fault_of_kind(record_pb2.FAULT_KIND_TIMEOUT))
    _without_fault(record, record_pb2.FAULT_KIND_TIMEOUT)
    forger.put_record(row, record)


def _strike_hushed_up(forger: Forger) -> None:
    row, record = _hand(forger, lambda each: each.facts.result.outcome == 3)
    _without_fault(record, record.facts.decisions[-1].fault)
    forger.put_record(row, record)


def _substitute_chosen(forger: Forger) -> None:
    row, record = _hand(forger, lambda each: any(made.fault for made in each.facts.decisions))
    first = next(m for m in record.facts.decisions if m.fault and m.HasField("play"))
    other = next(m for m in reversed(record.facts.decisions) if m.seat == first.seat)
    first.play.card, other.play.card = other.play.card, first.play.card
    forger.put_record(row, record)


def _bank_filled_up(forger: Forger) -> None:
    row, record = _hand(forger, lambda each: any(r.bank_left_us < 1_000_000 for r in each.receipts))
    for receipt in record.receipts:
        receipt.bank_left_us = 2_000_000
    forger.put_record(row, record)


def _time_given_back(forger: Forger) -> None:
    """A decision that used its bank is said to have been quick, and its bank left as it was."""
    row, record = _hand(forger, lambda each: any(r.charged_us > 1_500_000 for r in each.receipts))
    slow = next(r for r in record.receipts if r.charged_us > 1_500_000)
    slow.lag_us += slow.charged_us
    slow.charged_us = 0
    forger.put_record(row, record)


def _result_turned_round(forger: Forger) -> None:
    row, record = _hand(forger, lambda each: each.facts.result.outcome == 1)
    change = record.facts.result.change
    change[0], change[1] = change[1], change[0]
    forger.put_record(row, record)


def _forfeit_given_to_the_other(forger: Forger) -> None:
    row, record = _hand(forger, lambda each: each.facts.result.outcome == 3)
    result = record.facts.result
    result.forfeited_by = 3 - result.forfeited_by
    result.change[0], result.change[1] = result.change[1], result.change[0]
    forger.put_record(row, record)


def _hand_taken_out(forger: Forger) -> None:
    row, _ = _hand(forger, lambda each: each.facts.key.match == 1)
    _take_out(forger, row)


def _match_taken_out(forger: Forger) -> None:
    for row in forger.rows("hands"):
        if (row["tournament"], row["match"]) == ("cup", 2):
            _take_out(forger, row)


def _take_out(forger: Forger, row: Row) -> None:
    """Removes a hand and its event, and closes up the events' numbers."""
    (number,) = [e["number"] for e in forger.rows("watch_events") if e["hand"] == row["id"]]
    name = row["tournament"]
    forger.run("DELETE FROM hands WHERE id = ?", row["id"])
    forger.run("DELETE FROM watch_events WHERE hand = ?", row["id"])
    later = [e for e in forger.rows("watch_events") if e["tournament"] == name]
    assert isinstance(number, int)
    for event in sorted(later, key=lambda e: int(str(e["number"]))):
        if int(str(event["number"])) > number:
            forger.put("watch_events", event, {"number": int(str(event["number"])) - 1})


def _hand_counted_twice(forger: Forger) -> None:
    """A good hand again, as a second attempt with an event of its own."""
    row, record = _hand(forger, lambda each: each.facts.key.match == 1)
    record.facts.key.attempt = 1
    again = {**row, "id": 999, "attempt": 1}
    forger.restore("hands", again)
    forger.put_record(again, record)
    last = max(
        (e for e in forger.rows("watch_events") if e["tournament"] == "cup"),
        key=lambda e: int(str(e["number"])),
    )
    end = int(str(last["number"]))
    forger.put("watch_events", last, {"number": end + 1})
    forger.restore("watch_events", {**last, "number": end, "hand": 999, "state": None})


def _seatings_exchanged(forger: Forger) -> None:
    """Two hands of a board under each other's names."""
    rows = [row for row in forger.rows("hands") if (row["tournament"], row["match"]) == ("cup", 1)]
    first, second = (record_of(row) for row in rows)
    first.facts.key.seating, second.facts.key.seating = 1, 0
    forger.run("UPDATE hands SET seating = 7 WHERE id = ?", rows[0]["id"])
    forger.put_record(rows[1], second)
    forger.put_record(rows[0], first)


def _entropy_left_out(forger: Forger) -> None:
    forger.run("UPDATE tournaments SET entropy = NULL")


def _standings_improved(forger: Forger) -> None:
    for name, row in forger.originals.items():
        assert isinstance(row["standings"], bytes)
        table = tournament_pb2.Standings.FromString(row["standings"])
        table.rows[0].entrant, table.rows[1].entrant = table.rows[1].entrant, table.rows[0].entrant
        forger.run(
            "UPDATE tournaments SET standings = ? WHERE name = ?", table.SerializeToString(), name
        )
        forger.seal_row(name)


STORIES = [
    (_timeout_hushed_up, "and is no fault"),
    (_strike_hushed_up, "the hand is not over"),
    (_substitute_chosen, "cannot stand for a fault"),
    (_bank_filled_up, "does not add up"),
    (_time_given_back, "does not add up"),
    (_result_turned_round, "its change is"),
    (_forfeit_given_to_the_other, "its change is"),
    (_hand_taken_out, "is missing"),
    (_match_taken_out, "match 2 is missing"),
    (_hand_counted_twice, "counted twice"),
    (_seatings_exchanged, "entrants"),
    (_entropy_left_out, "the deck is not"),
    (_standings_improved, "the final standings are not those of the log"),
]


@pytest.mark.parametrize(("story", "words"), STORIES, ids=[each[0].__name__ for each in STORIES])
def test_a_whole_story_is_found(
    forger: Forger, story: Callable[[Forger], None], words: str
) -> None:
    story(forger)
    for name in () if story is _standings_improved else forger.originals:
        forger.seal(name)

    problems = [str(problem) for problem in verify(forger.store).problems]

    assert any(words in problem for problem in problems), problems


def test_a_fault_hushed_up_that_costs_nothing_is_not_seen(forger: Forger) -> None:
    """An illegal answer leaves no trace but its evidence and what follows from strikes."""
    illegal = _fault_of_kind(record_pb2.FAULT_KIND_ILLEGAL)
    row, record = _hand(
        forger, lambda each: each.facts.key.tournament == "league" and illegal(each)
    )
    _without_fault(record, record_pb2.FAULT_KIND_ILLEGAL)
    forger.put_record(row, record)
    forger.seal("league")

    assert verify(forger.store).problems == ()

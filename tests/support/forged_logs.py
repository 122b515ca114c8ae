"""A small log with everything in it, every way to change one field of it, and a forger's hand.

A forger can write to the database and knows how its rows are made: every digest, checksum, seal
and the final standings are made anew, so that only the meaning of what was changed gives it away.
"""

import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from fivehundred.daemon.backlog import match_hands
from fivehundred.daemon.creation import add_entropy, create
from fivehundred.daemon.results import final_standings, plan_of
from fivehundred.rules.actions import Action, LegalCalls, LegalExchange
from fivehundred.storage.journal import Journal
from fivehundred.storage.results import HandLines
from fivehundred.storage.rows import row_checksum, tournament_seal
from fivehundred.storage.store import Store, open_store, read_store
from fivehundred.storage.values import TournamentState
from fivehundred.table.runner import finish, keep
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import Ask, Fault, FaultKind, Reply
from fivehundred.v1 import record_pb2, tournament_pb2
from fivehundred.wire.matches import schedule
from fivehundred.wire.record import facts_digest
from fivehundred.wire.spec import parse_spec

KEYS = {"hands": ("id",), "tournaments": ("name",), "watch_events": ("tournament", "number")}
"""The columns that name a row of a table."""
BOTS = ("left@1", "right@2")
SPEC = """
name: "{name}"
seed: "{seed}"
entrants {{ name: "left" address: "unix:/run/left.sock" }}
entrants {{ name: "right" address: "unix:/run/right.sock" }}
rules {{ preset: "au-4p-43" }}
time_control {{
  bid {{ seconds: 1 }}
  discard {{ seconds: 1 }}
  play {{ seconds: 1 }}
  bank {{ seconds: 2 }}
  increment {{ nanos: 50000000 }}
  first_decision {{ seconds: 2 }}
  connect {{ seconds: 20 }}
}}
anchor: "left"
{rest}
"""
BOARDS = """
format { round_robin { rounds: 3 } boards { boards_per_match: 1 } }
fault_policy { strikes: 3 }
"""
GAMES = "format { games { boards_per_match: 1 max_deals: 2 } } fault_policy { never_forfeit: true }"


def play_log(path: Path) -> None:
    """A finished tournament of boards with a forfeit, and one of games."""
    with open_store(path) as store:
        for number, (name, rest) in enumerate((("cup", BOARDS), ("league", GAMES))):
            seed = sha256(name.encode()).hexdigest()
            create(store, parse_spec(SPEC.format(name=name, seed=seed, rest=rest), name))
            add_entropy(store, name, "right", bytes(range(20)))
            store.set_bots(name, BOTS)
            store.set_state(name, TournamentState.RUNNING)
            play_all(store, name, BOTS, seed=1000 * number)
            store.finish(name, final_standings(store, name))


def play_all(store: Store, name: str, bots: Sequence[str], *, seed: int) -> None:
    """Every match of a tournament, those that follow from outcomes among them."""
    planned = schedule(plan_of(store, name))
    while (pairing := planned.format.next()) is not None:
        match = planned.match_of(pairing, bots)
        _play(store, match, random.Random(seed + match.number))
        read = HandLines(planned.plan)
        planned.take([read.line(hand) for hand in match_hands(store, match)])


def _play(store: Store, spec: MatchSpec, rng: random.Random) -> None:
    """A match; the first hand is passed out, the later ones have faults."""
    table, journal = Table(spec), Journal(store)
    faulty, timid = 0.05 * spec.number, spec.number == 0
    keep(journal, spec, table.start())
    while (ask := table.ask()) is not None:
        events = table.reply(_reply(rng, ask, faulty, timid=timid))
        if records := table.take_records():
            finish(journal, spec, records)
            keep(journal, spec, events)
            faulty, timid = faulty or 0.1 * spec.games, False
        else:
            journal.append(spec.tournament, spec.number, events)
    journal.close()


def _reply(rng: random.Random, ask: Ask, faulty: float, *, timid: bool) -> Reply:
    """An answer: some near the limit, some late through the daemon's lag, some faulty."""
    lag = rng.choice([0, 0, rng.randrange(900), 5_000_000])
    took = rng.randrange(1, 900) if rng.random() < 0.9 else ask.limit_us - rng.randrange(1000)
    note = f"note {rng.randrange(100)}" if rng.random() < 0.1 else ""
    if timid:
        return Reply(ask.legal.default(), took + lag, lag, note)
    if rng.random() >= faulty:
        return Reply(_choice(rng, ask), took + lag, lag, note)
    kind = rng.choice([FaultKind.TIMEOUT, FaultKind.ILLEGAL, FaultKind.MALFORMED])
    took = ask.limit_us + 7 if kind is FaultKind.TIMEOUT else took
    return Reply(Fault(kind, "the reason", b"the answer"), took + lag, lag, note)


def _choice(rng: random.Random, ask: Ask) -> Action:
    if isinstance(ask.legal, LegalExchange):
        return ask.legal.default()
    if isinstance(ask.legal, LegalCalls):
        return rng.choice(ask.legal.calls[:3])
    return rng.choice(list(ask.legal))


@dataclass(frozen=True, slots=True)
class Flip:
    """One changed field: its path without indices, how it was changed, and the message whole."""

    path: str
    how: str
    message: Message
    at: tuple[int, ...]
    """The indices that the path leaves out."""

    def __str__(self) -> str:
        return f"{self.path}{list(self.at)} {self.how}"


Change = Callable[[Message], None]


def flips(message: Message) -> Iterator[Flip]:
    """Every change of one field anywhere in a message."""
    for path, at, how, change in _changes(message, "", ()):
        changed = type(message)()
        changed.CopyFrom(message)
        change(changed)
        if changed != message:
            yield Flip(path, how, changed, at)


_Found = Iterator[tuple[str, tuple[int, ...], str, Change]]


def _changes(message: Message, path: str, at: tuple[int, ...]) -> _Found:
    for field in message.DESCRIPTOR.fields:
        where = f"{path}.{field.name}" if path else field.name
        if field.is_repeated:
            yield from _of_repeated(message, field, where, at)
        elif field.message_type is None:
            yield from _of_scalar(message, field, where, at)
        elif message.HasField(field.name):
            yield from _of_message(message, field, where, at)


def _of_message(message: Message, field: Any, where: str, at: tuple[int, ...]) -> _Found:
    name = field.name
    yield where, at, "cleared", lambda whole: whole.ClearField(name)
    for path, inner_at, how, change in _changes(getattr(message, name), where, at):
        yield path, inner_at, how, _inside(change, lambda whole: getattr(whole, name))


def _of_repeated(message: Message, field: Any, where: str, at: tuple[int, ...]) -> _Found:
    name, count = field.name, len(getattr(message, field.name))
    for index in range(count):
        here = (*at, index)
        for how, change in (("dropped", _drop), ("doubled", _double), ("swapped", _swap)):
            yield where, here, how, _listed(change, name, index)
        if field.message_type is not None:
            inner = getattr(message, name)[index]
            for path, inner_at, how, change_inner in _changes(inner, where, here):
                yield path, inner_at, how, _inside(change_inner, _item(name, index))
        else:
            for how, value in _others(field, getattr(message, name)[index]):
                yield where, here, how, _put(name, index, value)


def _of_scalar(message: Message, field: Any, where: str, at: tuple[int, ...]) -> _Found:
    oneof = field.containing_oneof
    if oneof is not None and message.WhichOneof(oneof.name) not in (None, field.name):
        return
    for how, value in _others(field, getattr(message, field.name)):
        yield where, at, how, _set(field.name, value)


def _others(field: Any, value: object) -> Iterator[tuple[str, object]]:
    """Other values of a field, near the one it has."""
    if field.enum_type is not None:
        numbers = [each.number for each in field.enum_type.values]
        place = numbers.index(value) if value in numbers else 0
        for step in (1, -1):
            yield f"{step:+}", numbers[(place + step) % len(numbers)]
    elif isinstance(value, bool):
        yield "turned", not value
    elif isinstance(value, int):
        yield "+1", value + 1
        signed = field.cpp_type in (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64)
        if value > 0 or signed:
            yield "-1", value - 1
    elif isinstance(value, float):
        yield "+1", value + 1
    elif isinstance(value, bytes):
        yield "a bit", value[:-1] + bytes([value[-1] ^ 1]) if value else b"\x00"
    elif isinstance(value, str):
        yield "a character", value[:-1] + ("y" if value.endswith("x") else "x")


def _inside(change: Change, part: Callable[[Message], Message]) -> Change:
    return lambda whole: change(part(whole))


def _item(name: str, index: int) -> Callable[[Message], Message]:
    return lambda whole: getattr(whole, name)[index]


def _set(name: str, value: object) -> Change:
    return lambda whole: setattr(whole, name, value)


def _put(name: str, index: int, value: object) -> Change:
    return lambda whole: getattr(whole, name).__setitem__(index, value)


def _listed(change: Callable[[list[object], int], list[object]], name: str, index: int) -> Change:
    def carry_out(whole: Message) -> None:
        items = change(list(getattr(whole, name)), index)
        whole.ClearField(name)
        getattr(whole, name).extend(items)

    return carry_out


def _drop(items: list[object], index: int) -> list[object]:
    return items[:index] + items[index + 1 :]


def _double(items: list[object], index: int) -> list[object]:
    return items[: index + 1] + items[index:]


def _swap(items: list[object], index: int) -> list[object]:
    other = (index + 1) % len(items)
    items[index], items[other] = items[other], items[index]
    return items


class Forger:
    """Changes a copy of a log, lets somebody look at it, and puts it back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = OFF")
        self.store = read_store(path)
        self.originals = {str(row["name"]): row for row in self.rows("tournaments")}
        """The tournaments' rows as they were at first."""

    def close(self) -> None:
        """Ends the work."""
        self.store.close()
        self._connection.close()

    def rows(self, table: str) -> list[dict[str, object]]:
        """All rows of a table."""
        with closing(self._connection.cursor()) as cursor:
            cursor.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def put(self, table: str, row: Mapping[str, object], columns: Mapping[str, object]) -> None:
        """Changes columns of one row, and nothing else."""
        changes = ", ".join(f"{name} = ?" for name in columns)
        where = " AND ".join(f"{name} = ?" for name in KEYS[table])
        values = (*columns.values(), *(row[name] for name in KEYS[table]))
        self._connection.execute(f"UPDATE {table} SET {changes} WHERE {where}", values)

    def run(self, statement: str, *values: object) -> None:
        """Changes anything."""
        self._connection.execute(statement, values)

    def put_record(self, row: Mapping[str, object], message: record_pb2.HandRecord) -> None:
        """Puts a record in the place of another with everything that is made of it."""
        if message.digest == record_pb2.HandRecord.FromString(_bytes(row["record"])).digest:
            message.digest = facts_digest(message)
        blob, key = message.SerializeToString(deterministic=True), message.facts.key
        number = row["id"]
        assert isinstance(number, int)
        columns: dict[str, object] = {
            "tournament": key.tournament,
            "digest": message.digest,
            "checksum": row_checksum(number, blob),
            "record": blob,
        }
        for name in ("match", "board", "seating", "hand", "attempt"):
            columns[name] = getattr(key, name)
        self.put("hands", row, columns)

    def seal(self, name: str) -> None:
        """Makes a tournament's digest, final standings and seal anew."""
        with suppress(Exception):  # What cannot be ranked keeps the standings it had.
            standings = final_standings(self.store, name)
            self.run("UPDATE tournaments SET standings = ? WHERE name = ?", standings, name)
        digest = self.store.log_digest(name)
        self.run("UPDATE tournaments SET log_digest = ? WHERE name = ?", digest, name)
        self.seal_row(name)

    def seal_row(self, name: str) -> None:
        """Makes a tournament's seal anew."""
        with suppress(Exception):  # What cannot be read cannot be sealed either.
            seal = tournament_seal(self.store.tournament_row(name))
            self.run("UPDATE tournaments SET seal = ? WHERE name = ?", seal, name)

    def restore(self, table: str, row: Mapping[str, object]) -> None:
        """Puts a row back as it was."""
        marks = ", ".join("?" * len(row))
        names = ", ".join(row)
        statement = f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})"
        self._connection.execute(statement, tuple(row.values()))


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


def spec_of(row: Mapping[str, object]) -> tournament_pb2.TournamentSpec:
    """The definition in a tournament's row."""
    return tournament_pb2.TournamentSpec.FromString(_bytes(row["spec"]))


def record_of(row: Mapping[str, object]) -> record_pb2.HandRecord:
    """The record in a hand's row."""
    return record_pb2.HandRecord.FromString(_bytes(row["record"]))

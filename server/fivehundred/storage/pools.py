"""Reading databases for pools: the whole boards of tournaments, each hand read once."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from sys import intern

from google.protobuf.message import DecodeError
from sqlalchemy import select, tuple_

from fivehundred.rules.errors import RulesError
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.database import reading
from fivehundred.storage.errors import StorageError
from fivehundred.storage.results import hand_line
from fivehundred.storage.schema import HAND_KEY, hands
from fivehundred.storage.store import BATCH, Store
from fivehundred.storage.values import RegisteredBot, StoredTournament, TournamentState
from fivehundred.table.values import HandRecord
from fivehundred.tournament.pools import Board, Event, PlayedHand, counted
from fivehundred.v1 import record_pb2, tournament_pb2
from fivehundred.wire.errors import WireError
from fivehundred.wire.record import record_from_proto

MOST = (1 << 31) - 1
"""The greatest number in a hand that columns of hands take."""
PAGE = 100
"""Bots listed by one statement."""
HELD = 1000
"""Hands held at a time, beside those of the match that is being read."""
_Row = tuple[int, bytes, int, int, int, int, int]
"""Of a hand: its id, its record and the rest of its key."""

ROWS = select(hands.c.id, hands.c.record, *HAND_KEY[1:])

Progress = Callable[[int, int], None]
"""Is told how many hands of how many have been read."""


@dataclass(frozen=True, slots=True)
class Left:
    """A tournament that was left out, and why."""

    tournament: str
    why: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which tournaments to count."""

    names: frozenset[str] = frozenset()
    """Those of these names as far as they go; all that are finished where empty."""
    rules: str = ""
    """The start of the rule set's hash in hexadecimal digits."""
    with_sequential: bool = False
    """Whether sequential tests count."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tournaments of a database that are wanted, by name, and those that were left out."""

    tournaments: tuple[StoredTournament, ...]
    left: tuple[Left, ...]
    names: frozenset[str]
    """Of all tournaments that the database has."""
    rules: frozenset[bytes]
    """The hashes of their rule sets."""
    hands: int


@dataclass(frozen=True, slots=True)
class Read:
    """What a database has brought."""

    boards: tuple[Board, ...]
    remarks: tuple[Left, ...]
    """Of tournaments that are not counted whole."""


def chosen(store: Store, wanted: Wanted) -> Chosen:
    """The tournaments of a database that are wanted."""
    everything = sorted(store.all_tournaments(), key=lambda stored: stored.name)
    asked = [stored for stored in everything if _is_asked(stored, wanted)]
    why = {stored.name: _left_out(stored, wanted) for stored in asked}
    taken = tuple(stored for stored in asked if not why[stored.name])
    return Chosen(
        tournaments=taken,
        left=tuple(Left(name, words) for name, words in why.items() if words),
        names=frozenset(stored.name for stored in everything),
        rules=frozenset(stored.rules_hash for stored in everything),
        hands=sum(store.hand_count(stored.name) for stored in taken),
    )


def read_boards(store: Store, found: Chosen, progress: Progress = lambda done, total: None) -> Read:
    """The whole boards of tournaments; raises `StorageError` for a hand that cannot be read."""
    boards: list[Board] = []
    remarks: list[Left] = []
    done = 0
    for stored in found.tournaments:
        event = _event(stored)
        loose = changed = 0
        for matches in whole_matches(_hands(store, stored)):
            whole = counted(event, matches)
            boards += whole.boards
            loose, changed = loose + whole.loose, changed + whole.changed
            done += len(matches)
            progress(done, found.hands)
        remarks += [Left(stored.name, words) for words in _remarks(loose, changed)]
    return Read(tuple(boards), tuple(remarks))


def whole_matches(hands: Iterable[PlayedHand], least: int = HELD) -> Iterator[list[PlayedHand]]:
    """Hands in order of their matches, so many at a time or more: no match is divided."""
    held: list[PlayedHand] = []
    for hand in hands:
        if len(held) >= least and hand.line.match != held[-1].line.match:
            yield held
            held = []
        held.append(hand)
    if held:
        yield held


def registered_bots(store: Store) -> list[RegisteredBot]:
    """All registered bots, by name."""
    found: list[RegisteredBot] = []
    while page := store.bots(PAGE, found[-1].name if found else ""):
        found += page
    return found


def _is_asked(stored: StoredTournament, wanted: Wanted) -> bool:
    is_named = not wanted.names or stored.name in wanted.names
    return is_named and stored.rules_hash.hex().startswith(wanted.rules)


def _left_out(stored: StoredTournament, wanted: Wanted) -> str:
    """Why a tournament is left out; empty where it is not."""
    if stored.state is not TournamentState.FINISHED and not wanted.names:
        return f"it is {stored.state.name}, not finished: --tournament counts it as far as it goes"
    if not wanted.with_sequential and _is_sequential(_spec(stored).format):
        return (
            "it is a sequential test, which stops on what it sees, so that its estimates are "
            "biased: --with-sequential counts it all the same"
        )
    return ""


def _is_sequential(form: tournament_pb2.Format) -> bool:
    """Whether there is a sequential test in it."""
    kind = form.WhichOneof("format")
    if kind == "stages":
        return any(_is_sequential(stage.format) for stage in form.stages.stages)
    return kind == "sequential"


def _spec(stored: StoredTournament) -> tournament_pb2.TournamentSpec:
    try:
        return tournament_pb2.TournamentSpec.FromString(stored.spec)
    except DecodeError:
        raise StorageError(
            f"the definition of {stored.name!r} cannot be read: see `fivehundred verify`"
        ) from None


def _event(stored: StoredTournament) -> Event:
    return Event(
        name=stored.name,
        commitment=stored.commitment,
        secret=stored.deal_secret,
        rules=stored.rules,
        rules_hash=stored.rules_hash,
        games=_spec(stored).format.HasField("games"),
        create_time_us=stored.create_time_us,
    )


def _remarks(loose: int, changed: int) -> Iterator[str]:
    if loose:
        yield f"{_count(loose, 'hand')} of boards that are not whole, or were void, do not count"
    if changed:
        yield (
            f"{_count(changed, 'board')} in the midst of which a bot changed its version "
            "do not count"
        )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _hands(store: Store, stored: StoredTournament) -> Iterator[PlayedHand]:
    """All hands of a tournament, in the order of their keys; few are held at a time."""
    page = _page(store, stored.name, None)
    while page:
        for number, blob, *_ in page:
            yield _played(stored, number, blob)
        page = _page(store, stored.name, page[-1][2:]) if len(page) == BATCH else []


def _page(store: Store, name: str, after: tuple[int, ...] | None) -> list[_Row]:
    """A page of rows after a key, or from the start."""
    query = ROWS.where(hands.c.tournament == name).order_by(*HAND_KEY).limit(BATCH)
    if after is not None:
        query = query.where(tuple_(*HAND_KEY[1:]) > tuple_(*after))
    with reading(store.engine) as connection:
        return [tuple(row) for row in connection.execute(query)]


def _played(stored: StoredTournament, number: int, blob: bytes) -> PlayedHand:
    """What pools need of a hand; its decisions only as part of the digest."""
    try:
        message = record_pb2.HandRecord.FromString(blob)
        play = _play(message.facts)
        message.facts.ClearField("decisions")
        for field in ("receipts", "notes", "evidence"):
            message.ClearField(field)
        record = record_from_proto(message)
        _require_shape(record, stored.rules)
        line = hand_line(record, stored.rules)
    except (DecodeError, RulesError, WireError, ValueError, LookupError) as error:
        raise StorageError(
            f"hand {number} of {stored.name!r} cannot be counted, {error}: see `fivehundred verify`"
        ) from None
    players = tuple(map(intern, record.started.bots))
    return PlayedHand(line, players, play, number)


def _play(facts: record_pb2.HandFacts) -> bytes:
    """The digest of who played what; the same under another tournament's or entrant's name."""
    same = record_pb2.HandFacts()
    same.CopyFrom(facts)
    same.ClearField("key")
    same.ClearField("entrants")
    same.result.ClearField("forfeited_by")
    return sha256(same.SerializeToString(deterministic=True)).digest()


def _require_shape(record: HandRecord, rules: RuleSet) -> None:
    """Refuses a hand that the rules of its tournament do not seat."""
    started, result = record.started, record.ended.result
    seats, sides = range(rules.players), range(rules.sides)
    if not len(started.entrants) == len(started.bots) == len(seats):
        raise ValueError(f"{len(started.entrants)} entrants at a table of {len(seats)}")
    if len(result.change) != len(sides) or not set(result.winners) <= set(sides):
        raise ValueError(f"a result that is not one of {len(sides)} sides")
    key = started.key
    numbers = (key.match, key.seating, key.hand, key.attempt, *started.entrants, *result.change)
    if any(abs(number) > MOST for number in numbers):
        raise ValueError(f"a number beyond {MOST}")
    if result.contract is not None and result.contract.contractor not in seats:
        raise ValueError(f"a contractor at seat {result.contract.contractor}")

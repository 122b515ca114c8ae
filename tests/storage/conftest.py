"""A database, tournaments, and hands played at random over it."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fivehundred.rules.actions import PASS, Action, LegalCalls, LegalExchange
from fivehundred.rules.hand import HandResult, Outcome
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store, open_store
from fivehundred.storage.values import NewTournament, TournamentState
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import (
    Ask,
    Decided,
    Fault,
    FaultKind,
    HandEnded,
    HandKey,
    HandRecord,
    HandStarted,
    Receipt,
    Reply,
)
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.matches import schedule
from fivehundred.wire.spec import check_spec

RULES = RuleSet()
SEED = bytes(range(32))
BOTS = ("left@1", "right@2")

MakeTournament = Callable[..., NewTournament]
MakeRecord = Callable[..., HandRecord]
PlayMatch = Callable[..., None]


def _spec(name: str, *, games: bool, boards: int, strikes: int | None) -> bytes:
    spec = tournament_pb2.TournamentSpec(name=name, seed=SEED.hex())
    for entrant in ("left", "right"):
        spec.entrants.add(name=entrant, address="127.0.0.1:5001")
    if games:
        spec.format.games.max_deals = 3
        spec.format.games.boards_per_match = boards
    else:
        spec.format.boards.boards_per_match = boards
    spec.fault_policy.never_forfeit = strikes is None
    spec.fault_policy.strikes = strikes or 0
    return spec.SerializeToString(deterministic=True)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the database is."""
    return tmp_path / "log.db"


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    """An open database, empty at first."""
    with open_store(database) as opened:
        yield opened


@pytest.fixture
def make_tournament() -> MakeTournament:
    """Makes a tournament that is not stored yet."""

    def make(
        name: str = "cup",
        *,
        games: bool = False,
        boards: int = 2,
        strikes: int | None = None,
        at: int = 1,
        rules: RuleSet = RULES,
        seed: bytes = SEED,
        request_id: str | None = None,
    ) -> NewTournament:
        spec = _spec(name, games=games, boards=boards, strikes=strikes)
        return NewTournament(name, spec, rules, seed, at, request_id, BOTS)

    return make


@pytest.fixture
def make_record() -> MakeRecord:
    """Makes a record that has the form of one; nobody has played it."""

    def make(
        board: int = 0, seating: int = 0, match: int = 0, tournament: str = "cup"
    ) -> HandRecord:
        started = HandStarted(
            key=HandKey(tournament, match, board, seating),
            bots=BOTS * 2,
            entrants=(0, 1, 0, 1),
            dealer=0,
            deck=tuple(range(43)),
            scores_before=(0, 0),
        )
        decided = [Decided(seat, PASS, Receipt(5, 1, 4, 0)) for seat in (1, 2, 3)]
        late = Fault(FaultKind.TIMEOUT, "no answer within 1 s", b"\x00")
        decided.append(Decided(0, PASS, Receipt(9, 0, 9, 0), late, "a note"))
        result = HandResult(Outcome.PASSED_OUT, None, (0, 0, 0, 0), (0, 0), next_dealer=1)
        return HandRecord(b"r" * 32, started, tuple(decided), HandEnded(result))

    return make


def _random_answer(rng: random.Random, ask: Ask) -> Action | Fault:
    if rng.random() < 0.02:
        return Fault(FaultKind.ILLEGAL, "9H is not legal", b"\x01\x02")
    if isinstance(ask.legal, LegalExchange):
        return ask.legal.default()
    if isinstance(ask.legal, LegalCalls):
        return rng.choice(ask.legal.calls[:3])
    return rng.choice(list(ask.legal))


def _play(store: Store, spec: MatchSpec, seed: int) -> None:
    rng, table, journal = random.Random(seed), Table(spec), Journal(store)
    name, match = spec.tournament, spec.number
    journal.append(name, match, table.start())
    while (ask := table.ask()) is not None:
        events = table.reply(Reply(_random_answer(rng, ask), elapsed_us=rng.randrange(900)))
        records = table.take_records()
        if not records:
            journal.append(name, match, events)
        for record in records:
            journal.finish_hand(name, match, record)
            after = events.index(record.ended) + 1
            events = events[after:]
        if records and events:
            journal.append(name, match, events)
    for record in table.take_records():
        journal.finish_hand(name, match, record)
    journal.close()


@pytest.fixture
def play_match() -> PlayMatch:
    """Plays a match of a stored tournament at random and writes its log."""

    def play(store: Store, name: str = "cup", *, seed: int = 1) -> None:
        stored = store.tournament(name)
        plan = check_spec(tournament_pb2.TournamentSpec.FromString(stored.spec))
        store.set_state(name, TournamentState.RUNNING)
        _play(store, schedule(plan).match(0, stored.bots), seed)

    return play

"""Tournaments of a database, played at random by nobody: for what reads whole logs."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from fivehundred.daemon.results import final_standings
from fivehundred.rules.actions import Action, LegalCalls, LegalExchange
from fivehundred.storage.journal import Journal
from fivehundred.storage.results import hand_line
from fivehundred.storage.store import Store, open_store
from fivehundred.storage.values import NewTournament, TournamentState
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import Ask, Fault, FaultKind, Reply
from fivehundred.tournament.hand_line import HandLine
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.matches import schedule
from fivehundred.wire.presets import choose_rules
from fivehundred.wire.spec import Plan, check_spec

SEED = bytes(range(32))
CREATED_US = 1_700_000_000_000_000

Change = Callable[[tournament_pb2.TournamentSpec], None]


def create(
    store: Store,
    name: str,
    entrants: Sequence[str],
    bots: Sequence[str],
    change: Change = lambda spec: None,
) -> None:
    """Store a round robin of boards, or whatever the change makes of its definition."""
    spec = tournament_pb2.TournamentSpec(name=name, seed=SEED.hex())
    for entrant in entrants:
        spec.entrants.add(name=entrant, registered="bot")
    spec.format.round_robin.rounds = 1
    spec.format.boards.boards_per_match = 2
    spec.fault_policy.never_forfeit = True
    change(spec)
    rules = choose_rules(spec.rules)
    definition = spec.SerializeToString(deterministic=True)
    new = NewTournament(name, definition, rules, SEED, CREATED_US, None, tuple(bots))
    store.create_tournament(new)


def play(store: Store, name: str, *, matches: int | None = None, faults: float = 0.01) -> None:
    """Play some of a tournament's matches, or all there are."""
    stored = store.tournament(name)
    plan = check_spec(tournament_pb2.TournamentSpec.FromString(stored.spec))
    planned = schedule(plan)
    store.set_state(name, TournamentState.RUNNING)
    number = 0
    while number != matches and (pairing := planned.format.next()) is not None:
        spec = planned.match_of(pairing, stored.bots)
        _play(store, spec, random.Random(number), faults)
        planned.take(_lines(store, plan, pairing.number))
        number += 1


def finish(store: Store, name: str) -> None:
    """End a tournament as the daemon does."""
    store.finish(name, final_standings(store, name))


def database(path: Path, make: Callable[[Store], None]) -> Path:
    """A database that something has been put into."""
    with open_store(path) as store:
        make(store)
    return path


def _play(store: Store, spec: MatchSpec, rng: random.Random, faults: float) -> None:
    table, journal = Table(spec), Journal(store)
    journal.append(spec.tournament, spec.number, table.start())
    while (ask := table.ask()) is not None:
        table.reply(Reply(_answer(rng, ask, faults), elapsed_us=rng.randrange(50, 90_000)))
        for record in table.take_records():
            journal.finish_hand(spec.tournament, spec.number, record)
    journal.close()


def _lines(store: Store, plan: Plan, match: int) -> list[HandLine]:
    """What the standings need of one match."""
    found = [hand.record for hand in store.hands(plan.name) if hand.key.match == match]
    return [hand_line(record, plan.rules) for record in found]


def _answer(rng: random.Random, ask: Ask, faults: float) -> Action | Fault:
    if rng.random() < faults:
        return Fault(FaultKind.ILLEGAL, "9H is not legal", b"\x01\x02")
    if isinstance(ask.legal, LegalExchange):
        return ask.legal.default()
    if isinstance(ask.legal, LegalCalls):
        return rng.choice(ask.legal.calls[:3])
    return rng.choice(list(ask.legal))

"""Fifty bots that never answer: every decision of theirs is a TIMEOUT, nobody else has a fault."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from fivehundred.daemon.creation import find_or_create
from fivehundred.daemon.embedded import director_of
from fivehundred.storage.store import Store
from fivehundred.storage.values import TournamentState
from fivehundred.table.values import Decided, FaultKind
from fivehundred.v1 import tournament_pb2

StartListening = Callable[[Sequence[str], str], Any]
HUNG = 50
TABLES = 200
LIMIT_MS = 100


def spec_of(name: str, addresses: Sequence[str], rounds: int) -> tournament_pb2.TournamentSpec:
    """A tournament between bots at addresses, a board a match."""
    spec = tournament_pb2.TournamentSpec(name=name, tables=TABLES, seed="5a" * 32)
    for number, address in enumerate(addresses):
        spec.entrants.add(name=f"entrant{number}", address=address)
    spec.format.round_robin.rounds = rounds
    spec.format.boards.boards_per_match = 1
    return spec


def hung_spec(address: str) -> tournament_pb2.TournamentSpec:
    """A tournament in which a fault forfeits the match."""
    spec = spec_of("hung", [address] * HUNG, rounds=1)
    for limit in ("bid", "discard", "play"):
        getattr(spec.time_control, limit).FromMilliseconds(LIMIT_MS)
    spec.time_control.first_decision.SetInParent()
    spec.fault_policy.strikes = 1
    return spec


def decisions(store: Store, name: str) -> Iterator[Decided]:
    return (each for hand in store.hands(name) for each in hand.record.decisions)


async def test_fifty_hung_bots_are_each_timed_out_and_the_others_play_on(
    start_listening: StartListening, tmp_path: Path, nightly: bool
) -> None:
    silent = start_listening([sys.executable, "-m", "fivehundred_bots.faulty", "silent"], "stderr")
    honest = start_listening([sys.executable, "-m", "fivehundred_bots.basic"], "stderr")
    specs = [
        hung_spec(silent.address),
        spec_of("honest", [honest.address] * 2, rounds=2_000 if nightly else 150),
    ]

    async with director_of(tmp_path / "t.db") as (store, director):
        for spec in specs:
            find_or_create(store, spec)
            director.start(spec.name)
        for spec in specs:
            await director.finished(spec.name)

        states = {store.tournament(spec.name).state for spec in specs}
        hung, others = list(decisions(store, "hung")), list(decisions(store, "honest"))
        hands = store.hand_count("honest")

    assert states == {TournamentState.FINISHED}
    assert len(hung) == HUNG * (HUNG - 1) // 2
    assert {each.fault.kind if each.fault else None for each in hung} == {FaultKind.TIMEOUT}
    assert hands == (4_000 if nightly else 300)
    assert [each.fault for each in others if each.fault] == []

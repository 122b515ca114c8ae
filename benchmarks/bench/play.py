"""Tournaments under way, played in this process as a daemon plays them, and windows on them."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import grpc
from google.protobuf.duration_pb2 import Duration

from bench.meter import Meter, Traffic, metered
from bench.names import ATTACHED, TOKEN
from bench.processes import Bots
from fivehundred.daemon import logs
from fivehundred.daemon.attach_tokens import token_hash
from fivehundred.daemon.creation import find_or_create
from fivehundred.daemon.director import Director
from fivehundred.daemon.embedded import director_of
from fivehundred.daemon.garbage import look_rarely
from fivehundred.daemon.services import add_services
from fivehundred.storage.store import Store
from fivehundred.storage.values import RegisteredBot
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.presets import DEFAULT_PRESET

NAME = "bench"
PAIRINGS = 500_000
"""So many that no look sees their end."""
LONG_S = 30.0
"""The limits where nothing is to time out."""
SAMPLE = 200
"""Hands from which the mean number of decisions is taken."""
WARM_UP_S = 1.0
COMING_UP_S = 60.0


def spec_of(
    addresses: Sequence[str],
    *,
    tables: int,
    name: str = NAME,
    preset: str = DEFAULT_PRESET,
    limit_s: float = LONG_S,
) -> tournament_pb2.TournamentSpec:
    """A tournament that does not end soon, between an entrant at each of the addresses."""
    spec = tournament_pb2.TournamentSpec(name=name, tables=tables, seed="07" * 32)
    spec.rules.preset = preset
    for number, address in enumerate(addresses):
        entrant = spec.entrants.add(name=f"entrant{number}")
        if address == ATTACHED:
            entrant.registered = ATTACHED
        else:
            entrant.address = address
    spec.format.round_robin.rounds = PAIRINGS // comb(len(addresses), 2)
    spec.format.boards.boards_per_match = 4
    limit = Duration(nanos=round(limit_s % 1 * 1e9), seconds=int(limit_s))
    for kind in (spec.time_control.bid, spec.time_control.discard, spec.time_control.play):
        kind.CopyFrom(limit)
    spec.fault_policy.never_forfeit = True
    return spec


@dataclass(frozen=True, slots=True)
class Window:
    """What happened within some seconds."""

    seconds: float
    hands: int
    """Stored, of this tournament; what follows is of all that are under way."""
    decisions: int
    traffic: Traffic
    cpu_s: float
    bots_cpu_s: float
    decisions_a_hand: float

    def __sub__(self, before: Self) -> "Window":
        """What happened between two looks."""
        return Window(
            self.seconds - before.seconds,
            self.hands - before.hands,
            self.decisions - before.decisions,
            self.traffic - before.traffic,
            self.cpu_s - before.cpu_s,
            self.bots_cpu_s - before.bots_cpu_s,
            self.decisions_a_hand,
        )

    @property
    def hands_a_second(self) -> float:
        """Hands in a second, by the decisions made: hands that begin together end together."""
        return self.decisions / self.decisions_a_hand / self.seconds

    def figures(self) -> dict[str, float]:
        """What is worth telling of it beside the speed."""
        return {
            "decisions a message": self.decisions / self.traffic.requests,
            "bytes of a decision": self.traffic.request_bytes / self.decisions,
            "daemon µs CPU a decision": self.cpu_s / self.decisions * 1e6,
            "bots µs CPU a decision": self.bots_cpu_s / self.decisions * 1e6,
        }


class Playing:
    """A daemon in this process, with what its sessions carry metered."""

    def __init__(self, store: Store, director: Director, meter: Meter, bots: Bots) -> None:
        self.store = store
        self.director = director
        self.meter = meter
        self._bots = bots

    def start(self, spec: tournament_pb2.TournamentSpec) -> None:
        """Start a tournament, or start it again where it has been paused."""
        find_or_create(self.store, spec)
        self.director.start(spec.name)

    @asynccontextmanager
    async def listening(self, address: str) -> AsyncIterator[None]:
        """Let a bot dial in at an address for the length of a block."""
        token = token_hash(TOKEN)
        self.store.register_bot(RegisteredBot(ATTACHED, "", "", 0, token))
        server = grpc.aio.server()
        add_services(server, self.store, self.director)
        server.add_insecure_port(address)
        await server.start()
        try:
            yield
        finally:
            await self.director.close(drain=False)
            await server.stop(0)

    async def warm(self, name: str = NAME, hands: int = 1) -> None:
        """Return when some hands have been stored and a second has gone by."""
        wanted = self.hands(name) + hands
        async with asyncio.timeout(COMING_UP_S):
            while self.hands(name) < wanted:
                await self.director.changed.wait()
        await asyncio.sleep(WARM_UP_S)

    async def window(self, seconds: float, name: str = NAME) -> Window:
        """Look on for some seconds."""
        decisions_a_hand = self._decisions_a_hand(name)
        before = self._look(name, decisions_a_hand)
        await asyncio.sleep(seconds)
        return self._look(name, decisions_a_hand) - before

    def hands(self, name: str = NAME) -> int:
        """Hands stored so far; raises RuntimeError where the tournament has stopped by itself."""
        progress = self.director.progress(name)
        if progress is None:
            stored = self.store.tournament(name)
            raise RuntimeError(f"{name} is {stored.state.name}: {stored.reason}")
        return progress.hands

    def _look(self, name: str, decisions_a_hand: float) -> Window:
        return Window(
            time.perf_counter(),
            self.hands(name),
            self.meter.decisions,
            self.meter.traffic.copy(),
            time.process_time(),
            self._bots.cpu_s(),
            decisions_a_hand,
        )

    def _decisions_a_hand(self, name: str) -> float:
        page = self.store.hands_page(name, SAMPLE)
        return sum(len(hand.record.decisions) for hand in page) / max(len(page), 1)


@asynccontextmanager
async def daemon(room: Path, bots: Bots, meter: Meter | None = None) -> AsyncIterator[Playing]:
    """A daemon over a new database, which plays nothing yet."""
    logs.configure(json=False, level=logging.ERROR)
    look_rarely()
    meter = meter or Meter()
    with metered(meter), TemporaryDirectory(dir=room) as directory:
        database = Path(directory) / "bench.db"
        async with director_of(database) as (store, director):
            yield Playing(store, director, meter, bots)

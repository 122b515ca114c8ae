"""A whole run: one daemon after the other over the same disk, until the tournament is over."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

import grpc.aio
import pytest
from structlog.testing import capture_logs

from fivehundred.daemon.creation import find_or_create
from fivehundred.daemon.director import STARTABLE, UNFINISHED, Director
from fivehundred.players.lag import LagMonitor
from fivehundred.storage import journal as journal_module
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store, open_store
from fivehundred.storage.values import TournamentState
from simulation.bots import SimulatedBot
from simulation.disk import DATABASE, Queue, WriterThread, copy_disk, decisions_size
from simulation.network import Network
from simulation.scenario import At, Kill, Scenario
from simulation.trace import Killed, Stalled, Trace
from simulation.virtual_time import START_S, VirtualLoop

MOMENT_S = 1e-4
WRITING_S = 0.003
PAUSE_S = 0.05
"""Between one daemon's end and the next one's start."""
STALL_S = 0.08
STALLS_WITHIN_S = 0.3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has left."""

    scenario: Scenario
    trace: Trace
    database: Path
    lives: int

    @property
    def trace_digest(self) -> str:
        """The SHA-256 of all that has happened."""
        return sha256("\n".join(map(repr, self.trace.events)).encode()).hexdigest()


class Unfinished(AssertionError):
    """The tournament did not come to its end."""


def run(scenario: Scenario, room: Path) -> Outcome:
    """Play a scenario to its end in an empty directory."""
    world = _World(scenario, room)
    with pytest.MonkeyPatch.context() as patch, capture_logs() as logs:
        world.patch(patch)
        try:
            while not world.live_once():
                pass
        except Exception as error:
            error.add_note(f"the daemon's last words: {logs[-3:]}")
            raise
    return Outcome(scenario, world.trace, world.room / DATABASE, world.life + 1)


class _World:
    """What outlives the daemons."""

    def __init__(self, scenario: Scenario, room: Path) -> None:
        self.trace = Trace()
        self.life = 0
        self.room = room
        self._scenario = scenario
        self._random = Random(f"world {scenario.seed}")
        self._network = Network(
            [
                SimulatedBot(entrant, habits, self._random)
                for entrant, habits in enumerate(scenario.bots)
            ],
            self.trace,
        )
        self._now = START_S

    def patch(self, patch: pytest.MonkeyPatch) -> None:
        """Put the world in the place of what it stands for."""
        patch.setattr(grpc.aio, "insecure_channel", self._network.channel)
        patch.setattr("secrets.token_hex", lambda size: self._random.randbytes(size).hex())
        self._patch = patch

    def live_once(self) -> bool:
        """Let one daemon live until it is killed or done; gives whether it was done."""
        loop = VirtualLoop(self._now)
        asyncio.set_event_loop(loop)
        try:
            life = loop.run_until_complete(self._live(loop))
            self._now = life.ended + PAUSE_S
        finally:
            asyncio.set_event_loop(None)
            loop.close()
        if not life.is_over:
            return True
        self.life, self.room = self.life + 1, life.next_room
        return False

    async def _live(self, loop: VirtualLoop) -> "_Life":
        life = _Life(self, loop, self._kill())
        thread = WriterThread(life.commit)
        delay = self._writing_time
        self._patch.setattr(journal_module, "Thread", thread.begin)
        self._patch.setattr(journal_module, "SimpleQueue", lambda: Queue[object](thread, delay))
        self._patch.setattr(journal_module, "monotonic", loop.time)
        self._network.begin(life)
        with open_store(self.room / DATABASE) as store:
            journal = _Journal(store, life)
            lag = LagMonitor()
            director = Director(store, journal, lag)
            try:
                self._stall(loop)
                await _until_over(life, director, self._start(store, director))
            finally:
                await director.close(drain=False)
                lag.stop()
                journal.close()
            if not life.is_over:
                _require_finished(store, self._scenario.spec.name)
        return life

    def _start(self, store: Store, director: Director) -> str:
        stored = find_or_create(store, self._scenario.spec)
        if stored.state in UNFINISHED:
            director.take_up(stored)
        if store.tournament(stored.name).state in STARTABLE:
            director.start(stored.name)
        return stored.name

    def _kill(self) -> Kill | None:
        kills = self._scenario.kills
        return kills[self.life] if self.life < len(kills) else None

    def _writing_time(self) -> float:
        return self._random.choice((0.0, WRITING_S * self._random.random()))

    def _stall(self, loop: VirtualLoop) -> None:
        for _ in range(self._scenario.stalls):
            seconds = STALL_S * self._random.random()
            at = STALLS_WITHIN_S * self._random.random()
            loop.call_later(at, self._stand_still, loop, seconds)

    def _stand_still(self, loop: VirtualLoop, seconds: float) -> None:
        loop.stall(seconds)
        self.trace.events.append(Stalled(loop.time(), seconds))


class _Life:
    """One daemon from its start to its end."""

    def __init__(self, world: _World, loop: VirtualLoop, kill: Kill | None) -> None:
        self.number = world.life
        self.room = world.room
        self.next_room = world.room.with_name(f"life-{world.life + 1}")
        self.over: asyncio.Future[None] = loop.create_future()
        self.ended = 0.0
        self._trace = world.trace
        self._loop = loop
        self._kill = kill
        self._counts: Counter[At] = Counter()
        if kill is not None and kill.at is At.MOMENT:
            loop.call_later(kill.count * MOMENT_S, self._die)

    @property
    def is_over(self) -> bool:
        """Whether it has been killed."""
        return self.over.done()

    @property
    def ends_while_flushing(self) -> bool:
        """Whether it will be killed while it writes decisions."""
        return self._kill is not None and self._kill.at is At.FLUSHING

    def reach(self, at: At) -> None:
        """It does something at which it may be killed."""
        if self._is_time(at):
            self._die()

    def wrote(self, before: int) -> None:
        """It has written decisions, which were so many bytes before."""
        if self._is_time(At.FLUSHING) and self._kill is not None:
            added = decisions_size(self.room) - before
            self._die(before + round(added * self._kill.torn))

    def commit(self, write: Callable[[], None]) -> None:
        """The journal's thread takes its turn."""
        self.reach(At.BEFORE_COMMIT)
        write()
        self.reach(At.AFTER_COMMIT)

    def _is_time(self, at: At) -> bool:
        self._counts[at] += 1
        kill = self._kill
        return kill is not None and kill.at is at and kill.count == self._counts[at]

    def _die(self, decisions_bytes: int | None = None) -> None:
        if self.is_over:
            return
        copy_disk(self.room, self.next_room, decisions_bytes)
        self.ended = self._loop.time()
        self._trace.events.append(Killed(self.ended, self.number))
        self.over.set_result(None)


class _Journal(Journal):
    """The journal of a daemon that may be killed while it writes."""

    def __init__(self, store: Store, life: _Life) -> None:
        self._life = life
        super().__init__(store)

    def flush(self) -> None:
        """Write, and perhaps come no further."""
        if not self._life.ends_while_flushing:
            super().flush()
            return
        before = decisions_size(self._life.room)
        super().flush()
        if decisions_size(self._life.room) > before:
            self._life.wrote(before)


async def _until_over(life: _Life, director: Director, name: str) -> None:
    done = asyncio.ensure_future(director.finished(name))
    await asyncio.wait([done, life.over], return_when=asyncio.FIRST_COMPLETED)
    done.cancel()


def _require_finished(store: Store, name: str) -> None:
    stored = store.tournament(name)
    if stored.state is not TournamentState.FINISHED:
        raise Unfinished(f"{stored.state.name}: {stored.reason}")

"""Every entrant's sessions: one a seat, which share nothing with one another."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from fivehundred import __version__
from fivehundred.players.lag import LagMonitor
from fivehundred.players.player import Unreachable
from fivehundred.players.process import launched
from fivehundred.players.session import Session, connect
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.store import Store
from fivehundred.v1 import bot_pb2
from fivehundred.wire.errors import FailedPrecondition
from fivehundred.wire.ruleset import rules_hash, ruleset_to_proto
from fivehundred.wire.spec import EntrantSpec, Plan

STARTING_AT_ONCE = 4
"""Launched bots that start at a time; more would only wait for one another's processors."""

Sessions = Mapping[tuple[int, int], Session]
"""By entrant and seat."""


@asynccontextmanager
async def seat_sessions(plan: Plan, store: Store, lag: LagMonitor) -> AsyncIterator[Sessions]:
    """All sessions of a tournament, closed at the end, launched bots stopped.

    Raises `FailedPrecondition` that names the first entrant who does not come up.
    """
    starting = asyncio.Semaphore(STARTING_AT_ONCE)
    async with AsyncExitStack() as stack:
        places = [(e, s) for e in range(len(plan.entrants)) for s in range(plan.rules.players)]
        tasks: list[asyncio.Task[Session]] = []
        try:
            async with asyncio.TaskGroup() as group:
                for entrant, seat in places:
                    place = _Place(plan, plan.entrants[entrant], seat, store, lag, starting)
                    tasks.append(group.create_task(_open(stack, place)))
        except* Unreachable as group_error:
            raise FailedPrecondition(str(group_error.exceptions[0])) from None
        yield dict(zip(places, (task.result() for task in tasks), strict=True))


def identities(plan: Plan, sessions: Sessions) -> tuple[str, ...]:
    """``name@version`` by entrant; raises `FailedPrecondition` where its seats disagree."""
    found: dict[int, str] = {}
    for (entrant, _), each in sessions.items():
        identity = str(each.identity)
        if found.setdefault(entrant, identity) != identity:
            name = plan.entrants[entrant].name
            raise FailedPrecondition(
                f"entrant {name!r} is {found[entrant]} at one seat and {identity} at another: "
                "one entrant is one bot of one version"
            )
    return tuple(found[entrant] for entrant in range(len(plan.entrants)))


async def _open(stack: AsyncExitStack, seat: "_Place") -> Session:
    limit, entrant = seat.plan.time.connect_us, seat.entrant
    try:
        if not entrant.launch:
            target = entrant.address or seat.store.bot(entrant.registered or "").address
            return await stack.enter_async_context(await seat.connect(target, limit))
        async with seat.starting:
            directory = Path(entrant.directory or ".")
            start = launched(entrant.launch, directory, bot_environment(), limit_us=limit)
            process = await stack.enter_async_context(start)
            return await stack.enter_async_context(await seat.connect(process.target, limit))
    except Unreachable as error:
        reason = f"entrant {entrant.name!r} did not come up: {error.fault.reason}"
        raise Unreachable(replace(error.fault, reason=reason)) from None


@dataclass(frozen=True, slots=True)
class _Place:
    """One seat of one entrant, and what it takes to reach it."""

    plan: Plan
    entrant: EntrantSpec
    seat: int
    store: Store
    lag: LagMonitor
    starting: asyncio.Semaphore

    async def connect(self, target: str, limit_us: int) -> Session:
        """A greeted session with the bot at an address."""
        hello = hello_of(self.plan.rules, self.seat)
        return await connect(target, hello, limit_us=limit_us, lag=self.lag)


def hello_of(rules: RuleSet, seat: int) -> bot_pb2.HelloRequest:
    """The daemon's greeting to a seat."""
    return bot_pb2.HelloRequest(
        daemon_version=__version__,
        rules=ruleset_to_proto(rules),
        rules_hash=rules_hash(rules),
        seat=seat,
    )


def bot_environment() -> dict[str, str]:
    """What launched bots get besides: the programs installed beside this interpreter."""
    beside = str(Path(sys.executable).parent)
    return {"PATH": os.pathsep.join([beside, os.environ.get("PATH", os.defpath)])}

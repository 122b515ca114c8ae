"""Every entrant's sessions: one a seat where the bot is launched, one for all seats otherwise."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from fivehundred import __version__
from fivehundred.players.attached import AttachedBots, AttachedSession, attached_session
from fivehundred.players.lag import LagMonitor
from fivehundred.players.line import BeforeAsking
from fivehundred.players.player import Unreachable
from fivehundred.players.process import launched
from fivehundred.players.sandbox import Hidden, sandbox_problem
from fivehundred.players.session import Session, connect
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.values import RegisteredBot
from fivehundred.table.values import HandRecord
from fivehundred.v1 import bot_pb2
from fivehundred.wire.errors import FailedPrecondition
from fivehundred.wire.ruleset import rules_hash, ruleset_to_proto
from fivehundred.wire.spec import EntrantSpec, Plan

STARTING_AT_ONCE = 4
"""Launched bots that start at a time; more would only wait for one another's processors."""

Sessions = Mapping[tuple[int, int], Session]
"""By entrant and seat; seats may share one."""


class Registry(Protocol):
    """Where bots are found by the name under which they are registered."""

    def bot(self, name: str) -> RegisteredBot:
        """One bot; raises `NotFound`."""
        ...


@asynccontextmanager
async def seat_sessions(
    plan: Plan,
    store: Registry,
    lag: LagMonitor,
    before_asking: BeforeAsking,
    attached: AttachedBots,
    secret: Path,
    absent: Collection[int] = (),
) -> AsyncIterator[Sessions]:
    """All sessions of a tournament, closed at the end, launched bots stopped; none of the absent.

    No bot in a sandbox may read the file ``secret``, nor those beside it that are named after it.
    Raises `FailedPrecondition` that names the first entrant who does not come up.
    """
    await asyncio.to_thread(require_sandboxes, plan)
    starting = asyncio.Semaphore(STARTING_AT_ONCE)
    async with AsyncExitStack() as stack:
        tasks: dict[tuple[int, int], asyncio.Task[Session]] = {}
        try:
            async with asyncio.TaskGroup() as group:
                for entrant, seats in _places(plan, absent):
                    place = _Place(
                        plan=plan,
                        entrant=plan.entrants[entrant],
                        seats=seats,
                        store=store,
                        lag=lag,
                        before_asking=before_asking,
                        attached=attached,
                        starting=starting,
                        secret=secret,
                    )
                    task = group.create_task(_open(stack, place))
                    tasks |= dict.fromkeys(((entrant, seat) for seat in seats), task)
        except* Unreachable as group_error:
            raise FailedPrecondition(str(group_error.exceptions[0])) from None
        yield {place: task.result() for place, task in tasks.items()}


def require_sandboxes(plan: Plan) -> None:
    """Raise `FailedPrecondition` where an entrant is to be shut into what there is not here."""
    wanting = [each.name for each in plan.entrants if each.sandbox]
    if wanting and (problem := sandbox_problem()):
        raise FailedPrecondition(f"entrant {wanting[0]!r} is to play in a sandbox, but {problem}")


def _places(plan: Plan, absent: Collection[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The seats that share a session: those of an entrant that is dialled; launched ones do not."""
    seats = tuple(range(plan.rules.players))
    for number, entrant in enumerate(plan.entrants):
        if number in absent:
            continue
        if entrant.launch:
            yield from ((number, (seat,)) for seat in seats)
        else:
            yield number, seats


def identities(plan: Plan, sessions: Sessions) -> tuple[str, ...]:
    """``name@version`` by entrant, empty for the absent.

    Raises `FailedPrecondition` where the seats of one disagree.
    """
    found: dict[int, str] = {}
    for (entrant, _), each in sessions.items():
        identity = str(each.identity)
        if found.setdefault(entrant, identity) != identity:
            name = plan.entrants[entrant].name
            raise FailedPrecondition(
                f"entrant {name!r} is {found[entrant]} at one seat and {identity} at another: "
                "one entrant is one bot of one version"
            )
    return tuple(found.get(entrant, "") for entrant in range(len(plan.entrants)))


def tell_hand(sessions: Sessions, record: HandRecord) -> None:
    """Tell the bots that dial in of a hand that they have played."""
    for entrant in dict.fromkeys(record.started.entrants):
        session = sessions.get((entrant, 0))
        if isinstance(session, AttachedSession):
            session.tell_hand(record, entrant)


async def _open(stack: AsyncExitStack, seat: "_Place") -> Session:
    limit, entrant = seat.plan.time.connect_us, seat.entrant
    try:
        if not entrant.launch:
            return await stack.enter_async_context(await seat.reach(limit))
        async with seat.starting:
            start = launched(
                entrant.launch,
                Path(entrant.directory or "."),
                bot_environment(),
                sandbox=entrant.sandbox,
                hidden=(Hidden.of(seat.secret),),
                limit_us=limit,
            )
            process = await stack.enter_async_context(start)
            return await stack.enter_async_context(await seat.connect(process.target, limit))
    except Unreachable as error:
        reason = f"entrant {entrant.name!r} did not come up: {error.fault.reason}"
        raise Unreachable(replace(error.fault, reason=reason)) from None


@dataclass(frozen=True, slots=True)
class _Place:
    """Seats of one entrant that share a session, and what it takes to reach them."""

    plan: Plan
    entrant: EntrantSpec
    seats: tuple[int, ...]
    store: Registry
    lag: LagMonitor
    before_asking: BeforeAsking
    attached: AttachedBots
    starting: asyncio.Semaphore
    secret: Path

    async def reach(self, limit_us: int) -> Session:
        """A greeted session with a bot that runs by itself, dialled or dialling in."""
        if self.entrant.address:
            return await self.connect(self.entrant.address, limit_us)
        bot = self.store.bot(self.entrant.registered or "")
        if not bot.dials_in:
            return await self.connect(bot.address, limit_us)
        return await attached_session(
            self.attached,
            bot.name,
            self._hellos(),
            limit_us=limit_us,
            lag=self.lag,
            before_asking=self.before_asking,
        )

    async def connect(self, target: str, limit_us: int) -> Session:
        """A greeted session with the bot at an address."""
        return await connect(
            target,
            self._hellos(),
            limit_us=limit_us,
            lag=self.lag,
            before_asking=self.before_asking,
        )

    def _hellos(self) -> list[bot_pb2.HelloRequest]:
        return [hello_of(self.plan.rules, seat) for seat in self.seats]


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

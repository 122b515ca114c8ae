"""Which match is handed out next, while entrants are suspended and while none is."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fivehundred.daemon.backlog import Backlog
from fivehundred.daemon.creation import create
from fivehundred.daemon.playing import Unfinished
from fivehundred.daemon.results import plan_of
from fivehundred.daemon.supply import Supply
from fivehundred.storage.store import Store, open_store
from fivehundred.table.table import Table
from fivehundred.table.values import Fault, FaultKind, FaultPolicy, HandRecord, Reply
from fivehundred.tournament.suspension import Suspension
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.matches import Schedule, schedule

MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
BOTS = ("a@1", "b@1", "c@1")
FAILING = 2
GONE = Fault(FaultKind.DISCONNECTED, "gone")
SOON_US = 1000
LATE_US = 3_600_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database."""
    with open_store(tmp_path / "t.db") as opened:
        yield opened


@pytest.fixture
def planned(store: Store, make_spec: MakeSpec) -> Schedule:
    """Two rounds between three entrants: six matches, two of them without the last."""
    bots = [(name, f"unix:/{name}") for name in ("a", "b", "c")]
    create(store, make_spec(*bots, rounds=2, boards=1))
    return schedule(plan_of(store, "test"))


def with_failing(planned: Schedule) -> list[int]:
    """The matches in which the failing entrant plays."""
    return [n for n, pairing in enumerate(planned.pairings) if FAILING in pairing.entrants]


def without_failing(planned: Schedule) -> list[int]:
    """The others."""
    return [n for n, pairing in enumerate(planned.pairings) if FAILING not in pairing.entrants]


def number(found: Unfinished | None) -> int | None:
    return None if found is None else found.spec.number


def record_of(planned: Schedule, fault: Fault | None) -> HandRecord:
    """A hand in which the failing entrant made each decision with a fault, or none."""
    match = planned.match(with_failing(planned)[0], BOTS)
    table = Table(replace(match, policy=FaultPolicy(None)))
    table.start()
    while (ask := table.ask()) is not None:
        is_fault = fault is not None and ask.entrant == FAILING
        table.reply(Reply(fault if is_fault and fault else ask.legal.default(), 1))
    return table.take_records()[0]


@dataclass
class Rim:
    """What a supply reaches: a bot that answers or does not, and those who are told."""

    answers: bool = True
    told: list[str] = field(default_factory=list)

    async def greet(self, entrant: int) -> bool:
        assert entrant == FAILING
        return self.answers


@asynccontextmanager
async def supplied(
    store: Store, planned: Schedule, rim: Rim, suspension: Suspension, draining: asyncio.Event
) -> AsyncIterator[Supply]:
    """A supply that is watched."""
    plan = replace(planned.plan, suspension=suspension)
    backlog = Backlog(store, planned, BOTS, lambda: None)
    supply = Supply(backlog, plan, draining, rim.greet, rim.told.append)
    watching = asyncio.create_task(supply.watch())
    try:
        async with asyncio.timeout(20):
            yield supply
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


def test_what_is_put_off_is_played_first_when_it_may_be(store: Store, planned: Schedule) -> None:
    backlog = Backlog(store, planned, BOTS, lambda: None)
    held = {FAILING}

    def put_off_by(entrants: Sequence[int]) -> int | None:
        return next((each for each in entrants if each in held), None)

    first = [number(backlog.next(put_off_by)) for _ in range(3)]
    assert first == [*without_failing(planned), None]
    assert backlog.may_have_more

    held.clear()

    rest = [number(backlog.next(put_off_by)) for _ in range(5)]
    assert rest == [*with_failing(planned), None]
    assert not backlog.may_have_more


def test_a_match_that_was_under_way_is_not_put_off(store: Store, planned: Schedule) -> None:
    backlog = Backlog(store, planned, BOTS, lambda: None)
    mine = with_failing(planned)[0]
    backlog.give_back([planned.match(mine, BOTS)])

    assert number(backlog.next(lambda entrants: entrants[0])) == mine


async def test_a_bot_that_answers_is_tried_once_and_let_back_by_a_success(
    store: Store, planned: Schedule
) -> None:
    rim, policy = Rim(), Suspension(1, SOON_US, LATE_US)
    async with supplied(store, planned, rim, policy, asyncio.Event()) as supply:
        supply.observe(record_of(planned, GONE))
        played = [number(await supply.next()) for _ in range(3)]
        assert played == [*without_failing(planned), with_failing(planned)[0]]

        supply.observe(record_of(planned, None))

        rest = [number(await supply.next()) for _ in range(4)]
        assert rest == [*with_failing(planned)[1:], None]
    assert rim.told == ["c is suspended", "c has answered again", ""]


async def test_one_that_does_not_answer_is_played_when_patience_is_over(
    store: Store, planned: Schedule
) -> None:
    rim, policy = Rim(answers=False), Suspension(1, SOON_US, 50 * SOON_US)
    async with supplied(store, planned, rim, policy, asyncio.Event()) as supply:
        supply.observe(record_of(planned, GONE))

        played = [number(await supply.next()) for _ in range(7)]

    assert played == [*without_failing(planned), *with_failing(planned), None]
    assert rim.told == ["c is suspended", "c plays although its bot keeps failing"]


async def test_whoever_waits_for_a_match_is_let_go_by_a_drain(
    store: Store, planned: Schedule
) -> None:
    draining = asyncio.Event()
    policy = Suspension(1, LATE_US, LATE_US)
    async with supplied(store, planned, Rim(), policy, draining) as supply:
        supply.observe(record_of(planned, GONE))
        for _ in without_failing(planned):
            await supply.next()
        waiting = asyncio.create_task(supply.next())
        await asyncio.sleep(0)
        assert not waiting.done()

        draining.set()

        assert await waiting is None

"""Many alarms on one timer."""

import asyncio
import random

from fivehundred.players.alarms import IDLE_BEFORE_SWEEPING, Alarm, Alarms


async def test_alarms_ring_in_the_order_of_their_times() -> None:
    alarms, loop, rung = Alarms(), asyncio.get_running_loop(), list[int]()
    done = asyncio.Event()
    now = loop.time()
    order = list(range(50))
    random.Random(1).shuffle(order)

    for number in order:
        alarms.at(now + number / 10_000, lambda number=number: rung.append(number))  # type: ignore[misc]
    alarms.at(now + 0.006, done.set)
    await done.wait()

    assert rung == list(range(50))
    assert loop.time() >= now + 0.006


async def test_a_stopped_alarm_does_not_ring() -> None:
    alarms, loop, rung = Alarms(), asyncio.get_running_loop(), list[str]()
    done = asyncio.Event()

    first = alarms.at(loop.time() + 0.001, lambda: rung.append("first"))
    alarms.at(loop.time() + 0.002, done.set)
    first.stop()
    first.stop()
    await done.wait()

    assert rung == []


async def test_an_alarm_may_set_another_one_and_stop_a_third() -> None:
    alarms, loop, rung = Alarms(), asyncio.get_running_loop(), list[str]()
    done = asyncio.Event()

    def again() -> None:
        rung.append("again")
        third.stop()
        alarms.at(loop.time(), done.set)

    alarms.at(loop.time(), again)
    third = alarms.at(loop.time() + 0.001, lambda: rung.append("third"))
    await done.wait()

    assert rung == ["again"]


async def test_stopped_alarms_are_swept_out() -> None:
    alarms, loop = Alarms(), asyncio.get_running_loop()
    kept = alarms.at(loop.time() + 60, done_never)
    stopped: list[Alarm] = []

    for _ in range(100 * IDLE_BEFORE_SWEEPING):
        stopped.append(alarms.at(loop.time() + 60, done_never))
        stopped[-1].stop()

    assert len(alarms) <= 2 * IDLE_BEFORE_SWEEPING + 2
    kept.stop()
    alarms.close()


async def test_an_alarm_that_fails_silences_no_other() -> None:
    alarms, loop = Alarms(), asyncio.get_running_loop()
    done = asyncio.Event()
    told: list[object] = []
    loop.set_exception_handler(lambda _, context: told.append(context["exception"]))

    alarms.at(loop.time(), done_never)
    alarms.at(loop.time() + 0.001, done.set)
    await done.wait()

    assert [type(each) for each in told] == [AssertionError]


async def test_nothing_rings_after_the_end() -> None:
    alarms, loop, rung = Alarms(), asyncio.get_running_loop(), list[str]()
    alarms.at(loop.time() + 0.001, lambda: rung.append("late"))

    alarms.close()
    done = asyncio.Event()
    loop.call_later(0.005, done.set)
    await done.wait()

    assert rung == []


def done_never() -> None:
    raise AssertionError("an alarm a minute away has rung")

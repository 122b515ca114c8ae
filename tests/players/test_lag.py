"""The daemon's own lag, and the clocks that do not charge it."""

import asyncio
import time
from collections.abc import Callable

from fivehundred.players.clock import Clock
from fivehundred.players.lag import LagMonitor


async def test_a_stall_counts_before_a_tick_has_noticed_it(lag: LagMonitor) -> None:
    loop = asyncio.get_running_loop()
    before = lag.total(loop.time())

    time.sleep(0.1)  # noqa: ASYNC251 - the stall that the test is about

    assert 0.09 < lag.total(loop.time()) - before <= 0.11


async def test_a_clock_runs_on_for_as_long_as_the_loop_stood_still(lag: LagMonitor) -> None:
    expired = asyncio.Event()
    clock = Clock(lag)
    clock.ring_after(50_000, expired.set)

    time.sleep(0.2)  # noqa: ASYNC251 - the stall that the test is about
    left = clock.left(50_000)
    await expired.wait()
    elapsed_us, lag_us = clock.measure(asyncio.get_running_loop().time())

    assert left > 0.03
    assert lag_us > 190_000
    assert 50_000 <= elapsed_us - lag_us < 100_000


async def test_a_clock_that_nobody_shares_any_more_never_expires(lag: LagMonitor) -> None:
    loop = asyncio.get_running_loop()
    expired: list[Callable[[], None]] = []
    clock = Clock(lag, sharing=2)
    clock.ring_after(0, lambda: expired.append(clock.release))

    clock.release()
    clock.release()
    await loop.run_in_executor(None, int)

    assert not expired

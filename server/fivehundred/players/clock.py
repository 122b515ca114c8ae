"""One decision's clock: its limit, less what the daemon itself was late."""

import asyncio
from collections.abc import Callable

from fivehundred.players.lag import LagMonitor


class Clock:
    """Runs from its making; calls ``expire`` once, when the bot's own time is used up."""

    __slots__ = ("_expire", "_lag", "_lag_before", "_limit", "_loop", "_started", "_timer")

    def __init__(self, lag: LagMonitor, limit_us: int, expire: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._lag = lag
        self._limit = limit_us / 1e6
        self._expire = expire
        self._started = self._loop.time()
        self._lag_before = lag.total(self._started)
        self._timer = self._loop.call_at(self._started + self._limit, self._look)

    @property
    def started(self) -> float:
        """When it was started, in the loop's time."""
        return self._started

    def left(self) -> float:
        """Seconds that the bot still has."""
        elapsed_us, lag_us = self.measure(self._loop.time())
        return self._limit - (elapsed_us - lag_us) / 1e6

    def stop(self) -> None:
        """Never expire any more."""
        self._timer.cancel()

    def measure(self, now: float) -> tuple[int, int]:
        """Microseconds elapsed until ``now``, and how many of them were the daemon's lag."""
        elapsed = now - self._started
        lag = self._lag.total(now) - self._lag_before
        return round(elapsed * 1e6), round(min(lag, elapsed) * 1e6)

    def _look(self) -> None:
        """Expire, or run on for as long as the daemon was late."""
        if (left := self.left()) > 0:
            self._timer = self._loop.call_at(self._loop.time() + left, self._look)
        else:
            self._expire()

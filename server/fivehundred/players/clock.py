"""The clock of decisions that were sent together: their limits, less what the daemon was late."""

from collections.abc import Callable

from fivehundred.players.alarms import Alarm
from fivehundred.players.lag import LagMonitor


class Clock:
    """Runs from ``now``, or its making, for as many decisions as share it."""

    __slots__ = ("_alarm", "_lag", "_lag_before", "_sharing", "started")

    def __init__(self, lag: LagMonitor, now: float | None = None, sharing: int = 1) -> None:
        self.started = lag.loop.time() if now is None else now
        """In the loop's time."""
        self._lag = lag
        self._lag_before = lag.total(self.started)
        self._sharing = sharing
        self._alarm: Alarm | None = None

    def measure(self, now: float) -> tuple[int, int]:
        """Microseconds elapsed until ``now``, and how many of them were the daemon's lag."""
        elapsed = now - self.started
        lag = self._lag.total(now) - self._lag_before
        return round(elapsed * 1e6), round(min(lag, elapsed) * 1e6)

    def left(self, limit_us: int) -> float:
        """Seconds that a bot still has of a limit."""
        elapsed_us, lag_us = self.measure(self._lag.loop.time())
        return (limit_us - (elapsed_us - lag_us)) / 1e6

    def ring_after(self, limit_us: int, ring: Callable[[], None]) -> None:
        """Call ``ring`` once, when a limit is used up by the bot and not by the daemon."""
        self._set_alarm(self.started + limit_us / 1e6, limit_us, ring)

    def release(self) -> None:
        """One decision needs the clock no more; it never rings when none does."""
        self._sharing -= 1
        if self._sharing == 0 and self._alarm is not None:
            self._alarm.stop()

    def _set_alarm(self, when: float, limit_us: int, ring: Callable[[], None]) -> None:
        self._alarm = self._lag.alarms.at(when, lambda: self._look(limit_us, ring))

    def _look(self, limit_us: int, ring: Callable[[], None]) -> None:
        """Ring, or run on for as long as the daemon was late."""
        if (left := self.left(limit_us)) > 0:
            self._set_alarm(self._lag.loop.time() + left, limit_us, ring)
        else:
            ring()

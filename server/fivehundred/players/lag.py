"""How late the daemon itself is: the delay of its event loop, which no bot is charged for."""

import asyncio

from fivehundred.players.alarms import Alarms

TICK_S = 0.005
GRAIN_S = 0.001
"""A tick late by less is the timer's own grain and counts as punctual."""


class LagMonitor:
    """Adds up how late a regular tick comes; one serves every session of an event loop."""

    def __init__(self) -> None:
        self.alarms = Alarms()
        """The alarms of the same event loop."""
        self.loop = asyncio.get_running_loop()
        self._past = 0.0
        self._due = self.loop.time() + TICK_S
        self._timer = self.loop.call_at(self._due, self._tick)

    def total(self, now: float) -> float:
        """The lag in seconds up to ``now``, with a stall that no tick has noticed yet.

        The lag within a span is the difference of the totals at its ends.
        """
        late = now - self._due
        return self._past + late if late > GRAIN_S else self._past

    def stop(self) -> None:
        """End the ticking and the alarms."""
        self._timer.cancel()
        self.alarms.close()

    def _tick(self) -> None:
        now = self.loop.time()
        self._past = self.total(now)
        self._due = now + TICK_S
        self._timer = self.loop.call_at(self._due, self._tick)

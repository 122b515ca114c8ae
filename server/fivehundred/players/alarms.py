"""Many alarms on one timer of the event loop: most are stopped long before they are due."""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count

IDLE_BEFORE_SWEEPING = 256


class Alarm:
    """Calls back once at its time, unless it is stopped before."""

    __slots__ = ("_alarms", "callback")

    def __init__(self, alarms: "Alarms", callback: Callable[[], None]) -> None:
        self._alarms = alarms
        self.callback: Callable[[], None] | None = callback

    def stop(self) -> None:
        """Never call back any more."""
        if self.callback is not None:
            self.callback = None
            self._alarms.forget_one()


class Alarms:
    """The alarms of one event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._heap: list[tuple[float, int, Alarm]] = []
        self._order = count()
        self._timer: asyncio.TimerHandle | None = None
        self._next = float("inf")
        self._stopped = 0

    def __len__(self) -> int:
        """How many are held, stopped ones that have not been swept out included."""
        return len(self._heap)

    def at(self, when: float, callback: Callable[[], None]) -> Alarm:
        """An alarm for a time of the loop's clock."""
        alarm = Alarm(self, callback)
        heapq.heappush(self._heap, (when, next(self._order), alarm))
        if when < self._next:
            self._set_timer()
        return alarm

    def close(self) -> None:
        """End the timer; no alarm calls back any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._heap.clear()

    def forget_one(self) -> None:
        """Count a stopped alarm; they are swept out when they are the most."""
        self._stopped += 1
        if self._stopped > IDLE_BEFORE_SWEEPING and self._stopped * 2 > len(self._heap):
            self._heap = [entry for entry in self._heap if entry[2].callback is not None]
            heapq.heapify(self._heap)
            self._stopped = 0

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._next = self._heap[0][0] if self._heap else float("inf")
        self._timer = self._loop.call_at(self._next, self._ring) if self._heap else None

    def _ring(self) -> None:
        try:
            self._call_due(self._loop.time())
        finally:
            self._timer = None
            self._set_timer()

    def _call_due(self, now: float) -> None:
        while self._heap and (self._heap[0][2].callback is None or self._heap[0][0] <= now):
            alarm = heapq.heappop(self._heap)[2]
            if (callback := alarm.callback) is None:
                self._stopped -= 1
            else:
                alarm.callback = None
                callback()

"""An event loop whose time passes only while nobody has anything to do."""

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

T = TypeVar("T")
START_S = 1000.0
LONGEST_S = 600.0


class Stuck(AssertionError):
    """The world has gone on for far longer than anything in it may take."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """Jumps to the next timer when nothing is ready; nothing that is done takes any time."""

    def __init__(self, now: float) -> None:
        self._passing = _Passing(now)
        super().__init__(self._passing)

    def time(self) -> float:
        """The virtual time in seconds."""
        return self._passing.now

    def run_in_executor(
        self, executor: Executor | None, func: Callable[..., T], *args: object
    ) -> "asyncio.Future[T]":
        """Do at once what would be done in another thread."""
        del executor
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - it is raised by whoever awaits it
            future.set_exception(error)
        return future

    def stall(self, seconds: float) -> None:
        """Let time pass in which nobody gets to run."""
        self._passing.now += seconds


class _Passing(selectors.SelectSelector):
    """Waits for no file: lets the time pass instead."""

    def __init__(self, now: float) -> None:
        super().__init__()
        self.now = now
        self._end = now + LONGEST_S

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck("everybody waits for somebody else")
        if timeout > 0:
            self.now += timeout
        if self.now > self._end:
            raise Stuck(f"no end after {LONGEST_S:g} s")
        return []

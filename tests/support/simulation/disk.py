"""What outlives a daemon, and the thread that writes it, which here runs when the loop says so."""

import asyncio
import shutil
from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Generic, TypeVar

from fivehundred.storage.store import open_store

T = TypeVar("T")
DATABASE = "t.db"
DECISIONS = f"{DATABASE}.decisions"


class _WouldBlock(BaseException):
    """The thread has nothing to do: it is left, and begun anew when there is something."""


class WriterThread:
    """Stands for the journal's thread: runs in the loop, a while after something was queued."""

    def __init__(self, turn: Callable[[Callable[[], None]], None]) -> None:
        self._turn = turn
        self._target: Callable[[], None] = lambda: None
        self._loop = asyncio.get_running_loop()

    def begin(self, *, target: Callable[[], None], name: str) -> "WriterThread":
        """Stand for ``Thread(target=…, name=…)``."""
        del name
        self._target = target
        return self

    def start(self) -> None:
        """Nothing is queued yet."""

    def join(self) -> None:
        """Write what is queued at once."""
        self.run()

    def run(self) -> None:
        """Write what is queued."""
        try:
            self._target()
        except _WouldBlock:
            return

    def run_after(self, seconds: float) -> None:
        """Take a turn a while later."""
        self._loop.call_later(seconds, self._turn, self.run)


class Queue(Generic[T]):
    """Stands for the queue to the thread."""

    def __init__(self, thread: WriterThread, delay: Callable[[], float]) -> None:
        self._items: deque[T] = deque()
        self._thread = thread
        self._delay = delay

    def put(self, item: T) -> None:
        """Queue something, and let the thread find it later."""
        self._items.append(item)
        self._thread.run_after(self._delay())

    def get(self, timeout: float | None = None) -> T:
        """The next item; who would wait for it without an end leaves the thread."""
        if self._items:
            return self._items.popleft()
        if timeout is None:
            raise _WouldBlock
        raise Empty


def empty_disk(room: Path) -> None:
    """Make the files of a daemon that has never played, for others to begin with."""
    room.mkdir()
    open_store(room / DATABASE).close()


def copy_disk(room: Path, to: Path, decisions_bytes: int | None = None) -> None:
    """Copy the files as they are, with no more of the decisions than so many bytes."""
    to.mkdir()
    for path in sorted(room.glob(f"{DATABASE}*")):
        if not path.name.endswith((".lock", "-shm")):
            shutil.copyfile(path, to / path.name)
    if decisions_bytes is not None:
        with (to / DECISIONS).open("r+b") as file:
            file.truncate(decisions_bytes)


def decisions_size(room: Path) -> int:
    """The bytes of decisions under way."""
    path = room / DECISIONS
    return path.stat().st_size if path.exists() else 0

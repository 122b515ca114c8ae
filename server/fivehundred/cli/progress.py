"""How far a tournament is, on standard error: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bar

from fivehundred.daemon.progress import Progress

OnProgress = Callable[[Progress], None]
SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def progress_shown(name: str) -> Iterator[OnProgress]:
    """Show the progress that the function given is called with, until the block ends."""
    if sys.stderr.isatty():
        with _bar() as bar:
            yield _BarDisplay(bar, name, Pace(time.monotonic)).show
        return
    lines = LineDisplay(name, Pace(time.monotonic), _write_line)
    yield lines.show
    lines.close()


class Pace:
    """How fast hands come in, from the first progress shown on; ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since = clock()
        self._hands_before: int | None = None
        self._share_before = 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._since

    def describe(self, progress: Progress) -> str:
        """``120/480 hands, 85.3 hands/s, 0:00:04 left``."""
        if self._hands_before is None:
            self._hands_before = max(progress.hands - 1, 0)
            self._share_before = share(progress) if progress.hands > 1 else 0.0
        planned = f"/{progress.planned}" if progress.planned else ""
        matches = f"{progress.matches}/{progress.matches_planned} matches"
        speed = (progress.hands - self._hands_before) / self.seconds if self.seconds else 0.0
        left = self._seconds_left(progress)
        parts = [f"{progress.hands}{planned} hands", matches, f"{speed:.1f} hands/s"]
        if left is not None:
            parts.append(f"{timedelta(seconds=round(left))} left")
        return ", ".join(parts)

    def _seconds_left(self, progress: Progress) -> float | None:
        done = share(progress)
        gained = done - self._share_before
        return self.seconds * (1 - done) / gained if gained > 0 else None


def share(progress: Progress) -> float:
    """The part that is done, 0 to 1: by hands, or by matches where games decide how many hands."""
    if progress.planned:
        return progress.hands / progress.planned
    return progress.matches / progress.matches_planned if progress.matches_planned else 0.0


class LineDisplay:
    """Progress as a line every few seconds, and one at the end."""

    def __init__(self, name: str, pace: Pace, write: Callable[[str], None]) -> None:
        self._name = name
        self._pace = pace
        self._write = write
        self._next = 0.0
        self._pending: str | None = None

    def show(self, progress: Progress) -> None:
        """Take note of the progress; write it where it is time to."""
        self._pending = f"{self._name}: {self._pace.describe(progress)}"
        if self._pace.seconds >= self._next:
            self.close()
            self._next = self._pace.seconds + SECONDS_BETWEEN_LINES

    def close(self) -> None:
        """Write what has not been written."""
        if self._pending is not None:
            self._write(self._pending)
        self._pending = None


class _BarDisplay:
    """Progress as a bar."""

    def __init__(self, bar: Bar, name: str, pace: Pace) -> None:
        self._bar = bar
        self._pace = pace
        self._task: TaskID = bar.add_task(name, total=1.0, described="waiting for the bots")

    def show(self, progress: Progress) -> None:
        """Move the bar."""
        described = self._pace.describe(progress)
        self._bar.update(self._task, completed=share(progress), described=described)


def _bar() -> Bar:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%  {task.fields[described]}", markup=False),
    )
    return Bar(*columns, console=Console(stderr=True), refresh_per_second=5)


def _write_line(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

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
            yield _BarDisplay(bar, name).show
        return
    lines = LineDisplay(name, time.monotonic, _write_line)
    yield lines.show
    lines.close()


class Pace:
    """How fast hands come in, counted from the first new hand on; ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._stored_before: int | None = None
        self._first: tuple[float, Progress] | None = None

    def describe(self, progress: Progress) -> str:
        """``120/480 hands, 2/10 matches, 85.3 hands/s, 0:00:04 left``."""
        if self._stored_before is None:
            self._stored_before = progress.hands
        if self._first is None and progress.hands > self._stored_before:
            self._first = self._clock(), progress
        planned = f"/{progress.planned}" if progress.planned else ""
        matches = matches_text(progress.matches, progress.matches_planned)
        return ", ".join((f"{progress.hands}{planned} hands", matches, *self._speed(progress)))

    def _speed(self, progress: Progress) -> Iterator[str]:
        if self._first is None:
            return
        since, first = self._first
        seconds = self._clock() - since
        if seconds <= 0:
            return
        yield f"{(progress.hands - first.hands) / seconds:.1f} hands/s"
        gained = share(progress) - share(first)
        if gained > 0:
            left = round(seconds * (1 - share(progress)) / gained)
            yield f"{timedelta(seconds=left)} left"


def matches_text(played: int, planned: int) -> str:
    """``3/10 matches``, or ``3 matches`` where it is open how many there will be."""
    return f"{played}/{planned} matches" if planned else f"{played} matches"


def share(progress: Progress) -> float:
    """The part that is done, 0 to 1: by hands, or by matches where games decide how many hands."""
    if progress.planned:
        return progress.hands / progress.planned
    return progress.matches / progress.matches_planned if progress.matches_planned else 0.0


class LineDisplay:
    """Progress as a line every few seconds, and one at the end."""

    def __init__(self, name: str, clock: Callable[[], float], write: Callable[[str], None]) -> None:
        self._name = name
        self._clock = clock
        self._pace = Pace(clock)
        self._write = write
        self._next = clock()
        self._pending: str | None = None

    def show(self, progress: Progress) -> None:
        """Take note of the progress; write it where it is time to."""
        self._pending = f"{self._name}: {self._pace.describe(progress)}"
        if self._clock() >= self._next:
            self.close()
            self._next = self._clock() + SECONDS_BETWEEN_LINES

    def close(self) -> None:
        """Write what has not been written."""
        if self._pending is not None:
            self._write(self._pending)
        self._pending = None


class _BarDisplay:
    """Progress as a bar."""

    def __init__(self, bar: Bar, name: str) -> None:
        self._bar = bar
        self._pace = Pace(time.monotonic)
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

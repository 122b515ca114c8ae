"""Curves over tables, bot processes, presets and workers, as Markdown for docs/performance.md.

Example: python benchmarks/curves.py --seconds 3 > build/curves.md
"""

import argparse
import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import workers
from bench.report import short, this_machine
from bench.rows import Figures, Terms
from bench.throughput import OF_ECHO, PER_SECOND, TABLES, stream_round
from fivehundred.wire.presets import DEFAULT_PRESET, preset_names

COLUMNS = (PER_SECOND, OF_ECHO, "decisions a message", "daemon µs CPU a decision")
WORKERS = "workers"
HANDS = 160
THINKING_MS = 5


@dataclass(frozen=True, slots=True)
class Point:
    """One line of a curve."""

    name: str
    processes: int = 1
    tables: int = TABLES
    preset: str = DEFAULT_PRESET
    workers: int = 0
    """Where there are any, a whole tournament of bots that think is played."""

    def measure(self, seconds: float) -> Figures:
        """The point's figures, in a room of its own."""
        if self.workers:
            hands_a_second, _ = workers.hands_a_second(HANDS, THINKING_MS, self.workers)
            return {PER_SECOND: hands_a_second}
        with TemporaryDirectory() as room:
            terms = Terms(Path(room), seconds)
            return asyncio.run(stream_round(terms, self.processes, self.tables, self.preset))


CURVES: dict[str, Sequence[Point]] = {
    "tables": [Point(f"{n:,}", tables=n) for n in (1, 8, 64, 256, 1000)],
    "processes": [Point(f"{n}", processes=n) for n in (1, 2, 4, 8, 16)],
    "presets": [Point(f"`{name}`", preset=name) for name in preset_names()],
    WORKERS: [Point(f"{n}", workers=n) for n in (1, 2, 4)],
}


def main() -> None:
    """Measure the curves and print each line as soon as it is known."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = ", ".join(CURVES)
    parser.add_argument("--only", nargs="+", choices=CURVES, metavar="CURVE", help=names)
    parser.add_argument("--seconds", type=float, default=3.0, help="of a point; 3 by default")
    options = parser.parse_args()
    machine = this_machine()
    print(f"{machine.date}; {machine.processors} processors, load {machine.load_before:.1f}.")
    for curve in options.only or CURVES:
        for line in _table(curve, options.seconds):
            print(line, flush=True)


def _table(curve: str, seconds: float) -> Iterator[str]:
    columns = COLUMNS[:1] if curve == WORKERS else COLUMNS
    yield f"\n{_line(curve, columns)}"
    yield f"|{'---|' * (len(columns) + 1)}"
    for point in CURVES[curve]:
        figures = point.measure(seconds)
        yield _line(point.name, (short(figures[column]) for column in columns))


def _line(first: str, cells: Iterable[str]) -> str:
    return f"| {' | '.join((first, *cells))} |"


if __name__ == "__main__":
    main()

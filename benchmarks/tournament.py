"""One point of the suite's first rows: hands a second beside a bare gRPC echo in the same run.

Example: python benchmarks/tournament.py --tables 256 --processes 4 --seconds 10 --json
"""

import argparse
import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.report import short
from bench.rows import Figures, Terms
from bench.throughput import TABLES, medians, stream_round
from fivehundred.wire.presets import DEFAULT_PRESET


def main() -> None:
    """Measure the point and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--processes", type=int, default=1, help="bot processes; 1 by default")
    parser.add_argument("--preset", default=DEFAULT_PRESET)
    parser.add_argument("--seconds", type=float, default=5.0, help="of a look; 5 by default")
    parser.add_argument("--rounds", type=int, default=1, help="looks; the one in the middle counts")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    figures = asyncio.run(_measure(options))
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return
    for name, value in figures.items():
        print(f"{name:26}{short(value):>12}")


async def _measure(options: argparse.Namespace) -> Figures:
    with TemporaryDirectory() as room:
        terms = Terms(Path(room), options.seconds, options.rounds)
        point = (options.processes, options.tables, options.preset)
        return medians([await stream_round(terms, *point) for _ in range(terms.rounds)])


if __name__ == "__main__":
    main()

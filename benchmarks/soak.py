"""Plays the first row of the suite again and again in one process: speed, spread and memory.

Memory that is flat after the second run leaks nothing.

Example: python benchmarks/soak.py --runs 10
"""

import argparse
import asyncio
import json
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench.latency import memory
from bench.rows import Terms
from bench.throughput import OF_ECHO, PER_SECOND, TABLES, stream_round


def main() -> None:
    """Run it and print a line a run, then the middle and the spread."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each run; 5 by default")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    runs = asyncio.run(_runs(options.runs, options.seconds, quiet=options.json))
    told = {
        "runs": runs,
        "hands/s": _spread([run[PER_SECOND] for run in runs]),
        "of echo": _spread([run[OF_ECHO] for run in runs]),
        "MB since the second run": round(runs[-1]["MB"] - runs[min(1, len(runs) - 1)]["MB"], 3),
    }
    if options.json:
        print(json.dumps(told))
        return
    for name in ("hands/s", "of echo", "MB since the second run"):
        print(f"{name:24}", told[name])


async def _runs(count: int, seconds: float, *, quiet: bool) -> list[dict[str, float]]:
    runs = []
    for number in range(count):
        with TemporaryDirectory() as room:
            figures = await stream_round(Terms(Path(room), seconds), 1, TABLES)
        run = {PER_SECOND: figures[PER_SECOND], OF_ECHO: figures[OF_ECHO], "MB": memory() / 1e6}
        runs.append({name: round(value, 3) for name, value in run.items()})
        if not quiet:
            print(number + 1, runs[-1], flush=True)
    return runs


def _spread(values: list[float]) -> dict[str, float]:
    """The middle, the quartiles' distance as a part of it, and the ends."""
    low, middle, high = quantiles(values, n=4) if len(values) > 1 else values * 3
    return {
        "median": round(median(values), 3),
        "spread": round((high - low) / middle, 3),
        "least": min(values),
        "most": max(values),
    }


if __name__ == "__main__":
    main()

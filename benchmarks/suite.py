"""Measures every row of the table: what is asked of it, what it reaches, and the ratio of the two.

Each row runs in a process of its own; bots run in others. Every hand is journalled and stored. The
ratio is 1 where a bound is met exactly and more where it is met better. Figures of a busy machine
are low: the load is told; compare ratios.

Examples:
  python benchmarks/suite.py --baseline --json build/bench.json
  python benchmarks/suite.py --only stream journal --seconds 10
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.report import (
    HEAD,
    Machine,
    Reached,
    as_json,
    line,
    lines,
    read_baseline,
    this_machine,
)
from bench.rows import Figures, Row, Terms
from bench.table import ROWS

BASELINE = Path(__file__).resolve().parent / "baseline.json"
LONGEST_S = 180.0
"""A row that takes longer has failed."""


def main() -> None:
    """Run what is asked for; leaves with 1 where a row could not be measured."""
    options = _options()
    if options.row:
        print(json.dumps(_measured_here(_rows([options.row])[0], options)))
        return
    machine = this_machine()
    found = _measure(machine, _rows(options.only), options)
    told = as_json(machine, found)
    for path in filter(None, (options.json, BASELINE if options.write_baseline else None)):
        path.write_text(told + "\n", encoding="utf-8")
    sys.exit(any(reached.failed for reached in found.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [row.name for row in ROWS]
    parser.add_argument("--only", nargs="+", choices=names, metavar="ROW", help=", ".join(names))
    parser.add_argument("--seconds", type=float, default=5.0, help="of a look; 5 by default")
    parser.add_argument("--rounds", type=int, default=3, help="looks; the one in the middle counts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found")
    parser.add_argument(
        "--baseline",
        type=Path,
        nargs="?",
        const=BASELINE,
        metavar="FILE",
        help="tell the change since this run; baseline.json where no file is named",
    )
    parser.add_argument("--write-baseline", action="store_true", help=f"write {BASELINE.name}")
    parser.add_argument("--row", choices=names, help=argparse.SUPPRESS)
    return parser.parse_args()


def _rows(names: Sequence[str] | None) -> list[Row]:
    """The rows of some names, or all."""
    return [row for row in ROWS if not names or row.name in names]


def _measure(
    machine: Machine, rows: Sequence[Row], options: argparse.Namespace
) -> dict[Row, Reached]:
    """Measure row by row and print each as soon as it is known."""
    earlier = read_baseline(options.baseline) if options.baseline else {}
    print(
        f"{machine.processors} processors, load {machine.load_before:.1f}, "
        f"Python {machine.python}, grpcio {machine.grpc}, {machine.build} build"
    )
    print(line(*HEAD))
    found: dict[Row, Reached] = {}
    start = time.perf_counter()
    for row in rows:
        found[row] = _measured(row, options)
        print(*lines(row, found[row], earlier.get(row.name, {})), sep="\n", flush=True)
    print(f"{time.perf_counter() - start:.0f} s, load {os.getloadavg()[0]:.1f} at the end")
    return found


def _measured(row: Row, options: argparse.Namespace) -> Reached:
    """What a row reaches, measured in a process of its own."""
    looks = ["--seconds", str(options.seconds), "--rounds", str(options.rounds)]
    command = [sys.executable, __file__, "--row", row.name, *looks]
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=LONGEST_S
        )
    except subprocess.TimeoutExpired:
        return Reached(failed=f"was not done within {LONGEST_S:.0f} s")
    seconds = time.perf_counter() - start
    if done.returncode:
        return Reached(failed=(done.stderr.strip().splitlines() or ["ended without a word"])[-1])
    return Reached(json.loads(done.stdout.splitlines()[-1]), seconds)


def _measured_here(row: Row, options: argparse.Namespace) -> Figures:
    with TemporaryDirectory() as room:
        return asyncio.run(_reach(row, Terms(Path(room), options.seconds, options.rounds)))


async def _reach(row: Row, terms: Terms) -> Figures:
    return await row.reach(terms)


if __name__ == "__main__":
    main()

"""Plays a million hands, or as many as wanted, with the engine and the second opinion side by side.

    python tests/conformance/million.py --hands 1000000 --seed 1 --processes 2

It prints its progress and at the end one line; it stops at the first disagreement with status 1.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from comparison import Disagreement, play_hands

CHUNK = 500
Chunk = tuple[str, int, int]


def main() -> int:
    """Play the hands that the command line asks for."""
    options = _options()
    began = perf_counter()
    seen: Counter[str] = Counter()
    try:
        for played, chunk in _played(options.seed, options.hands, options.processes):
            seen += chunk
            pace = played / (perf_counter() - began)
            print(f"\r{played:>9} hands, {pace:.0f} a second", end="", file=sys.stderr, flush=True)
    except Disagreement as disagreement:
        print(f"\n{disagreement}", file=sys.stderr)
        return 1
    print(file=sys.stderr)
    print(_summary(options.seed, options.hands, seen, perf_counter() - began))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play hands under two referees.")
    parser.add_argument("--hands", type=int, default=1_000_000, help="how many hands")
    parser.add_argument("--seed", default="1", help="what all hands are drawn from")
    parser.add_argument("--processes", type=int, default=1, help="how many play at once")
    return parser.parse_args()


def _played(seed: str, hands: int, processes: int) -> Iterator[tuple[int, Counter[str]]]:
    """What occurred in each chunk of hands, with the count of hands so far."""
    ends = [(seed, first, min(first + CHUNK, hands)) for first in range(0, hands, CHUNK)]
    with Pool(processes) as pool:
        played = 0
        for count, seen in pool.imap_unordered(_chunk, ends):
            played += count
            yield played, seen


def _chunk(chunk: Chunk) -> tuple[int, Counter[str]]:
    seed, first, end = chunk
    return end - first, play_hands(seed, range(first, end))


def _summary(seed: str, hands: int, seen: Counter[str], seconds: float) -> str:
    passed, rest = seen["outcome PASSED_OUT"], seen["outcome PLAYED"]
    return (
        f"{hands} hands of seed {seed} agree: {rest} played, {passed} passed out, "
        f"{len(seen)} kinds of occurrence, {seconds:.0f} s"
    )


if __name__ == "__main__":
    sys.exit(main())

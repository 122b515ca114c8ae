"""Hands a second of two worker processes, as a ratio to one process that plays all itself.

Both play the same tournament between bots that think five milliseconds a decision, each in a
process of its own; so bots are what is waited for, and two workers, which have twice as many of
them, play twice as fast where there are processors for both.

Example: python benchmarks/workers.py --hands 400 --json
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from structlog.testing import capture_logs

from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.progress import Progress
from fivehundred.v1 import tournament_pb2

HANDS_A_ROUND = 8
TABLES = 32
BOT = """
import time
from fivehundred_client import Bot, run

THINKING_S = {thinking}

class Thinker(Bot):
    name = "thinker"
    version = "1"

    def bid(self, turn):
        time.sleep(THINKING_S)
        calls = turn.legal.calls
        return calls[0] if turn.view.auction else calls[1]

    def discard(self, turn):
        time.sleep(THINKING_S)
        return super().discard(turn)

    def play(self, turn):
        time.sleep(THINKING_S)
        return super().play(turn)

run(Thinker())
"""


def main() -> None:
    """Run the benchmark and print what it found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=400, help="rounded down to eights")
    parser.add_argument("--thinking", type=float, default=5, help="milliseconds a decision")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    result = measure(options.hands, options.thinking, options.workers)
    if options.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"{name:28}{value:>10,.2f}" if isinstance(value, float) else f"{name:28}{value:>10}")


def measure(hands: int, thinking_ms: float, workers: int) -> dict[str, float]:
    """The same tournament twice, each time over a new database."""
    one, digest = hands_a_second(hands, thinking_ms, 1)
    many, same = hands_a_second(hands, thinking_ms, workers)
    if digest != same:
        sys.exit("the two logs differ")
    return {
        "hands": hands // HANDS_A_ROUND * HANDS_A_ROUND,
        "thinking_ms": thinking_ms,
        "workers": workers,
        "hands_a_second_of_one": one,
        "hands_a_second_of_workers": many,
        "ratio": many / one,
    }


def hands_a_second(hands: int, thinking_ms: float, workers: int) -> tuple[float, bytes]:
    """From the first hand that is stored to the last; and the log's digest."""
    seen: list[tuple[float, int]] = []

    def on_progress(progress: Progress) -> None:
        if progress.hands:
            seen.append((time.perf_counter(), progress.hands))

    with tempfile.TemporaryDirectory() as room, capture_logs():
        played = asyncio.run(
            run_tournament(
                tournament(hands, thinking_ms), Path(room, "bench.db"), on_progress, workers
            )
        )
    (start, first), (end, last) = seen[0], seen[-1]
    return (last - first) / (end - start), played.log_digest


def tournament(hands: int, thinking_ms: float) -> tournament_pb2.TournamentSpec:
    """Two entrants that the daemon starts."""
    spec = tournament_pb2.TournamentSpec(name="bench", tables=TABLES, seed="07" * 32)
    for name in ("first", "second"):
        command = ["python", "-c", BOT.format(thinking=thinking_ms / 1000)]
        spec.entrants.add(name=name).launch.command.extend(command)
    spec.format.round_robin.rounds = hands // HANDS_A_ROUND
    spec.format.boards.boards_per_match = HANDS_A_ROUND // 2
    return spec


if __name__ == "__main__":
    main()

"""What fifty bots that never answer cost those who do: the others' latency with them and without.

Each round looks at the same tournament of honest bots twice, alone and beside a tournament of hung
ones with a hundred decisions under way, so that what else the machine does is in both.

Example: python benchmarks/hung.py --bots 50 --seconds 3
"""

import argparse
import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.meter import Ledger, kept, quantile
from bench.play import COMING_UP_S, NAME, Playing, daemon, spec_of
from bench.processes import bots
from fivehundred.table.values import Ask, Fault, FaultKind, Reply

HUNG = "hung"
HONEST_TABLES = 16
HUNG_TABLES = 100
"""So many decisions of hung bots are under way at any time."""
LIMIT_S = 0.5
MOST_RATIO = 1.2
MOST_OVERSHOOT_MS = 50.0


class Latencies(Ledger):
    """How long the answers took, beside how far the timeouts were over their limits."""

    def __init__(self) -> None:
        super().__init__()
        self.answered_us: list[int] = []
        self.changed = asyncio.Event()

    def enter(self, ask: Ask, reply: Reply) -> None:
        """Note one decision's end."""
        super().enter(ask, reply)
        self.changed.set()
        if not isinstance(reply.answer, Fault):
            self.answered_us.append(reply.elapsed_us)

    def take_p99_us(self) -> float:
        """The latency that one answer in a hundred exceeds, since the last look."""
        taken, self.answered_us = self.answered_us, []
        return quantile(taken, 0.99)


@dataclass(frozen=True, slots=True)
class Terms:
    """How many hung bots, and how long to look."""

    bots: int
    rounds: int
    seconds: float


async def measure(terms: Terms, room: Path) -> dict[str, float]:
    """The figures, by name."""
    ledger = Latencies()
    alone, beside = [], []
    with bots(room, (), ("--mute",)) as processes, kept(ledger):
        honest, mute = processes.addresses
        async with daemon(room, processes) as playing:
            playing.start(spec_of([honest] * 2, tables=HONEST_TABLES))
            await playing.warm()
            for number in range(terms.rounds):
                alone.append(await _p99_us(ledger, terms.seconds))
                await _start_hung(playing, ledger, [mute] * terms.bots, number)
                beside.append(await _p99_us(ledger, terms.seconds))
                await playing.director.pause(f"{HUNG}{number}")
            honest_hands = playing.hands(NAME)
    others = sum(count for kind, count in ledger.faults.items() if kind is not FaultKind.TIMEOUT)
    return {
        "p99 µs alone": median(alone),
        "p99 µs beside hung bots": median(beside),
        "ratio": median(after / before for before, after in zip(alone, beside, strict=True)),
        "overshoot p99 ms": quantile(ledger.over_us, 0.99) / 1e3,
        "overshoot p50 ms": quantile(ledger.over_us, 0.5) / 1e3,
        "timeouts": len(ledger.over_us),
        "other faults": others,
        "honest hands": honest_hands,
    }


async def _start_hung(
    playing: Playing, ledger: Latencies, addresses: list[str], number: int
) -> None:
    """Start a tournament of hung bots; return when all its tables have waited in vain once."""
    spec = spec_of(addresses, tables=HUNG_TABLES, name=f"{HUNG}{number}", limit_s=LIMIT_S)
    spec.time_control.first_decision.SetInParent()
    wanted = len(ledger.over_us) + HUNG_TABLES
    playing.start(spec)
    async with asyncio.timeout(COMING_UP_S):
        while len(ledger.over_us) < wanted:
            ledger.changed.clear()
            await ledger.changed.wait()


async def _p99_us(ledger: Latencies, seconds: float) -> float:
    ledger.take_p99_us()
    await asyncio.sleep(seconds)
    return ledger.take_p99_us()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bots", type=int, default=50, help="hung bots; 50 by default")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each look; 3 by default")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    terms = Terms(options.bots, options.rounds, options.seconds)
    with TemporaryDirectory() as room:
        figures = asyncio.run(measure(terms, Path(room)))
    if options.json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name:26}{figure:12.2f}")
    is_kept = figures["ratio"] < MOST_RATIO and figures["overshoot p99 ms"] <= MOST_OVERSHOOT_MS
    print("promise kept" if is_kept else "promise missed")


if __name__ == "__main__":
    main()

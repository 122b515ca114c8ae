"""Hands and decisions a second of self-play in lock step, in one thread, by processor time.

Actions are drawn evenly from the legal ones; the time that drawing them takes is left out, since a
policy takes its place. ``choices`` counts the steps of rows: an exchange is several choices and one
decision.

Example: python benchmarks/selfplay.py --seconds 2 --json
"""

import argparse
import json
from dataclasses import asdict, dataclass
from time import process_time

import numpy as np
from numpy.typing import NDArray

from fivehundred.wire.presets import DEFAULT_PRESET, load_preset, preset_names
from fivehundred_client.arrays import Step, Views
from fivehundred_client.selfplay import SelfPlay

SIZES = (1, 64, 1024)
SEED = 500
LEAST_HANDS = 4
"""Of each row: all begin together, so that at first none ends."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast so many rows go on, a second of processor time."""

    n: int
    hands_a_second: float
    decisions_a_second: float
    choices_a_second: float


def main() -> None:
    """Run the benchmark and print what it found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rules", default=DEFAULT_PRESET, choices=preset_names())
    parser.add_argument("--seconds", type=float, default=2.0, help="of each size")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    speeds = [measure(options.rules, n, options.seconds) for n in SIZES]
    if options.json:
        print(json.dumps({"rules": options.rules, "speeds": [asdict(speed) for speed in speeds]}))
        return
    print(f"{'n':>6}{'hands/s':>12}{'decisions/s':>14}{'choices/s':>12}")
    for speed in speeds:
        print(
            f"{speed.n:>6}{speed.hands_a_second:>12,.0f}"
            f"{speed.decisions_a_second:>14,.0f}{speed.choices_a_second:>12,.0f}"
        )


def measure(preset: str, n: int, seconds: float) -> Speed:
    """Play n hands at a time for so long."""
    random = np.random.default_rng(SEED)
    play = SelfPlay(load_preset(preset), n)
    play.reset(SEED)
    spent, hands, decisions, choices = 0.0, 0, 0, 0
    while spent < seconds or hands < LEAST_HANDS * n:
        actions = drawn(play.views, random)
        choosing = play.views.step.copy()
        started = process_time()
        _, done = play.step(actions)
        spent += process_time() - started
        hands += int(done.sum())
        choices += n
        decisions += int(ends_decision(choosing, play.views.step).sum())
    return Speed(n, hands / spent, decisions / spent, choices / spent)


def drawn(views: Views, random: np.random.Generator) -> NDArray[np.intp]:
    """A legal action in each row."""
    chances = random.random(views.legal.shape, dtype=np.float32)
    actions: NDArray[np.intp] = (chances * views.legal).argmax(axis=1)
    return actions


def ends_decision(before: NDArray[np.int8], after: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Where a choice was the last of its decision: all are but those within an exchange."""
    exchanging = (before >= Step.THROW) & (before <= Step.PARTNER)
    goes_on = (after >= Step.THROW) & (after <= Step.PARTNER)
    return ~(exchanging & goes_on)


if __name__ == "__main__":
    main()

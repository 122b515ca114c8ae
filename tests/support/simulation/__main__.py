"""Replays seeds: ``PYTHONPATH=tests/support python -m simulation SEED…``."""

import sys
from collections.abc import Sequence

from simulation.judging import simulator
from simulation.scenario import scenario_of


def main(seeds: Sequence[str]) -> int:
    """Print what each seed decides, its digests and what is wrong with it."""
    wrong = 0
    with simulator() as simulated:
        for seed in map(int, seeds):
            scenario = scenario_of(seed)
            print(f"seed {seed}", *scenario.bots, *scenario.kills, scenario.spec, sep="\n")
            problems = simulated.problems(seed)
            print(*problems, sep="\n")
            if not problems:
                print(*simulated.digests(seed))
            wrong += bool(problems)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

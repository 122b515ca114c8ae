"""The daemon in a simulated world: late, lying and dying bots, and its own sudden ends.

Every run follows from one seed. A seed that fails is printed with the command that replays it.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulation.judging import Simulator, how_to_replay, simulator

BATCHES = 20
SEEDS, NIGHTLY_SEEDS = 500, 10_000
SUPPORT = Path(__file__).parent.parent / "support"


@pytest.fixture
def simulated() -> Iterator[Simulator]:
    """What runs seeds."""
    with simulator() as each:
        yield each


@pytest.mark.parametrize("batch", range(BATCHES))
def test_nothing_is_lost_and_nobody_is_wronged(
    batch: int, simulated: Simulator, nightly: bool
) -> None:
    seeds = range(batch, NIGHTLY_SEEDS if nightly else SEEDS, BATCHES)

    failed = {seed: problems for seed in seeds if (problems := simulated.problems(seed))}

    told = ["\n    ".join([how_to_replay(seed), *each]) for seed, each in failed.items()]
    assert not failed, "\n".join(told)


def test_a_seed_always_gives_the_same_run(simulated: Simulator) -> None:
    seeds = (4, 9, 11, 15, 30)

    first, second = ([simulated.digests(seed) for seed in seeds] for _ in range(2))

    assert first == second
    assert len(set(first)) == len(seeds)


def test_a_seed_gives_the_same_run_in_another_process(simulated: Simulator) -> None:
    path = os.pathsep.join([str(SUPPORT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONHASHSEED": "500", "PYTHONPATH": path}
    command = [sys.executable, "-m", "simulation", "10"]

    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert printed.stdout.splitlines()[-1] == " ".join(simulated.digests(10))

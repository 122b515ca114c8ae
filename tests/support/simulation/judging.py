"""One seed from its scenario to its judgement."""

import gc
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulation.disk import empty_disk
from simulation.engines import share_engines
from simulation.oracle import digest_of, judged
from simulation.scenario import Scenario, scenario_of
from simulation.world import Outcome, run

MEMORY = Path("/dev/shm")
"""Where files cost least; what is simulated is which of their bytes are there."""


class Simulator:
    """Runs seeds, one after the other, in a room of its own."""

    def __init__(self, room: Path) -> None:
        self._room = room
        self._empty = room / "empty"
        empty_disk(self._empty)

    @contextmanager
    def run(self, scenario: Scenario) -> Iterator[Outcome]:
        """A run of a scenario, whose files are there for the length of a block."""
        room = self._room / "run"
        room.mkdir()
        try:
            first = room / "life-0"
            shutil.copytree(self._empty, first)
            yield run(scenario, first)
        finally:
            shutil.rmtree(room)

    def problems(self, seed: int) -> list[str]:
        """All that is wrong with a seed; an error of the daemon is among it."""
        try:
            return self._problems(scenario_of(seed))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the seed's judgement
            notes = getattr(error, "__notes__", [])
            return [f"{type(error).__name__}: {error}", *notes]

    def digests(self, seed: int) -> tuple[str, str]:
        """The digests of the trace and of the log."""
        with self.run(scenario_of(seed)) as outcome:
            return outcome.trace_digest, digest_of(outcome).hex()

    def _problems(self, scenario: Scenario) -> list[str]:
        with self.run(scenario) as outcome:
            judgement, lives = judged(outcome), outcome.lives
        problems = [*judgement.problems]
        if scenario.is_calm and lives > 1:
            with self.run(scenario.without_kills()) as straight:
                if digest_of(straight) != judgement.digest:
                    problems.append("the log is not that of the run without kills")
        return problems


@contextmanager
def simulator() -> Iterator[Simulator]:
    """A simulator, whose files are gone at the end."""
    where = MEMORY if MEMORY.is_dir() else None
    with (
        tempfile.TemporaryDirectory(prefix="fivehundred-", dir=where) as room,
        pytest.MonkeyPatch.context() as patch,
    ):
        simulated = Simulator(Path(room))
        share_engines(patch)
        gc.freeze()  # What the process has collected so far would else be gone through each time.
        try:
            yield simulated
        finally:
            gc.unfreeze()


def how_to_replay(seed: int) -> str:
    """The command that runs one seed alone."""
    return f"PYTHONPATH=tests/support python -m simulation {seed}"

"""What the tests of the promises share."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

import real_play


@dataclass(frozen=True)
class Listening:
    """A process that has said where it listens."""

    popen: subprocess.Popen[str]
    address: str


@pytest.fixture
def start_listening() -> Iterator[Callable[[Sequence[str], str], Listening]]:
    """Starts a program that says on ``stdout`` or ``stderr`` where it listens; kills it at last."""
    with ExitStack() as stack:

        def start(command: Sequence[str], said_on: str) -> Listening:
            out, err = (
                subprocess.PIPE if said_on == name else subprocess.DEVNULL
                for name in ("stdout", "stderr")
            )
            popen = stack.enter_context(
                subprocess.Popen(command, text=True, stdout=out, stderr=err)
            )
            stack.callback(popen.kill)
            for line in popen.stdout or popen.stderr or ():
                if "listening" in line:
                    return Listening(popen, line.split()[-1])
            raise AssertionError(f"{command} ended with {popen.wait()} before it listened")

        yield start


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    """Ends what `real_play` has started, whatever has become of the test."""
    yield
    real_play.end_all()

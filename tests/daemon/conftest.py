"""Bots and daemons as real processes for the tests of the daemon."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from fivehundred.v1 import tournament_pb2

PROGRAM = str(Path(sys.executable).parent / "fivehundred")

StartBot = Callable[[str], str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
StartDaemon = Callable[..., "Process"]


@pytest.fixture
def start_bot(tmp_path: Path) -> Iterator[StartBot]:
    """Starts a bot's process, such as ``basic:Basic``; gives the address at which it answers."""
    with ExitStack() as stack:

        def start(name: str) -> str:
            command = [PROGRAM, "bot", "serve", f"fivehundred_bots.{name}"]
            return _start(stack, command, "stderr").address

        yield start


@pytest.fixture
def start_program() -> Iterator[Callable[[Sequence[str]], str]]:
    """Starts any program that says on stderr where it listens; gives the address."""
    with ExitStack() as stack:
        yield lambda command: _start(stack, command, "stderr").address


class Process:
    """A process that has said where it listens."""

    def __init__(self, popen: subprocess.Popen[str], address: str) -> None:
        self.popen = popen
        self.address = address


def _start(stack: ExitStack, command: Sequence[str], said_on: str) -> Process:
    out, err = (
        subprocess.PIPE if said_on == name else subprocess.DEVNULL for name in ("stdout", "stderr")
    )
    popen = stack.enter_context(subprocess.Popen(command, text=True, stdout=out, stderr=err))
    stack.callback(popen.kill)
    for line in popen.stdout or popen.stderr or ():
        if "listening" in line:
            return Process(popen, line.split()[-1])
    raise AssertionError(f"{command} ended with {popen.wait()} before it listened")


@pytest.fixture
def make_spec() -> MakeSpec:
    """A small tournament between bots at addresses."""

    def make(
        *bots: tuple[str, str],
        preset: str = "au-4p-43",
        rounds: int = 5,
        boards: int = 2,
        tables: int = 16,
    ) -> tournament_pb2.TournamentSpec:
        spec = tournament_pb2.TournamentSpec(name="test", tables=tables, seed="5a" * 32)
        spec.rules.preset = preset
        for name, address in bots:
            spec.entrants.add(name=name, address=address)
        spec.format.round_robin.rounds = rounds
        spec.format.boards.boards_per_match = boards
        return spec

    return make


@pytest.fixture
def start_daemon(tmp_path: Path) -> Iterator[StartDaemon]:
    """Starts ``fivehundred serve`` over a database file on a free port."""
    with ExitStack() as stack:

        def start(database: Path | None = None, *options: str) -> Process:
            where = str(database or tmp_path / "daemon.db")
            command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--database", where, *options]
            return _start(stack, command, "stdout")

        yield start

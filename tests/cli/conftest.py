"""A small tournament, played once by the real program, and a real daemon."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fivehundred.cli.app import execute

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
SPEC = """
name: "small"
rules { preset: "au-4p-43" }
entrants {
  name: "random"
  launch { command: ["fivehundred", "bot", "serve", "fivehundred_bots.random_bot:Random"] }
}
entrants {
  name: "basic"
  launch { command: ["fivehundred", "bot", "serve", "fivehundred_bots.basic:Basic"] }
}
format { round_robin { rounds: 1 } boards { boards_per_match: 2 } }
seed: "5005005005005005005005005005005005005005005005005005005005005005"
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command has left behind."""

    exit_code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


def run_program(*arguments: str) -> Outcome:
    """Run the installed program in a process of its own."""
    ended = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    return Outcome(ended.returncode, ended.stdout, ended.stderr)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process."""

    def run(*arguments: str) -> Outcome:
        exit_code = execute(arguments)
        return Outcome(exit_code, *capsys.readouterr())

    return run


@pytest.fixture
def program() -> Run:
    """Runs the installed program in a process of its own."""
    return run_program


@pytest.fixture(scope="session")
def spec_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of four hands."""
    path = tmp_path_factory.mktemp("spec") / "small.textproto"
    path.write_text(SPEC, encoding="utf-8")
    return path


@dataclass(frozen=True, slots=True)
class Played:
    """A tournament that has been played, and what the program said of it."""

    database: Path
    outcome: Outcome


@pytest.fixture(scope="session")
def played(spec_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The small tournament, played to its end."""
    database = tmp_path_factory.mktemp("played") / "small.db"
    return Played(database, run_program("run", str(spec_file), "--database", str(database)))


@pytest.fixture(scope="session")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a daemon that runs."""
    database = tmp_path_factory.mktemp("daemon") / "daemon.db"
    command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--database", str(database)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with process:
        assert process.stdout is not None
        yield process.stdout.readline().removeprefix("listening on ").strip()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0


@pytest.fixture
def start_serving(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Starts a daemon of the test's own, over a new database or a given one; gives its address."""
    with ExitStack() as stack:

        def start(database: Path = tmp_path / "own.db") -> str:
            command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--database", str(database)]
            popen = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            process = stack.enter_context(popen)
            stack.callback(process.kill)
            assert process.stdout is not None
            return process.stdout.readline().removeprefix("listening on ").strip()

        yield start

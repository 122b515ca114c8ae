"""Programs in other processes for the length of a block."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

BENCHMARKS = Path(__file__).resolve().parent.parent
STOPPING_S = 3.0


@dataclass(frozen=True, slots=True)
class Bots:
    """Bot processes: where each listens, and what they have used."""

    addresses: tuple[str, ...]
    _processes: tuple[psutil.Process, ...]

    def cpu_s(self) -> float:
        """Processor seconds of all of them so far."""
        times = [process.cpu_times() for process in self._processes]
        return sum(each.user + each.system for each in times)


@contextmanager
def bots(room: Path, *kinds: Sequence[str]) -> Iterator[Bots]:
    """A bot process for each list of options of `bench.bots`; an empty list is the instant bot."""
    addresses = tuple(f"unix:{room / f'bot{number}.sock'}" for number in range(len(kinds)))
    with ExitStack() as stack:
        started = [
            stack.enter_context(program("bench.bots", address, *options))
            for address, options in zip(addresses, kinds, strict=True)
        ]
        yield Bots(addresses, tuple(psutil.Process(each.pid) for each in started))


@contextmanager
def program(module: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A module of the benchmarks as a program, ended with the block."""
    command = [sys.executable, "-m", module, *arguments]
    process = subprocess.Popen(command, cwd=BENCHMARKS, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOPPING_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

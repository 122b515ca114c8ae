"""Tournaments played by real processes: bots, runs and daemons that a test may kill.

What a test waits for it polls, with a deadline.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from fivehundred.daemon.results import standings_of
from fivehundred.storage.store import read_store
from fivehundred.storage.verify import verify
from fivehundred.v1 import tournament_pb2, tournament_pb2_grpc
from fivehundred.wire.spec import spec_to_text

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
NAME = "trial"
LOOK_EVERY_S = 0.001
PATIENCE_S = 60.0

Process = subprocess.Popen[bytes]
_started: list[Process] = []


@contextmanager
def bot(name: str) -> Iterator[str]:
    """A bot in a process of its own, such as ``basic:Basic``; gives its address."""
    with program([PROGRAM, "bot", "serve", f"fivehundred_bots.{name}"]) as address:
        yield address


@contextmanager
def program(command: Sequence[str]) -> Iterator[str]:
    """Any program that says on stderr where it listens; gives its address."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            yield next(line for line in process.stderr if "listening" in line).split()[-1]
        finally:
            process.kill()


def trial_spec(
    *bots: tuple[str, str],
    rounds: int = 5,
    boards: int = 2,
    tables: int = 16,
    preset: str = "au-4p-43",
) -> tournament_pb2.TournamentSpec:
    """A tournament between bots at addresses, with a seed that everybody knows."""
    spec = tournament_pb2.TournamentSpec(name=NAME, tables=tables, seed="5a" * 32)
    spec.rules.preset = preset
    for name, address in bots:
        spec.entrants.add(name=name, address=address)
    spec.format.round_robin.rounds = rounds
    spec.format.boards.boards_per_match = boards
    return spec


def written(spec: tournament_pb2.TournamentSpec, room: Path) -> Path:
    """The definition as a file."""
    path = room / "spec.textproto"
    path.write_text(spec_to_text(spec), encoding="utf-8")
    return path


def run(
    spec: Path,
    database: Path,
    *,
    workers: int = 1,
    before: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Process:
    """``fivehundred run`` under way; ``before`` is put before the command."""
    command = [*before, PROGRAM, "run", str(spec), "--database", str(database)]
    return _start([*command, "--workers", str(workers)], environment)


def serve(
    database: Path,
    *,
    room: Path | None = None,
    workers: int = 1,
    before: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> tuple[Process, str]:
    """``fivehundred serve``, listening on a socket in a room, and its address.

    Its room is that of its database if none is given.
    """
    address = f"unix:{room or database.parent}/socket"
    command = [*before, PROGRAM, "serve", "--listen", address, "--database", str(database)]
    daemon = _start([*command, "--workers", str(workers)], environment)
    assert daemon.stdout is not None
    daemon.stdout.readline()
    return daemon, address


def _start(command: Sequence[str], environment: Mapping[str, str] | None) -> Process:
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    _started.append(process)
    return process


def end_all() -> None:
    """Kill what is still there of all that was started here."""
    while _started:
        process = _started.pop()
        if process.returncode is None:
            process.kill()
            process.communicate()


def ended(process: Process) -> tuple[int, str]:
    """How a process ends: its exit code, and all that it has said on stderr."""
    _, said = process.communicate(timeout=PATIENCE_S)
    return process.returncode, said.decode()


def killed(process: Process) -> bool:
    """Kill a process as ``kill -9`` does; whether it was still there."""
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


def until(condition: Callable[[], bool], patience_s: float = PATIENCE_S) -> float:
    """Wait until a condition holds; gives the seconds that it took, fails after the patience."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > patience_s:
            raise AssertionError(f"not within {patience_s} s")
        time.sleep(LOOK_EVERY_S)
    return time.monotonic() - started


def stored_hands(database: Path) -> int:
    """How many hands a database holds; 0 where it is not there or is still being made."""
    try:
        where = f"file:{database}?mode=ro"
        with closing(sqlite3.connect(where, uri=True, timeout=10)) as connection:
            return int(connection.execute("SELECT count(*) FROM hands").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def until_stored(database: Path, hands: int) -> None:
    """Wait until a database holds so many hands."""
    until(lambda: stored_hands(database) >= hands)


class Operator:
    """Whoever tells a daemon what to play, and asks how it is."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._tournaments = tournament_pb2_grpc.TournamentServiceStub(channel)
        self._health: Any = health_pb2_grpc.HealthStub(channel)

    def create(self, spec: tournament_pb2.TournamentSpec) -> None:
        """Store a tournament and start it."""
        request = tournament_pb2.CreateTournamentRequest(spec=spec, start=True)
        self._tournaments.CreateTournament(request)

    def show(self) -> tournament_pb2.Tournament:
        """The tournament as it stands."""
        request = tournament_pb2.GetTournamentRequest(name=NAME)
        return self._tournaments.GetTournament(request).tournament

    def wait_for_hands(self, hands: int) -> None:
        """Wait until so many hands of the tournament are stored."""
        until(lambda: self.show().hands_played >= hands)

    def is_serving(self) -> bool:
        """Whether health says so."""
        status = self._health.Check(health_pb2.HealthCheckRequest()).status
        return bool(status == health_pb2.HealthCheckResponse.SERVING)

    def has_finished(self) -> bool:
        """Whether the tournament has."""
        return self.show().state == tournament_pb2.TOURNAMENT_STATE_FINISHED


@contextmanager
def operator(address: str) -> Iterator[Operator]:
    """The operator of the daemon at an address."""
    with grpc.insecure_channel(address) as channel:
        yield Operator(channel)


class Kept:
    """What a database has in the end: the log's digest and the standings, if nothing is wrong."""

    def __init__(self, database: Path) -> None:
        with read_store(database) as store:
            report = verify(store)
            assert report.problems == ()
            self.hands = report.hands
            self.state = store.tournament(NAME).state
            self.digest = store.log_digest(NAME)
            table = standings_of(store, NAME)
            self.faults = [row.faults for row in table.rows]
            self.standings = table.SerializeToString(deterministic=True)

    def is_same(self, other: "Kept") -> bool:
        """Whether the other tournament has the same log and the same standings."""
        return (self.hands, self.state, self.digest, self.standings) == (
            other.hands,
            other.state,
            other.digest,
            other.standings,
        )


def crowding() -> float:
    """How many processes share a processor, 1 where there are no more than processors."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def children(pid: int) -> list[int]:
    """The processes that a process has started and that are there."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(child) for child in listed.split()]

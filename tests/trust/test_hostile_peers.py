"""Peers that speak HTTP/2 by hand cost the daemon little, and nobody but themselves.

Daemon, zoo and honest bots are processes of their own. Each peer plays a tournament of three: it
meets both honest bots, which meet each other at a table beside.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil
import pytest

import h2_zoo
from fivehundred.storage.store import read_store
from fivehundred.table.values import Fault, FaultKind
from fivehundred.v1 import tournament_pb2
from fivehundred.v1.tournament_pb2_grpc import TournamentServiceStub

pytestmark = pytest.mark.alone
PROGRAM = str(Path(sys.executable).parent / "fivehundred")
LIMIT_MS = 300
CONNECT_MS = 5_000
HELLO_MS = 400
"""The limit of connecting where it is known that nobody will be greeted."""
STRIKES = 2
HANDS = 12
MB = 1 << 20
MOST_CPU_S = 1.0
MOST_MEMORY = 5 * MB
MOST_EVIDENCE = 256
LET_GO_S = 5.0
"""Far more than it takes until the daemon keeps no connection to a peer that it has done with."""

TIMEOUT, MALFORMED, DISCONNECTED = FaultKind.TIMEOUT, FaultKind.MALFORMED, FaultKind.DISCONNECTED
FLOODS = ("pings", "settings", "resets", "windows", "crumbs", "continuation", "messages")
OVERSIZED = ("oversized", "torrent")
KINDS = {
    "twice-unary": {TIMEOUT},
    "loris-unary": {TIMEOUT},
    "loris-stream": {TIMEOUT},
    "mute-unary": {TIMEOUT},
    "mute-stream": {TIMEOUT},
    "gone-unary": {DISCONNECTED},
    "gone-stream": {DISCONNECTED},
    "nothing-stream": {DISCONNECTED},
    "short-stream": {DISCONNECTED},
    "unended-stream": {MALFORMED, TIMEOUT},
    # A length of gigabytes is refused at once or waited for in vain, as gRPC's version has it.
    "lie-unary": {MALFORMED, TIMEOUT},
    "lie-stream": {MALFORMED, TIMEOUT},
    # What brings more than it should is read to its end or shut before, whichever comes first.
    **{
        f"{does}-{way}": {TIMEOUT, MALFORMED, DISCONNECTED}
        for does in (*OVERSIZED, *FLOODS)
        for way in ("unary", "stream")
    },
}
"""What a peer's faults are where they are not MALFORMED."""
MORE_MEMORY = {**dict.fromkeys(FLOODS, 24 * MB), "oversized": 16 * MB, "torrent": 32 * MB}
"""At the most and for a moment: what gRPC takes in before the connection is shut."""


@dataclass(frozen=True, slots=True)
class Room:
    """A daemon under way, and who plays in it."""

    stub: TournamentServiceStub
    daemon: psutil.Process
    database: Path
    peers: dict[str, str]
    honest: str


@dataclass(frozen=True, slots=True)
class Cost:
    """What a tournament has cost the daemon's process."""

    cpu_s: float
    memory: int
    """How far the most memory at a time was above that before."""


@contextmanager
def started(command: list[str], log: Path, says: str, stream: str) -> Iterator[tuple[int, str]]:
    """A process that has said what is waited for; its number, and the line. Logs go to a file."""
    with log.open("w") as rest:
        pipes = {"stdout": rest, "stderr": rest} | {stream: subprocess.PIPE}
        process = subprocess.Popen(command, text=True, **pipes)  # type: ignore[call-overload]
    with process:
        try:
            yield process.pid, next(line for line in getattr(process, stream) if says in line)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """The zoo, an honest bot and a daemon, warmed up."""
    place = tmp_path_factory.mktemp("hostile")
    zoo = [sys.executable, h2_zoo.__file__]
    honest = [PROGRAM, "bot", "serve", "fivehundred_bots.basic:Basic"]
    database = place / "d.db"
    serve = [PROGRAM, "serve", "--listen", f"unix:{place}/d.sock", "--database", str(database)]
    with (
        started(zoo, place / "zoo.log", "{", "stdout") as (_, peers),
        started(honest, place / "honest.log", "listening", "stderr") as (_, listening),
        started(serve, place / "daemon.log", "listening", "stdout") as (pid, _),
        grpc.insecure_channel(f"unix:{place}/d.sock") as channel,
    ):
        stub, address = TournamentServiceStub(channel), listening.split()[-1]
        made = Room(stub, psutil.Process(pid), database, json.loads(peers), address)
        for name in ("warm", "warmer"):
            played(made, name, address)
        yield made


def played(
    room: Room, name: str, peer: str, connect_ms: int = CONNECT_MS
) -> tuple[tournament_pb2.Tournament, Cost]:
    """A tournament of a peer and two honest bots, run until it is over or waits for an operator."""
    spec = tournament_pb2.TournamentSpec(name=name, tables=3, seed="5a" * 32)
    for entrant, address in (("peer", peer), ("one", room.honest), ("other", room.honest)):
        spec.entrants.add(name=entrant, address=address)
    spec.format.boards.boards_per_match = 2
    for limit in ("bid", "discard", "play"):
        getattr(spec.time_control, limit).FromMilliseconds(LIMIT_MS)
    spec.time_control.first_decision.SetInParent()
    spec.time_control.connect.FromMilliseconds(connect_ms)
    spec.fault_policy.strikes = STRIKES
    cpu, memory = cpu_s(room), forget_the_most(room)
    room.stub.CreateTournament(
        tournament_pb2.CreateTournamentRequest(spec=spec, start=True), timeout=10
    )
    ended = until_it_stops(room, name)
    return ended, Cost(cpu_s(room) - cpu, most_memory(room) - memory)


def until_it_stops(room: Room, name: str) -> tournament_pb2.Tournament:
    under_way = (
        tournament_pb2.TOURNAMENT_STATE_CREATED,
        tournament_pb2.TOURNAMENT_STATE_RUNNING,
    )
    request = tournament_pb2.WatchTournamentRequest(name=name)
    for news in room.stub.WatchTournament(request, timeout=30):
        if news.HasField("tournament") and news.tournament.state not in under_way:
            return news.tournament
    raise AssertionError(f"{name} ended without a word")


def cpu_s(room: Room) -> float:
    times = room.daemon.cpu_times()
    return times.user + times.system


def forget_the_most(room: Room) -> int:
    """Let the kernel begin anew to note the most memory; gives how much it is now."""
    Path(f"/proc/{room.daemon.pid}/clear_refs").write_text("5")
    return most_memory(room)


def most_memory(room: Room) -> int:
    status = Path(f"/proc/{room.daemon.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) * 1024


def has_let_go(room: Room, peer: str) -> bool:
    """Whether the daemon keeps no connection to a peer, which would go on to cost."""
    end = time.monotonic() + LET_GO_S
    while time.monotonic() < end:
        ends = [each.raddr for each in room.daemon.net_connections("tcp") if each.raddr]
        if peer not in [f"{host}:{port}" for host, port in ends]:
            return True
    return False


def faults(room: Room, name: str) -> dict[int, list[Fault]]:
    """The faults of a tournament by entrant."""
    found: dict[int, list[Fault]] = {0: [], 1: [], 2: []}
    with read_store(room.database) as store:
        for hand in store.hands(name):
            entrants = hand.record.started.entrants
            for decided in hand.record.decisions:
                if decided.fault is not None:
                    found[entrants[decided.seat]].append(decided.fault)
    return found


@pytest.mark.parametrize("way", ["unary", "stream"])
@pytest.mark.parametrize("does", h2_zoo.BEHAVIOURS)
def test_a_hostile_bot_costs_little_and_harms_itself_alone(room: Room, does: str, way: str) -> None:
    kind = f"{does}-{way}"

    ended, cost = played(room, kind, room.peers[kind])

    found = faults(room, kind)
    assert ended.state == tournament_pb2.TOURNAMENT_STATE_FINISHED, ended.reason
    assert ended.hands_played == ended.hands_planned == HANDS
    assert len(found[0]) == 2 * STRIKES
    assert {fault.kind for fault in found[0]} <= KINDS.get(kind, {MALFORMED}), found[0]
    assert all(fault.reason and len(fault.answer) <= MOST_EVIDENCE for fault in found[0])
    assert found[1] == found[2] == []
    assert has_let_go(room, room.peers[kind])
    assert cost.cpu_s < MOST_CPU_S
    assert cost.memory < MORE_MEMORY.get(does, MOST_MEMORY)


@pytest.mark.parametrize("does", h2_zoo.BEHAVIOURS)
def test_a_peer_that_is_hostile_when_it_is_greeted_is_named(room: Room, does: str) -> None:
    kind = f"{does}-hello"

    ended, cost = played(room, kind, room.peers[kind], HELLO_MS)

    assert ended.state == tournament_pb2.TOURNAMENT_STATE_PAUSED
    assert ended.reason.startswith("entrant 'peer' did not come up: ")
    assert len(ended.reason) < 500
    assert has_let_go(room, room.peers[kind])
    assert cost.cpu_s < MOST_CPU_S
    assert cost.memory < MORE_MEMORY.get(does, MOST_MEMORY)

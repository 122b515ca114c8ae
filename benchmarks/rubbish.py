"""Decision latency while a daemon is flooded with rubbish and watched, as a ratio to that without.

A tournament is played in turns: undisturbed; beside processes that burn as much processor time as
the flood's own processes; and under the flood itself. The second is what the ratio is to, since
flood, daemon and bots share the machine. The flood is unknown methods, broken messages and wrong
names over plain sockets; the watchers all follow the tournament that is played.

Example: python benchmarks/rubbish.py --rate 5000 --watchers 1000 --json
"""

import argparse
import asyncio
import json
import multiprocessing
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import psutil

from fivehundred.storage.store import read_store
from fivehundred.v1 import tournament_pb2, tournament_pb2_grpc

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
FLOODER = "127.0.0.2"
"""Where the flood comes from; operators, bots and watchers are elsewhere."""
CONNECTIONS = 8
EACH_CONNECTION = 100
"""Watchers."""
TICK_S = 0.01
SETTLE_S = 1.0
SPAWN = multiprocessing.get_context("spawn")
PHASES = ("quiet", "burnt", "flooded")
RUBBISH = (
    ("/fivehundred.v1.TournamentService/Nothing", b""),
    ("/nobody.Nothing/Get", b"\xff\xff"),
    ("/fivehundred.v1.TournamentService/GetTournament", b"\xff\xff\xff"),
    ("/fivehundred.v1.TournamentService/GetTournament", b"\x0a\x06nobody"),
    ("/fivehundred.v1.TournamentService/CreateTournament", b"\x0a\x02\x0a\x00"),
    ("/fivehundred.v1.HandService/GetHand", b"\x08\x63"),
)


def main() -> None:
    """Run the benchmark and print what it found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rate", type=int, default=5000, help="requests a second")
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=6, help="of each turn")
    parser.add_argument("--turns", type=int, default=3, help="of each kind")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    result = measure(options)
    if options.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"{name:32}{value:>12,.2f}")


def measure(options: argparse.Namespace) -> Mapping[str, float]:
    """Play all turns, then read the decisions' times from the log."""
    flood = Flood(options)
    with tempfile.TemporaryDirectory() as room, ExitStack() as stack:
        database = Path(room, "bench.db")
        serve = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--database", str(database)]
        daemon = stack.enter_context(_listening([*serve, "--watchers-each", "100000"], "stdout"))
        bot = [PROGRAM, "bot", "serve", "fivehundred_bots.basic:Basic"]
        address = stack.enter_context(_listening(bot, "stderr"))
        channel = stack.enter_context(grpc.insecure_channel(daemon))
        tournaments = tournament_pb2_grpc.TournamentServiceStub(channel)
        names = defaultdict(list)
        for turn in range(options.turns + 1):
            for phase in ("flooded",) if turn == 0 else PHASES:
                name = f"{phase}-{turn}"
                _play(tournaments, _spec(name, address, options.tables), daemon, phase, flood)
                if turn:
                    names[phase].append(name)
        with read_store(database) as store:
            times = {
                phase: [
                    [
                        decided.receipt.elapsed_us / 1000
                        for hand in store.hands(name)
                        for decided in hand.record.decisions
                    ]
                    for name in names[phase]
                ]
                for phase in PHASES
            }
    return _report(times, options, flood)


def _report(
    times: Mapping[str, Sequence[Sequence[float]]], options: argparse.Namespace, flood: "Flood"
) -> Mapping[str, float]:
    p99 = {
        phase: statistics.median(statistics.quantiles(turn, n=100)[-1] for turn in turns)
        for phase, turns in times.items()
    }
    seconds = options.seconds * options.turns
    return {
        **{f"p99_ms_{phase}": value for phase, value in p99.items()},
        **{
            f"decisions_a_second_{phase}": sum(map(len, turns)) / seconds
            for phase, turns in times.items()
        },
        "requests_a_second": flood.sent / flood.seconds,
        "events_a_second": flood.events / flood.seconds,
        "processors_of_the_flood": flood.processors,
        "ratio_to_burnt": p99["flooded"] / p99["burnt"],
        "ratio_to_quiet": p99["flooded"] / p99["quiet"],
    }


def _play(
    tournaments: Any,
    spec: tournament_pb2.TournamentSpec,
    daemon: str,
    phase: str,
    flood: "Flood",
) -> None:
    """One turn; the tournament is aborted at its end, which opens its hands."""
    create = tournament_pb2.CreateTournamentRequest(spec=spec)
    tournaments.CreateTournament(create, wait_for_ready=True)
    request = tournament_pb2.StartTournamentRequest(name=spec.name)

    def start() -> None:
        _patiently(lambda: tournaments.StartTournament(request))

    match phase:
        case "quiet":
            flood.rest(start)
        case "burnt":
            flood.burn(start)
        case _:
            flood.run(daemon, spec.name, start)
    _patiently(
        lambda: tournaments.AbortTournament(tournament_pb2.AbortTournamentRequest(name=spec.name))
    )


def _patiently(call: Callable[[], object]) -> None:
    """Make a call again until the flood has been forgotten."""
    while True:
        try:
            call()
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
        else:
            return


class Flood:
    """Runs the processes that disturb, and counts what they did."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.sent = self.events = 0
        self.seconds = 0.0
        self.processors = 0.0
        self._options = options

    def rest(self, start: Callable[[], None]) -> None:
        """Do nothing."""
        start()
        time.sleep(self._options.seconds)

    def burn(self, start: Callable[[], None]) -> None:
        """Use as much of the processors as the last flood did."""
        self._together([(_burn, self.processors / 2), (_burn, self.processors / 2)], start)

    def run(self, daemon: str, name: str, start: Callable[[], None]) -> None:
        """Flood a daemon and watch a tournament of it."""
        sent, events = SPAWN.Value("q", 0), SPAWN.Value("q", 0)
        works = [
            (_flood, daemon, self._options.rate, sent),
            (_watch, daemon, name, self._options.watchers, events),
        ]
        self.processors = self._together(works, start, (sent, events))

    def _together(
        self,
        works: Sequence[tuple[Any, ...]],
        start: Callable[[], None],
        counts: Sequence[Any] = (),
    ) -> float:
        """Run processes for a turn; gives how many processors they used in it."""
        barrier = SPAWN.Barrier(len(works) + 1)
        processes = [
            SPAWN.Process(target=_after, args=(barrier, *work), daemon=True) for work in works
        ]
        for process in processes:
            process.start()
        barrier.wait()
        time.sleep(SETTLE_S)
        start()
        known = [psutil.Process(process.pid) for process in processes]
        before = [count.value for count in counts]
        since, used = time.perf_counter(), _used(known)
        time.sleep(self._options.seconds)
        seconds, used = time.perf_counter() - since, _used(known) - used
        if counts:
            self.sent += counts[0].value - before[0]
            self.events += counts[1].value - before[1]
            self.seconds += seconds
        for process in processes:
            process.kill()
            process.join()
        return used / seconds


def _used(processes: Sequence[psutil.Process]) -> float:
    """The processor time of processes so far."""
    return float(sum(sum(each.cpu_times()[:2]) for each in processes))


def _after(barrier: Any, work: Callable[..., None], *args: Any) -> None:
    barrier.wait()
    work(*args)


def _burn(share: float) -> None:
    while True:
        start = time.perf_counter()
        while time.perf_counter() - start < TICK_S * share:
            pass
        time.sleep(TICK_S * (1 - share) if share < 1 else 0)


def _flood(daemon: str, rate: int, sent: Any) -> None:
    """Requests at a rate, whatever becomes of them, over some connections."""
    lines = [_Line(daemon) for _ in range(CONNECTIONS)]
    due = time.perf_counter()
    while True:
        due += TICK_S
        for number in range(int(rate * TICK_S)):
            lines[number % CONNECTIONS].add(*RUBBISH[number % len(RUBBISH)])
        for at, line in enumerate(lines):
            if line.flush():
                sent.value += line.count
            else:
                lines[at] = _Line(daemon)
            line.count = 0
        due = max(due, time.perf_counter() - TICK_S)
        time.sleep(max(0.0, due - time.perf_counter()))


class _Line:
    """One HTTP/2 connection that asks and throws the answers away."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.count = 0
        self._socket = socket.create_connection((host, int(port)), source_address=(FLOODER, 0))
        self._socket.setblocking(False)
        self._stream = -1
        self._out = bytearray(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(4, 0, 0, b""))
        self._in = bytearray()

    def add(self, path: str, body: bytes) -> None:
        """Ask once more, unless too much is still to be sent."""
        if len(self._out) > 1 << 20:
            return
        self._stream += 2
        self.count += 1
        self._out += _frame(1, 4, self._stream, _headers(path))
        self._out += _frame(0, 1, self._stream, b"\0" + struct.pack(">I", len(body)) + body)

    def flush(self) -> bool:
        """Send and receive what is possible; whether the connection lives."""
        try:
            if not self._receive():
                return False
            with suppress(BlockingIOError):
                del self._out[: self._socket.send(self._out)]
        except OSError:
            return False
        return True

    def _receive(self) -> bool:
        """Take in what has come; whether the other end is still there."""
        with suppress(BlockingIOError):
            while received := self._socket.recv(1 << 16):
                self._in += received
            return False
        self._answer()
        return True

    def _answer(self) -> None:
        """Acknowledge settings and pings."""
        while len(self._in) >= 9:
            length = int.from_bytes(self._in[:3])
            if len(self._in) < 9 + length:
                return
            kind, flags = self._in[3], self._in[4]
            if kind in (4, 6) and not flags & 1:
                content = bytes(self._in[9 : 9 + length]) if kind == 6 else b""
                self._out += _frame(kind, 1, 0, content)
            del self._in[: 9 + length]


def _frame(kind: int, flags: int, stream: int, content: bytes) -> bytes:
    return struct.pack(">IBBI", len(content), kind, flags, stream)[1:] + content


def _headers(path: str) -> bytes:
    """Headers without any compression."""
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "daemon",
        "te": "trailers",
        "content-type": "application/grpc",
        "authorization": "Bearer nobody",
    }
    return b"".join(
        bytes((0, len(name))) + name.encode() + bytes((len(value),)) + value.encode()
        for name, value in headers.items()
    )


def _watch(daemon: str, name: str, watchers: int, events: Any) -> None:
    asyncio.run(_watch_all(daemon, name, watchers, events))


async def _watch_all(daemon: str, name: str, watchers: int, events: Any) -> None:
    """Follow a tournament so many times; goes on where it is refused."""
    channels = [
        grpc.aio.insecure_channel(daemon, options=[("grpc.use_local_subchannel_pool", 1)])
        for _ in range(0, watchers, EACH_CONNECTION)
    ]

    async def follow(channel: grpc.aio.Channel) -> None:
        stub: Any = tournament_pb2_grpc.TournamentServiceStub(channel)
        last = 0
        while True:
            request = tournament_pb2.WatchTournamentRequest(name=name, after_event=last)
            try:
                async for event in stub.WatchTournament(request):
                    last = event.event
                    events.value += 1
            except grpc.RpcError:
                await asyncio.sleep(1)

    await asyncio.gather(*(follow(channels[n // EACH_CONNECTION]) for n in range(watchers)))


def _spec(name: str, address: str, tables: int) -> tournament_pb2.TournamentSpec:
    spec = tournament_pb2.TournamentSpec(name=name, tables=tables, seed="07" * 32)
    for entrant in ("first", "second"):
        spec.entrants.add(name=entrant, address=address)
    spec.format.round_robin.rounds = 100_000
    spec.time_control.bank.seconds = 60
    return spec


@contextmanager
def _listening(command: Sequence[str], said_on: str) -> Iterator[str]:
    """A process that says where it listens; gives the address."""
    out, err = (
        subprocess.PIPE if said_on == name else subprocess.DEVNULL for name in ("stdout", "stderr")
    )
    with subprocess.Popen(command, text=True, stdout=out, stderr=err) as process:
        try:
            lines = process.stdout or process.stderr
            assert lines is not None
            yield next(line for line in lines if "listening" in line).split()[-1]
        finally:
            process.kill()


if __name__ == "__main__":
    main()

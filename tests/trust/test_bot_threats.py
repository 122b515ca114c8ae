"""What launched bots may try against the machine, the daemon and one another, really tried.

Every threat is a program that does the thing and tells what came of it; what it has done is looked
at from outside.
"""

import asyncio
import os
import random
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import psutil
import pytest

from fivehundred.daemon.embedded import run_tournament
from fivehundred.players.lag import LagMonitor
from fivehundred.players.player import Unreachable
from fivehundred.players.process import STDERR_PER_S, Launched, launch, launched
from fivehundred.players.sandbox import Hidden
from fivehundred.players.session import Session, connect
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Ask, AskKind, Fault
from fivehundred.v1 import bot_pb2
from fivehundred.v1.tournament_pb2 import TOURNAMENT_STATE_FINISHED
from fivehundred.wire.errors import FailedPrecondition
from fivehundred.wire.ruleset import rules_hash, ruleset_to_proto
from fivehundred.wire.sandbox import Sandbox
from fivehundred.wire.spec import parse_spec

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="there is no program bwrap")

MIB = 1 << 20
BOUNDS = Sandbox(memory_bytes=512 * MIB, processes=24, cpu_seconds=60, file_bytes=4 * MIB)
RULES = RuleSet()
SECOND_US = 1_000_000
TRY = """
import contextlib, ctypes, os, signal, socket, sys, time

def listen():
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(os.environ["FIVEHUNDRED_LISTEN"].removeprefix("unix:"))
    listening.listen()
    return listening

def tried(does, *arguments):
    try:
        return repr(does(*arguments))
    except (OSError, MemoryError, OverflowError) as error:
        return type(error).__name__
"""

Attempt = Callable[..., Awaitable[str]]
Plays = Callable[[], Awaitable[None]]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory that everybody may read."""
    tmp_path.chmod(0o755)
    return tmp_path


@pytest.fixture
def attempt(directory: Path) -> Attempt:
    """What a program in a sandbox tells of what it has tried, as the text of `told`."""

    async def attempt(program: str, *arguments: object, hidden: Path | None = None) -> str:
        script = f"{TRY}\n{program}\nraise SystemExit(str(told))"
        command = [sys.executable, "-I", "-S", "-c", script, *map(str, arguments)]
        files = () if hidden is None else (Hidden.of(hidden),)
        with pytest.raises(Unreachable) as raised:
            await launch(command, directory, sandbox=BOUNDS, hidden=files)
        return raised.value.fault.reason.partition("its stderr: ")[2]

    return attempt


@asynccontextmanager
async def threat(
    program: str, directory: Path, sandbox: Sandbox | None = BOUNDS
) -> AsyncIterator[Launched]:
    """A bot that listens and does what it should not."""
    command = [sys.executable, "-I", "-S", "-c", f"{TRY}\n{program}"]
    async with launched(command, directory, sandbox=sandbox) as bot:
        yield bot


@pytest.fixture
async def other_plays(directory: Path) -> AsyncIterator[Plays]:
    """Lets another bot, in a sandbox of its own, make decisions within their limits."""
    lag = LagMonitor()
    async with AsyncExitStack() as stack:
        command = [sys.executable, "-m", "fivehundred_bots.random_bot"]
        bot = await stack.enter_async_context(launched(command, directory, sandbox=Sandbox()))
        session = await stack.enter_async_context(await greeted(bot, lag))

        async def plays() -> None:
            for _ in range(20):
                reply = await session.decide(ask())
                assert not isinstance(reply.answer, Fault)

        yield plays
    lag.stop()


async def greeted(bot: Launched, lag: LagMonitor) -> Session:
    hello = bot_pb2.HelloRequest(
        rules=ruleset_to_proto(RULES), rules_hash=rules_hash(RULES), seat=1
    )
    return await connect(bot.target, [hello], limit_us=20 * SECOND_US, lag=lag)


def ask() -> Ask:
    """The first bid of a hand."""
    cards = list(deck(RULES))
    random.Random(1).shuffle(cards)
    hand = Hand(RULES, deal(RULES, cards, 0), 0, [0, 0])
    assert hand.turn is not None
    view = hand.view(hand.turn)
    return Ask(AskKind.BID, hand.turn, hand.turn, view, hand.legal(), 5 * SECOND_US, 0, 7, None)


def below() -> set[psutil.Process]:
    """Every process that has come of this one."""
    return set(psutil.Process().children(recursive=True))


async def test_a_fork_bomb_is_bounded_and_another_bot_plays_on(
    directory: Path, other_plays: Plays
) -> None:
    bomb = """
listening = listen()
for _ in range(9):
    with contextlib.suppress(BlockingIOError):
        os.fork()
while True:
    with contextlib.suppress(BlockingIOError):
        if os.fork() == 0:
            signal.pause()
    time.sleep(0.01)
"""
    before = below()
    async with threat(bomb, directory):
        async with asyncio.timeout(20):
            while len(below() - before) < BOUNDS.processes:
                await other_plays()
        await other_plays()

        assert len(below() - before) <= BOUNDS.processes + 3
    assert below() == before


async def test_ten_gigabytes_are_not_to_be_had(attempt: Attempt) -> None:
    program = """
import mmap
shared = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
told = [tried(bytearray, 10 << 30), tried(mmap.mmap, -1, 10 << 30)]
told += [tried(mmap.mmap, -1, 10 << 30, shared)]
"""

    assert await attempt(program) == "['MemoryError', 'OSError', 'OSError']"


@pytest.mark.timeout(400)
@pytest.mark.parametrize("sandbox", [BOUNDS, None], ids=["shut", "free"])
async def test_a_flood_on_stderr_costs_no_memory_and_little_time(
    directory: Path, other_plays: Plays, nightly: bool, sandbox: Sandbox | None
) -> None:
    wanted = 1000 * MIB if nightly else 16 * MIB
    flood = """
listening = listen()
lump = b"x" * 65536
for _ in range(16000):
    os.write(2, lump)
os.write(2, b"the end")
signal.pause()
"""
    before, memory = below(), psutil.Process().memory_info().rss
    async with threat(flood, directory, sandbox) as bot:
        await other_plays()
        writers, spent = below() - before, time.process_time()
        await asyncio.to_thread(wait_for_bytes, writers, wanted)
        spent = time.process_time() - spent
        await other_plays()
        assert len(bot.stderr) <= 64 * 1024

    assert spent < 0.1 * wanted / STDERR_PER_S + 0.1
    assert psutil.Process().memory_info().rss - memory < 20 * MIB


def wait_for_bytes(writers: set[psutil.Process], wanted: int) -> None:
    """Return once so much has been written; fails where that takes five times as long as it may."""
    deadline = time.monotonic() + 5 * wanted / STDERR_PER_S + 10
    while written_by(writers) < wanted:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def written_by(processes: set[psutil.Process]) -> int:
    """The bytes that the busiest of some processes has written."""
    return max(each.io_counters().write_chars for each in processes)


@pytest.mark.parametrize("sandbox", [BOUNDS, None], ids=["shut", "free"])
async def test_a_bot_that_ignores_sigterm_ends(
    directory: Path, monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox | None
) -> None:
    monkeypatch.setattr("fivehundred.players.process.STOP_LIMIT_S", 0.2)
    stubborn = """
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
listening = listen()
while True:
    signal.pause()
"""
    before = below()
    async with threat(stubborn, directory, sandbox):
        assert len(below() - before) >= 2

    assert below() == before


@pytest.mark.parametrize("sandbox", [BOUNDS, None], ids=["shut", "free"])
async def test_a_bot_that_becomes_a_daemon_ends(directory: Path, sandbox: Sandbox | None) -> None:
    daemonising = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        listening = listen()
        while True:
            signal.pause()
    os._exit(0)
os.wait()
signal.pause()
"""
    before = below()
    async with threat(daemonising, directory, sandbox):
        assert len(below() - before) >= 3

    assert below() == before


async def test_nothing_in_a_sandbox_survives_the_death_of_the_daemon(directory: Path) -> None:
    forking = f"{TRY}\nif os.fork() == 0: os.setsid()\nelse: listening = listen()\nsignal.pause()"
    before = below()
    daemon = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", DAEMON, forking, str(directory)), stdout=asyncio.subprocess.PIPE
    )
    assert daemon.stdout is not None
    await daemon.stdout.readline()
    of_bot = {each for each in below() - before if each.pid != daemon.pid}

    daemon.kill()
    await daemon.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, of_bot, 10)

    assert len(of_bot) >= 4
    assert [each for each in alive if each.status() != psutil.STATUS_ZOMBIE] == []


DAEMON = """
import asyncio, sys
from pathlib import Path
from fivehundred.players.process import launch
from fivehundred.wire.sandbox import Sandbox

async def main():
    command = [sys.executable, "-I", "-S", "-c", sys.argv[1]]
    bot = await launch(command, Path(sys.argv[2]), sandbox=Sandbox())
    print(bot.target, flush=True)
    await bot.wait()

asyncio.run(main())
"""


async def test_a_daemon_left_behind_ends_with_the_bot(directory: Path) -> None:
    leaving = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.pause()
    listening = listen()
    os._exit(0)
os.wait()
sys.exit(0)
"""
    before = below()
    async with threat(leaving, directory, None) as bot:
        await bot.wait()

        assert below() == before


async def test_no_other_seats_socket_is_reached(attempt: Attempt, directory: Path) -> None:
    spying = """
def call(path):
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
told = [tried(call, path) for path in sys.argv[1:]]
told += [sum(each.startswith("fivehundred-") for each in os.listdir("/tmp"))]
told += [sum(1 for _ in open("/proc/net/unix")) - 1]
"""
    quiet = "listening = listen()\nsignal.pause()"
    async with threat(quiet, directory, None) as free, threat(quiet, directory) as shut:
        room = free.target.removeprefix("unix:")

        said = await attempt(spying, room, shut.target.removeprefix("unix:"))

    assert said == "['FileNotFoundError', 'FileNotFoundError', 1, 0]"


async def test_the_daemons_database_is_not_read(attempt: Attempt, directory: Path) -> None:
    secret = b"the seed of all deals"
    for name in ("cup.db", "cup.db-wal", "cup.db.decisions.1"):
        (directory / name).write_bytes(secret)
    (directory / "mine.txt").write_bytes(b"mine")
    (directory / "alias").symlink_to(directory / "cup.db")
    reading = """
def read(path):
    with open(path, "rb") as file:
        return file.read()
told = [tried(read, name) for name in ("cup.db", "cup.db-wal", "cup.db.decisions.1", "alias")]
told += [tried(read, f"/proc/1/root{os.getcwd()}/cup.db"), tried(read, "mine.txt")]
"""

    said = await attempt(reading, hidden=directory / "cup.db")

    assert said == str([*["FileNotFoundError"] * 4, *said_of_root(said), "b'mine'"])


def said_of_root(said: str) -> list[str]:
    """The one answer that depends on who the daemon is: no permission, or no file."""
    return [each for each in ("PermissionError",) if each in said] or ["FileNotFoundError"]


async def test_a_bot_of_a_tournament_does_not_read_its_database(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(directory)
    (directory / "spy.py").write_text(SPY)
    spec = parse_spec(TOURNAMENT.format(python=sys.executable), "cup.textproto")

    for workers in (1, 2):
        spec.name = f"cup-{workers}"
        played = await run_tournament(spec, directory / "cup.db", lambda _: None, workers)

        assert played.state == TOURNAMENT_STATE_FINISHED


SPY = """
import pathlib, runpy
found = [each for each in pathlib.Path().iterdir() if each.read_bytes().startswith(b"SQLite")]
if found or not pathlib.Path("spy.py").exists():
    raise SystemExit(f"{found} can be read")
runpy.run_module("fivehundred_bots.random_bot", run_name="__main__")
"""
TOURNAMENT = """
name: "cup"
rules {{ preset: "ko-2p-23" }}
entrants {{ name: "one" launch {{
  command: "{python}" command: "spy.py" sandbox {{ kind: SANDBOX_KIND_BUBBLEWRAP }} }} }}
entrants {{ name: "two" launch {{
  command: "{python}" command: "spy.py" sandbox {{ kind: SANDBOX_KIND_BUBBLEWRAP }} }} }}
format {{ round_robin {{ rounds: 2 }} boards {{ boards_per_match: 1 }} }}
"""


async def test_a_tournament_does_not_start_without_its_sandbox(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fivehundred.players.sandbox.PROGRAM", "nosuchwrap")
    spec = parse_spec(TOURNAMENT.format(python=sys.executable), "cup.textproto")

    with pytest.raises(FailedPrecondition) as raised:
        await run_tournament(spec, directory / "cup.db", lambda _: None)

    assert str(raised.value) == (
        "entrant 'one' is to play in a sandbox, but there is no program nosuchwrap: install the "
        "package bubblewrap, or leave launch.sandbox out"
    )


async def test_no_network_and_no_daemon_is_reached(attempt: Attempt, directory: Path) -> None:
    calling = """
def call(family, place):
    with socket.socket(family) as line:
        line.connect(place)
told = [
    tried(call, socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))),
    tried(call, socket.AF_INET, ("192.0.2.1", 80)),
    tried(call, socket.AF_UNIX, "\\0" + sys.argv[2]),
    tried(call, socket.AF_UNIX, sys.argv[3]),
]
"""
    abstract, path = f"fivehundred-{os.getpid()}", directory / "daemon.sock"
    with socket.socket() as port, socket.socket(socket.AF_UNIX) as named:
        port.bind(("127.0.0.1", 0))
        port.listen()
        named.bind(f"\0{abstract}")
        named.listen()
        with socket.socket(socket.AF_UNIX) as daemon:
            daemon.bind(str(path))
            path.chmod(0o777)
            daemon.listen()

            said = await attempt(calling, port.getsockname()[1], abstract, path)

    refused = "ConnectionRefusedError"
    assert said == str([refused, "OSError", refused, refused])


async def test_a_disk_is_not_filled(attempt: Attempt, directory: Path) -> None:
    filling = """
def fill(place):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written = 0
    for number in range(20):
        with contextlib.suppress(OSError), open(f"{place}/{number}", "wb", buffering=0) as file:
            while count := file.write(b"x" * 65536):
                written += count
    return written
room = os.path.dirname(os.environ["FIVEHUNDRED_LISTEN"].removeprefix("unix:"))
told = [fill("/tmp") + fill(room), fill("/dev/shm")]
"""
    said = await attempt(filling)

    written = [int(each) for each in said.strip("[]").split(", ")]
    assert all(0 < each <= BOUNDS.file_bytes for each in written)
    assert list_rooms("[0-9]*") == []


def list_rooms(names: str) -> list[Path]:
    """What lies on the disk where bots without a sandbox have their sockets."""
    return list(Path(tempfile.gettempdir()).glob(f"fivehundred-*/{names}"))


async def test_nothing_outside_is_written(attempt: Attempt, directory: Path) -> None:
    writing = """
def write(place):
    open(f"{place}/made-by-a-bot", "w").close()
    return place
places = (".", "/", "/dev", "/etc", "/usr", "/usr/bin", "/var/tmp", "/run", "/root", *sys.argv[1:])
told = {tried(write, place) for place in places}
"""
    prefixes = (sys.prefix, sys.base_prefix, Path(psutil.__file__).parent)

    said = await attempt(writing, *prefixes)

    allowed = {"OSError", "PermissionError", "FileNotFoundError"}
    assert set(said.strip("{}").replace("'", "").split(", ")) <= allowed
    assert not (directory / "made-by-a-bot").exists()


async def test_no_other_process_is_touched(
    attempt: Attempt, directory: Path, other_plays: Plays
) -> None:
    touching = """
attach, system = 16, ctypes.CDLL(None)
told = []
for process in map(int, sys.argv[1:]):
    told += [tried(os.kill, process, signal.SIGKILL), system.ptrace(attach, process, 0, 0)]
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(-1, signal.SIGTERM)
    os._exit(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.wait()
"""
    others = [os.getpid(), *(each.pid for each in below())]
    others = [process for process in others if process > 100]

    said = await attempt(touching, *others)
    await other_plays()

    assert len(others) >= 2
    assert said == str(["ProcessLookupError", -1] * len(others))


async def test_no_environment_of_the_daemon_is_read(attempt: Attempt, directory: Path) -> None:
    reading = """
def read(path):
    with open(path, "rb") as file:
        return file.read()
processes = [each for each in os.listdir("/proc") if each.isdecimal()]
texts = [tried(read, f"/proc/{each}/environ") + str(dict(os.environ)) for each in processes]
told = [len(processes), any("tell nobody" in each for each in texts)]
"""
    holder = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-c", "import signal; signal.pause()"),
        env={"FIVEHUNDRED_SECRET": "tell nobody"},
    )
    try:
        said = await attempt(reading)
    finally:
        holder.kill()
        await holder.wait()

    assert said == "[2, False]"

"""Launched processes: they come up, and nothing of them is left."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil
import pytest

from fivehundred.players.player import Unreachable
from fivehundred.players.process import Launched, launch
from fivehundred.players.session import Session
from fivehundred.table.values import Ask, Fault, FaultKind

Start = Callable[..., Awaitable[Launched]]

WITH_A_CHILD = """
import os, pathlib, signal, socket, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
pathlib.Path("child").write_text(str(child.pid))
listening = socket.socket(socket.AF_UNIX)
listening.bind(os.environ["FIVEHUNDRED_LISTEN"].removeprefix("unix:"))
signal.pause()
"""
DAEMON = """
import asyncio, sys
from pathlib import Path
from fivehundred.players.process import launch

async def main():
    launched = await launch([sys.executable, "-c", sys.argv[1]], Path.cwd())
    print(launched.target, flush=True)
    await launched.wait()

asyncio.run(main())
"""


async def ended(pid: int) -> None:
    """Wait until a process is gone or a zombie that awaits its reaper."""
    async with asyncio.timeout(10):
        await asyncio.to_thread(_wait, pid)


def is_there(target: str) -> bool:
    return Path(target.removeprefix("unix:")).exists()


def _wait(pid: int) -> None:
    try:
        process = psutil.Process(pid)
        if process.status() != psutil.STATUS_ZOMBIE:
            process.wait(10)
    except psutil.NoSuchProcess:
        return


async def test_a_launched_bot_plays(
    start: Start, greet: Callable[[str], Awaitable[Session]], make_ask: Callable[..., Ask]
) -> None:
    launched = await start("-m", "fivehundred_bots.random_bot")
    session = await greet(launched.target)

    reply = await session.decide(make_ask())

    assert str(session.identity) == "random@1"
    assert not isinstance(reply.answer, Fault)


async def test_nothing_is_left_after_stop(start: Start, tmp_path: Path) -> None:
    launched = await start("-c", WITH_A_CHILD)
    child = int((tmp_path / "child").read_text())
    room = Path(launched.target.removeprefix("unix:")).parent

    await launched.stop()
    await launched.stop()

    await ended(child)
    assert launched.exit_code == -signal.SIGTERM & 0xFF
    assert not room.exists()


async def test_a_bot_that_ignores_sigterm_is_killed(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fivehundred.players.process.STOP_LIMIT_S", 0.2)
    launched = await start("-c", IGNORING)
    child = int((tmp_path / "child").read_text())

    await launched.stop()

    await ended(child)
    assert launched.exit_code == -signal.SIGKILL & 0xFF


IGNORING = """
import os, pathlib, signal, socket
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path("child").write_text(str(os.getpid()))
listening = socket.socket(socket.AF_UNIX)
listening.bind(os.environ["FIVEHUNDRED_LISTEN"].removeprefix("unix:"))
while True:
    signal.pause()
"""


async def test_a_start_that_is_given_up_leaves_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (rooms := tmp_path / "rooms").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(rooms))
    starting = asyncio.create_task(launch([sys.executable, "-c", IGNORING], tmp_path))
    await asyncio.sleep(0)
    assert list(rooms.iterdir()) != []

    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting

    assert list(rooms.iterdir()) == []


async def test_nothing_survives_the_death_of_the_daemon(tmp_path: Path) -> None:
    daemon = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", DAEMON, WITH_A_CHILD),
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
    )
    assert daemon.stdout is not None
    target = await daemon.stdout.readline()
    below = psutil.Process(daemon.pid).children(recursive=True)

    os.kill(daemon.pid, signal.SIGKILL)
    await daemon.wait()

    assert target.startswith(b"unix:")
    assert len(below) >= 3
    for process in below:
        await ended(process.pid)
    assert not is_there(target.decode().strip())


async def test_a_bot_that_does_not_come_up_shows_its_stderr(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('no licence for this machine')"]

    with pytest.raises(Unreachable, match=r"ended with code 1.*no licence for this") as raised:
        await launch(command, tmp_path)

    assert raised.value.fault.kind is FaultKind.UNREACHABLE


async def test_a_program_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="cannot run nosuchbot: No such file"):
        await launch(["nosuchbot"], tmp_path)


async def test_a_bot_that_never_listens_is_unreachable(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import signal; signal.pause()"]

    with pytest.raises(Unreachable, match=r"did not listen within 0\.1 s"):
        await launch(command, tmp_path, limit_us=100_000)


async def test_a_bot_sees_nothing_of_the_daemons_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVEHUNDRED_SECRET", "tell nobody")
    command = [sys.executable, "-c", "import os; raise SystemExit(str(dict(os.environ)))"]

    with pytest.raises(Unreachable) as raised:
        await launch(command, tmp_path, {"MINE": "yes"})

    assert "tell nobody" not in raised.value.fault.reason
    assert "'MINE': 'yes'" in raised.value.fault.reason


async def test_only_the_end_of_a_flood_on_stderr_is_kept(tmp_path: Path) -> None:
    program = "import sys; sys.stderr.write('x' * 10**6); raise SystemExit('the end')"

    with pytest.raises(Unreachable, match="the end") as raised:
        await launch([sys.executable, "-c", program], tmp_path)

    assert len(raised.value.fault.reason) < 3_000

"""Bots in a sandbox: what they see, what they are, and that they play."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil
import pytest

from fivehundred.players.player import Unreachable
from fivehundred.players.process import launch, launched
from fivehundred.players.sandbox import (
    Door,
    Hidden,
    SandboxError,
    sandbox_problem,
    sandboxed,
)
from fivehundred.players.session import Session
from fivehundred.table.values import Ask, Fault
from fivehundred.wire.sandbox import Sandbox

Say = Callable[..., Awaitable[str]]

BOUNDS = Sandbox()

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="there is no program bwrap")

LISTENING = """
import os, signal, socket
listening = socket.socket(socket.AF_UNIX)
listening.bind(os.environ["FIVEHUNDRED_LISTEN"].removeprefix("unix:"))
listening.listen()
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory that everybody may read."""
    tmp_path.chmod(0o755)
    return tmp_path


@pytest.fixture
def closed_directory(tmp_path: Path) -> Path:
    """A directory that its owner alone may read."""
    tmp_path.chmod(0o700)
    return tmp_path


@pytest.fixture
def say(directory: Path) -> Say:
    """What a program writes before it ends, in a sandbox."""

    async def say(program: str, *, sandbox: Sandbox = BOUNDS, hidden: Path | None = None) -> str:
        command = [sys.executable, "-I", "-S", "-c", program]
        files = () if hidden is None else (Hidden.of(hidden),)
        with pytest.raises(Unreachable) as raised:
            await launch(command, directory, sandbox=sandbox, hidden=files)
        return raised.value.fault.reason.partition("its stderr: ")[2]

    return say


def problem(path: str) -> str:
    """What is wrong with the sandbox for a daemon that has this PATH."""
    program = "from fivehundred.players.sandbox import sandbox_problem; print(sandbox_problem())"
    told = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.strip()


def test_there_is_a_sandbox_here() -> None:
    assert sandbox_problem() is None


def test_a_missing_program_is_named_with_what_to_install() -> None:
    assert problem("/nonexistent") == (
        "there is no program bwrap: install the package bubblewrap, or leave launch.sandbox out"
    )


def test_a_program_that_does_not_work_is_named(directory: Path) -> None:
    broken = directory / "bwrap"
    broken.write_text("#!/bin/sh\necho 'no namespaces for you' >&2\nexit 1\n")
    broken.chmod(0o755)

    assert "bwrap does not work here (no namespaces for you)" in problem(f"{directory}:/usr/bin")


async def test_a_bot_plays_in_a_sandbox(
    directory: Path, greet: Callable[[str], Awaitable[Session]], make_ask: Callable[..., Ask]
) -> None:
    command = [sys.executable, "-m", "fivehundred_bots.random_bot"]
    async with launched(command, directory, sandbox=Sandbox()) as bot:
        session = await greet(bot.target)

        reply = await session.decide(make_ask())

        assert str(session.identity) == "random@1"
        assert not isinstance(reply.answer, Fault)


async def test_a_bot_may_end_by_itself_at_sigterm(directory: Path) -> None:
    program = LISTENING + "signal.signal(signal.SIGTERM, lambda *_: os._exit(42))\nsignal.pause()"
    bot = await launch([sys.executable, "-c", program], directory, sandbox=Sandbox())

    await bot.stop()

    assert bot.exit_code == 42


async def test_a_bot_that_does_not_handle_sigterm_ends(directory: Path) -> None:
    program = LISTENING + "signal.pause()"
    bot = await launch([sys.executable, "-c", program], directory, sandbox=Sandbox())

    await bot.stop()

    assert bot.exit_code == 128 + signal.SIGTERM


async def test_a_bot_that_does_not_come_up_shows_its_stderr(directory: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('no licence for this machine')"]

    with pytest.raises(Unreachable, match=r"ended with code 1.*no licence for this"):
        await launch(command, directory, sandbox=Sandbox())


async def test_a_program_that_does_not_exist_is_named(directory: Path) -> None:
    with pytest.raises(Unreachable, match="cannot run nosuchbot: No such file"):
        await launch(["nosuchbot"], directory, sandbox=Sandbox())


async def test_a_bot_has_its_directory_a_home_and_no_rights(say: Say, directory: Path) -> None:
    program = """
import os, sys
state = dict(line.split(":", 1) for line in open("/proc/self/status"))
rights = [state[name].strip() for name in ("CapPrm", "CapEff", "CapInh", "CapAmb", "CapBnd")]
raise SystemExit(str((os.getcwd(), os.environ["HOME"], os.uname().nodename, os.getuid() != 0,
    {int(each, 16) for each in rights}, state["NoNewPrivs"].strip())))
"""

    assert await say(program) == str((str(directory), "/tmp", "bot", True, {0}, "1"))


async def test_a_bot_cannot_make_user_namespaces(say: Say) -> None:
    program = "import ctypes; raise SystemExit(str(ctypes.CDLL(None).unshare(0x10000000)))"

    assert await say(program) == "-1"


async def test_bounds_are_set_for_good(say: Say) -> None:
    program = """
import resource as r
names = ("AS", "CPU", "FSIZE", "CORE", "NOFILE", "NPROC")
raise SystemExit(str([r.getrlimit(getattr(r, f"RLIMIT_{name}")) for name in names]))
"""
    bounds = Sandbox(memory_bytes=200 << 20, processes=7, cpu_seconds=5, file_bytes=8192)
    wanted = (200 << 20, 5, 8192, 0, 1024, 7)

    assert await say(program, sandbox=bounds) == str([(each, each) for each in wanted])


async def test_processor_time_is_bounded(say: Say) -> None:
    program = "import sys; print('on', file=sys.stderr, flush=True)\nwhile True: pass"

    assert await say(program, sandbox=Sandbox(cpu_seconds=1)) == "on"


async def test_a_link_cannot_lead_the_daemon_to_another_socket(directory: Path) -> None:
    program = f"""
import os
room = os.environ["FIVEHUNDRED_LISTEN"].removeprefix("unix:").removesuffix("/bot.sock")
os.symlink("{directory}/other.sock", f"{{room}}/bot.sock")
import signal; signal.pause()
"""
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(directory / "other.sock"))

        with pytest.raises(Unreachable, match=r"did not listen within 0\.7 s"):
            await launch(
                [sys.executable, "-I", "-S", "-c", program],
                directory,
                sandbox=Sandbox(),
                limit_us=700_000,
            )


async def test_what_is_beside_a_hidden_file_is_seen(say: Say, directory: Path) -> None:
    for name in ("cup.db", "cup.db-wal", "cup.db.decisions", "mine.txt"):
        (directory / name).write_text("secret")
    (directory / "alias").symlink_to("cup.db")

    seen = await say(
        "import os; raise SystemExit(str([sorted(os.listdir()), os.path.exists('alias')]))",
        hidden=directory / "cup.db",
    )

    assert seen == str([["alias", "mine.txt"], False])


async def test_a_directory_with_a_hidden_file_is_empty(say: Say, directory: Path) -> None:
    (directory / "data").mkdir()
    (directory / "data" / "cup.db").write_text("secret")

    seen = await say(
        "import os; raise SystemExit(str([os.listdir(), os.listdir('data')]))",
        hidden=directory / "data" / "cup.db",
    )

    assert seen == str([["data"], []])


async def test_a_bots_directory_beside_a_hidden_file_is_all_that_is_seen(directory: Path) -> None:
    mine = directory / "bots"
    mine.mkdir()
    (directory / "cup.db").write_text("secret")
    program = "import os; raise SystemExit(str([os.listdir('..'), os.listdir()]))"

    with pytest.raises(Unreachable) as raised:
        await launch(
            [sys.executable, "-I", "-S", "-c", program],
            mine,
            sandbox=Sandbox(),
            hidden=[Hidden.of(directory / "cup.db")],
        )

    assert "[['bots'], []]" in raised.value.fault.reason


@pytest.mark.parametrize("shown", ["/", "/tmp", "~", "/proc/self", "/etc"])
def test_some_directories_are_shown_to_no_bot(shown: str) -> None:
    door = Door(Path("room"))

    with pytest.raises(SandboxError, match="name a directory of its own in"):
        sandboxed(["true"], Path(shown).expanduser(), os.defpath, Sandbox(), door)

    door.close()


async def test_a_directory_that_the_bots_user_may_not_read_is_named(
    closed_directory: Path,
) -> None:
    command = [sys.executable, "-I", "-S", "-c", "raise SystemExit('read')"]

    with pytest.raises(Unreachable) as raised:
        await launch(command, closed_directory, sandbox=Sandbox())

    wanted = f"{closed_directory} cannot be read in the sandbox" if os.geteuid() == 0 else "read"
    assert wanted in raised.value.fault.reason


async def test_descriptors_are_given_back(directory: Path) -> None:
    command = [sys.executable, "-I", "-S", "-c", LISTENING + "signal.pause()"]
    before = psutil.Process().num_fds()

    for _ in range(2):
        async with launched(command, directory, sandbox=Sandbox()):
            assert psutil.Process().num_fds() > before

    assert psutil.Process().num_fds() <= before

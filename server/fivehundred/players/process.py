"""Bots as child processes: started with a private socket, stopped for certain."""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from fivehundred.players import guard
from fivehundred.players.player import Unreachable
from fivehundred.table.values import Fault, FaultKind

LISTEN_VARIABLE = "FIVEHUNDRED_LISTEN"
STDERR_KEPT = 64 * 1024
STDERR_SHOWN = 2_000
STOP_LIMIT_S = 2.0
LOOK_EVERY_S = 0.01
INHERITED = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR")
"""All that a bot sees of the daemon's environment."""


class Launched:
    """A bot's running process. ``target`` is the address that it listens on."""

    def __init__(self, process: asyncio.subprocess.Process, room: Path, leash: int) -> None:
        self.target = _address(room)
        self._process = process
        self._room = room
        self._leash: int | None = leash
        self._stderr = bytearray()
        self._collecting = asyncio.create_task(self._collect())
        self._stopping: asyncio.Task[None] | None = None

    @property
    def exit_code(self) -> int | None:
        """How the bot has ended; None while it runs."""
        return self._process.returncode

    @property
    def stderr(self) -> str:
        """The last 64 KiB of what the bot has written to stderr."""
        return self._stderr.decode(errors="replace")

    async def wait(self) -> int:
        """Wait for the bot to end by itself; returns its exit code."""
        return await self._process.wait()

    async def stop(self) -> None:
        """End the bot and all its children: SIGTERM, a short limit, SIGKILL. Safe to repeat."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def ready(self, limit_s: float) -> None:
        """Wait for the bot's socket; raises `Unreachable` when the bot ends or takes too long."""
        try:
            async with asyncio.timeout(limit_s):
                while not self._socket_exists():
                    if self.exit_code is not None:
                        raise await self._failure(f"ended with code {self.exit_code}")
                    await asyncio.sleep(LOOK_EVERY_S)
        except TimeoutError:
            raise await self._failure(f"did not listen within {limit_s:g} s") from None

    def _socket_exists(self) -> bool:
        return (self._room / "bot.sock").exists()

    async def _failure(self, what: str) -> Unreachable:
        await self.stop()
        said = self.stderr[-STDERR_SHOWN:].strip() or "nothing"
        return Unreachable(Fault(FaultKind.UNREACHABLE, f"the bot {what}; its stderr: {said}"))

    async def _collect(self) -> None:
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(STDERR_KEPT):
            self._stderr += chunk
            del self._stderr[:-STDERR_KEPT]

    async def _stop(self) -> None:
        try:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            if not await self._ended_within(STOP_LIMIT_S):
                self._cut_leash()
            if not await self._ended_within(STOP_LIMIT_S):
                self._process.kill()
            await self._process.wait()
            await asyncio.wait([self._collecting], timeout=STOP_LIMIT_S)
        finally:
            self._collecting.cancel()
            self._cut_leash()
            shutil.rmtree(self._room, ignore_errors=True)

    async def _ended_within(self, limit_s: float) -> bool:
        try:
            async with asyncio.timeout(limit_s):
                await self._process.wait()
        except TimeoutError:
            return False
        return True

    def _cut_leash(self) -> None:
        """Close the pipe that the guard watches: it kills the whole group at once."""
        if self._leash is not None:
            os.close(self._leash)
            self._leash = None


async def launch(
    command: Sequence[str],
    directory: Path,
    environment: Mapping[str, str] | None = None,
    *,
    limit_us: int = 20_000_000,
) -> Launched:
    """Start a bot and wait for it to listen at ``FIVEHUNDRED_LISTEN``, a private unix socket.

    The bot and its children run in a process group that ends with this process, however it ends.
    Raises `Unreachable` with the end of the bot's stderr when it does not come up.
    """
    room = Path(tempfile.mkdtemp(prefix="fivehundred-"))
    watched, leash = os.pipe()
    try:
        variables = _environment(room, environment or {})
        process = await _start(command, directory, variables, watched, room)
    except OSError as error:
        os.close(leash)
        shutil.rmtree(room, ignore_errors=True)
        reason = f"the bot cannot be started in {directory}: {error.strerror}"
        raise Unreachable(Fault(FaultKind.UNREACHABLE, reason)) from error
    finally:
        os.close(watched)
    launched = Launched(process, room, leash)
    try:
        await launched.ready(limit_us / 1e6)
    except BaseException:
        await launched.stop()
        raise
    return launched


@contextlib.asynccontextmanager
async def launched(
    command: Sequence[str],
    directory: Path,
    environment: Mapping[str, str] | None = None,
    *,
    limit_us: int = 20_000_000,
) -> AsyncIterator[Launched]:
    """A launched bot for the length of a block."""
    process = await launch(command, directory, environment, limit_us=limit_us)
    try:
        yield process
    finally:
        await process.stop()


async def _start(
    command: Sequence[str],
    directory: Path,
    environment: Mapping[str, str],
    watched: int,
    room: Path,
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", guard.__file__, str(watched), str(room), *command),
        cwd=directory,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        pass_fds=(watched,),
        start_new_session=True,
    )


def _environment(room: Path, wanted: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return {**inherited, **wanted, LISTEN_VARIABLE: _address(room)}


def _address(room: Path) -> str:
    return f"unix:{room / 'bot.sock'}"

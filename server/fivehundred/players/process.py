"""Bots as child processes: started with a private socket, stopped for certain."""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fivehundred.players import guard
from fivehundred.players.player import Unreachable
from fivehundred.players.sandbox import (
    ROOM_PREFIX,
    SOCKET,
    Door,
    Hidden,
    SandboxError,
    sandboxed,
)
from fivehundred.table.values import Fault, FaultKind
from fivehundred.wire.sandbox import Sandbox

LISTEN_VARIABLE = "FIVEHUNDRED_LISTEN"
STDERR_KEPT = 64 * 1024
STDERR_SHOWN = 2_000
STDERR_PER_S = 16 * 1024 * 1024
"""Bytes of a bot's stderr that are read in a second; who writes more than that waits."""
STOP_LIMIT_S = 2.0
LOOK_EVERY_S = 0.01
INHERITED = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR")
"""All that a bot sees of the daemon's environment."""


class Entrance(Protocol):
    """Where a bot is reached."""

    @property
    def target(self) -> str:
        """The address to dial once it is open."""
        ...

    def is_open(self) -> bool:
        """Whether the bot listens."""
        ...

    def close(self) -> None:
        """Let go of what was opened."""
        ...


@dataclass(frozen=True, slots=True)
class Room:
    """A directory in which a bot listens that no sandbox holds."""

    directory: Path

    @property
    def target(self) -> str:
        """The address of the bot's socket."""
        return _address(self.directory)

    def is_open(self) -> bool:
        """Whether the bot has bound its socket."""
        return (self.directory / SOCKET).exists()

    def close(self) -> None:
        """Do nothing: the directory goes with the process."""


class Launched:
    """A bot's running process. ``target`` is the address that it listens on."""

    def __init__(
        self, process: asyncio.subprocess.Process, entrance: Entrance, room: Path, leash: int
    ) -> None:
        self._process = process
        self._entrance = entrance
        self._room = room
        self._leash: int | None = leash
        self._stderr = bytearray()
        self._collecting = asyncio.create_task(self._collect())
        self._stopping: asyncio.Task[None] | None = None

    @property
    def target(self) -> str:
        """The address at which it listens once it is ready."""
        return self._entrance.target

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
                while not self._entrance.is_open():
                    if self.exit_code is not None:
                        raise await self._failure(f"ended with code {self.exit_code}")
                    await asyncio.sleep(LOOK_EVERY_S)
        except TimeoutError:
            raise await self._failure(f"did not listen within {limit_s:g} s") from None

    async def _failure(self, what: str) -> Unreachable:
        await self.stop()
        said = self.stderr[-STDERR_SHOWN:].strip() or "nothing"
        return Unreachable(Fault(FaultKind.UNREACHABLE, f"the bot {what}; its stderr: {said}"))

    async def _collect(self) -> None:
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(STDERR_KEPT):
            self._stderr += chunk
            del self._stderr[:-STDERR_KEPT]
            if self._process.returncode is None:
                await asyncio.sleep(len(chunk) / STDERR_PER_S)

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
            self._entrance.close()
            await _remove(self._room)

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
    sandbox: Sandbox | None = None,
    hidden: Iterable[Hidden] = (),
    limit_us: int = 20_000_000,
) -> Launched:
    """Start a bot and wait for it to listen at ``FIVEHUNDRED_LISTEN``, a private unix socket.

    The bot and all that it starts end with this process, however it ends. In a ``sandbox`` it sees
    nothing of what is ``hidden``. Raises `Unreachable` with the end of the bot's stderr when it
    does not come up.
    """
    room = Path(tempfile.mkdtemp(prefix=ROOM_PREFIX))
    variables = _environment(environment or {})
    try:
        if sandbox is None:
            launched = await _start_free(command, directory, variables, room)
        else:
            launched = await _start_shut(command, directory, variables, room, sandbox, hidden)
    except BaseException as error:
        await _remove(room)
        if isinstance(error, OSError):
            reason = f"the bot cannot be started in {directory}: {error.strerror}"
        elif isinstance(error, SandboxError):
            reason = str(error)
        else:
            raise
        raise Unreachable(Fault(FaultKind.UNREACHABLE, reason)) from error
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
    sandbox: Sandbox | None = None,
    hidden: Iterable[Hidden] = (),
    limit_us: int = 20_000_000,
) -> AsyncIterator[Launched]:
    """A launched bot for the length of a block."""
    process = await launch(
        command, directory, environment, sandbox=sandbox, hidden=hidden, limit_us=limit_us
    )
    try:
        yield process
    finally:
        await process.stop()


async def _start_free(
    command: Sequence[str], directory: Path, variables: Mapping[str, str], room: Path
) -> Launched:
    """Start a bot that nothing holds but its guard."""
    told = {**variables, LISTEN_VARIABLE: _address(room)}
    process, leash = await _start(["free", *command], directory, told, room)
    return Launched(process, Room(room), room, leash)


async def _start_shut(
    command: Sequence[str],
    directory: Path,
    variables: Mapping[str, str],
    room: Path,
    sandbox: Sandbox,
    hidden: Iterable[Hidden],
) -> Launched:
    """Start a bot in a sandbox."""
    door = Door(room)
    try:
        path = variables.get("PATH", os.defpath)
        shut = await asyncio.to_thread(
            sandboxed, command, directory, path, sandbox, door, tuple(hidden)
        )
        told = {**variables, LISTEN_VARIABLE: _address(door.room)}
        process, leash = await _start(
            [guard.SHUT, *shut], directory, told, room, door.theirs.fileno()
        )
    except BaseException:
        door.close()
        raise
    door.theirs.close()
    return Launched(process, door, room, leash)


async def _start(
    command: Sequence[str],
    directory: Path,
    environment: Mapping[str, str],
    room: Path,
    *descriptors: int,
) -> tuple[asyncio.subprocess.Process, int]:
    """Start a guard; gives the leash besides, to be closed when the bot is to die."""
    watched, leash = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", guard.__file__, str(watched), str(room), *command),
            cwd=directory,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            pass_fds=(watched, *descriptors),
            start_new_session=True,
        )
    except BaseException:
        os.close(leash)
        raise
    finally:
        os.close(watched)
    return process, leash


async def _remove(room: Path) -> None:
    """Remove a room in a thread: a bot may have filled it."""
    await asyncio.to_thread(shutil.rmtree, room, ignore_errors=True)


def _environment(wanted: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return {**inherited, **wanted}


def _address(room: Path) -> str:
    return f"unix:{room / SOCKET}"

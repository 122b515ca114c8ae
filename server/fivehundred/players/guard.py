"""Runs a bot and outlives neither it nor the daemon.

``guard.py FD ROOM COMMAND…`` starts the command in its own session and waits. When the pipe FD
closes (the daemon closes it, or dies in whatever way) the bot's process group is killed; SIGTERM is
passed on to the group; when the bot ends, what is left of its group is killed, the directory ROOM
with its socket removed and the exit code returned.
A file of its own that imports the standard library only, so that it starts in milliseconds.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
from typing import NoReturn

PR_SET_PDEATHSIG = 1
NOT_STARTED = 127


def main(arguments: list[str]) -> int:
    """Guard the command until it or the daemon ends; returns its exit code."""
    watched, room, command = int(arguments[0]), arguments[1], arguments[2:]
    waking = _wake_on_signals()
    bot = os.fork()
    if bot == 0:
        _become(command)
    _watch(bot, watched, waking)
    _kill(bot, signal.SIGKILL)
    _, status = os.waitpid(bot, 0)
    _remove(room)
    return os.waitstatus_to_exitcode(status) & 0xFF


def _wake_on_signals() -> int:
    """The reading end of a pipe that receives the number of every signal that comes."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    return reading


def _become(command: list[str]) -> NoReturn:
    """Turn this forked process into the bot, which dies with its guard where the system can."""
    os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot run {command[0]}: {error.strerror}\n".encode())
        os._exit(NOT_STARTED)


def _watch(bot: int, watched: int, waking: int) -> None:
    """Return when the bot has ended or the daemon is gone, passing on SIGTERM meanwhile."""
    while True:
        ready, _, _ = select.select([watched, waking], [], [])
        if watched in ready:
            return
        numbers = os.read(waking, 64)
        if signal.SIGTERM in numbers or signal.SIGINT in numbers:
            _kill(bot, signal.SIGTERM)
        if signal.SIGCHLD in numbers and _has_ended(bot):
            return


def _has_ended(bot: int) -> bool:
    """Whether the bot has ended; unreaped, so that its group keeps its number."""
    return os.waitid(os.P_PID, bot, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _remove(room: str) -> None:
    with contextlib.suppress(OSError):
        for entry in os.scandir(room):
            os.unlink(entry)  # noqa: PTH108 - pathlib would double the time to start
        os.rmdir(room)  # noqa: PTH106 - as above


def _kill(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

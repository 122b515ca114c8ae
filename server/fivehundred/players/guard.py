"""Runs a bot and outlives neither it nor the daemon.

``guard.py FD ROOM HOLD COMMAND…`` starts the command in its own session and waits. When the pipe FD
closes (the daemon closes it, or dies in whatever way) the bot's process group is killed; SIGTERM is
passed on to the group; when the bot ends, what is left of its group and of all that it has started
is killed, the directory ROOM with its socket removed and the exit code returned.
HOLD is ``free``, or ``shut`` for a command that is a sandbox: it ends when the bot in it does, not
at SIGTERM; and where the guard is root it is root in a user namespace only.
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
PR_SET_CHILD_SUBREAPER = 36
CLONE_NEWUSER = 0x10000000
NOT_STARTED = 127
SHUT = "shut"


def main(arguments: list[str]) -> int:
    """Guard the command until it or the daemon ends; returns its exit code."""
    watched, room, hold, command = int(arguments[0]), *arguments[1:3], arguments[3:]
    os.set_inheritable(watched, False)
    _adopt_orphans()
    waking = _wake_on_signals()
    bot = _start_shut(command) if hold == SHUT else _start(command)
    _watch(bot, watched, waking)
    _kill(bot, signal.SIGKILL)
    _, status = os.waitpid(bot, 0)
    _end_orphans()
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


def _start(command: list[str]) -> int:
    """Start the bot; gives its process id."""
    bot = os.fork()
    if bot == 0:
        _become(command)
    return bot


def _start_shut(command: list[str]) -> int:
    """Start a bot's sandbox; root starts it in a user namespace that it fills in from here."""
    reading, writing = os.pipe()
    mapped, mapping = os.pipe()
    bot = os.fork()
    if bot == 0:
        os.close(mapping)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.geteuid() == 0:
            _leave_the_users(writing, mapped)
        _become(command)
    os.close(writing)
    if os.geteuid() == 0 and os.read(reading, 1):
        _map_users(bot)
    for descriptor in (reading, mapped, mapping):
        os.close(descriptor)
    return bot


def _leave_the_users(ready: int, mapped: int) -> None:
    """Move to a user namespace of its own, in which there will be no other."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER):
        _give_up(f"cannot make a user namespace: {os.strerror(ctypes.get_errno())}")
    try:
        os.write(ready, b".")
        os.read(mapped, 1)
        _write("/proc/sys/user/max_user_namespaces", "0")
    except OSError as error:
        _give_up(f"cannot bar user namespaces: {error.strerror}")


def _map_users(process: int) -> None:
    """Let every user and group that is known here be known in a process's user namespace."""
    for kind in ("uid_map", "gid_map"):
        with contextlib.suppress(OSError):
            ranges = [line.split() for line in _read(f"/proc/self/{kind}").splitlines()]
            text = "".join(f"{first} {first} {length}\n" for first, _, length in ranges)
            _write(f"/proc/{process}/{kind}", text)


def _read(path: str) -> str:
    with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123 - as at `_remove`
        return file.read()


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 - as at `_remove`
        file.write(text)


def _become(command: list[str]) -> NoReturn:
    """Turn this forked process into the bot, which dies with its guard where the system can."""
    os.setsid()
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        _give_up(f"cannot run {command[0]}: {error.strerror}")


def _give_up(reason: str) -> NoReturn:
    os.write(2, f"{reason}\n".encode())
    os._exit(NOT_STARTED)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value)


def _adopt_orphans() -> None:
    """Become the parent of what the bot starts and leaves alone, where the system can."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


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
    """Whether the bot has ended; unreaped, so that its group keeps its number. Reaps orphans."""
    options = os.WEXITED | os.WNOWAIT | os.WNOHANG
    while (ended := os.waitid(os.P_ALL, 0, options)) is not None:
        if ended.si_pid == bot:
            return True
        os.waitpid(ended.si_pid, 0)
    return False


def _end_orphans() -> None:
    """Kill what the bot has started, whatever groups and sessions that has fled to."""
    while killed := [orphan for orphan in _children() if _has_killed(orphan)]:
        for orphan in killed:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(orphan, 0)


def _has_killed(process: int) -> bool:
    """Kill a process; gives whether that is allowed: it is not where it has become another user."""
    try:
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _children() -> list[int]:
    """This process's children; none where the system does not tell."""
    try:
        processes = [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208 - as at `_remove`
    except OSError:
        return []
    return [process for process in processes if _parent(process) == os.getpid()]


def _parent(process: int) -> int | None:
    try:
        return int(_read(f"/proc/{process}/stat").rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return None


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

"""Becomes a bot inside its sandbox.

``enter.py USER DOOR ROOM DIRECTORY MEMORY PROCESSES CPU FILE COMMAND…`` runs once everything around
it is shut. It turns into USER (unless that is 0), makes the directory ROOM, hands it to the daemon
through the socket DOOR, sets the limits and runs the command in DIRECTORY.
A file of its own that imports the standard library only: nothing else need be there.
"""

import ctypes
import os
import resource
import signal
import socket
import sys
from typing import NoReturn

PR_CAPBSET_DROP = 24
CAPABILITIES = 64
CAPABILITY_VERSION = 0x20080522
OPEN_FILES = 1024
NOT_STARTED = 127
KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219}
"""The number of the system call, by machine; no library that is always there has it."""
JOIN_SESSION_KEYRING = 1


def main(arguments: list[str]) -> NoReturn:
    """Enter the sandbox and become the bot."""
    user, door, room, directory = int(arguments[0]), int(arguments[1]), *arguments[2:4]
    memory, processes, cpu, file = map(int, arguments[4:8])
    try:
        if user:
            _become(user)
        _leave_keys()
        _open(door, room)
    except OSError as error:
        _give_up(f"the sandbox cannot be entered: {error.strerror}")
    _go_to(directory)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_NPROC, processes)
    _limit(resource.RLIMIT_CPU, cpu)
    _limit(resource.RLIMIT_FSIZE, file)
    _limit(resource.RLIMIT_AS, memory)
    _run(arguments[8:])


def _become(user: int) -> None:
    """Turn into a user who has nothing, for good: no capability is left, and none can be had."""
    system = ctypes.CDLL(None, use_errno=True)
    for capability in range(CAPABILITIES):
        system.prctl(PR_CAPBSET_DROP, capability)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    header, nothing = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    if system.capset(header, nothing):
        raise OSError(ctypes.get_errno(), "rights cannot be given up")


def _leave_keys() -> None:
    """Take a keyring of its own: the daemon's may hold keys, and seats could talk through it."""
    number = KEYCTL.get(os.uname().machine)
    if number is not None:
        ctypes.CDLL(None).syscall(number, JOIN_SESSION_KEYRING, None)


def _open(door: int, room: str) -> None:
    """Make the directory in which the bot is to listen, and let the daemon see it."""
    os.mkdir(room, 0o700)  # noqa: PTH102 - pathlib would double the time to start
    opened = os.open(room, os.O_RDONLY | os.O_DIRECTORY)
    with socket.socket(fileno=door) as line:
        socket.send_fds(line, [b"."], [opened])
    os.close(opened)


def _go_to(directory: str) -> None:
    try:
        os.chdir(directory)
        os.close(os.open(".", os.O_RDONLY))
    except OSError as error:
        reason = f"{directory} cannot be read in the sandbox ({error.strerror})"
        _give_up(f"{reason}: let all users read it, as with chmod o+rx")


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (bound, bound))


def _run(command: list[str]) -> NoReturn:
    try:
        os.execvp(command[0], command)
    except OSError as error:
        _give_up(f"cannot run {command[0]}: {error.strerror}")


def _give_up(reason: str) -> NoReturn:
    os.write(2, f"{reason}\n".encode())
    os._exit(NOT_STARTED)


if __name__ == "__main__":
    main(sys.argv[1:])

"""The sandbox that a launched bot is shut into: bubblewrap, and what it shows the bot.

The bot sees the system, its program, its interpreter and its directory, all to be read only. It
writes to a ``/tmp`` in memory, which is its home too and holds the socket at which it listens. It
has no network, sees no process but its own and has no rights over anything. Files of the daemon's
are hidden wherever they lie. `fivehundred.players.enter` sets the limits, inside.
"""

import importlib.util
import os
import re
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fivehundred.players import enter, guard
from fivehundred.wire.sandbox import Sandbox

PROGRAM = "bwrap"
ROOM_PREFIX = "fivehundred-"
HOME = Path("/tmp")
"""The sandbox's own, in memory."""
SOCKET = "bot.sock"
FIRST_USER = 2_000_000_000
"""Where the daemon is root, a bot is a user that nobody else is, from this number on."""
USERS = 100_000_000
NOBODY = 65534
PROBE_LIMIT_S = 10
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store")
SETTINGS = (
    *("alternatives", "group", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime"),
    *("nsswitch.conf", "passwd", "ssl/certs", "ssl/openssl.cnf"),
)
"""All of ``/etc`` that a bot sees."""
PACKAGES = ("fivehundred", "fivehundred_client", "fivehundred_bots")


class SandboxError(RuntimeError):
    """There can be no sandbox; the text says what to install or to write."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Files of a directory that no bot may read: those whose names start with the prefix.

    The directory is hidden as a whole unless it was itself given to the bot.
    """

    directory: Path
    prefix: str

    @classmethod
    def of(cls, file: Path) -> "Hidden":
        """A file and those beside it that are named after it."""
        real = Path(os.path.realpath(file))
        return cls(real.parent, real.name)


class Door:
    """Where a bot in a sandbox is reached: a socket in a directory that is seen inside alone."""

    def __init__(self, room: Path) -> None:
        self.room = HOME / room.name
        """The directory in which the bot listens, as the bot sees it."""
        self.ours, self.theirs = socket.socketpair()
        self.ours.setblocking(False)
        self._directory: int | None = None
        self._socket: int | None = None

    @property
    def target(self) -> str:
        """The bot's address, which no renaming inside can turn to another socket."""
        return f"unix:/proc/self/fd/{self._socket}"

    def is_open(self) -> bool:
        """Whether the bot listens."""
        if self._directory is None:
            self._directory = _received(self.ours)
        if self._directory is not None and self._socket is None:
            self._socket = _socket_in(self._directory)
        return self._socket is not None

    def close(self) -> None:
        """Let go of what was opened."""
        self.ours.close()
        self.theirs.close()
        for descriptor in (self._directory, self._socket):
            if descriptor is not None:
                os.close(descriptor)
        self._directory = self._socket = None


def sandbox_problem() -> str | None:
    """Why bots cannot be shut into a sandbox here, and what to install; None where they can."""
    try:
        _probe(_bubblewrap())
    except SandboxError as error:
        return str(error)
    return None


def sandboxed(
    command: Sequence[str],
    directory: Path,
    path: str,
    sandbox: Sandbox,
    door: Door,
    hidden: Iterable[Hidden] = (),
) -> list[str]:
    """The command that runs a bot's command in its sandbox; ``path`` is the bot's PATH.

    Raises `SandboxError` where its directory is none to show a bot.
    """
    directory = Path(os.path.abspath(directory))  # noqa: PTH100 - keeps links as they are named
    _check_directory(directory)
    shown = [*_interpreter(), *_program(command, directory, path), directory]
    return [
        _bubblewrap(),
        *_walls(sandbox),
        *_mounts(shown, [*hidden, Hidden.of(Path(tempfile.gettempdir(), ROOM_PREFIX))]),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--"),
        *(sys.executable, "-I", "-S", enter.__file__),
        *(str(_user()), str(door.theirs.fileno()), str(door.room), str(directory)),
        *(str(sandbox.memory_bytes), str(sandbox.processes)),
        *(str(sandbox.cpu_seconds), str(sandbox.file_bytes)),
        *command,
    ]


def _received(line: socket.socket) -> int | None:
    """The directory that has been handed out of the sandbox, if it has been."""
    try:
        _, descriptors, _, _ = socket.recv_fds(line, 1, 1)
    except OSError:
        return None
    return descriptors[0] if descriptors else None


def _socket_in(directory: int) -> int | None:
    with suppress(OSError):
        found = os.open(SOCKET, os.O_PATH | os.O_NOFOLLOW, dir_fd=directory)
        if stat.S_ISSOCK(os.fstat(found).st_mode):
            return found
        os.close(found)
    return None


@cache
def _probe(program: str) -> None:
    """Run nothing in a sandbox, once; a failure is tried anew."""
    room = Path(tempfile.mkdtemp(prefix=ROOM_PREFIX))
    door = Door(room)
    watched, leash = os.pipe()
    nothing = [sys.executable, "-I", "-S", "-c", ""]
    try:
        command = sandboxed(nothing, Path("/usr"), os.defpath, Sandbox(), door)
        tried = subprocess.run(
            [sys.executable, "-I", "-S", guard.__file__, str(watched), str(room), "shut", *command],
            pass_fds=(watched, door.theirs.fileno()),
            capture_output=True,
            text=True,
            timeout=PROBE_LIMIT_S,
            check=False,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"{program} does not work here: {error}") from None
    finally:
        door.close()
        os.close(watched)
        os.close(leash)
        shutil.rmtree(room, ignore_errors=True)
    if tried.returncode:
        said = tried.stderr.strip().rpartition("\n")[2] or f"code {tried.returncode}"
        raise SandboxError(
            f"{program} does not work here ({said}): allow user namespaces and install "
            "bubblewrap 0.8 or later, or leave launch.sandbox out"
        )


def _bubblewrap() -> str:
    """The program's path."""
    if sys.platform != "linux":
        raise SandboxError("a sandbox needs Linux: leave launch.sandbox out")
    found = shutil.which(PROGRAM)
    if found is None:
        raise SandboxError(
            f"there is no program {PROGRAM}: install the package bubblewrap, "
            "or leave launch.sandbox out"
        )
    return found


def _walls(sandbox: Sandbox) -> list[str]:
    """The arguments that shut everything out, and give the bot room of its own."""
    space = str(sandbox.file_bytes)
    return [
        *("--die-with-parent", *_users_shut_out()),
        *("--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--hostname", "bot"),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--perms", "1777", "--size", space, "--tmpfs", "/dev/shm"),
        *("--perms", "1777", "--size", space, "--tmpfs", str(HOME)),
        *("--setenv", "HOME", str(HOME), "--setenv", "TMPDIR", str(HOME)),
    ]


def _users_shut_out() -> tuple[str, ...]:
    """Root is in a user namespace by its guard, and needs rights to turn into another user."""
    if os.geteuid():
        return ("--unshare-user", "--disable-userns", "--cap-drop", "ALL")
    kept = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
    return ("--cap-drop", "ALL", *(word for each in kept for word in ("--cap-add", each)))


def _user() -> int:
    """The user that a bot is turned into; 0 where it stays the daemon's, who is not root."""
    if os.geteuid():
        return 0
    wanted = FIRST_USER + secrets.randbelow(USERS)
    return wanted if _is_known(wanted) else NOBODY


def _is_known(user: int) -> bool:
    lines = Path("/proc/self/uid_map").read_text().splitlines()
    ranges = (map(int, line.split()) for line in lines)
    return any(first <= user < first + length for first, _, length in ranges)


def _check_directory(directory: Path) -> None:
    real = Path(os.path.realpath(directory))
    kept = (
        Path(os.path.realpath(_home_of_user())),
        HOME,
        Path(os.path.realpath(tempfile.gettempdir())),
    )
    if any(each.is_relative_to(real) for each in kept):
        raise SandboxError(
            f"no bot in a sandbox is shown {directory}, which holds a home or what is temporary: "
            "name a directory of its own in launch.directory"
        )
    if any(real.is_relative_to(each) for each in ("/proc", "/sys", "/dev", "/etc", "/run")):
        raise SandboxError(
            f"no bot in a sandbox is shown {directory}: name a directory of its own in "
            "launch.directory"
        )


def _interpreter() -> Iterator[Path]:
    """What this interpreter is made of, and the packages that bots are written with."""
    yield from _homes(Path(sys.executable))
    yield from (Path(sys.prefix), Path(sys.base_prefix))
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        yield from map(Path, (spec and spec.submodule_search_locations) or ())


def _program(command: Sequence[str], directory: Path, path: str) -> Iterator[Path]:
    """What a bot's program is made of, as far as its place tells, and its interpreter's."""
    named = command[0] if "/" not in command[0] else str(directory / command[0])
    found = shutil.which(named, path=path)
    if found is None:
        return
    yield from _homes(Path(found))
    with suppress(OSError), Path(found).open("rb") as file:
        first = re.match(rb"#!\s*(?:/usr/bin/env\s+(?:-S\s+)?)?(\S+)", file.readline(1024))
        if first and (run_by := shutil.which(os.fsdecode(first[1]), path=path)):
            yield from _homes(Path(run_by))


def _homes(program: Path) -> Iterator[Path]:
    """Where a program lies, and where each of the links to it does."""
    for _ in range(40):
        yield _home(program)
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def _home(program: Path) -> Path:
    """The directory above a program's ``bin``, or the program alone where that shows too much."""
    home = _home_of_user()
    above = program.parent.parent
    is_too_much = home.is_relative_to(above) or above == home / ".local"
    return program if program.parent.name not in ("bin", "sbin") or is_too_much else above


def _home_of_user() -> Path:
    return Path(os.environ.get("HOME") or "/nonexistent")


def _mounts(shown: Sequence[Path], hidden: Sequence[Hidden]) -> list[str]:
    """The arguments that show the system and some paths, and hide what must be hidden in them."""
    links = [Path(path) for path in SYSTEM if Path(path).is_symlink()]
    system = [Path(path) for path in SYSTEM if Path(path).is_dir() and Path(path) not in links]
    system += [path for name in SETTINGS if (path := Path("/etc", name)).exists()]
    paths = sorted({*system, *shown}, key=_depth)
    mounts = {path: mount for each in paths for path, mount in _mounts_of(each, hidden).items()}
    mounts |= {path: ["--ro-bind", "/dev/null", str(path)] for path in _sockets_in(paths)}
    by_depth = sorted(mounts, key=_depth)
    masks = [str(path) for path in by_depth if "--tmpfs" in mounts[path]]
    above = {parent for path in paths for parent in path.parents} - {Path("/"), HOME}
    return [
        *(word for link in links for word in ("--symlink", str(link.readlink()), str(link))),
        *(word for path in sorted(above, key=_depth) for word in ("--dir", str(path))),
        *(word for path in by_depth for word in mounts[path]),
        *(word for path in masks for word in ("--remount-ro", path)),
    ]


def _depth(path: Path) -> int:
    return len(path.parts)


def _mounts_of(path: Path, hidden: Sequence[Hidden]) -> dict[Path, list[str]]:
    """A path's mounts: itself or, where it has files to be hidden, what it has besides."""
    real = Path(os.path.realpath(path))
    names = tuple(each.prefix for each in hidden if each.directory == real)
    mounts = {path: ["--ro-bind", str(path), str(path)]}
    if names:
        mounts = {path: ["--perms", "0755", "--tmpfs", str(path)]}
        entries = (entry for entry in path.iterdir() if not entry.name.startswith(names))
        mounts |= {entry: _mount_of_entry(entry) for entry in entries}
    for each in hidden:
        if each.directory != real and each.directory.is_relative_to(real):
            place = path / each.directory.relative_to(real)
            mounts[place] = ["--tmpfs", str(place)]
    return mounts


def _mount_of_entry(entry: Path) -> list[str]:
    """A link stays one: what it leads to may be hidden."""
    if entry.is_symlink():
        return ["--symlink", str(entry.readlink()), str(entry)]
    return ["--ro-bind-try", str(entry), str(entry)]


def _sockets_in(shown: Sequence[Path]) -> set[Path]:
    """The sockets in what is shown: to see one is to be able to speak with whoever listens."""
    try:
        lines = Path("/proc/net/unix").read_text(errors="surrogateescape").splitlines()[1:]
    except OSError:
        return set()
    bound = {Path(fields[7]) for line in lines if len(fields := line.split(maxsplit=7)) == 8}
    places = [(path, Path(os.path.realpath(path))) for path in shown]
    return {
        path / at.relative_to(real)
        for at in (Path(os.path.realpath(each)) for each in bound if each.exists())
        for path, real in places
        if at.is_relative_to(real)
    }

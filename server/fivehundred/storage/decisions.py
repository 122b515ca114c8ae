"""The decisions of hands under way: a file beside the database that takes each of them at once.

An event is kept when the one write that adds it returns: it then outlives the process, though not a
loss of power, after which hands that were under way are played again from what is left of them.

A frame is the length of its body, the body's CRC-32 and the body: the match, whether the event
starts a hand, the tournament's name and the event. What follows the first frame that is not whole
was never promised to anybody and is ignored.

Beside the daemon's own file ``DB.decisions`` each worker process has one, ``DB.decisions.1`` and so
on. What a file holds of a hand begins with its start, so of two that hold the same hand the longer
one is right. A file is locked for as long as a process has it open to write.
"""

import errno
import fcntl
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from glob import escape
from itertools import chain
from pathlib import Path
from struct import Struct
from time import monotonic, sleep
from zlib import crc32

from fivehundred.storage.crash_points import crash_point, torn_write_point
from fivehundred.storage.errors import StorageError
from fivehundred.table.values import Event, HandStarted
from fivehundred.wire.record import event_to_bytes

Match = tuple[str, int]

HEAD = Struct("<II")
PLACE = Struct("<I?B")

FULL = 8 << 20
"""Bytes of decisions from which on those of stored hands are cleared away."""
PATIENCE_S = 10.0
"""How long a daemon waits for the workers of one that was killed to notice it."""
LOOK_EVERY_S = 0.005


class HandsUnderWay:
    """The decisions of hands under way, as their one writer keeps them: in a file and in memory.

    Those of a hand that has ended are kept until its ticket is durable.
    """

    def __init__(self, file: "DecisionsFile", found: Mapping[Match, Sequence[Event]]) -> None:
        self._file = file
        self._under_way = {match: framed(match, events) for match, events in found.items()}
        self._ending: deque[tuple[int, list[bytes]]] = deque()
        self.unwritten: list[bytes] = []
        """The frames that have been taken and not written."""

    def append(self, match: Match, events: Sequence[Event]) -> None:
        """Takes events; they are kept once `flush` has returned."""
        frames = framed(match, events)
        if events and isinstance(events[0], HandStarted):
            self._under_way[match] = frames
        else:
            self._under_way.setdefault(match, []).extend(frames)
        self.unwritten += frames

    def has_more(self, match: Match, events: Sequence[Event]) -> bool:
        """Whether more is kept of the same hand than these events from its start on."""
        frames, own = framed(match, events), self._under_way.get(match, [])
        return len(own) > len(frames) and own[:1] == frames[:1]

    def flush(self, durable: int) -> None:
        """Writes what has been taken since the last call; raises `OSError`.

        ``durable`` is the ticket up to which ended hands are stored.
        """
        if not self.unwritten:
            return
        self._file.add(b"".join(self.unwritten))
        self.unwritten = []
        if self._file.size >= FULL:
            self._forget(durable)
            ending = (frames for _, frames in self._ending)
            self._file.rewrite(chain(*ending, *self._under_way.values()))

    def end(self, match: Match, ticket: int, durable: int) -> None:
        """Takes a match's hand as ended: it is stored once its ticket is durable."""
        self._forget(durable)
        self._ending.append((ticket, self._under_way.pop(match, [])))

    def close(self) -> None:
        """Ends the writing."""
        self._file.close()

    def _forget(self, durable: int) -> None:
        while self._ending and self._ending[0][0] <= durable:
            self._ending.popleft()


class DecisionsFile:
    """The file as its one writer has it open; begins anew with the frames that are still wanted.

    Where ``file`` is given it has been begun by another process (`begin`) and is gone on with.
    """

    def __init__(self, path: Path, frames: Iterable[bytes], file: int | None = None) -> None:
        self.size = 0
        """The file's length in bytes."""
        self._path = path
        self._file = begin(path, b"".join(frames)) if file is None else file

    def add(self, frames: bytes) -> None:
        """Adds frames to the end, all of them, or raises `OSError`."""
        _write(self._file, frames)
        self.size += len(frames)

    def rewrite(self, frames: Iterable[bytes]) -> None:
        """Puts the frames that are still wanted in place of all."""
        wanted = b"".join(frames)
        old, self._file = self._file, begin(self._path, wanted)
        self.size = len(wanted)
        os.close(old)

    def close(self) -> None:
        """Ends the writing."""
        os.close(self._file)


def begin(path: Path, content: bytes = b"") -> int:
    """Puts a new file in the place of an old one, at once; gives it open and locked."""
    new = path.with_name(f"{path.name}.new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _write(file, content)
        new.replace(path)
    except OSError:
        os.close(file)
        raise
    crash_point()
    return file


def _write(file: int, frames: bytes) -> None:
    crash_point()
    torn_write_point(file, frames)
    if os.write(file, frames) != len(frames):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    crash_point()


def frame(match: Match, event: bytes, *, starts: bool) -> bytes:
    """The frame of a match's event; ``starts`` tells that a hand starts with it."""
    body = _place(match, starts) + event
    return HEAD.pack(len(body), crc32(body)) + body


@lru_cache(maxsize=1 << 12)
def _place(match: Match, starts: bool) -> bytes:
    name = match[0].encode()
    return PLACE.pack(match[1], starts, len(name)) + name


def under_way(path: Path) -> dict[Match, list[bytes]]:
    """By match the events since a hand last started, in order; none where there is no file."""
    found: dict[Match, list[bytes]] = {}
    for body in _bodies(path):
        number, starts, length = PLACE.unpack_from(body)
        end = PLACE.size + length
        match = (body[PLACE.size : end].decode(), number)
        if starts:
            found[match] = []
        found.setdefault(match, []).append(body[end:])
    return found


def forget(path: Path) -> None:
    """Removes a file that is not wanted any more."""
    crash_point()
    path.unlink(missing_ok=True)
    crash_point()


def file_of(path: Path, worker: int) -> Path:
    """The file of a worker process, by its number from 1; ``path`` is the daemon's own."""
    return path.with_name(f"{path.name}.{worker}")


def worker_files(path: Path) -> list[Path]:
    """The workers' files that there are beside the daemon's own."""
    found = path.parent.glob(f"{escape(path.name)}.*")
    return sorted(each for each in found if each.suffix[1:].isdecimal())


def wait_for_workers(path: Path) -> None:
    """Returns when no process writes to a worker's file; raises `StorageError` if one stays.

    A daemon that is killed takes its workers along; they may need a moment to notice.
    """
    end = monotonic() + PATIENCE_S
    while busy := [each for each in worker_files(path) if _is_locked(each)]:
        if monotonic() > end:
            raise StorageError(
                f"{busy[0]} is still being written by a worker of an earlier daemon: end it first"
            )
        sleep(LOOK_EVERY_S)


def _is_locked(path: Path) -> bool:
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return not _is_at(path, file)
    except BlockingIOError:
        return True
    finally:
        os.close(file)


def _is_at(path: Path, file: int) -> bool:
    """Whether an open file is the one at a path: it may have been replaced meanwhile."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), path.stat())
    return False


def framed(match: Match, events: Iterable[Event]) -> list[bytes]:
    """The frames of a match's events."""
    return [
        frame(match, event_to_bytes(event), starts=isinstance(event, HandStarted))
        for event in events
    ]


def _bodies(path: Path) -> Iterator[bytes]:
    """The bodies of the frames up to the first that is not whole."""
    content, start = b"", 0
    with suppress(FileNotFoundError):
        content = path.read_bytes()
    while start + HEAD.size <= len(content):
        length, checksum = HEAD.unpack_from(content, start)
        start += HEAD.size
        body = content[start : start + length]
        start += length
        if length < PLACE.size or len(body) != length or crc32(body) != checksum:
            return
        yield body

"""The decisions of hands under way: a file beside the database that takes each of them at once.

An event is kept when the one write that adds it returns: it then outlives the process, though not a
loss of power, after which hands that were under way are played again from what is left of them.

A frame is the length of its body, the body's CRC-32 and the body: the match, whether the event
starts a hand, the tournament's name and the event. What follows the first frame that is not whole
was never promised to anybody and is ignored.
"""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from struct import Struct
from zlib import crc32

Match = tuple[str, int]

HEAD = Struct("<II")
PLACE = Struct("<I?B")


class DecisionsFile:
    """The file as its one writer has it open; begins anew with the frames that are still wanted."""

    def __init__(self, path: Path, frames: Iterable[bytes]) -> None:
        self.size = 0
        """The file's length in bytes."""
        self._path = path
        self._file = _replace(path, b"".join(frames))

    def add(self, frames: bytes) -> None:
        """Adds frames to the end, all of them, or raises `OSError`."""
        _write(self._file, frames)
        self.size += len(frames)

    def rewrite(self, frames: Iterable[bytes]) -> None:
        """Puts the frames that are still wanted in place of all."""
        wanted = b"".join(frames)
        old, self._file = self._file, _replace(self._path, wanted)
        self.size = len(wanted)
        os.close(old)

    def close(self) -> None:
        """Ends the writing."""
        os.close(self._file)


def _replace(path: Path, content: bytes) -> int:
    """Puts a new file in the place of an old one, at once; gives it open."""
    new = path.with_name(f"{path.name}.new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
    try:
        _write(file, content)
        new.replace(path)
    except OSError:
        os.close(file)
        raise
    return file


def _write(file: int, frames: bytes) -> None:
    if os.write(file, frames) != len(frames):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def frame(match: Match, event: bytes, *, starts: bool) -> bytes:
    """The frame of a match's event; ``starts`` tells that a hand starts with it."""
    name = match[0].encode()
    body = PLACE.pack(match[1], starts, len(name)) + name + event
    return HEAD.pack(len(body), crc32(body)) + body


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
    """Removes the file: its database is gone."""
    path.unlink(missing_ok=True)


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

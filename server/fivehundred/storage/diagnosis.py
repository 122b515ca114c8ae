"""What state a database's files are in, and what can be done where it is a bad one.

Everything is read only; nothing here raises for a damaged file.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from fivehundred.storage.database import decisions_file, reading, reading_engine, versions
from fivehundred.storage.decisions import HEAD, PLACE, worker_files
from fivehundred.storage.errors import StorageError

MAGIC = b"SQLite format 3\x00"
LEAST_FREE = 100 << 20
"""Bytes of disk below which a tournament may soon have to stop."""
LISTED = 3
"""Findings of the database's own check that are listed."""

RESTORE = (
    "end the daemon and put back a backup with all its files; without one, "
    "`sqlite3 {path} .recover | sqlite3 recovered.db` (with a sqlite3 that is built with DBPAGE) "
    "saves what can be read, and `fivehundred verify recovered.db` says what is missing"
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; ``advice`` says what to do and is empty where all is well."""

    topic: str
    found: str
    advice: str = ""

    @property
    def is_problem(self) -> bool:
        """Whether something has to be done."""
        return bool(self.advice)


def file_checks(path: Path) -> Iterator[Check]:
    """The state of a database's files, up to what makes the next question pointless."""
    if not path.is_file():
        yield Check("file", f"{path} does not exist", "name the database of a daemon")
        return
    yield from _disk(path)
    yield _lock(path)
    yield from _sidecars(path)
    size = path.stat().st_size
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            found = f"{size} bytes that are no database"
            yield Check("file", found, RESTORE.format(path=path) if size else "name another file")
            return
    yield Check("file", f"{size / 1e6:.1f} MB")
    yield from _pages(path)
    yield from _decisions(path)


def is_in_use(path: Path) -> bool:
    """Whether a process holds the right to write to a database."""
    try:
        file = os.open(f"{path}.lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def version_check(path: Path) -> Check:
    """Which version of the database it is."""
    try:
        found, own = versions(reading_engine(path))
    except StorageError as error:
        return Check("version", str(error), "open it with the fivehundred that has written it")
    if found is None:
        return Check("version", "empty", "name another file, or let `fivehundred serve` fill it")
    if found != own:
        words = f"{found}; this program's is {own}"
        return Check("version", words, "let `fivehundred serve` open it once, after a backup")
    return Check("version", found)


def _disk(path: Path) -> Iterator[Check]:
    free = shutil.disk_usage(path.absolute().parent).free
    text = f"{free / 1e9:.1f} GB free"
    yield Check("disk", text, "make room: play stops when it is full" if free < LEAST_FREE else "")


def _lock(path: Path) -> Check:
    if not is_in_use(path):
        return Check("lock", "no daemon has it open")
    holder = _holder(Path(f"{path}.lock"))
    return Check("lock", f"in use by {f'process {holder}' if holder else 'a daemon'}")


def _holder(lock: Path) -> int | None:
    """The process that holds a lock, where the system tells."""
    with suppress(OSError, ValueError):
        inode = str(lock.stat().st_ino)
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if words[1] == "FLOCK" and words[5].rpartition(":")[2] == inode:
                return int(words[4])
    return None


def _sidecars(path: Path) -> Iterator[Check]:
    """The write-ahead log holds what the file does not have yet."""
    log, index = Path(f"{path}-wal"), Path(f"{path}-shm")
    if log.exists():
        yield Check("write-ahead log", f"{log.stat().st_size / 1e6:.1f} MB")
    elif index.exists() and not is_in_use(path):
        advice = f"put {log.name} back beside the file: the last hands are in it"
        yield Check("write-ahead log", f"{log.name} is gone, {index.name} is there", advice)


def _pages(path: Path) -> Iterator[Check]:
    engine = reading_engine(path)
    try:
        with reading(engine) as connection:
            rows = connection.exec_driver_sql(f"PRAGMA integrity_check({LISTED})")
            found = [str(row[0]) for row in rows]
    except StorageError as error:
        found = [str(error)]
    finally:
        engine.dispose()
    if found == ["ok"]:
        yield Check("integrity", "ok")
    else:
        yield Check("integrity", "; ".join(found), RESTORE.format(path=path))


def _decisions(path: Path) -> Iterator[Check]:
    """The files of decisions under way."""
    own = decisions_file(path)
    in_use = is_in_use(path)
    for file in (own, *worker_files(own)):
        if file.exists():
            yield _decisions_check(file, is_orphan=file != own and not in_use)


def _decisions_check(file: Path, *, is_orphan: bool) -> Check:
    """One file of decisions; a write that was cut off at its end was never acknowledged."""
    content = file.read_bytes()
    frames, start, is_cut = _frames(content)
    found = f"{file.name}: {frames} whole frames"
    if is_orphan:
        found += ", left by a worker: the next start takes it over"
    rest = len(content) - start
    if not rest:
        return Check("decisions", found)
    if is_cut:
        return Check("decisions", f"{found}, then {rest} bytes of a write that was cut off")
    advice = (
        f"keep a copy of {file.name}; the next start takes what comes before the damage, and the "
        "hands under way go on from there"
    )
    return Check("decisions", f"{found}, then {rest} bytes that are damaged", advice)


def _frames(content: bytes) -> tuple[int, int, bool]:
    """The number of whole frames, where they end, and whether what follows is a frame cut off."""
    start = frames = 0
    while start + HEAD.size <= len(content):
        length, checksum = HEAD.unpack_from(content, start)
        body = content[start + HEAD.size : start + HEAD.size + length]
        if len(body) < length:
            return frames, start, True
        if length < PLACE.size or crc32(body) != checksum:
            return frames, start, False
        start += HEAD.size + length
        frames += 1
    return frames, start, True

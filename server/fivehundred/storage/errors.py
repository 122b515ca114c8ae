"""What the storage raises, beside the `NotFound` and `AlreadyExists` of `fivehundred.wire.errors`.

StorageError
├── DatabaseInUse   another process writes to the database
└── JournalError    a write of the log has failed; nothing later is written
"""

import errno
import sqlite3

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
NO_ROOM_FOR_SQLITE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
PRIMARY = 0xFF
"""The bits of SQLite's extended error codes that hold the error's kind."""


class StorageError(Exception):
    """The database cannot do what it is asked to."""


class DatabaseInUse(StorageError):
    """Another process writes to the database."""


class JournalError(StorageError):
    """A write of the log has failed; nothing later is written."""


def is_disk_full(error: BaseException | None) -> bool:
    """Whether a write failed for want of room alone: what was written before it is sound."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return True
        if isinstance(error, sqlite3.Error) and _code(error) in NO_ROOM_FOR_SQLITE:
            return True
        error = error.__cause__
    return False


def is_disk_broken(error: BaseException) -> bool:
    """Whether a driver's error leaves open what is on the disk, such as a failed fsync."""
    broken = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return (
        isinstance(error, sqlite3.Error)
        and not is_disk_full(error)
        and _code(error) & PRIMARY in broken
    )


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", None) or 0

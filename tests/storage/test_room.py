"""Room on the disk, and what a failed write means."""

import errno
import sqlite3
from pathlib import Path

import pytest

from fivehundred.storage.errors import JournalError, StorageError, is_disk_broken, is_disk_full
from fivehundred.storage.room import has_room


def test_room_is_looked_for_beside_the_decisions_and_nothing_stays(tmp_path: Path) -> None:
    assert has_room(tmp_path / "cup.db.decisions")

    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_cannot_be_written_has_not_merely_no_room(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        has_room(tmp_path / "nowhere" / "cup.db.decisions")


def test_a_want_of_room_is_known_by_its_first_cause() -> None:
    full = JournalError("the log cannot be written")
    full.__cause__ = StorageError("the database failed")
    full.__cause__.__cause__ = OSError(errno.ENOSPC, "No space left on device")

    assert is_disk_full(full)
    assert is_disk_full(OSError(errno.EDQUOT, "Disk quota exceeded"))
    assert not is_disk_full(OSError(errno.EIO, "Input/output error"))
    assert not is_disk_full(JournalError("the journal is closed"))


@pytest.mark.parametrize(
    ("code", "full", "broken"),
    [
        (sqlite3.SQLITE_FULL, True, False),
        (sqlite3.SQLITE_IOERR_SHMSIZE, True, False),
        (sqlite3.SQLITE_IOERR_FSYNC, False, True),
        (sqlite3.SQLITE_IOERR_WRITE, False, True),
        (sqlite3.SQLITE_CORRUPT, False, True),
        (sqlite3.SQLITE_BUSY, False, False),
    ],
)
def test_errors_of_sqlite_are_told_apart_by_their_codes(
    code: int, full: bool, broken: bool
) -> None:
    error = sqlite3.OperationalError("an error")
    error.sqlite_errorcode = code

    assert (is_disk_full(error), is_disk_broken(error)) == (full, broken)

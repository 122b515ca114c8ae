"""What a worker says of its failure is what the daemon makes of it."""

import errno

from fivehundred.daemon.causes import error_of, failure_of
from fivehundred.storage.errors import JournalError, is_disk_full


def failed_by(code: int) -> JournalError:
    error = JournalError("the log cannot be written")
    error.__cause__ = OSError(code, "why")
    return error


def test_a_worker_without_room_is_told_apart_from_one_whose_disk_fails() -> None:
    full, broken = (error_of(failure_of(failed_by(code))) for code in (errno.ENOSPC, errno.EIO))

    assert isinstance(full, JournalError) and is_disk_full(full)
    assert isinstance(broken, JournalError) and not is_disk_full(broken)

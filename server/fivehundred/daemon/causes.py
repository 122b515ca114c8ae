"""Why play of a tournament has failed: what the operator reads, and how a worker says it."""

import errno
import os
import traceback

from fivehundred.storage.errors import JournalError, StorageError, is_disk_full
from fivehundred.v1 import worker_pb2
from fivehundred.wire.errors import FailedPrecondition, ServiceError

DISK_FULL = errno.errorcode[errno.ENOSPC]
"""The detail of a worker's failed journal that only lacks room."""


class WorkerError(Exception):
    """A worker has failed by the daemon's own fault; the message is public, ``detail`` is not."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.detail = detail


def cause_of(error: BaseException) -> BaseException:
    """What went wrong first, out of the groups that tasks wrap it in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def public_reason(error: BaseException) -> str:
    """What anybody may read of an error: nothing that it says of the cards."""
    if isinstance(error, WorkerError):
        return str(error)
    return f"internal error ({type(error).__name__}); the daemon's log tells more"


def failure_of(error: BaseException) -> worker_pb2.WorkerFailed:
    """How a worker says what went wrong."""
    cause = cause_of(error)
    if isinstance(cause, ServiceError):
        return worker_pb2.WorkerFailed(
            failure=worker_pb2.WORKER_FAILURE_PRECONDITION, reason=str(cause)
        )
    if isinstance(cause, StorageError):
        return worker_pb2.WorkerFailed(
            failure=worker_pb2.WORKER_FAILURE_JOURNAL,
            reason=str(cause),
            detail=DISK_FULL if is_disk_full(cause) else "",
        )
    return worker_pb2.WorkerFailed(
        failure=worker_pb2.WORKER_FAILURE_INTERNAL,
        reason=public_reason(cause),
        detail="".join(traceback.format_exception(cause)),
    )


def error_of(failed: worker_pb2.WorkerFailed) -> Exception:
    """What a worker's failure is here."""
    match failed.failure:
        case worker_pb2.WORKER_FAILURE_PRECONDITION:
            return FailedPrecondition(failed.reason)
        case worker_pb2.WORKER_FAILURE_JOURNAL:
            return _journal_error(failed)
        case _:
            return WorkerError(failed.reason, failed.detail)


def _journal_error(failed: worker_pb2.WorkerFailed) -> JournalError:
    error = JournalError(failed.reason)
    if failed.detail == DISK_FULL:
        error.__cause__ = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return error

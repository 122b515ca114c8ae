"""What the storage raises, beside the `NotFound` and `AlreadyExists` of `fivehundred.wire.errors`.

StorageError
└── JournalError    a write of the log has failed; nothing later is written
"""


class StorageError(Exception):
    """The database cannot do what it is asked to."""


class JournalError(StorageError):
    """A write of the log has failed; nothing later is written."""

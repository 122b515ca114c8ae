"""Whether there is room on the database's disk."""

import os
from contextlib import suppress
from pathlib import Path

from fivehundred.storage.errors import is_disk_full

ROOM_BYTES = 1 << 20
"""So much has to fit before play goes on; the decisions of many hands under way are less."""


def has_room(decisions: Path) -> bool:
    """Whether so much can be written beside a decisions file; raises `OSError` if that fails."""
    path = decisions.with_name(f"{decisions.name}.room")
    try:
        return _fits(path)
    except OSError as error:
        if is_disk_full(error):
            return False
        raise
    finally:
        with suppress(FileNotFoundError):
            path.unlink()


def _fits(path: Path) -> bool:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        written = os.write(file, bytes(ROOM_BYTES))
        os.fsync(file)
    finally:
        os.close(file)
    return written == ROOM_BYTES

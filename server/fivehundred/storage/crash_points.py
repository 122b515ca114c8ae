"""Points at which a test may have the process killed: before and after every write of the storage.

``FIVEHUNDRED_CRASH_AT=n`` in the environment kills the process at the n-th point that it comes to,
from 1, as ``kill -9`` does. Without it a point costs one comparison.
"""

import os
import signal
from itertools import count

VARIABLE = "FIVEHUNDRED_CRASH_AT"


class _Countdown:
    """Counts points over all threads: the step of a `count` is one operation of the interpreter."""

    def __init__(self, last: int) -> None:
        self._last = last
        self._numbers = count(1)

    def is_over(self) -> bool:
        """Whether this point is the one."""
        return next(self._numbers) == self._last


_countdown: _Countdown | None = None


def arm() -> None:
    """Begin to count, if the environment wants it."""
    global _countdown  # noqa: PLW0603 - a point that is not wanted must cost next to nothing
    if wanted := os.environ.get(VARIABLE):
        _countdown = _Countdown(int(wanted))


def crash_point() -> None:
    """Kill the process if this is the point that is wanted."""
    if _countdown is not None and _countdown.is_over():
        _crash()


def torn_write_point(file: int, content: bytes) -> None:
    """Write half of the content and kill the process if this is the point that is wanted."""
    if _countdown is not None and _countdown.is_over():
        os.write(file, content[: len(content) // 2])
        _crash()


def _crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()


arm()

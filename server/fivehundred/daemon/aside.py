"""Work that takes long, done beside the event loop by few threads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

import structlog

from fivehundred.wire.errors import ResourceExhausted, ServiceError

THREADS = 2
MOST_QUEUED = 128
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
log = structlog.get_logger()


class Aside:
    """A few threads, and a bound on what waits for them."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "aside")
        self._queued = 0

    async def run(
        self,
        function: Callable[Parameters, Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """What a function gives; raises `ResourceExhausted` where too much waits already.

        It runs to its end even where nobody waits for it any more; then its failure is logged.
        """
        if self._queued >= MOST_QUEUED:
            raise ResourceExhausted(f"too much at once: at most {MOST_QUEUED} long questions", 1.0)
        self._queued += 1
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._threads, partial(function, *args, **kwargs))
        future.add_done_callback(self._done)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            future.add_done_callback(_log_failure)
            raise

    def close(self) -> None:
        """Let what runs finish, and drop what waits."""
        self._threads.shutdown(cancel_futures=True)

    def _done(self, future: "asyncio.Future[Result]") -> None:
        self._queued -= 1
        if not future.cancelled():
            future.exception()  # Even where nobody comes to look, it has been looked at.


def _log_failure(future: "asyncio.Future[Result]") -> None:
    """Log what nobody is left to be told; what a caller alone would be told is no failure."""
    if future.cancelled() or (error := future.exception()) is None:
        return
    if not isinstance(error, ServiceError):
        log.error("failed_aside", exc_info=error)

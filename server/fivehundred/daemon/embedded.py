"""A daemon without a port: one tournament, played from start to end in this process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fivehundred.daemon.creation import find_or_create
from fivehundred.daemon.director import STARTABLE, UNFINISHED, Director
from fivehundred.daemon.progress import Progress
from fivehundred.daemon.resources import tournament_message
from fivehundred.players.lag import LagMonitor
from fivehundred.storage.errors import JournalError
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store, open_store
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import FailedPrecondition


@asynccontextmanager
async def director_of(database: Path, workers: int = 1) -> AsyncIterator[tuple[Store, Director]]:
    """A director over a database file, both closed at the end; nothing under way is lost."""
    with open_store(database) as store:
        lag = LagMonitor()
        director = Director(store, Journal(store), lag, workers)
        _end_with_the_disk(store, director)
        try:
            yield store, director
        finally:
            await director.close(drain=False)
            lag.stop()
            director.close_journal()


def _end_with_the_disk(store: Store, director: Director) -> None:
    loop = asyncio.get_running_loop()

    def tell(reason: str) -> None:
        with suppress(RuntimeError):  # The loop may have been closed meanwhile.
            loop.call_soon_threadsafe(director.fail, reason)

    store.when_broken(tell)


async def run_tournament(
    spec: tournament_pb2.TournamentSpec,
    database: Path,
    on_progress: Callable[[Progress], None],
    workers: int = 1,
) -> tournament_pb2.Tournament:
    """Play a tournament to its end, from where the database has it; gives how it ended.

    Raises `FailedPrecondition` where it cannot be played, such as when a bot does not come up.
    """
    async with director_of(database, workers) as (store, director):
        stored = find_or_create(store, spec)
        if stored.state in UNFINISHED:
            director.take_up(stored)
        if store.tournament(stored.name).state in STARTABLE:
            await director.prepare(stored.name)
            director.start(stored.name)
        await _follow(director, stored.name, on_progress)
        ended = store.tournament(stored.name)
        if ended.state not in (ended.state.FINISHED, ended.state.ABORTED):
            raise FailedPrecondition(ended.reason or f"{stored.name!r} is {ended.state.name}")
        return tournament_message(store, ended, None)


async def _follow(director: Director, name: str, on_progress: Callable[[Progress], None]) -> None:
    while (progress := director.progress(name)) is not None:
        changed = director.changed
        on_progress(progress)
        if director.failed.is_set():
            break
        await changed.wait()
    if director.failed.is_set():
        raise JournalError(f"{director.failure}: see to the disk and start again")

"""The one writer of the log: decisions as they happen, and hands as they end.

1. A decision is kept when `flush` returns: it is in a file beside the database and outlives the
   process (`fivehundred.storage.decisions`). Whoever asks a bot for the next one flushes first.
2. A hand is queued for a thread, which stores all that have gathered in one transaction and then
   calls their tickets durable. They outlive a loss of power, and their decisions count no more.
3. The first write that fails ends the journal: nothing after it is written, and every caller is
   told.
"""

import asyncio
import heapq
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, time_ns

from sqlalchemy import Connection, func, insert, select

from fivehundred.storage.database import reading, writing
from fivehundred.storage.decisions import (
    DecisionsFile,
    HandsUnderWay,
    forget,
    framed,
    wait_for_workers,
    worker_files,
)
from fivehundred.storage.errors import JournalError
from fivehundred.storage.rows import HandRow, hand_row, player_name
from fivehundred.storage.schema import hands, watch_events
from fivehundred.storage.store import Store, next_event_number
from fivehundred.table.values import Event, HandRecord

GATHER = 0.02
"""Seconds that a hand waits for others to share its transaction, while hands come thick."""

INSERT_HANDS = insert(hands)
INSERT_EVENTS = insert(watch_events)

_Item = tuple[int, HandRecord, str]


class Journal:
    """The log's writer. `append` and `finish_hand` are cheap and never wait for the disk."""

    def __init__(self, store: Store) -> None:
        self.committed = 0
        """The highest ticket whose hand is durable."""
        self.error: JournalError | None = None
        """Why nothing is written any more; None while all is well."""
        self._database = store
        self._engine = store.engine
        self._next_hand = _next_hand(store)
        self._queue: SimpleQueue[_Item | None] = SimpleQueue()
        self._last = 0
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = count()
        self._hands = _hands_under_way(store)
        self._thread = Thread(target=self._run, name="journal")
        self._thread.start()

    def append(self, tournament: str, match: int, events: Sequence[Event]) -> None:
        """Takes events of a hand under way; they outlive the process once `flush` has returned.

        A match's next hand may start only when its last one is durable.
        """
        self._require_open()
        self._hands.append((tournament, match), events)

    def flush(self) -> None:
        """Writes the events taken since the last call, all at once.

        Raises `JournalError` where that fails, and ever after: nobody may go on.
        """
        if self.error is not None:
            raise self.error
        if not self._hands.unwritten:
            return
        self._require_open()
        try:
            self._hands.flush(self.committed)
        except OSError as error:
            self._fail(error)
            self._queue.put(None)
            self._wake()
            raise self._failure() from error

    def finish_hand(
        self, tournament: str, match: int, record: HandRecord, worker: int | None = None
    ) -> int:
        """Stores a hand and its event in place of its decisions; gives the ticket to wait for.

        ``worker`` is the number of the worker process that has played it; None for this process.
        """
        self._require_open()
        self._last += 1
        self._hands.end((tournament, match), self._last, self.committed)
        self._queue.put((self._last, record, player_name(worker)))
        return self._last

    def adopt(self, path: Path) -> None:
        """Takes over what a worker process has left under way in its file, and removes the file.

        Where the journal itself has more of a hand, the worker never came to write it all.
        """
        for match, events in self._database.decisions_in(path).items():
            if not self._hands.has_more(match, events):
                self.append(*match, events)
        self.flush()
        forget(path)

    async def wait(self, ticket: int) -> None:
        """Returns when a hand is durable; raises `JournalError` if it will never be."""
        self._loop = asyncio.get_running_loop()
        if ticket <= self.committed:
            return
        future = self._loop.create_future()
        heapq.heappush(self._waiting, (ticket, next(self._order), future))
        self._wake()
        await future

    async def settle(self) -> None:
        """Returns when all that was taken is written and every hand so far is durable.

        Raises `JournalError` if that will never be.
        """
        self.flush()
        await self.wait(self._last)

    def close(self) -> None:
        """Writes what is queued and ends; raises `JournalError` if any of it was not written."""
        if not self._closed:
            with suppress(JournalError):
                self.flush()
            self._closed = True
            self._queue.put(None)
            self._thread.join()
            self._hands.close()
        if self.error is not None:
            raise self.error

    def _require_open(self) -> None:
        if self.error is not None:
            raise self.error
        if self._closed:
            raise JournalError("the journal is closed")

    def _fail(self, error: Exception) -> None:
        if self.error is None:
            self.error = JournalError(f"the log cannot be written: {error}")
            self.error.__cause__ = error

    def _failure(self) -> JournalError:
        return self.error or JournalError("the journal has ended")

    def _wake(self) -> None:
        """Lets those go whose ticket is durable, or all where nothing will be any more."""
        while self._waiting and (self.error or self._waiting[0][0] <= self.committed):
            ticket, _, future = heapq.heappop(self._waiting)
            if future.done():
                continue
            if ticket <= self.committed:
                future.set_result(None)
            else:
                future.set_exception(self._failure())

    def _wake_soon(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # The loop may have been closed meanwhile.
                self._loop.call_soon_threadsafe(self._wake)

    def _run(self) -> None:
        open_, thick = True, False
        while open_ and self.error is None:
            items, open_ = self._gather(GATHER if thick else 0)
            thick = len(items) > 1
            if items and self.error is None:
                self._store(items)
                self._wake_soon()

    def _store(self, items: Sequence[_Item]) -> None:
        try:
            rows = _rows(items, self._next_hand, time_ns() // 1000)
            with writing(self._engine) as connection:
                connection.execute(INSERT_HANDS, rows)
                connection.execute(INSERT_EVENTS, _events(connection, rows))
        except Exception as error:  # noqa: BLE001 - whatever it was, nothing may follow it
            self._fail(error)
        else:
            self._next_hand += len(items)
            self.committed = items[-1][0]

    def _gather(self, seconds: float) -> tuple[list[_Item], bool]:
        """All that is queued or comes soon, at least one item; and whether more may come."""
        items: list[_Item] = []
        item = self._queue.get()
        end = monotonic() + seconds
        while item is not None:
            items.append(item)
            try:
                item = self._queue.get(timeout=max(0.0, end - monotonic()))
            except Empty:
                return items, True
        return items, False


def _hands_under_way(store: Store) -> HandsUnderWay:
    """What is under way, all of it in the daemon's own file from now on."""
    wait_for_workers(store.decisions)
    found = store.decisions_under_way()
    frames = chain.from_iterable(framed(match, events) for match, events in found.items())
    try:
        file = DecisionsFile(store.decisions, frames)
    except OSError as error:
        raise JournalError(f"{store.decisions} cannot be written: {error.strerror}") from error
    for path in worker_files(store.decisions):
        forget(path)
    return HandsUnderWay(file, found)


def _next_hand(store: Store) -> int:
    """The id of the next hand, which the journal alone gives."""
    with reading(store.engine) as connection:
        return (connection.execute(select(func.max(hands.c.id))).scalar_one() or 0) + 1


def _rows(items: Sequence[_Item], first: int, time_us: int) -> list[HandRow]:
    return [
        {**hand_row(number, record), "stored_time_us": time_us, "player": player}
        for number, (_, record, player) in enumerate(items, first)
    ]


def _events(connection: Connection, rows: Sequence[HandRow]) -> list[dict[str, object]]:
    numbers: dict[str, int] = {}
    events: list[dict[str, object]] = []
    for row in rows:
        name = str(row["tournament"])
        number = numbers.get(name) or next_event_number(connection, name)
        numbers[name] = number + 1
        events.append(
            {
                "tournament": name,
                "number": number,
                "hand": row["id"],
                "state": None,
                "reason": "",
            }
        )
    return events

"""The one writer of the log: decisions as they happen, and hands as they end.

Callers on the event loop queue what is to be kept and get a ticket; a thread writes everything that
has gathered in one transaction and then calls the tickets durable. The first write that fails ends
the journal: nothing after it is written, and every caller is told.
"""

import asyncio
import heapq
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from fivehundred.storage.database import reading, writing
from fivehundred.storage.errors import JournalError
from fivehundred.storage.rows import HandRow, hand_row
from fivehundred.storage.schema import hands, journal, watch_events
from fivehundred.storage.store import Store, next_event_number
from fivehundred.table.values import Event, HandRecord
from fivehundred.wire.record import event_to_bytes

Match = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Appended:
    match: Match
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _Finished:
    match: Match
    record: HandRecord


@dataclass(frozen=True, slots=True)
class _Dropped:
    match: Match


_Entry = _Appended | _Finished | _Dropped
_Item = tuple[int, _Entry]


@dataclass(slots=True)
class _Batch:
    """What one transaction does: first the deletions, then the insertions."""

    cleared: set[Match] = field(default_factory=set)
    events: dict[Match, list[bytes]] = field(default_factory=dict)
    records: list[HandRecord] = field(default_factory=list)


class Journal:
    """The log's writer. `append`, `finish_hand` and `drop_hand` are cheap and never wait."""

    def __init__(self, store: Store) -> None:
        self.committed = 0
        """The highest ticket that is durable."""
        self.error: JournalError | None = None
        """Why nothing is written any more; None while all is well."""
        self._engine = store.engine
        self._queue: SimpleQueue[_Item | None] = SimpleQueue()
        self._last = 0
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = count()
        self._lengths = self._unfinished()
        self._thread = Thread(target=self._run, name="journal")
        self._thread.start()

    def append(self, tournament: str, match: int, events: Sequence[Event]) -> int:
        """Keeps events of a hand under way; gives the ticket to wait for."""
        return self._put(_Appended((tournament, match), tuple(events)))

    def finish_hand(self, tournament: str, match: int, record: HandRecord) -> int:
        """Stores a hand and its event, and forgets the match's events so far, all or nothing."""
        return self._put(_Finished((tournament, match), record))

    def drop_hand(self, tournament: str, match: int) -> int:
        """Forgets the events of a match's hand under way: the attempt is void."""
        return self._put(_Dropped((tournament, match)))

    async def wait(self, ticket: int) -> None:
        """Returns when a ticket is durable; raises `JournalError` if it will never be."""
        self._loop = asyncio.get_running_loop()
        if ticket <= self.committed:
            return
        future = self._loop.create_future()
        heapq.heappush(self._waiting, (ticket, next(self._order), future))
        self._wake()
        await future

    def close(self) -> None:
        """Writes what is queued and ends; raises `JournalError` if any of it was not written."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()
        if self.error is not None:
            raise self.error

    def _put(self, entry: _Entry) -> int:
        if self.error is not None:
            raise self.error
        if self._closed:
            raise JournalError("the journal is closed")
        self._last += 1
        self._queue.put((self._last, entry))
        return self._last

    def _wake(self) -> None:
        """Lets those go whose ticket is durable, or all where nothing will be any more."""
        while self._waiting and (self.error or self._waiting[0][0] <= self.committed):
            ticket, _, future = heapq.heappop(self._waiting)
            if future.done():
                continue
            if ticket <= self.committed:
                future.set_result(None)
            else:
                future.set_exception(self.error or JournalError("the journal has ended"))

    def _wake_soon(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # The loop may have been closed meanwhile.
                self._loop.call_soon_threadsafe(self._wake)

    def _unfinished(self) -> dict[Match, int]:
        """By match with rows in the journal, the number of its next event."""
        columns = journal.c
        query = select(columns.tournament, columns.match, func.max(columns.seq)).group_by(
            columns.tournament, columns.match
        )
        with reading(self._engine) as connection:
            rows = connection.execute(query)
            return {(name, match): last + 1 for name, match, last in rows}

    def _run(self) -> None:
        open_ = True
        while open_:
            items, open_ = self._gather()
            if not items:
                continue
            try:
                self._commit([entry for _, entry in items])
            except Exception as error:  # noqa: BLE001 - whatever it was, nothing may follow it
                self.error = JournalError(f"the log cannot be written: {error}")
                self.error.__cause__ = error
                open_ = False
            else:
                self.committed = items[-1][0]
            self._wake_soon()

    def _gather(self) -> tuple[list[_Item], bool]:
        """All that is queued, at least one item; and whether more may come."""
        items: list[_Item] = []
        item = self._queue.get()
        while item is not None:
            items.append(item)
            try:
                item = self._queue.get_nowait()
            except Empty:
                return items, True
        return items, False

    def _commit(self, entries: Sequence[_Entry]) -> None:
        batch = self._batch(entries)
        rows = [
            {"tournament": name, "match": match, "seq": seq, "event": event}
            for (name, match), events in batch.events.items()
            for seq, event in enumerate(events, self._lengths.get((name, match), 0))
        ]
        with writing(self._engine) as connection:
            _clear(connection, batch.cleared)
            if rows:
                connection.execute(insert(journal), rows)
            _insert_hands(connection, batch.records)
        for match, events in batch.events.items():
            self._lengths[match] = self._lengths.get(match, 0) + len(events)

    def _batch(self, entries: Sequence[_Entry]) -> _Batch:
        """Events of hands that end within the batch never reach the database."""
        batch = _Batch()
        for entry in entries:
            if isinstance(entry, _Appended):
                kept = batch.events.setdefault(entry.match, [])
                kept.extend(map(event_to_bytes, entry.events))
                continue
            batch.events.pop(entry.match, None)
            if self._lengths.pop(entry.match, None) is not None:
                batch.cleared.add(entry.match)
            if isinstance(entry, _Finished):
                batch.records.append(entry.record)
        return batch


def _clear(connection: Connection, matches: set[Match]) -> None:
    if matches:
        statement = delete(journal).where(
            journal.c.tournament == bindparam("name"), journal.c.match == bindparam("number")
        )
        connection.execute(statement, [{"name": name, "number": n} for name, n in matches])


def _insert_hands(connection: Connection, records: Sequence[HandRecord]) -> None:
    if not records:
        return
    first = (connection.execute(select(func.max(hands.c.id))).scalar_one() or 0) + 1
    rows = [hand_row(number, record) for number, record in enumerate(records, first)]
    connection.execute(insert(hands), rows)
    connection.execute(insert(watch_events), _events(connection, rows))


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

"""A worker process: plays matches with sessions of its own, for the daemon that has started it.

``python -m fivehundred.daemon.worker SOCKET FILE PATH``: the descriptors of its end of the line and
of its decisions file, which the daemon has begun and locked, and that file's path. It writes
decisions itself; hands go to the daemon, and a match goes on when the daemon says that they are
stored. It ends with its daemon, however that ends: nothing that it has not written has been seen.
"""

import asyncio
import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NoReturn

from fivehundred.daemon.causes import failure_of
from fivehundred.daemon.garbage import look_rarely
from fivehundred.daemon.link import Link, open_link
from fivehundred.daemon.playing import Counts, Unfinished, counts_of, play
from fivehundred.daemon.sessions import identities, seat_sessions
from fivehundred.players.attached import AttachedBots
from fivehundred.players.lag import LagMonitor
from fivehundred.storage.decisions import DecisionsFile, HandsUnderWay
from fivehundred.storage.errors import JournalError
from fivehundred.storage.values import RegisteredBot
from fivehundred.table.table import MatchSpec
from fivehundred.table.values import Event, HandRecord
from fivehundred.v1 import worker_pb2
from fivehundred.wire.errors import NotFound
from fivehundred.wire.matches import schedule
from fivehundred.wire.record import event_from_bytes, record_from_proto, record_to_proto
from fivehundred.wire.spec import Plan, check_spec

Order = worker_pb2.WorkerOrder
Report = worker_pb2.WorkerReport
ORPHANED = 1


class WorkerJournal:
    """Keeps decisions in the worker's file, and lets the daemon store hands."""

    def __init__(self, link: Link, file: DecisionsFile) -> None:
        self._link = link
        self._hands = HandsUnderWay(file, {})
        self._last = 0
        self._durable = 0
        self._error: JournalError | None = None
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    def append(self, tournament: str, match: int, events: Sequence[Event]) -> None:
        """Takes events of a hand under way; they outlive the process once `flush` has returned."""
        self._hands.append((tournament, match), events)

    def flush(self) -> None:
        """Writes the events taken since the last call.

        Raises `JournalError` where that fails, and ever after: nobody may go on.
        """
        if self._error is not None:
            raise self._error
        try:
            self._hands.flush(self._durable)
        except OSError as error:
            self._error = JournalError(f"the log cannot be written: {error}")
            raise self._error from error

    def finish_hand(self, tournament: str, match: int, record: HandRecord) -> int:
        """Gives a hand to the daemon; gives the ticket to wait for."""
        self._last += 1
        self._hands.end((tournament, match), self._last, self._durable)
        hand = worker_pb2.WorkerHandEnded(ticket=self._last, hand=record_to_proto(record))
        self._link.send(Report(hand_ended=hand))
        return self._last

    async def wait(self, ticket: int) -> None:
        """Returns when the daemon has stored a hand."""
        if ticket > self._durable:
            future = asyncio.get_running_loop().create_future()
            self._waiting.append((ticket, future))
            await future

    def durable(self, ticket: int) -> None:
        """Takes note that hands are stored up to a ticket."""
        self._durable = ticket
        waiting, self._waiting = self._waiting, deque()
        for wanted, future in waiting:
            if wanted > ticket:
                self._waiting.append((wanted, future))
            elif not future.done():
                future.set_result(None)


class Worker:
    """What the daemon orders, carried out; the `Source` of what is played here."""

    def __init__(self, link: Link, journal: WorkerJournal, secret: Path) -> None:
        self._link = link
        self._journal = journal
        self._secret = secret
        self._go: asyncio.Future[Sequence[str]] = asyncio.get_running_loop().create_future()
        self._wanted: deque[asyncio.Future[Unfinished | None]] = deque()
        self._spec_of: Callable[[int, tuple[int, ...], int], MatchSpec] = _no_spec
        self._draining = False

    async def work(self, order: worker_pb2.WorkerPlan) -> Report:
        """Play until no match is left; gives the last report."""
        try:
            counts = await self._play(check_spec(order.spec), order.tables, order.absent)
        except Exception as error:  # noqa: BLE001 - the daemon judges it
            return Report(failed=failure_of(error))
        return Report(done=worker_pb2.WorkerDone(counts=map(_counts_message, counts)))

    async def _play(self, plan: Plan, tables: int, absent: Sequence[int]) -> Sequence[Counts]:
        lag = LagMonitor()
        try:
            async with seat_sessions(
                plan, _NoRegistry(), lag, self._journal.flush, AttachedBots(), self._secret, absent
            ) as sessions:
                ready = worker_pb2.WorkerReady(bots=identities(plan, sessions))
                self._link.send(Report(ready=ready))
                bots = await self._go
                self._spec_of = partial(schedule(plan).match_at, bots=bots)
                await play(tables, self, sessions, self._journal)
                return counts_of(len(plan.entrants), sessions)
        finally:
            lag.stop()

    async def obey(self) -> None:
        """Take orders until the daemon says stop; where it is gone, end the process."""
        while (content := await self._link.receive()) is not None:
            order = Order.FromString(content)
            match order.WhichOneof("order"):
                case "go":
                    self._go.set_result(tuple(order.go.bots))
                case "match":
                    self._take(self._unfinished(order.match))
                case "no_match":
                    self._take(None)
                case "durable":
                    self._journal.durable(order.durable.ticket)
                case "drain":
                    self._draining = True
                case "stop":
                    return
        _die()

    async def next(self) -> Unfinished | None:
        """Ask the daemon for a match."""
        if self._draining:
            return None
        future: asyncio.Future[Unfinished | None] = asyncio.get_running_loop().create_future()
        self._wanted.append(future)
        self._link.send(Report(match_wanted=worker_pb2.WorkerMatchWanted()))
        return await future

    def is_ending(self) -> bool:
        """Whether the daemon has asked to end after the hands under way."""
        return self._draining

    def hand_stored(self, record: HandRecord) -> None:
        """The daemon knows: it has stored it."""

    def match_over(self, number: int) -> None:
        """Tell the daemon."""
        self._link.send(Report(match_over=worker_pb2.WorkerMatchOver(number=number)))

    def _take(self, match: Unfinished | None) -> None:
        """Give it to whoever has asked first; a future that is done was cancelled."""
        future = self._wanted.popleft()
        if not future.done():
            future.set_result(match)

    def _unfinished(self, match: worker_pb2.WorkerMatch) -> Unfinished:
        """The match as ordered; the hand under way is whole in this worker's file from now on."""
        spec = self._spec_of(match.number, tuple(match.entrants), match.first_board)
        under_way = [event_from_bytes(event) for event in match.events]
        if under_way:
            self._journal.append(spec.tournament, spec.number, under_way)
        return Unfinished(spec, [record_from_proto(hand) for hand in match.hands], under_way)


class _NoRegistry:
    """A worker knows no registered bots: the daemon gives their addresses."""

    def bot(self, name: str) -> RegisteredBot:
        """Raises `NotFound`."""
        raise NotFound(f"there is no bot {name!r}")


def _no_spec(number: int, entrants: tuple[int, ...], first_board: int) -> MatchSpec:
    raise LookupError(f"match {number} before it is known who plays")


def _counts_message(counts: Counts) -> worker_pb2.WorkerCounts:
    return worker_pb2.WorkerCounts(
        messages_sent=counts.messages_sent, stray_answers=counts.stray_answers
    )


def _die() -> NoReturn:
    """End without another word; the bots that are launched here end by their guards."""
    os._exit(ORPHANED)


async def _run(end: socket.socket, file: int, path: Path) -> None:
    link = await open_link(end)
    if (content := await link.receive()) is None:
        _die()
    journal = WorkerJournal(link, DecisionsFile(path, (), file))
    worker = Worker(link, journal, secret=path.with_suffix("").with_suffix(""))
    obeying = asyncio.create_task(worker.obey())
    working = asyncio.create_task(worker.work(Order.FromString(content).plan))
    await asyncio.wait([obeying, working], return_when=asyncio.FIRST_COMPLETED)
    if working.done():
        link.send(working.result())
    working.cancel()
    await asyncio.wait([obeying, working])
    with suppress(JournalError):  # The daemon has been told.
        journal.flush()
    await link.close()
    obeying.result()


def main(arguments: Sequence[str]) -> None:
    """Work with what the daemon has opened for this process."""
    end, file = map(int, arguments[:2])
    look_rarely()
    asyncio.run(_run(socket.socket(fileno=end), file, Path(arguments[2])))


if __name__ == "__main__":
    main(sys.argv[1:])

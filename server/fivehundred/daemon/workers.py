"""A tournament played by worker processes: the daemon's side of `fivehundred.daemon.worker`.

The daemon hands out matches, stores hands and says when they are durable. A worker that dies alone
is started again a few times; what it had under way is in its decisions file, which the daemon takes
over before its matches go to anybody else.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import structlog

from fivehundred.daemon.causes import error_of
from fivehundred.daemon.link import Link, open_link
from fivehundred.daemon.playing import Counts, Unfinished
from fivehundred.daemon.supply import Supply
from fivehundred.storage.decisions import begin, file_of
from fivehundred.storage.errors import JournalError, StorageError
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store
from fivehundred.table.table import MatchSpec
from fivehundred.v1 import tournament_pb2, worker_pb2
from fivehundred.wire.errors import FailedPrecondition
from fivehundred.wire.record import event_to_bytes, record_from_proto, record_to_proto
from fivehundred.wire.spec import Plan

RESTARTS = 3
"""How often a worker that dies alone is started again; a stored hand begins the count anew."""
STOP_LIMIT_S = 30.0
"""How long a worker may take to end its bots; then it is killed, and they with it."""
Order = worker_pb2.WorkerOrder
Report = worker_pb2.WorkerReport
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Work:
    """What workers play for a tournament, and whom they tell."""

    plan: Plan
    spec: tournament_pb2.TournamentSpec
    """The definition, every bot with its address."""
    absent: frozenset[int]
    """The entrants whose bots are not wanted."""
    draining: asyncio.Event
    agree: Callable[[tuple[str, ...]], Supply]
    """Is told who plays once all bots have come up everywhere; gives what is to be played."""
    hand_stored: Callable[[], None]
    match_over: Callable[[], None]


class Workers:
    """The worker processes of one tournament, from the first to the last."""

    def __init__(self, store: Store, journal: Journal, work: Work, number: int) -> None:
        self._store = store
        self._journal = journal
        self._work = work
        self._tables = [
            work.plan.tables // number + (index < work.plan.tables % number)
            for index in range(number)
        ]
        self._counts = [Counts(0, 0)] * len(work.plan.entrants)
        self._ready: dict[int, tuple[str, ...]] = {}
        self._supply: asyncio.Future[Supply] = asyncio.get_running_loop().create_future()

    async def play(self) -> Sequence[Counts]:
        """Play until no match is left, or to the end of a drain; gives what was counted."""
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(self._watch())
            async with asyncio.TaskGroup() as workers:
                for index in range(len(self._tables)):
                    workers.create_task(self._keep_going(index))
            watching.cancel()
        return self._counts

    async def _watch(self) -> None:
        supply = await asyncio.shield(self._supply)
        await supply.watch()

    async def _keep_going(self, index: int) -> None:
        """One worker, and another in its place where it dies."""
        died = 0
        while died <= RESTARTS:
            worker = await _start(self._store.decisions)
            try:
                ended = await self._serve(worker, index)
            finally:
                await self._end(worker)
            if ended:
                return
            died = 1 if worker.has_stored else died + 1
            log.warning(
                "worker_died", tournament=self._work.plan.name, ended=worker.how_it_ended, died=died
            )
            await self._take_back(worker.matches.values())
        raise FailedPrecondition(
            f"a worker process has ended by itself {died} times in a row, the last time with "
            f"{worker.how_it_ended}; the daemon's standard error may tell more"
        )

    async def _serve(self, worker: "_Process", index: int) -> bool:
        """Serve a worker until it ends; gives whether its part is done."""
        plan = worker_pb2.WorkerPlan(
            spec=self._work.spec, tables=self._tables[index], absent=sorted(self._work.absent)
        )
        worker.link.send(Order(plan=plan))
        async with asyncio.TaskGroup() as group:
            draining = group.create_task(self._drain(worker))
            group.create_task(self._acknowledge(worker))
            giving = group.create_task(self._give_matches(worker))
            try:
                return await self._listen(worker, index)
            finally:
                draining.cancel()
                giving.cancel()
                worker.hands.put_nowait(None)

    async def _listen(self, worker: "_Process", index: int) -> bool:
        while (content := await worker.link.receive()) is not None:
            report = Report.FromString(content)
            match report.WhichOneof("report"):
                case "ready":
                    await self._agree(index, tuple(report.ready.bots))
                    worker.link.send(Order(go=worker_pb2.WorkerGo(bots=report.ready.bots)))
                case "failed":
                    raise error_of(report.failed)
                case "match_wanted":
                    worker.wanted.release()
                case "hand_ended":
                    self._store_hand(worker, index, report.hand_ended)
                case "match_over":
                    del worker.matches[report.match_over.number]
                    self._supply.result().match_over(report.match_over.number)
                    self._work.match_over()
                case "done":
                    self._count(report.done)
                    return True
        return False

    async def _agree(self, index: int, bots: tuple[str, ...]) -> None:
        """Return when every worker's bots are there; raises where they are not the same ones."""
        self._ready[index] = bots
        for other in self._ready.values():
            for entrant, here, there in zip(self._work.plan.entrants, bots, other, strict=True):
                if here != there:
                    raise FailedPrecondition(
                        f"entrant {entrant.name!r} is {there} in one process and {here} in "
                        "another: one entrant is one bot of one version"
                    )
        if len(self._ready) == len(self._tables) and not self._supply.done():
            self._supply.set_result(self._work.agree(bots))
        await asyncio.shield(self._supply)

    async def _give_matches(self, worker: "_Process") -> None:
        """Answer a worker's wishes for matches, each when there is one; never returns."""
        while True:
            await worker.wanted.acquire()
            found = await self._supply.result().next()
            if found is None:
                worker.link.send(Order(no_match=worker_pb2.WorkerNoMatch()))
                continue
            worker.matches[found.spec.number] = found.spec
            worker.link.send(Order(match=_match_message(found)))

    def _store_hand(
        self, worker: "_Process", index: int, ended: worker_pb2.WorkerHandEnded
    ) -> None:
        record = record_from_proto(ended.hand)
        self._supply.result().observe(record)
        key = record.started.key
        ticket = self._journal.finish_hand(key.tournament, key.match, record, index)
        worker.hands.put_nowait((ended.ticket, ticket))

    async def _acknowledge(self, worker: "_Process") -> None:
        """Tell a worker of its hands when they are durable."""
        while (hand := await worker.hands.get()) is not None:
            ended, ticket = hand
            await self._journal.wait(ticket)
            worker.has_stored = True
            self._work.hand_stored()
            worker.link.send(Order(durable=worker_pb2.WorkerDurable(ticket=ended)))

    async def _drain(self, worker: "_Process") -> None:
        await self._work.draining.wait()
        worker.link.send(Order(drain=worker_pb2.WorkerDrain()))

    def _count(self, done: worker_pb2.WorkerDone) -> None:
        self._counts = [
            Counts(
                before.messages_sent + more.messages_sent, before.stray_answers + more.stray_answers
            )
            for before, more in zip(self._counts, done.counts, strict=True)
        ]

    async def _end(self, worker: "_Process") -> None:
        """End a worker and take over its file; one that cannot be taken over stays for later."""
        try:
            await worker.stop()
        finally:
            if worker.has_ended:
                with suppress(StorageError):
                    self._journal.adopt(worker.path)

    async def _take_back(self, matches: Iterable[MatchSpec]) -> None:
        await self._journal.settle()
        if self._supply.done():
            self._supply.result().give_back(matches)


def _match_message(match: Unfinished) -> worker_pb2.WorkerMatch:
    return worker_pb2.WorkerMatch(
        number=match.spec.number,
        first_board=match.spec.boards[0],
        entrants=match.spec.entrants,
        hands=map(record_to_proto, match.hands),
        events=map(event_to_bytes, match.under_way),
    )


class _Process:
    """A worker's process, the line to it and what it has been given."""

    def __init__(self, process: asyncio.subprocess.Process, link: Link, path: Path) -> None:
        self.link = link
        self.path = path
        self.matches: dict[int, MatchSpec] = {}
        """The matches that it plays."""
        self.hands: asyncio.Queue[tuple[int, int] | None] = asyncio.Queue()
        """Its tickets and the journal's of the hands that are being stored; None at the end."""
        self.wanted = asyncio.Semaphore(0)
        """How many matches it waits for."""
        self.has_stored = False
        """Whether a hand of its is durable."""
        self._process = process

    @property
    def has_ended(self) -> bool:
        """Whether it is gone for certain."""
        return self._process.returncode is not None

    @property
    def how_it_ended(self) -> str:
        """Its exit code or its signal, in words."""
        code = self._process.returncode
        if code is not None and code < 0:
            return f"signal {-code}"
        return f"code {code}"

    async def stop(self) -> None:
        """End it: it ends its bots first, within a limit."""
        self.link.send(Order(stop=worker_pb2.WorkerStop()))
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                await self._process.wait()
        except TimeoutError:
            log.warning("worker_killed", pid=self._process.pid, limit_s=STOP_LIMIT_S)
        finally:
            self._kill()
            self.link.abort()
        await self._process.wait()

    def _kill(self) -> None:
        if not self.has_ended:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


async def _start(decisions: Path) -> _Process:
    """Start a worker with a decisions file, which stays locked until the worker has ended."""
    ours, theirs = socket.socketpair()
    with theirs:
        link = await open_link(ours)
        try:
            path, file = _begin(decisions)
            try:
                return _Process(await _spawn(theirs.fileno(), file, path), link, path)
            finally:
                os.close(file)
        except BaseException:
            link.abort()
            raise


def _begin(decisions: Path) -> tuple[Path, int]:
    """The first worker's file that there is not yet, begun."""
    paths = (file_of(decisions, number) for number in count(1))
    path = next(path for path in paths if not path.exists())
    try:
        return path, begin(path)
    except OSError as error:
        raise JournalError(f"{path} cannot be written: {error.strerror}") from error


async def _spawn(end: int, file: int, path: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fivehundred.daemon.worker", str(end), str(file), str(path)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        pass_fds=(end, file),
        process_group=0,
    )

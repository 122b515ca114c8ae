"""Many decisions over one stream, gathered into few messages.

At most one message is unanswered: what becomes ready meanwhile gathers and goes out when an answer
arrives, or after a millisecond. One task owns the stream: it opens it, reads it, and opens it anew;
a second one writes. Nothing is ever read or written twice at once.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import grpc.aio
from google.protobuf.message import DecodeError

from fivehundred.players.clock import Clock
from fivehundred.players.faults import (
    SESSION_CLOSED,
    fault_of_cancelling,
    fault_of_status,
    judge,
    malformed,
)
from fivehundred.players.lag import LagMonitor
from fivehundred.players.line import BeforeAsking, Greet
from fivehundred.table.values import Ask, Fault, FaultKind, Reply
from fivehundred.v1 import bot_pb2
from fivehundred.wire.codec import Response
from fivehundred.wire.requests import encode_decide, encode_decision

GATHER_S = 0.001
WRITE_GRACE_S = 1.0
REMEMBERED_IDS = 4096
ID_BYTES = 8
IDS_A_DRAW = 256
MAX_STRAYS = 1000
"""So many answers in a row that answer nothing end the stream: a flood costs the daemon time."""
MAX_BATCH_BYTES = 1 << 20

LOST = Fault(FaultKind.DISCONNECTED, "the connection was lost and did not come back in time")


class Pipe(Protocol):
    """What messages go to and come from; a gRPC call is one."""

    async def write(self, request: bytes, /) -> None:
        """Send the bytes of a DecideRequest."""
        ...

    async def read(self) -> object:
        """The bytes of the next DecideResponse; a fault or anything else where it has ended."""
        ...

    def cancel(self) -> object:
        """End the stream at once."""
        ...


OnFault = Callable[[str, Ask, Fault], None]
"""Is told of every decision that was a fault, with its id, before anybody has kept it."""


class _Pending:
    """A decision that has no reply yet. It has a clock from when it is sent."""

    __slots__ = ("ask", "clock", "future", "payload", "sendings")

    def __init__(self, ask: Ask, payload: bytes, future: "asyncio.Future[Reply]") -> None:
        self.ask = ask
        self.payload = payload
        self.future = future
        self.clock: Clock | None = None
        self.sendings = 0


class DecisionStream:
    """The decisions of one session, over a pipe that is opened anew when it breaks."""

    def __init__(
        self,
        open_pipe: Callable[[], Pipe],
        rules_hash: bytes,
        greet: Greet,
        lag: LagMonitor,
        before_asking: BeforeAsking,
        on_fault: OnFault | None = None,
    ) -> None:
        self.stray_answers = 0
        self.messages_sent = 0
        self._loop = asyncio.get_running_loop()
        self._ids = _decision_ids()
        self._open_pipe = open_pipe
        self._rules_hash = rules_hash
        self._greet = greet
        self._lag = lag
        self._before_asking = before_asking
        self._on_fault = on_fault
        self._pending: dict[str, _Pending] = {}
        self._queue: deque[_Pending] = deque()
        self._finished: set[str] = set()
        self._finished_before: set[str] = set()
        self._suspect: Fault | None = None
        self._suspected_at = 0.0
        self._strays_in_a_row = 0
        self._greeted = True
        self._unanswered = False
        self._ready = asyncio.Event()
        self._gathering: asyncio.TimerHandle | None = None
        self._owner: asyncio.Task[None] | None = None
        self._closed = False

    async def decide(self, ask: Ask) -> Reply:
        """Send the ask with others and wait for its answer or the end of its time."""
        if self._closed:
            return Reply(SESSION_CLOSED, 0)
        decision_id = next(self._ids)
        payload = encode_decision(ask, decision_id, self._rules_hash)
        pending = _Pending(ask, payload, self._loop.create_future())
        self._pending[decision_id] = pending
        try:
            self._enqueue(pending)
            reply = await pending.future
        finally:
            self._forget(decision_id, pending)
        if self._on_fault is not None and isinstance(reply.answer, Fault):
            self._on_fault(decision_id, ask, reply.answer)
        return reply

    async def close(self) -> None:
        """End the stream; decisions under way are disconnected."""
        self._closed = True
        if self._owner is not None:
            self._owner.cancel()
            await asyncio.wait([self._owner])

    def _enqueue(self, pending: _Pending) -> None:
        self._queue.append(pending)
        if self._owner is None or self._owner.done():
            self._owner = asyncio.create_task(self._own())
        self._send_soon()

    def _forget(self, decision_id: str, pending: _Pending) -> None:
        if pending.clock is not None:
            pending.clock.release()
        del self._pending[decision_id]
        self._finished.add(decision_id)
        if len(self._finished) > REMEMBERED_IDS:
            self._finished, self._finished_before = set(), self._finished

    def _was_asked(self, decision_id: str) -> bool:
        return any(
            decision_id in ids for ids in (self._pending, self._finished, self._finished_before)
        )

    # The owner: opens the stream for as long as somebody waits.

    async def _own(self) -> None:
        """Serve the queue; whoever still waits at the end, as when it is cancelled, is let go."""
        try:
            await self._serve()
        except Exception as error:  # noqa: BLE001 - no bot's fault, so those who wait have to know
            _raise_in(self._pending.values(), error)
        finally:
            self._fail(self._pending.values(), SESSION_CLOSED)

    async def _serve(self) -> None:
        while self._queue:
            waiting = dict.fromkeys(self._queue)
            if (fault := await self._greet_again()) is None:
                self._after(await self._run())
                continue
            self._fail(waiting, fault)
            self._queue = deque(pending for pending in self._queue if pending not in waiting)

    async def _greet_again(self) -> Fault | None:
        """Greet, unless it has just been done; the bot may be one that was started anew."""
        if self._greeted:
            return None
        return await self._greet(max(self._seconds_left(pending) for pending in self._queue))

    def _seconds_left(self, pending: _Pending) -> float:
        if pending.clock is None:
            return pending.ask.limit_us / 1e6
        return max(pending.clock.left(pending.ask.limit_us), 0.0)

    async def _run(self) -> Fault:
        """Read and write one stream until it ends; gives how it ended."""
        pipe = self._open_pipe()
        self._greeted = self._unanswered = False
        self._strays_in_a_row = 0
        self._ready.set()
        writer = asyncio.create_task(self._write_all(pipe))
        try:
            return await self._read_all(pipe)
        finally:
            pipe.cancel()
            writer.cancel()
            await asyncio.wait([writer])

    def _after(self, ended: Fault) -> None:
        """Blame what was under way, or put it first in the queue for the next stream."""
        sent = [pending for pending in self._pending.values() if self._is_under_way(pending)]
        if ended.kind is FaultKind.DISCONNECTED:
            again = [pending for pending in sent if pending.sendings == 1]
            self._queue.extendleft(reversed(again))
            sent = [pending for pending in sent if pending.sendings > 1]
        elif not sent:
            sent = list(self._queue)[:1]  # so that a bot cannot make it begin anew for ever
        self._fail(sent, ended)

    @staticmethod
    def _is_under_way(pending: _Pending) -> bool:
        return pending.sendings > 0 and not pending.future.done()

    # Writing: at once when nothing is unanswered, otherwise gathered.

    def _send_soon(self) -> None:
        if not self._unanswered:
            self._ready.set()
        elif self._gathering is None:
            self._gathering = self._loop.call_later(GATHER_S, self._ready.set)

    def _stop_gathering(self) -> None:
        self._ready.clear()
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None

    async def _write_all(self, pipe: Pipe) -> None:
        """Write until the stream ends; the reader tells how it ended."""
        try:
            await self._write_on(pipe)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return
        except Exception as error:  # noqa: BLE001 - no bot's fault, so those who wait have to know
            _raise_in(self._pending.values(), error)
            pipe.cancel()

    async def _write_on(self, pipe: Pipe) -> None:
        while True:
            await self._ready.wait()
            self._stop_gathering()
            if batch := self._next_batch():
                await self._write(pipe, batch)

    async def _write(self, pipe: Pipe, batch: list[_Pending]) -> None:
        """Write one message; a bot that does not read what it is sent loses the stream."""
        limit = max(pending.ask.limit_us for pending in batch) / 1e6 + WRITE_GRACE_S
        message = encode_decide([pending.payload for pending in batch])
        try:
            self._before_asking()
        except Exception as error:  # noqa: BLE001 - whatever it was, those who wait have to know
            _raise_in(batch, error)
            return
        self._start(batch)
        self._unanswered = True
        self.messages_sent += 1
        try:
            async with asyncio.timeout(limit):
                await pipe.write(message)
        except TimeoutError:
            pipe.cancel()
            raise asyncio.InvalidStateError("the bot does not read what it is sent") from None

    def _next_batch(self) -> list[_Pending]:
        batch: list[_Pending] = []
        size = 0
        while self._queue and size < MAX_BATCH_BYTES:
            pending = self._queue.popleft()
            if not pending.future.done():
                batch.append(pending)
                size += len(pending.payload)
        if self._queue:
            self._ready.set()
        return batch

    def _start(self, batch: list[_Pending]) -> None:
        """Start one clock for all that are sent for the first time."""
        now = self._loop.time()
        new = [pending for pending in batch if pending.clock is None]
        clock = Clock(self._lag, now, len(new))
        for pending in new:
            pending.clock = clock
        for pending in batch:
            pending.sendings += 1
        if new:
            self._watch(clock, new)

    def _watch(self, clock: Clock, pendings: list[_Pending]) -> None:
        shortest = min([pending.ask.limit_us for pending in pendings])
        clock.ring_after(shortest, lambda: self._look(clock, pendings))

    def _look(self, clock: Clock, pendings: list[_Pending]) -> None:
        """Expire those whose time is up, and watch the rest."""
        waiting = [pending for pending in pendings if not pending.future.done()]
        out = [pending for pending in waiting if clock.left(pending.ask.limit_us) <= 0]
        for pending in out:
            self._expire(pending)
        if rest := [pending for pending in waiting if not pending.future.done()]:
            self._watch(clock, rest)

    # Reading: every message acknowledges what was sent.

    async def _read_all(self, pipe: Pipe) -> Fault:
        try:
            while isinstance(message := await pipe.read(), bytes):
                arrived = self._loop.time()
                self._unanswered = False
                if (fault := self._take(message, arrived)) is not None:
                    return fault
                if self._queue:
                    self._ready.set()
        except grpc.aio.AioRpcError as error:
            return fault_of_status(error)
        except asyncio.CancelledError:
            return fault_of_cancelling("the bot does not read the stream")
        if isinstance(message, Fault):
            return message
        return Fault(FaultKind.DISCONNECTED, "the bot ended the stream")

    def _take(self, message: bytes, arrived: float) -> Fault | None:
        """Give the answers of a message to those who wait; a fault where it is undecodable."""
        try:
            answers = bot_pb2.DecideResponse.FromString(message).answers
        except DecodeError:
            return malformed("a message does not decode as a DecideResponse", message)
        if not answers:
            self._strays_in_a_row += 1
            self._suspect_message("a message holds no answer", message)
        for answer in answers:
            self._answer(answer, arrived)
            if self._strays_in_a_row > MAX_STRAYS:
                break
        if self._strays_in_a_row > MAX_STRAYS:
            return malformed(f"more than {MAX_STRAYS} answers in a row answer nothing", message)
        return None

    def _answer(self, answer: bot_pb2.Answer, arrived: float) -> None:
        response = _response_of(answer)
        decision_id = response.decision_id if response is not None else ""
        pending = self._pending.get(decision_id)
        if pending is None or response is None or pending.clock is None or pending.future.done():
            self._count_stray(answer, decision_id)
            return
        elapsed_us, lag_us = pending.clock.measure(arrived)
        if elapsed_us - lag_us > pending.ask.limit_us:
            self._expire(pending)
            return
        self._strays_in_a_row = 0
        action, note = judge(response, pending.ask)
        pending.future.set_result(Reply(action, elapsed_us, lag_us, note))

    def _count_stray(self, answer: bot_pb2.Answer, decision_id: str) -> None:
        self.stray_answers += 1
        self._strays_in_a_row += 1
        if not self._was_asked(decision_id):
            reason = f"answers decision {decision_id[:32]!r}, which was never asked"
            self._suspect_message(reason, answer.SerializeToString())

    def _suspect_message(self, reason: str, message: bytes) -> None:
        """Remember a message that answers nothing as evidence for what then gets no answer."""
        self._suspect = malformed(reason, message)
        self._suspected_at = self._loop.time()

    # Ends.

    def _expire(self, pending: _Pending) -> None:
        assert pending.clock is not None
        if self._suspect is not None and self._suspected_at >= pending.clock.started:
            self._fail([pending], self._suspect)
        elif pending in self._queue:
            self._fail([pending], LOST)
        else:
            limit = f"no answer within {pending.ask.limit_us} µs"
            self._fail([pending], Fault(FaultKind.TIMEOUT, limit))

    def _fail(self, pendings: Iterable[_Pending], fault: Fault) -> None:
        now = self._loop.time()
        for pending in pendings:
            if pending.future.done():
                continue
            pending.future.set_result(_faulty(pending, fault, now))


def _decision_ids() -> Iterator[str]:
    """Ids that nobody can guess; many are drawn at a time, since each draw is a system call."""
    while True:
        drawn = secrets.token_hex(ID_BYTES * IDS_A_DRAW)
        yield from (drawn[at : at + 2 * ID_BYTES] for at in range(0, len(drawn), 2 * ID_BYTES))


def _raise_in(batch: Iterable[_Pending], error: Exception) -> None:
    for pending in batch:
        if not pending.future.done():
            pending.future.set_exception(error)


def _faulty(pending: _Pending, fault: Fault, now: float) -> Reply:
    if pending.clock is None:
        return Reply(fault, 0)
    return Reply(fault, *pending.clock.measure(now))


def _response_of(answer: bot_pb2.Answer) -> Response | None:
    """What an answer holds, the likeliest first; None where it is empty."""
    match answer.WhichOneof("kind"):
        case "play":
            return answer.play
        case "bid":
            return answer.bid
        case "discard":
            return answer.discard
        case _:
            return None

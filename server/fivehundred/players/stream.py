"""Many decisions over one stream, gathered into few messages.

At most one message is unanswered: what becomes ready meanwhile gathers and goes out when an answer
arrives, or after a millisecond. One task owns the stream: it opens it, reads it, and opens it anew;
a second one writes. Nothing is ever read or written twice at once.
"""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeAlias

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
from fivehundred.table.values import Ask, Fault, FaultKind, Reply
from fivehundred.v1 import bot_pb2
from fivehundred.wire.codec import ask_to_proto, encode_decide

DECIDE = "/fivehundred.v1.BotService/Decide"
GATHER_S = 0.001
WRITE_GRACE_S = 1.0
REMEMBERED_IDS = 4096
ID_BYTES = 8
IDS_A_DRAW = 256
MAX_STRAYS = 1000
"""So many answers in a row that answer nothing end the stream: a flood costs the daemon time."""
MAX_BATCH_BYTES = 1 << 20

LOST = Fault(FaultKind.DISCONNECTED, "the connection was lost and did not come back in time")

Call: TypeAlias = "grpc.aio.StreamStreamCall[bytes, bytes]"
Method: TypeAlias = "grpc.aio.StreamStreamMultiCallable[bytes, bytes]"
Greet = Callable[[float], Awaitable[Fault | None]]
"""Greets the bot again within some seconds; gives the fault where that fails."""


class _Pending:
    """A decision that has no reply yet. It has a clock from when it is sent."""

    __slots__ = ("ask", "clock", "future", "payload", "sendings", "waiting_since")

    def __init__(self, ask: Ask, payload: bytes, now: float) -> None:
        self.ask = ask
        self.payload = payload
        self.future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.clock: Clock | None = None
        self.sendings = 0
        self.waiting_since = now


class DecisionStream:
    """The decisions of one session over ``Decide``."""

    def __init__(
        self, channel: grpc.aio.Channel, rules_hash: bytes, greet: Greet, lag: LagMonitor
    ) -> None:
        self.stray_answers = 0
        self.messages_sent = 0
        self._loop = asyncio.get_running_loop()
        self._ids = _decision_ids()
        self._method: Method = channel.stream_stream(DECIDE, None, None)
        self._rules_hash = rules_hash
        self._greet = greet
        self._lag = lag
        self._pending: dict[str, _Pending] = {}
        self._queue: deque[_Pending] = deque()
        self._finished: dict[str, None] = {}
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
        payload = ask_to_proto(ask, decision_id, self._rules_hash).SerializeToString()
        pending = _Pending(ask, payload, self._loop.time())
        self._pending[decision_id] = pending
        try:
            self._enqueue(pending)
            return await pending.future
        finally:
            self._forget(decision_id, pending)

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
            pending.clock.stop()
        del self._pending[decision_id]
        self._finished[decision_id] = None
        if len(self._finished) > REMEMBERED_IDS:
            del self._finished[next(iter(self._finished))]

    # The owner: opens the stream for as long as somebody waits.

    async def _own(self) -> None:
        """Serve the queue; whoever still waits at the end, as when it is cancelled, is let go."""
        try:
            await self._serve()
        finally:
            self._fail(self._pending.values(), SESSION_CLOSED)

    async def _serve(self) -> None:
        while self._queue:
            if (fault := await self._greet_again()) is not None:
                self._fail(self._queue, fault)
                self._queue.clear()
                return
            self._after(await self._run())

    async def _greet_again(self) -> Fault | None:
        """Greet, unless it has just been done; the bot may be one that was started anew."""
        if self._greeted:
            return None
        return await self._greet(max(self._seconds_left(pending) for pending in self._queue))

    def _seconds_left(self, pending: _Pending) -> float:
        if pending.clock is None:
            return pending.ask.limit_us / 1e6
        return max(pending.clock.left(), 0.0)

    async def _run(self) -> Fault:
        """Read and write one stream until it ends; gives how it ended."""
        call = self._method()
        self._greeted = self._unanswered = False
        self._strays_in_a_row = 0
        self._ready.set()
        writer = asyncio.create_task(self._write_all(call))
        try:
            return await self._read_all(call)
        finally:
            call.cancel()
            writer.cancel()
            await asyncio.wait([writer])

    def _after(self, ended: Fault) -> None:
        """Blame what was under way, or put it first in the queue for the next stream."""
        sent = [pending for pending in self._pending.values() if self._is_under_way(pending)]
        if ended.kind is FaultKind.DISCONNECTED:
            again = [pending for pending in sent if pending.sendings == 1]
            self._queue.extendleft(reversed(again))
            sent = [pending for pending in sent if pending.sendings > 1]
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

    async def _write_all(self, call: Call) -> None:
        """Write until the stream ends; the reader tells how it ended."""
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self._write_on(call)

    async def _write_on(self, call: Call) -> None:
        while True:
            await self._ready.wait()
            self._stop_gathering()
            if batch := self._next_batch():
                await self._write(call, batch)

    async def _write(self, call: Call, batch: list[_Pending]) -> None:
        """Write one message; a bot that does not read what it is sent loses the stream."""
        limit = max(pending.ask.limit_us for pending in batch) / 1e6 + WRITE_GRACE_S
        message = encode_decide([pending.payload for pending in batch])
        for pending in batch:
            self._start(pending)
        self._unanswered = True
        self.messages_sent += 1
        try:
            async with asyncio.timeout(limit):
                await call.write(message)
        except TimeoutError:
            call.cancel()

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

    def _start(self, pending: _Pending) -> None:
        pending.sendings += 1
        if pending.clock is None:
            pending.clock = Clock(self._lag, pending.ask.limit_us, lambda: self._expire(pending))

    # Reading: every message acknowledges what was sent.

    async def _read_all(self, call: Call) -> Fault:
        try:
            while isinstance(message := await call.read(), bytes):
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
            return malformed(f"more than {MAX_STRAYS} answers in a row answer nothing", message)
        return None

    def _answer(self, answer: bot_pb2.Answer, arrived: float) -> None:
        decision_id = _decision_id(answer)
        pending = self._pending.get(decision_id)
        if pending is None or pending.clock is None or pending.future.done():
            self._count_stray(answer, decision_id)
            return
        elapsed_us, lag_us = pending.clock.measure(arrived)
        if elapsed_us - lag_us > pending.ask.limit_us:
            self._expire(pending)
            return
        self._strays_in_a_row = 0
        action, note = judge(answer, pending.ask)
        pending.clock.stop()
        pending.future.set_result(Reply(action, elapsed_us, lag_us, note))

    def _count_stray(self, answer: bot_pb2.Answer, decision_id: str) -> None:
        self.stray_answers += 1
        self._strays_in_a_row += 1
        if decision_id not in self._finished and decision_id not in self._pending:
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
            if pending.clock is not None:
                pending.clock.stop()
            pending.future.set_result(_faulty(pending, fault, now))


def _decision_ids() -> Iterator[str]:
    """Ids that nobody can guess; many are drawn at a time, since each draw is a system call."""
    while True:
        drawn = secrets.token_hex(ID_BYTES * IDS_A_DRAW)
        yield from (drawn[at : at + 2 * ID_BYTES] for at in range(0, len(drawn), 2 * ID_BYTES))


def _faulty(pending: _Pending, fault: Fault, now: float) -> Reply:
    if pending.clock is None:
        return Reply(fault, 0)
    return Reply(fault, *pending.clock.measure(now))


def _decision_id(answer: bot_pb2.Answer) -> str:
    match answer.WhichOneof("kind"):
        case "play":
            return answer.play.decision_id
        case "bid":
            return answer.bid.decision_id
        case "discard":
            return answer.discard.decision_id
        case _:
            return ""

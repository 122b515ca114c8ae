"""One decision a call: ``Bid``, ``Discard`` and ``Play``, for bots that do not stream."""

import asyncio
import secrets
from typing import TypeAlias

import grpc.aio
from google.protobuf.message import DecodeError

from fivehundred.players.clock import Clock
from fivehundred.players.faults import (
    NO_ANSWER,
    SESSION_CLOSED,
    fault_of_cancelling,
    fault_of_status,
    judge,
    malformed,
)
from fivehundred.players.lag import LagMonitor
from fivehundred.players.line import BeforeAsking, Greet
from fivehundred.rules.actions import Action
from fivehundred.table.values import Ask, AskKind, Fault, FaultKind, Reply
from fivehundred.v1 import bot_pb2
from fivehundred.wire.codec import Response
from fivehundred.wire.requests import encode_request

SERVICE = "/fivehundred.v1.BotService"
DEADLINE_GRACE_S = 1.0
"""The call's own deadline comes later than the clock, so that the clock decides."""

_RESPONSES: dict[AskKind, type[Response]] = {
    AskKind.BID: bot_pb2.BidResponse,
    AskKind.DISCARD: bot_pb2.DiscardResponse,
    AskKind.PLAY: bot_pb2.PlayResponse,
}
_METHODS = {AskKind.BID: "Bid", AskKind.DISCARD: "Discard", AskKind.PLAY: "Play"}
Method: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]"


class UnaryCalls:
    """The decisions of one session, each in a call of its own."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        rules_hash: bytes,
        greet: Greet,
        lag: LagMonitor,
        before_asking: BeforeAsking,
    ) -> None:
        self.stray_answers = 0
        self.messages_sent = 0
        self._closed = False
        self._rules_hash = rules_hash
        self._greet = greet
        self._lag = lag
        self._before_asking = before_asking
        self._methods: dict[AskKind, Method] = {
            kind: channel.unary_unary(f"{SERVICE}/{name}", None, None)
            for kind, name in _METHODS.items()
        }

    async def decide(self, ask: Ask) -> Reply:
        """Call the bot, and once more after a new greeting when it has gone away."""
        if self._closed:
            return Reply(SESSION_CLOSED, 0)
        decision_id = secrets.token_hex(8)
        request = encode_request(ask, decision_id, self._rules_hash)
        self._before_asking()
        attempt = _Attempt(ask, decision_id, request, self._lag)
        try:
            reply = await self._try(attempt)
            if _is_disconnected(reply) and await self._has_come_back(attempt):
                return await self._try(attempt)
            return reply
        finally:
            attempt.clock.release()

    async def close(self) -> None:
        """Call no more; the calls under way end with the channel."""
        self._closed = True

    async def _has_come_back(self, attempt: "_Attempt") -> bool:
        return not self._closed and await self._greet(attempt.seconds_left) is None

    async def _try(self, attempt: "_Attempt") -> Reply:
        """Call; and again where the call's own deadline came only because the daemon was late."""
        while True:
            self.messages_sent += 1
            timeout = attempt.seconds_left + DEADLINE_GRACE_S
            deadline = asyncio.get_running_loop().time() + timeout
            call = self._methods[attempt.ask.kind](attempt.request, timeout=timeout)
            reply = await attempt.outcome(call)
            self.stray_answers += attempt.is_stray
            if self._closed or not attempt.was_cut_off(reply, deadline):
                return reply


class _Attempt:
    """A decision and its clock, which runs on over a second call."""

    def __init__(self, ask: Ask, decision_id: str, request: bytes, lag: LagMonitor) -> None:
        self.ask = ask
        self.request = request
        self.is_stray = False
        self._decision_id = decision_id
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[float | None] = self._loop.create_future()
        self.clock = Clock(lag)
        self.clock.ring_after(ask.limit_us, self._expire)

    @property
    def seconds_left(self) -> float:
        """What the bot still has of its time."""
        return max(self.clock.left(self.ask.limit_us), 0.0)

    async def outcome(self, call: grpc.aio.UnaryUnaryCall[bytes, bytes]) -> Reply:
        """The reply that a call ends in; a call that is late is left to its own deadline."""
        if not self._over.done():
            call.add_done_callback(lambda _: self._arrive())
        arrived = await self._over
        if arrived is None or self._is_late(arrived):
            limit = f"no answer within {self.ask.limit_us} µs"
            now = self._loop.time() if arrived is None else arrived
            return self._reply(Fault(FaultKind.TIMEOUT, limit), "", now)
        self._over = self._loop.create_future()
        try:
            answer, note = self._read(await call)
        except grpc.aio.AioRpcError as error:
            answer, note = fault_of_status(error), ""
        except asyncio.CancelledError:
            answer, note = fault_of_cancelling(SESSION_CLOSED.reason), ""
        return self._reply(answer, note, arrived)

    def was_cut_off(self, reply: Reply, deadline: float) -> bool:
        """Whether a call's deadline has ended it while the bot still had time.

        grpc.aio says now and then of such a call that it ended well and without an answer.
        """
        answer = reply.answer
        lost = isinstance(answer, Fault) and (
            answer.kind is FaultKind.TIMEOUT or answer is NO_ANSWER
        )
        return lost and self._loop.time() >= deadline and self.seconds_left > 0

    def _is_late(self, arrived: float) -> bool:
        """Whether an answer has come after the limit, though before the alarm rang."""
        elapsed_us, lag_us = self.clock.measure(arrived)
        return elapsed_us - lag_us > self.ask.limit_us

    def _reply(self, answer: Action | Fault, note: str, arrived: float) -> Reply:
        elapsed_us, lag_us = self.clock.measure(arrived)
        return Reply(answer, elapsed_us, lag_us, note)

    def _read(self, answer: bytes | None) -> tuple[Action | Fault, str]:
        if answer is None:
            return NO_ANSWER, ""
        kind = _RESPONSES[self.ask.kind]
        try:
            response = kind.FromString(answer)
        except DecodeError:
            return malformed(f"the answer does not decode as a {kind.DESCRIPTOR.name}", answer), ""
        if response.decision_id != self._decision_id:
            self.is_stray = True
            return malformed(f"answers decision {response.decision_id[:32]!r}", answer), ""
        return judge(response, self.ask)

    def _arrive(self) -> None:
        if not self._over.done():
            self._over.set_result(self._loop.time())

    def _expire(self) -> None:
        if not self._over.done():
            self._over.set_result(None)


def _is_disconnected(reply: Reply) -> bool:
    return isinstance(reply.answer, Fault) and reply.answer.kind is FaultKind.DISCONNECTED

"""How much callers may ask of the daemon at once, so that it is not felt at the tables."""

import asyncio
import inspect
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import grpc

from fivehundred.daemon.errors import UNREAD_S, Context
from fivehundred.wire.errors import DeadlineExceeded, ResourceExhausted, Unimplemented

MOST_CALLERS_KNOWN = 4096
"""How many callers' rates are remembered; those heard of longest ago are forgotten first."""
HEALTH = "/grpc.health."
ATTACH = "/fivehundred.v1.AttachService/"


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of what is served. A caller is an address without its port."""

    calls: int = 256
    """Calls under way, of all callers."""
    calls_each: int = 64
    """Calls under way, of one caller."""
    watchers: int = 1000
    """Streams that last as long as their caller likes, of all callers; not those of bots."""
    watchers_each: int = 200
    """Such streams of one caller."""
    bots: int = 1000
    """Bots that dial in, of all callers."""
    bots_each: int = 200
    """Bots that dial in, of one caller."""
    rate_each: float = 200.0
    """Calls a second of one caller, beyond which they wait."""
    burst_each: int = 400
    """Calls that a caller may make at once before its rate counts."""
    waiting: int = 2048
    """Calls that wait for their turn or their refusal, of all callers; more are refused at once."""
    patience_s: float = 1.0
    """How long a call waits for its turn at most; one that would wait longer is refused."""
    refusal_s: float = 5.0
    """How long a refusal takes, so that a flood comes no faster than it is refused."""
    call_s: float = 60.0
    """How long a call that answers once may take."""
    unread_s: float = UNREAD_S
    """How long a stream may leave a message unread."""
    events: float = 500.0
    """Events sent a second, to all watchers of tournaments together."""


LIMITS = Limits()
"""What holds unless something else is asked for."""


class Kind(StrEnum):
    """What is counted apart."""

    CALL = "calls"
    WATCHER = "watchers"
    BOT = "bots"


class Gauge:
    """Counts what is under way and how fast it comes."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._all: Counter[Kind] = Counter()
        self._each: Counter[tuple[Kind, str]] = Counter()
        self._free_at: OrderedDict[str, float] = OrderedDict()
        """By caller when its bucket would be full again."""
        self._waiting = 0

    @asynccontextmanager
    async def place(self, caller: str, kind: Kind) -> AsyncIterator[None]:
        """A place among those of a kind; raises `ResourceExhausted` where there is none."""
        await self._await_turn(caller)
        await self._require_place(caller, kind)
        self._all[kind] += 1
        self._each[kind, caller] += 1
        try:
            yield
        finally:
            self._all[kind] -= 1
            self._each[kind, caller] -= 1
            if not self._each[kind, caller]:
                del self._each[kind, caller]

    async def _await_turn(self, caller: str) -> None:
        """Return when the caller's rate allows another call."""
        wait = self._reserve(caller)
        if wait > self._limits.patience_s:
            await self._refuse(f"{self._limits.rate_each:g} calls a second", wait)
        if wait > 0:
            await self._wait(wait)

    def _reserve(self, caller: str) -> float:
        """The seconds until the caller's next call is due; it is taken unless that is too long."""
        now = self._clock()
        step = 1 / self._limits.rate_each
        free_at = max(now, self._free_at.get(caller, now)) + step
        wait = free_at - now - self._limits.burst_each * step
        if wait <= self._limits.patience_s:
            self._free_at[caller] = free_at
            self._free_at.move_to_end(caller)
            if len(self._free_at) > MOST_CALLERS_KNOWN:
                self._free_at.popitem(last=False)
        return wait

    async def _require_place(self, caller: str, kind: Kind) -> None:
        most, most_each = _places(self._limits, kind)
        if self._each[kind, caller] >= most_each:
            await self._refuse(f"{most_each} {kind} of one caller at once", 1.0)
        if self._all[kind] >= most:
            await self._refuse(f"{most} {kind} at once", 1.0)

    async def _refuse(self, bound: str, retry_after_s: float) -> None:
        """Refuse, but late."""
        await self._wait(self._limits.refusal_s)
        raise ResourceExhausted(f"too much at once: at most {bound}", retry_after_s)

    async def _wait(self, seconds: float) -> None:
        if self._waiting >= self._limits.waiting:
            bound = f"{self._limits.waiting} calls wait at once"
            raise ResourceExhausted(f"too much at once: at most {bound}", self._limits.refusal_s)
        self._waiting += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._waiting -= 1


class LimitInterceptor(grpc.aio.ServerInterceptor):
    """Lets through what there is a place for, and answers what no method answers."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._gauge = Gauge(limits)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method's handler within its limits."""
        handler = await continuation(handler_call_details)
        method = str(handler_call_details.method)
        if handler is None:
            return grpc.stream_stream_rpc_method_handler(self._unknown(method))
        decode, encode = handler.request_deserializer, handler.response_serializer
        kind = _kind_of(handler, method)
        if handler.request_streaming:
            both_ways = self._both_ways(handler.stream_stream, method, kind)
            return grpc.stream_stream_rpc_method_handler(both_ways, decode, encode)
        if handler.response_streaming:
            inner = handler.unary_stream
            itself = not inspect.isasyncgenfunction(inner)
            wrap = self._both_ways if itself else self._stream
            stream = wrap(inner, method, Kind.WATCHER if itself else kind)
            return grpc.unary_stream_rpc_method_handler(stream, decode, encode)
        return grpc.unary_unary_rpc_method_handler(
            self._unary(handler.unary_unary, method), decode, encode
        )

    def _unknown(self, method: str) -> Any:
        async def answer(_: object, context: Context) -> None:
            async with self._place(context, method, Kind.CALL):
                raise Unimplemented(f"there is no method {method}")

        return answer

    def _unary(self, inner: Any, method: str) -> Any:
        async def answer(request: Any, context: Context) -> Any:
            async with self._place(context, method, Kind.CALL):
                try:
                    async with asyncio.timeout(self._limits.call_s) as limit:
                        return await inner(request, context)
                except TimeoutError:
                    if not limit.expired():
                        raise
                    most = f"{self._limits.call_s:g} s"
                    raise DeadlineExceeded(f"it takes longer than {most}") from None

        return answer

    def _stream(self, inner: Any, method: str, kind: Kind) -> Any:
        async def answer(request: Any, context: Context) -> AsyncIterator[Any]:
            async with (
                self._place(context, method, kind),
                aclosing(inner(request, context)) as answers,
            ):
                async for each in answers:
                    yield each

        return answer

    def _both_ways(self, inner: Any, method: str, kind: Kind) -> Any:
        if inspect.isasyncgenfunction(inner):
            return self._stream(inner, method, kind)

        async def answer(requests: Any, context: Context) -> None:
            async with self._place(context, method, kind):
                await inner(requests, context)

        return answer

    def _place(self, context: Context, method: str, kind: Kind) -> Any:
        caller = caller_at(context.peer())
        if method.startswith(HEALTH):
            caller += " about its health"
        return self._gauge.place(caller, kind)


def caller_at(peer: str) -> str:
    """The caller's address without its port, from ``ipv4:127.0.0.1:5000`` and the like."""
    return peer.rpartition(":")[0] if peer.startswith(("ipv4:", "ipv6:")) else "unix"


def _places(limits: Limits, kind: Kind) -> tuple[int, int]:
    """How many places of a kind there are, for all callers and for each."""
    match kind:
        case Kind.CALL:
            return limits.calls, limits.calls_each
        case Kind.WATCHER:
            return limits.watchers, limits.watchers_each
        case Kind.BOT:
            return limits.bots, limits.bots_each


def _kind_of(handler: Any, method: str) -> Kind:
    if method.startswith(ATTACH):
        return Kind.BOT
    lasting = handler.request_streaming or method.rpartition("/")[2].startswith("Watch")
    return Kind.WATCHER if lasting else Kind.CALL

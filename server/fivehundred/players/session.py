"""A session: one channel to one bot, for one seat or more, used by many tables at once."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Self, TypeAlias

import grpc.aio
from google.protobuf.message import DecodeError

from fivehundred.players.faults import GONE, NO_ANSWER, fault_of_status, malformed
from fivehundred.players.floods import FloodWatch
from fivehundred.players.lag import LagMonitor
from fivehundred.players.line import BeforeAsking, Line
from fivehundred.players.player import Identity, unreachable
from fivehundred.players.stream import DecisionStream
from fivehundred.players.unary import SERVICE, Method, UnaryCalls
from fivehundred.table.values import Ask, Fault, FaultKind, Reply
from fivehundred.v1 import bot_pb2

MAX_ANSWER_BYTES = 64 * 1024
DECIDE = f"{SERVICE}/Decide"
COMEBACK_S = 1.0
"""How long a decision waits for a bot that has gone, so that a restart costs few strikes."""
OPTIONS = (
    ("grpc.max_receive_message_length", MAX_ANSWER_BYTES),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.absolute_max_metadata_size", 16 * 1024),
    ("grpc.enable_retries", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.enable_http_proxy", 0),
    ("grpc.per_message_decompression", 0),
)
_Stream: TypeAlias = "grpc.aio.StreamStreamMultiCallable[bytes, bytes]"
_NAME = re.compile(r"[\w.+-]{1,64}", re.ASCII)


def _nothing() -> None:
    """For sessions without a journal."""


class Session:
    """A greeted bot; it stays usable while the bot goes away and comes back.

    Made by `connect` for a bot that is dialled, by `fivehundred.players.attached` for one that
    dials in. ``hang_up`` ends what the session alone has used.
    """

    def __init__(
        self,
        greeting: bot_pb2.HelloResponse,
        line: Line,
        hang_up: Callable[[], Awaitable[None]],
        watch: FloodWatch | None = None,
    ) -> None:
        bound = greeting.max_in_flight
        self.identity = Identity(greeting.name, greeting.version)
        self._line = line
        self._hang_up = hang_up
        self._watch = watch
        self._slots = asyncio.Semaphore(bound) if bound else None

    @property
    def stray_answers(self) -> int:
        """How many answers belonged to no decision that was waiting."""
        return self._line.stray_answers

    @property
    def messages_sent(self) -> int:
        """How many messages have carried decisions to the bot."""
        return self._line.messages_sent

    async def decide(self, ask: Ask) -> Reply:
        """Ask the bot when it takes another decision; the time until it is sent is not counted."""
        if self._watch is not None and (fault := self._watch.barred) is not None:
            return Reply(fault, 0)
        if self._slots is None:
            return await self._line.decide(ask)
        async with self._slots:
            return await self._line.decide(ask)

    async def close(self) -> None:
        """End the session; decisions under way are disconnected."""
        await self._line.close()
        await self._hang_up()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def connect(
    target: str,
    hellos: Sequence[bot_pb2.HelloRequest],
    *,
    limit_us: int,
    lag: LagMonitor,
    before_asking: BeforeAsking = _nothing,
    credentials: grpc.ChannelCredentials | None = None,
) -> Session:
    """Reach and greet a bot within the limit, or raise `Unreachable`.

    ``target`` is ``host:port`` or ``unix:/path``; ``hellos``, one a seat, hold the rules and their
    hash. Every seat must be the same bot. ``before_asking`` is called before any bytes of a
    decision are sent: to write down what led to it.
    """
    channel = _open(target, credentials)
    watch = FloodWatch(target)

    async def hang_up() -> None:
        await channel.close()
        watch.stop()

    try:
        greeter = await _reach(channel, watch, target, hellos, limit_us / 1e6)
        line = _line(channel, greeter, lag, before_asking)
        return Session(greeter.greeting, line, hang_up, watch)
    except BaseException:
        await hang_up()
        raise


def _line(
    channel: grpc.aio.Channel, greeter: "_Greeter", lag: LagMonitor, before_asking: BeforeAsking
) -> Line:
    """The stream or the single calls, as the bot has asked for."""
    if greeter.greeting.streams:
        method: _Stream = channel.stream_stream(DECIDE, None, None)
        return DecisionStream(method, greeter.rules_hash, greeter.again, lag, before_asking)
    return UnaryCalls(channel, greeter.rules_hash, greeter.again, lag, before_asking)


def _open(target: str, credentials: grpc.ChannelCredentials | None) -> grpc.aio.Channel:
    if credentials is None:
        return grpc.aio.insecure_channel(target, OPTIONS)
    return grpc.aio.secure_channel(target, credentials, OPTIONS)


async def _reach(
    channel: grpc.aio.Channel,
    watch: FloodWatch,
    target: str,
    hellos: Sequence[bot_pb2.HelloRequest],
    limit_s: float,
) -> "_Greeter":
    loop = asyncio.get_running_loop()
    end = loop.time() + limit_s
    try:
        async with asyncio.timeout(limit_s):
            await watch.begin()
            if (barred := watch.barred) is not None:
                raise unreachable(f"{target} is not dialled: {barred.reason}")
            await channel.channel_ready()
            await watch.begin()  # where the name has not resolved before
    except TimeoutError:
        raise unreachable(f"nothing answers at {target} within {limit_s:g} s") from None
    greeter = _Greeter(channel, watch, hellos)
    if (fault := await greeter.first(end - loop.time())) is not None:
        raise unreachable(f"{target} did not answer the greeting: {fault.reason}")
    return greeter


class _Greeter:
    """Says hello for every seat, and says it again when a bot has gone away."""

    def __init__(
        self, channel: grpc.aio.Channel, watch: FloodWatch, hellos: Sequence[bot_pb2.HelloRequest]
    ) -> None:
        self.rules_hash = hellos[0].rules_hash
        self.greeting = bot_pb2.HelloResponse()
        self._messages = [hello.SerializeToString() for hello in hellos]
        self._watch = watch
        self._method: Method = channel.unary_unary(f"{SERVICE}/Hello", None, None)

    async def first(self, limit_s: float) -> Fault | None:
        """Greet for the first time; a fault where a seat gets no answer or another's."""
        answer = await self._greet(self._messages[0], limit_s)
        if isinstance(answer, Fault):
            return answer
        self.greeting = answer
        return await self._greet_all(self._messages[1:], limit_s)

    async def again(self, limit_s: float) -> Fault | None:
        """Greet a bot that may be starting anew; a fault unless the same one answers in time."""
        if (barred := self._watch.barred) is not None:
            return barred
        limit_s = min(limit_s, COMEBACK_S)
        fault = await self._greet_all(self._messages, limit_s, wait_for_ready=True)
        if fault is not None and fault.kind is FaultKind.TIMEOUT:
            return GONE
        return fault

    async def _greet_all(
        self, messages: Sequence[bytes], limit_s: float, *, wait_for_ready: bool = False
    ) -> Fault | None:
        greetings = (self._greet(each, limit_s, wait_for_ready) for each in messages)
        return fault_among(await asyncio.gather(*greetings), self.greeting)

    async def _greet(
        self, message: bytes, limit_s: float, wait_for_ready: bool = False
    ) -> bot_pb2.HelloResponse | Fault:
        try:
            answer = await self._method(message, timeout=limit_s, wait_for_ready=wait_for_ready)
        except grpc.aio.AioRpcError as error:
            return fault_of_status(error)
        return _read_greeting(answer)


def name_of(greeting: bot_pb2.HelloResponse) -> str:
    """Who a bot says it is, as ``name@version``."""
    return f"{greeting.name}@{greeting.version}"


def _read_greeting(answer: bytes | None) -> bot_pb2.HelloResponse | Fault:
    if answer is None:
        return NO_ANSWER
    try:
        greeting = bot_pb2.HelloResponse.FromString(answer)
    except DecodeError:
        return malformed("the answer does not decode as a HelloResponse", answer)
    return checked(greeting)


def checked(answer: bot_pb2.HelloResponse) -> bot_pb2.HelloResponse | Fault:
    """An answer to a greeting, or the fault that its name or version is."""
    wrong = wrong_names(answer)
    return malformed(wrong, answer.SerializeToString()) if wrong else answer


def fault_among(
    answers: Iterable[bot_pb2.HelloResponse | Fault], greeting: bot_pb2.HelloResponse
) -> Fault | None:
    """The first fault among the answers to a greeting; to answer as somebody else is one."""
    for answer in answers:
        if isinstance(answer, Fault):
            return answer
        if name_of(answer) != name_of(greeting):
            return malformed(f"{name_of(greeting)} came back as {name_of(answer)}")
    return None


def wrong_names(greeting: bot_pb2.HelloResponse) -> str:
    """What is wrong with the name or version that a bot gives itself; empty where nothing is."""
    for field, text in (("name", greeting.name), ("version", greeting.version)):
        if not _NAME.fullmatch(text):
            allowed = "1 to 64 letters, digits, '.', '_', '+' or '-'"
            return f"{field} {text[:80]!r} is not allowed: use {allowed}"
    return ""

"""A session: one channel to one bot, for one seat of one entrant, used by many tables at once."""

import asyncio
import contextlib
import re
from typing import Protocol, Self

import grpc.aio
from google.protobuf.message import DecodeError

from fivehundred.players.faults import fault_of_status, malformed
from fivehundred.players.lag import LagMonitor
from fivehundred.players.player import Identity, Unreachable
from fivehundred.players.stream import DecisionStream
from fivehundred.players.unary import SERVICE, Method, UnaryCalls
from fivehundred.table.values import Ask, Fault, FaultKind, Reply
from fivehundred.v1 import bot_pb2

MAX_ANSWER_BYTES = 64 * 1024
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
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.enable_http_proxy", 0),
)
_NAME = re.compile(r"[\w.+-]{1,64}", re.ASCII)


class _Line(Protocol):
    """The way in which decisions travel."""

    stray_answers: int
    messages_sent: int

    async def decide(self, ask: Ask) -> Reply: ...

    async def close(self) -> None: ...


class Session:
    """A greeted bot. Made by `connect`; it stays usable while the bot goes away and comes back."""

    def __init__(self, channel: grpc.aio.Channel, greeter: "_Greeter", lag: LagMonitor) -> None:
        greeting = greeter.greeting
        line = DecisionStream if greeting.streams else UnaryCalls
        bound = greeting.max_in_flight
        self.identity = Identity(greeting.name, greeting.version)
        self._channel = channel
        self._line: _Line = line(channel, greeter.hello.rules_hash, greeter.again, lag)
        self._slots = asyncio.Semaphore(bound) if bound else contextlib.nullcontext()

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
        async with self._slots:
            return await self._line.decide(ask)

    async def close(self) -> None:
        """End the session; decisions under way are disconnected."""
        await self._line.close()
        await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def connect(
    target: str,
    hello: bot_pb2.HelloRequest,
    *,
    limit_us: int,
    lag: LagMonitor,
    credentials: grpc.ChannelCredentials | None = None,
) -> Session:
    """Reach and greet a bot within the limit, or raise `Unreachable`.

    ``target`` is ``host:port`` or ``unix:/path``; ``hello`` holds the rules and their hash.
    """
    channel = _open(target, credentials)
    try:
        return Session(channel, await _reach(channel, target, hello, limit_us / 1e6), lag)
    except BaseException:
        await channel.close()
        raise


def _open(target: str, credentials: grpc.ChannelCredentials | None) -> grpc.aio.Channel:
    if credentials is None:
        return grpc.aio.insecure_channel(target, OPTIONS)
    return grpc.aio.secure_channel(target, credentials, OPTIONS)


async def _reach(
    channel: grpc.aio.Channel, target: str, hello: bot_pb2.HelloRequest, limit_s: float
) -> "_Greeter":
    loop = asyncio.get_running_loop()
    end = loop.time() + limit_s
    try:
        async with asyncio.timeout(limit_s):
            await channel.channel_ready()
    except TimeoutError:
        raise _unreachable(f"nothing answers at {target} within {limit_s:g} s") from None
    greeter = _Greeter(channel, hello)
    answer = await greeter.greet(end - loop.time())
    if isinstance(answer, Fault):
        raise _unreachable(f"{target} did not answer the greeting: {answer.reason}")
    greeter.greeting = answer
    return greeter


def _unreachable(reason: str) -> Unreachable:
    return Unreachable(Fault(FaultKind.UNREACHABLE, reason))


class _Greeter:
    """Says hello, and says it again when a bot has gone away."""

    def __init__(self, channel: grpc.aio.Channel, hello: bot_pb2.HelloRequest) -> None:
        self.hello = hello
        self.greeting = bot_pb2.HelloResponse()
        self._message = hello.SerializeToString()
        self._method: Method = channel.unary_unary(f"{SERVICE}/Hello", None, None)

    async def greet(
        self, limit_s: float, *, wait_for_ready: bool = False
    ) -> bot_pb2.HelloResponse | Fault:
        """The bot's answer to a greeting, or the fault that it was."""
        try:
            answer = await self._method(
                self._message, timeout=limit_s, wait_for_ready=wait_for_ready
            )
        except grpc.aio.AioRpcError as error:
            return fault_of_status(error)
        return _read_greeting(answer)

    async def again(self, limit_s: float) -> Fault | None:
        """Greet a bot that may be starting anew; a fault unless the same one answers in time."""
        answer = await self.greet(min(limit_s, COMEBACK_S), wait_for_ready=True)
        if isinstance(answer, Fault):
            if answer.kind is FaultKind.TIMEOUT:
                return Fault(
                    FaultKind.DISCONNECTED, "the bot is gone and did not come back in time"
                )
            return answer
        before = self.greeting
        if (answer.name, answer.version) != (before.name, before.version):
            was = f"{before.name}@{before.version}"
            return malformed(f"{was} came back as {answer.name}@{answer.version}")
        return None


def _read_greeting(answer: bytes) -> bot_pb2.HelloResponse | Fault:
    try:
        greeting = bot_pb2.HelloResponse.FromString(answer)
    except DecodeError:
        return malformed("the answer does not decode as a HelloResponse", answer)
    for field, text in (("name", greeting.name), ("version", greeting.version)):
        if not _NAME.fullmatch(text):
            allowed = "1 to 64 letters, digits, '.', '_', '+' or '-'"
            return malformed(f"{field} {text[:80]!r} is not allowed: use {allowed}", answer)
    return greeting

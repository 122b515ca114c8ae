"""Dials in to a daemon and keeps one stream over which a bot plays, however often it is lost."""

import asyncio
import contextlib
import random
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import NoReturn, TypeAlias

import grpc.aio

from fivehundred.v1 import attach_pb2, bot_pb2
from fivehundred.wire.attach import framed
from fivehundred_client.bot import Bot
from fivehundred_client.notices import fault_notice, hand_notice
from fivehundred_client.service import Answerer, UnknownRules
from fivehundred_client.tls import Tls

METHOD = "/fivehundred.v1.AttachService/Attach"
SHORTEST_S = 0.1
LONGEST_S = 5.0
"""How long to wait before dialling in again: twice as long each time, up to so many seconds."""
KEEPALIVE_S = 30.0
KEEPALIVE_LIMIT_S = (1.0, 10.0)
"""How long an answer to a ping may take, at least and at most."""
FINAL = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
)
"""What no second try will mend."""

_Method: TypeAlias = "grpc.aio.StreamStreamMultiCallable[bytes, bytes]"
_Call: TypeAlias = "grpc.aio.StreamStreamCall[bytes, bytes]"


class Refused(Exception):
    """The daemon does not let the bot in, and would not if it tried again; says why."""


class _Lost(Exception):
    """The stream has ended; says how."""


def say(text: str) -> None:
    """Tell whoever runs the bot."""
    print(text, file=sys.stderr, flush=True)


async def attach_for_ever(
    bot: Bot,
    address: str,
    name: str,
    token: str,
    *,
    keepalive_s: float = KEEPALIVE_S,
    say: Callable[[str], None] = say,
    tls: Tls | None = None,
) -> NoReturn:
    """Dial in at ``address`` as ``name`` and play, again and again, until cancelled.

    Speaks plain text without ``tls``, whose files are read again each time. Raises `Refused` where
    the daemon does not let the bot in, `TlsError` for wrong files. The connection is pinged when it
    is silent for ``keepalive_s``, so that it stays open and its loss is noticed.
    """
    answerer = Answerer(bot)
    delay, last = SHORTEST_S, ""
    while True:
        try:
            channel = _channel(address, tls, keepalive_s)
            async with _attached(bot, channel, name, token) as call:
                say(f"attached to {address} as {name}")
                delay, last = SHORTEST_S, ""
                await _play(call, bot, answerer)
        except _Lost as error:
            if str(error) != last:
                say(f"not attached to {address}: {error}; trying again")
            last = str(error)
        await asyncio.sleep(delay * random.uniform(0.5, 1.0))
        delay = min(2 * delay, LONGEST_S)


@contextlib.asynccontextmanager
async def _attached(
    bot: Bot, channel: grpc.aio.Channel, name: str, token: str
) -> AsyncIterator[_Call]:
    """A stream that the daemon has accepted; raises `_Lost` when it is lost, or `Refused`."""
    async with channel:
        method: _Method = channel.stream_stream(METHOD, None, None)
        call = method()
        try:
            await call.write(_hello(bot, name, token))
            if not isinstance(await call.read(), bytes):
                raise _Lost("the daemon ended the stream")
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            raise await _ended(call, FINAL) from None
        try:
            yield call
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            raise await _ended(call, FINAL[:1]) from None


def _channel(address: str, tls: Tls | None, keepalive_s: float) -> grpc.aio.Channel:
    if tls is None:
        return grpc.aio.insecure_channel(address, _options(keepalive_s))
    return grpc.aio.secure_channel(address, tls.credentials(), _options(keepalive_s))


async def _ended(call: _Call, final: Sequence[grpc.StatusCode]) -> Refused | _Lost:
    """Why a stream has ended."""
    code, details = await call.code(), await call.details()
    return Refused(details) if code in final else _Lost(f"{code.name}: {details}")


def _options(keepalive_s: float) -> tuple[tuple[str, int], ...]:
    least, most = KEEPALIVE_LIMIT_S
    limit_ms = int(min(max(keepalive_s, least), most) * 1000)
    return (
        ("grpc.keepalive_time_ms", int(keepalive_s * 1000)),
        ("grpc.keepalive_timeout_ms", limit_ms),
        ("grpc.http2.ping_timeout_ms", limit_ms),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.enable_retries", 0),
    )


def _hello(bot: Bot, name: str, token: str) -> bytes:
    greeted = bot_pb2.HelloResponse(
        name=bot.name, version=bot.version, max_in_flight=bot.max_in_flight
    )
    hello = attach_pb2.AttachHello(bot=name, token=token, greeted=greeted)
    return attach_pb2.AttachRequest(hello=hello).SerializeToString()


async def _play(call: _Call, bot: Bot, answerer: Answerer) -> NoReturn:
    """Answer until the stream ends."""
    if answerer.at_once:
        await _play_at_once(call, bot, answerer)
    while isinstance(message := await call.read(), bytes):
        response = attach_pb2.AttachResponse.FromString(message)
        if response.WhichOneof("message") == "decisions":
            await _answer(call, response.session, response.decisions.decisions, answerer)
        else:
            await _take(call, response, bot, answerer)
    raise _Lost("the daemon ended the stream")


async def _play_at_once(call: _Call, bot: Bot, answerer: Answerer) -> NoReturn:
    """Answer all decisions of a session together that have come meanwhile."""
    arrived: asyncio.Queue[bytes | None] = asyncio.Queue()
    reader = asyncio.create_task(_read_into(arrived, call))
    reader.add_done_callback(lambda _: arrived.put_nowait(None))
    try:
        while True:
            waiting: dict[int, list[bot_pb2.Decision]] = {}
            for message in await _all_of(arrived):
                response = attach_pb2.AttachResponse.FromString(message)
                decisions = waiting.setdefault(response.session, [])
                decisions += response.decisions.decisions
                await _take(call, response, bot, answerer)
            for session, decisions in waiting.items():
                await _answer(call, session, decisions, answerer)
            if reader.done() and arrived.empty():
                await reader
                raise _Lost("the daemon ended the stream")
    finally:
        reader.cancel()
        await asyncio.wait([reader])


async def _read_into(arrived: "asyncio.Queue[bytes | None]", call: _Call) -> None:
    while isinstance(message := await call.read(), bytes):
        arrived.put_nowait(message)


async def _all_of(arrived: "asyncio.Queue[bytes | None]") -> list[bytes]:
    """All messages that have come, once there is one or the stream has ended."""
    messages = [await arrived.get()]
    while not arrived.empty():
        messages.append(arrived.get_nowait())
    return [message for message in messages if message is not None]


async def _take(
    call: _Call, response: attach_pb2.AttachResponse, bot: Bot, answerer: Answerer
) -> None:
    """Answer a greeting, or tell the bot what the daemon tells."""
    match response.WhichOneof("message"):
        case "greeting":
            greeted = _greeted(answerer, response.greeting)
            answer = attach_pb2.AttachRequest(session=response.session, greeted=greeted)
            await call.write(answer.SerializeToString())
        case "notices":
            _tell(bot, response.notices)


def _greeted(answerer: Answerer, greeting: bot_pb2.HelloRequest) -> bot_pb2.HelloResponse:
    """The answer to a greeting; nobody's where it is not understood, which costs that session."""
    try:
        return answerer.greet(greeting)
    except Exception:  # noqa: BLE001 - what else the bot plays goes on
        traceback.print_exc(file=sys.stderr)
        return bot_pb2.HelloResponse()


async def _answer(
    call: _Call, session: int, decisions: Sequence[bot_pb2.Decision], answerer: Answerer
) -> None:
    try:
        for answers in answerer.answer_all(decisions):
            await call.write(framed(session, answers))
    except UnknownRules as error:
        raise _Lost(str(error)) from None


def _tell(bot: Bot, notices: attach_pb2.Notices) -> None:
    """Tell the bot; what it raises costs nothing but itself."""
    for fault in notices.faults:
        with _told():
            bot.on_fault(fault_notice(fault))
    for hand in notices.hands:
        with _told():
            bot.on_result(hand_notice(hand))


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except Exception:  # noqa: BLE001 - a bot that cannot be told can still play
        traceback.print_exc(file=sys.stderr)

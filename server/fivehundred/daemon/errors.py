"""Errors as gRPC statuses, at the one place where the daemon answers."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

import grpc
import structlog
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status

from fivehundred.storage.errors import is_disk_full
from fivehundred.wire.errors import MalformedMessage, ResourceExhausted
from fivehundred.wire.status import to_rpc_status

UNREAD_S = 10.0
"""How long a stream may leave a message unread."""
ROOM_LOOKED_FOR_S = 1.0
"""How often the daemon looks for room on a full disk."""
log = structlog.get_logger()


class StartError(Exception):
    """The daemon cannot start as it is configured; the message says what to change."""


Context = grpc.aio.ServicerContext[Any, Any]
Decode = Callable[[bytes], Message]


class StatusInterceptor(grpc.aio.ServerInterceptor):
    """Lets whatever a method raises end the call with its status from `fivehundred.wire.status`.

    A stream that does not take a message within ``unread_s`` is ended.
    """

    def __init__(self, unread_s: float = UNREAD_S) -> None:
        self._unread_s = unread_s

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method's handler, with its errors answered."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return handler
        decode, encode = handler.request_deserializer, handler.response_serializer
        if handler.request_streaming:
            both_ways = _both_ways(handler.stream_stream, decode, self._unread_s)
            return grpc.stream_stream_rpc_method_handler(both_ways, response_serializer=encode)
        if handler.response_streaming:
            inner = handler.unary_stream
            itself = not inspect.isasyncgenfunction(inner)
            stream = _unary(inner, decode) if itself else _stream(inner, decode, self._unread_s)
            return grpc.unary_stream_rpc_method_handler(stream, response_serializer=encode)
        unary = _unary(handler.unary_unary, decode)
        return grpc.unary_unary_rpc_method_handler(unary, response_serializer=encode)


def _unary(inner: Callable[[Any, Context], Awaitable[Any]], decode: Decode) -> Any:
    async def answer(request: bytes, context: Context) -> Any:
        try:
            return await inner(decoded(decode, request), context)
        except Exception as error:  # noqa: BLE001 - every error becomes a status
            return end_with(context, error)

    return answer


def _stream(
    inner: Callable[[Any, Context], AsyncIterator[Any]], decode: Decode, unread_s: float
) -> Any:
    async def answer(request: bytes, context: Context) -> None:
        try:
            await _send(inner(decoded(decode, request), context), context, unread_s)
        except Exception as error:  # noqa: BLE001 - every error becomes a status
            end_with(context, error)

    return answer


def _both_ways(inner: Any, decode: Decode | None, unread_s: float) -> Any:
    async def answer(requests: AsyncIterator[bytes], context: Context) -> None:
        try:
            if inspect.isasyncgenfunction(inner):
                messages = requests if decode is None else _all_decoded(decode, requests)
                await _send(inner(messages, context), context, unread_s)
            else:
                await inner(requests, context)
        except Exception as error:  # noqa: BLE001 - every error becomes a status
            end_with(context, error)

    return answer


async def _send(messages: Any, context: Context, unread_s: float) -> None:
    """Write all messages; raises `ResourceExhausted` where one is not taken in time."""
    async with aclosing(messages):
        async for message in messages:
            try:
                async with asyncio.timeout(unread_s) as limit:
                    await context.write(message)
            except TimeoutError:
                if not limit.expired():
                    raise
                raise _unread(message, unread_s) from None


def _unread(message: object, unread_s: float) -> ResourceExhausted:
    """What is said of a stream that is not read; of one of events, where to go on."""
    words = f"nothing was read for {unread_s:g} s"
    event = getattr(message, "event", None)
    if not isinstance(event, int):
        return ResourceExhausted(words, unread_s)
    words += f": go on after event {event}, the last that was sent"
    return ResourceExhausted(words, unread_s, {"last_event": str(event)})


async def _all_decoded(decode: Decode, requests: AsyncIterator[bytes]) -> AsyncIterator[Message]:
    async for request in requests:
        yield decoded(decode, request)


def decoded(decode: Decode, request: bytes) -> Message:
    """A request; raises `MalformedMessage` where its bytes are none."""
    try:
        return decode(request)
    except DecodeError:
        name = decode(b"").DESCRIPTOR.name
        raise MalformedMessage(f"the request does not decode as {name}") from None


def end_with(context: Context, error: Exception) -> None:
    """Let a call end with an error's status; an error of the daemon's own is logged as well.

    The method has to return then. Nothing is raised, as `grpc.aio.ServicerContext.abort` would: the
    call and that exception would hold one another, and the call's place in its connection with
    them, until the next collection of garbage.
    """
    if isinstance(error, grpc.aio.AbortError):
        raise error  # the method, as one of health, has ended the call itself
    if is_disk_full(error):
        error = ResourceExhausted("the disk is full: nothing can be stored", ROOM_LOOKED_FOR_S)
    status = to_rpc_status(error)
    if status.code == grpc.StatusCode.INTERNAL.value[0]:
        log.error("internal_error", exc_info=error)
    told = rpc_status.to_status(status)
    context.set_trailing_metadata(told.trailing_metadata)
    context.set_code(told.code)
    context.set_details(told.details)

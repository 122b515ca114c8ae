"""Errors as gRPC statuses, at the one place where the daemon answers."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import structlog
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status

from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.status import to_rpc_status

log = structlog.get_logger()


class StartError(Exception):
    """The daemon cannot start as it is configured; the message says what to change."""


Context = grpc.aio.ServicerContext[Any, Any]
Decode = Callable[[bytes], Message]


class StatusInterceptor(grpc.aio.ServerInterceptor):
    """Lets whatever a method raises end the call with its status from `fivehundred.wire.status`."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method's handler, with its errors answered."""
        handler = await continuation(handler_call_details)
        if handler is None or handler.request_streaming:
            return handler
        make = (
            grpc.unary_stream_rpc_method_handler
            if handler.response_streaming
            else grpc.unary_unary_rpc_method_handler
        )
        inner = handler.unary_stream if handler.response_streaming else handler.unary_unary
        wrap = _stream if handler.response_streaming else _unary
        answer = wrap(inner, handler.request_deserializer)
        return make(answer, response_serializer=handler.response_serializer)


def _unary(inner: Callable[[Any, Context], Awaitable[Any]], decode: Decode) -> Any:
    async def answer(request: bytes, context: Context) -> Any:
        try:
            return await inner(_decoded(decode, request), context)
        except Exception as error:  # noqa: BLE001 - every error becomes a status
            return await abort(context, error)

    return answer


def _stream(inner: Callable[[Any, Context], AsyncIterator[Any]], decode: Decode) -> Any:
    async def answer(request: bytes, context: Context) -> AsyncIterator[Any]:
        try:
            async for message in inner(_decoded(decode, request), context):
                yield message
        except Exception as error:  # noqa: BLE001 - every error becomes a status
            await abort(context, error)

    return answer


def _decoded(decode: Decode, request: bytes) -> Message:
    try:
        return decode(request)
    except DecodeError:
        name = decode(b"").DESCRIPTOR.name
        raise MalformedMessage(f"the request does not decode as {name}") from None


async def abort(context: Context, error: Exception) -> None:
    """End a call with an error's status; an error of the daemon's own is logged as well."""
    if isinstance(error, grpc.aio.AbortError):
        raise error
    status = to_rpc_status(error)
    if status.code == grpc.StatusCode.INTERNAL.value[0]:
        log.error("internal_error", exc_info=error)
    await context.abort_with_status(rpc_status.to_status(status))

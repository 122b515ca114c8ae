"""The gate: who calls is found out, and what it may not do is refused, before a method runs."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Any

import grpc

from fivehundred.daemon.attach_tokens import token_hash
from fivehundred.daemon.audit import Audit
from fivehundred.daemon.caller import ANYBODY, EVERYTHING, Caller, caller_of_token, set_caller
from fivehundred.daemon.errors import Context, decoded
from fivehundred.daemon.permissions import EVERYBODY, Own, Right, right_of
from fivehundred.daemon.results import plan_of
from fivehundred.storage.access import AccessTokens, Role
from fivehundred.storage.store import Store
from fivehundred.wire.errors import NotFound, PermissionDenied, ServiceError, Unauthenticated

KEY = "authorization"
SCHEME = "bearer"
NO_TOKEN = (
    'no token: send one as the metadata "authorization: Bearer TOKEN"; '
    "`fivehundred token create` makes one"
)
WRONG_TOKEN = "wrong token: it is unknown, has been revoked or has expired"


class Gate(grpc.aio.ServerInterceptor):
    """Lets callers through who may call what they call; closed until it is opened."""

    def __init__(self) -> None:
        self.audit = Audit("access_refused")
        self._store: Store | None = None
        self._tokens: AccessTokens | None = None
        self._wanted: Callable[[], bool] = lambda: True

    def open(self, store: Store, tokens: AccessTokens, wanted: Callable[[], bool]) -> None:
        """Let callers through; ``wanted`` says whether a token is."""
        self._store, self._tokens, self._wanted = store, tokens, wanted

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method's handler behind the gate."""
        handler = await continuation(handler_call_details)
        method = str(handler_call_details.method)
        right = right_of(method)
        if handler is None or right == EVERYBODY:
            return handler
        passage = _Passage(self, method, right)
        if handler.request_streaming:
            return grpc.stream_stream_rpc_method_handler(
                passage.both_ways(handler.stream_stream),
                handler.request_deserializer,
                handler.response_serializer,
            )
        if handler.response_streaming:
            answer = passage.stream(handler.unary_stream, handler.request_deserializer)
            return grpc.unary_stream_rpc_method_handler(answer, bytes, handler.response_serializer)
        answer = passage.unary(handler.unary_unary, handler.request_deserializer)
        return grpc.unary_unary_rpc_method_handler(answer, bytes, handler.response_serializer)

    def wants_tokens(self) -> bool:
        """Whether callers need a token."""
        return self._wanted()

    def caller_in(self, context: Context) -> Caller:
        """Who calls; raises `Unauthenticated` where a token is wanted and none that is valid is
        there.
        """
        if not self._wanted():
            return EVERYTHING
        token = _token(context.invocation_metadata() or ())
        known = self._tokens.valid(token_hash(token)) if self._tokens is not None else None
        if known is None:
            raise Unauthenticated(WRONG_TOKEN)
        return caller_of_token(known)

    def may_ask(self, caller: Caller, own: Own, request: Any) -> bool:
        """Whether a request is about a bot that the caller answers for, as it must be."""
        if caller.role is not Role.OWNER:
            return True
        return (request.name if own is Own.BOT else self._bot_of(request)) in caller.bots

    def _bot_of(self, request: Any) -> str | None:
        """The registered bot of the entrant that a request names; None where there is none."""
        if self._store is None:
            return None
        name = request.name if hasattr(request, "name") else request.tournament
        try:
            entrants = plan_of(self._store, name).entrants
        except NotFound:
            return None
        return next((each.registered for each in entrants if each.name == request.entrant), None)


class _Passage:
    """The gate before one method."""

    def __init__(self, gate: Gate, method: str, right: Right | None) -> None:
        self._gate = gate
        self._method = method
        self._right = right

    def unary(self, inner: Any, decode: Any) -> Any:
        """A method that answers once."""

        async def answer(request: bytes, context: Context) -> Any:
            return await inner(self._let_through(request, decode, context), context)

        return answer

    def stream(self, inner: Any, decode: Any) -> Any:
        """A method that answers again and again, for as long as the caller's token is valid."""

        async def answer(request: bytes, context: Context) -> AsyncIterator[Any]:
            message = self._let_through(request, decode, context)
            async with aclosing(inner(message, context)) as answers:
                async for each in answers:
                    self._caller(context)
                    yield each

        return answer

    def both_ways(self, inner: Any) -> Any:
        """A method that is asked again and again as well."""

        async def answer(requests: Any, context: Context) -> AsyncIterator[Any]:
            set_caller(self._caller(context))
            async with aclosing(inner(requests, context)) as answers:
                async for each in answers:
                    self._caller(context)
                    yield each

        return answer

    def _let_through(self, request: bytes, decode: Any, context: Context) -> Any:
        """The request, decoded, of a caller who may make it; it is known to the method."""
        caller = self._caller(context)
        message = decoded(decode, request)
        own = self._right.own if self._right is not None else None
        if own is not None and not self._gate.may_ask(caller, own, message):
            error = PermissionDenied(f"the {own.value} is none of the token's")
            raise self._refused(context, error, caller)
        set_caller(caller)
        return message

    def _caller(self, context: Context) -> Caller:
        """Who calls, where it may call the method."""
        try:
            caller = self._gate.caller_in(context)
        except Unauthenticated as error:
            raise self._refused(context, error, ANYBODY) from None
        if self._right is None or not self._right.is_held_by(caller):
            raise self._refused(context, PermissionDenied(self._denial(caller)), caller)
        return caller

    def _denial(self, caller: Caller) -> str:
        method = self._method.rpartition("/")[2]
        least = self._right.least if self._right is not None else None
        if caller.role is None or least is None:
            return f"nobody may call {method}"
        return f"{method} wants the role {least.name}: the token's is {caller.role.name}"

    def _refused(self, context: Context, error: ServiceError, caller: Caller) -> ServiceError:
        """The error, once it is in the audit log."""
        self._gate.audit.refused(
            context.peer(), str(error), method=self._method, caller=caller.name
        )
        return error


def _token(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """The one token of a call."""
    values = [str(value) for key, value in metadata if key == KEY]
    if not values:
        raise Unauthenticated(NO_TOKEN)
    scheme, _, token = values[0].partition(" ")
    if len(values) > 1 or scheme.lower() != SCHEME:
        raise Unauthenticated(NO_TOKEN)
    return token.strip()

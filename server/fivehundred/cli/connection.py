"""How a daemon is reached: in plain text or by TLS, and with whose token."""

import os
from dataclasses import dataclass, fields
from typing import Any

import grpc

from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import TLS_CA
from fivehundred_client.tls import CA_VARIABLE, Tls, TlsError, tls_of

TOKEN_VARIABLE = "FIVEHUNDRED_ACCESS_TOKEN"
OPTIONS = (("grpc.enable_retries", 0),)


def channel_to(address: str) -> grpc.Channel:
    """A channel to a daemon, on which every call carries the token of the environment."""
    channel = _channel(address)
    token = os.environ.get(TOKEN_VARIABLE)
    return grpc.intercept_channel(channel, _Bearer(token)) if token else channel


def tls() -> Tls | None:
    """What TLS needs by the options and the environment; None for plain text."""
    authority = TLS_CA.get()
    try:
        return tls_of({**os.environ, CA_VARIABLE: str(authority)} if authority else os.environ)
    except TlsError as error:
        raise ConfigError(str(error)) from None


def _channel(address: str) -> grpc.Channel:
    wanted = tls()
    if wanted is None:
        return grpc.insecure_channel(address, OPTIONS)
    try:
        return grpc.secure_channel(address, wanted.credentials(), OPTIONS)
    except TlsError as error:
        raise ConfigError(str(error)) from None


@dataclass(frozen=True, slots=True)
class _Details(grpc.ClientCallDetails):
    """A call, as the interceptors of gRPC have it."""

    method: str
    timeout: float | None
    metadata: Any
    credentials: grpc.CallCredentials | None
    wait_for_ready: bool | None
    compression: grpc.Compression | None


class _Bearer(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
    """Adds a token to every call."""

    def __init__(self, token: str) -> None:
        self._entry = ("authorization", f"Bearer {token}")

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        return continuation(self._with_token(details), request)

    def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return continuation(self._with_token(details), request)

    def _with_token(self, details: Any) -> _Details:
        names = [each.name for each in fields(_Details)]
        values: dict[str, Any] = {name: getattr(details, name, None) for name in names}
        values["metadata"] = [*(values["metadata"] or ()), self._entry]
        return _Details(**values)

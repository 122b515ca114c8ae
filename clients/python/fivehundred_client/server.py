"""Serves a bot over gRPC: many decisions a message on a stream, or one decision a call."""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import grpc.aio

from fivehundred_client.attach import Refused, attach_for_ever
from fivehundred_client.bot import Bot
from fivehundred_client.service import BotServicer, handler
from fivehundred_client.tls import Tls, tls_of

LISTEN_VARIABLE = "FIVEHUNDRED_LISTEN"
TOKEN_VARIABLE = "FIVEHUNDRED_TOKEN"
ANY_PORT = "127.0.0.1:0"
STOP_GRACE_S = 0.2
OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
)


@runtime_checkable
class RawBot(Protocol):
    """A bot that speaks the protocol itself, down to the bytes; what the faulty bots are."""

    def handler(self) -> grpc.GenericRpcHandler:
        """What answers the calls of the bot service."""
        ...


class Server:
    """A bot being served. ``address`` is where: with the true port where 0 was asked for."""

    def __init__(self, server: grpc.aio.Server, address: str) -> None:
        self.address = address
        self._server = server

    async def wait(self) -> None:
        """Wait until the server has stopped."""
        await self._server.wait_for_termination()

    async def stop(self) -> None:
        """Stop serving; what is under way has a moment to end."""
        await self._server.stop(STOP_GRACE_S)


async def serve(bot: Bot | RawBot, address: str = ANY_PORT) -> Server:
    """Serve a bot at ``host:port`` or ``unix:/path``; raises OSError when that is not free.

    A bot with a method ``handler`` (`RawBot`) answers by that instead of by ``bid``, ``discard``
    and ``play``.
    """
    server = grpc.aio.server(options=OPTIONS)
    answering = bot.handler() if isinstance(bot, RawBot) else handler(BotServicer(bot))
    server.add_generic_rpc_handlers((answering,))
    bound = _bind(server, address)
    await server.start()
    return Server(server, bound)


def run(
    bot: Bot | RawBot,
    listen: str | None = None,
    *,
    attach: str | None = None,
    name: str | None = None,
    token: str | None = None,
    tls: Tls | None = None,
) -> None:
    """Serve a bot until SIGTERM or SIGINT.

    Listens at ``listen``, else at the command line's ``--listen ADDRESS``, else at
    FIVEHUNDRED_LISTEN of the environment, else at a free local port; says on stderr where.

    With ``attach``, or ``--attach ADDRESS`` on the command line, it dials in to the daemon there
    instead and keeps one connection, which it makes anew whenever it is lost. ``name`` (or
    ``--name``) is what the bot is registered as, its own name where left out; ``token`` is what
    registering it gave, FIVEHUNDRED_TOKEN of the environment where left out; ``tls`` is what TLS
    needs, by FIVEHUNDRED_TLS_CA, FIVEHUNDRED_TLS_CERT and FIVEHUNDRED_TLS_KEY of the environment
    where left out.
    """
    wanted = _Wanted(listen, attach, name)
    if listen is None and attach is None:
        wanted = _wanted(name)
    try:
        asyncio.run(_until_signalled(_serving(bot, wanted, token, tls)))
    except (OSError, Refused) as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


def _bind(server: grpc.aio.Server, address: str) -> str:
    try:
        port = server.add_insecure_port(address)
    except RuntimeError:
        raise OSError(f"cannot listen at {address}: is it in use? name another address") from None
    return address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Where to listen, or where to dial in and as whom."""

    listen: str | None
    attach: str | None
    name: str | None


def _wanted(name: str | None) -> _Wanted:
    """What the command line and the environment say."""
    parser = argparse.ArgumentParser(description="Serve a bot that plays 500.")
    default = os.environ.get(LISTEN_VARIABLE, ANY_PORT)
    parser.add_argument("--listen", default=default, help="host:port or unix:/path")
    parser.add_argument(
        "--attach", help="the daemon to dial in to instead, host:port or unix:/path"
    )
    parser.add_argument("--name", default=name, help="what the bot is registered as there")
    known, _ = parser.parse_known_args()
    return _Wanted(known.listen, known.attach, known.name)


async def _serving(bot: Bot | RawBot, wanted: _Wanted, token: str | None, tls: Tls | None) -> None:
    """Serve a bot for ever, until it is cancelled."""
    if wanted.attach is None:
        await _listening(bot, wanted.listen or ANY_PORT)
    elif isinstance(bot, Bot):
        token = token or os.environ.get(TOKEN_VARIABLE)
        if not token:
            raise Refused(f"no token: set {TOKEN_VARIABLE} or give token=")
        name, tls = wanted.name or bot.name, tls or tls_of(os.environ)
        await attach_for_ever(bot, wanted.attach, name, token, tls=tls)
    else:
        raise Refused("a bot that speaks the protocol itself cannot dial in")


async def _listening(bot: Bot | RawBot, address: str) -> None:
    server = await serve(bot, address)
    print(f"listening at {server.address}", file=sys.stderr, flush=True)
    try:
        await server.wait()
    finally:
        await server.stop()


async def _until_signalled(serving: Coroutine[None, None, None]) -> None:
    task = asyncio.ensure_future(serving)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows' event loop has no such handlers.
            loop.add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task

"""``fivehundred serve``: the daemon's process, from its start to its last signal."""

import asyncio
import gc
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from fivehundred.daemon.access_service import AccessServicer
from fivehundred.daemon.director import Director
from fivehundred.daemon.embedded import director_of
from fivehundred.daemon.errors import StartError, StatusInterceptor
from fivehundred.daemon.gate import Gate
from fivehundred.daemon.limits import LIMITS, LimitInterceptor, Limits
from fivehundred.daemon.listening import Security, bind, is_local
from fivehundred.daemon.services import SERVICES, add_services
from fivehundred.storage.access import AccessTokens
from fivehundred.storage.errors import StorageError
from fivehundred.storage.store import Store
from fivehundred.v1 import access_pb2_grpc

GRACE_S = 30.0
KEEPALIVE_S = 30.0
KEEPALIVE_LIMIT_S = (1.0, 10.0)
"""How long an answer to a ping may take, at least and at most; a peer that gives none is dead."""
LEAST_PING_INTERVAL_MS = 10_000
"""How often a peer may ping, unless it is pinged more often itself."""
COLLECT_S = 1.0
STREAMS = 100
"""Calls at once of one connection; a client's library lets more wait."""
SECURITY = Security()
"""What holds unless something else is asked for."""
log = structlog.get_logger()


async def serve(
    listen: str,
    database: Path,
    ready: Callable[[str], None],
    keepalive_s: float = KEEPALIVE_S,
    workers: int = 1,
    security: Security = SECURITY,
    limits: Limits = LIMITS,
) -> int:
    """Run the daemon until it is told to end; gives the exit code.

    ``ready`` gets the address that is bound. The first SIGTERM or SIGINT lets the hands under way
    finish, the second one ends at once; either way the tournaments go on at the next start.
    Every connection that is silent for ``keepalive_s`` is pinged.
    """
    gate = Gate()
    server = grpc.aio.server(
        options=_options(keepalive_s),
        interceptors=[StatusInterceptor(limits.unread_s), LimitInterceptor(limits), gate],
    )
    address = bind(server, listen, security)
    try:
        async with director_of(database, workers) as (store, director):
            tokens = _open(gate, store, database, is_local(listen), security.tokens)
            return await _run(server, store, director, tokens, limits, lambda: ready(address))
    except StorageError as error:
        raise StartError(str(error)) from None


def _open(
    gate: Gate, store: Store, database: Path, local: bool, wanted: bool | None
) -> AccessTokens:
    """Open the gate to whoever has a token, or to everybody where none is wanted."""
    tokens = AccessTokens(store.engine)
    if wanted is None and local:
        gate.open(store, tokens, tokens.exist)
    else:
        gate.open(store, tokens, lambda: wanted is not False)
    if gate.wants_tokens() and not tokens.admins():
        raise StartError(
            f"{database} has no valid token of the role ADMIN, and callers need tokens: make one "
            f"with `fivehundred token create NAME --role admin --database {database}`, or give "
            "--no-tokens"
        )
    if not local and not gate.wants_tokens():
        log.warning("no_tokens_beyond_this_machine", risk="whoever reaches the port is an admin")
    return tokens


def _options(keepalive_s: float) -> tuple[tuple[str, int], ...]:
    """The server's options. Silent connections are kept, dead ones noticed; peers may ping too."""
    keepalive_ms = int(keepalive_s * 1000)
    least, most = KEEPALIVE_LIMIT_S
    limit_ms = int(min(max(keepalive_s, least), most) * 1000)
    return (
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", 1 << 20),
        ("grpc.max_concurrent_streams", STREAMS),
        ("grpc.keepalive_time_ms", keepalive_ms),
        ("grpc.keepalive_timeout_ms", limit_ms),
        ("grpc.http2.ping_timeout_ms", limit_ms),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        (
            "grpc.http2.min_ping_interval_without_data_ms",
            min(keepalive_ms // 3, LEAST_PING_INTERVAL_MS),
        ),
    )


async def _run(
    server: grpc.aio.Server,
    store: Store,
    director: Director,
    tokens: AccessTokens,
    limits: Limits,
    ready: Callable[[], None],
) -> int:
    stop = _Stop()
    aside = add_services(server, store, director, limits)
    checks = _add_services(server, tokens)
    try:
        await server.start()
        await checks.set("", health_pb2.HealthCheckResponse.SERVING)
        log.info("daemon_started", resumed=director.resume())
        ready()
        await _first(
            *(stop.drain.wait(), director.failed.wait()),
            *(_tell_holds(checks, director), _let_calls_go()),
        )
        await checks.enter_graceful_shutdown()
        await _end(stop, director)
        director.attached.end_all()
    finally:
        try:
            await server.stop(1.0)
        finally:
            await asyncio.to_thread(aside.close)
    log.info("daemon_ended")
    return 1 if director.failed.is_set() else 0


async def _tell_holds(checks: health.aio.HealthServicer, director: Director) -> None:
    """Let health say whether the disk has room."""
    status = health_pb2.HealthCheckResponse
    while True:
        held = await director.holding.changes.get()
        await checks.set("", status.NOT_SERVING if held else status.SERVING)


async def _let_calls_go() -> None:
    """Collect young garbage now and then, also while nothing else is done.

    A call that its caller gives up, or whose request is too large, is held by its own exception
    in grpc.aio, and with it one of the connection's places.
    """
    while True:
        await asyncio.sleep(COLLECT_S)
        gc.collect(1)


class _Stop:
    """The signals so far: the first asks for a drain, the second for an end at once."""

    def __init__(self) -> None:
        self.drain = asyncio.Event()
        self.now = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._signalled)

    def _signalled(self) -> None:
        (self.now if self.drain.is_set() else self.drain).set()


async def _end(stop: _Stop, director: Director) -> None:
    """Drain within the grace, or end at once."""
    if not director.failed.is_set():
        log.info("daemon_draining", grace_s=GRACE_S)
        await _first(director.close(drain=True), stop.now.wait(), asyncio.sleep(GRACE_S))
    await director.close(drain=False)


async def _first(*waits: Coroutine[Any, Any, object]) -> None:
    """Return when the first of some is over, the others cancelled; raises what one has raised."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        if not task.cancelled():
            task.result()


def _add_services(server: grpc.aio.Server, tokens: AccessTokens) -> health.aio.HealthServicer:
    """Add what is not about tournaments."""
    access_pb2_grpc.add_AccessServiceServicer_to_server(AccessServicer(tokens), server)
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
    return checks

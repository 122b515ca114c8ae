"""``fivehundred serve``: the daemon's process, from its start to its last signal."""

import asyncio
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from fivehundred.daemon.director import Director
from fivehundred.daemon.embedded import director_of
from fivehundred.daemon.errors import StartError, StatusInterceptor
from fivehundred.daemon.services import SERVICES, add_services
from fivehundred.storage.errors import StorageError
from fivehundred.storage.store import Store
from fivehundred.wire.spec import is_address

GRACE_S = 30.0
KEEPALIVE_S = 30.0
KEEPALIVE_LIMIT_S = (1.0, 10.0)
"""How long an answer to a ping may take, at least and at most; a peer that gives none is dead."""
LEAST_PING_INTERVAL_MS = 10_000
"""How often a peer may ping, unless it is pinged more often itself."""
log = structlog.get_logger()


async def serve(
    listen: str,
    database: Path,
    ready: Callable[[str], None],
    keepalive_s: float = KEEPALIVE_S,
    workers: int = 1,
) -> int:
    """Run the daemon until it is told to end; gives the exit code.

    ``ready`` gets the address that is bound. The first SIGTERM or SIGINT lets the hands under way
    finish, the second one ends at once; either way the tournaments go on at the next start.
    Every connection that is silent for ``keepalive_s`` is pinged.
    """
    server = grpc.aio.server(options=_options(keepalive_s), interceptors=[StatusInterceptor()])
    address = _bind(server, listen)
    try:
        async with director_of(database, workers) as (store, director):
            return await _run(server, store, director, lambda: ready(address))
    except StorageError as error:
        raise StartError(str(error)) from None


def _options(keepalive_s: float) -> tuple[tuple[str, int], ...]:
    """The server's options. Silent connections are kept, dead ones noticed; peers may ping too."""
    keepalive_ms = int(keepalive_s * 1000)
    least, most = KEEPALIVE_LIMIT_S
    limit_ms = int(min(max(keepalive_s, least), most) * 1000)
    return (
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", 1 << 20),
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
    server: grpc.aio.Server, store: Store, director: Director, ready: Callable[[], None]
) -> int:
    stop = _Stop()
    checks = _add_services(server, store, director)
    await server.start()
    await checks.set("", health_pb2.HealthCheckResponse.SERVING)
    log.info("daemon_started", resumed=director.resume())
    ready()
    await _first(stop.drain.wait(), director.failed.wait())
    await checks.enter_graceful_shutdown()
    await _end(stop, director)
    director.attached.end_all()
    await server.stop(1.0)
    log.info("daemon_ended")
    return 1 if director.failed.is_set() else 0


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
    log.info("daemon_draining", grace_s=GRACE_S)
    await _first(director.close(drain=True), stop.now.wait(), asyncio.sleep(GRACE_S))
    await director.close(drain=False)


async def _first(*waits: object) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]  # type: ignore[call-overload]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _add_services(
    server: grpc.aio.Server, store: Store, director: Director
) -> health.aio.HealthServicer:
    add_services(server, store, director)
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
    return checks


def _bind(server: grpc.aio.Server, listen: str) -> str:
    if not is_address(listen, least_port=0):
        raise StartError(
            f"cannot listen at {listen}: write host:port with a port up to 65535 (0 for any that "
            "is free), or unix:/path"
        )
    if listen.startswith("unix:") and _answers(listen.removeprefix("unix:")):
        raise StartError(f"cannot listen at {listen}: another process listens there")
    try:
        port = server.add_insecure_port(listen)
    except RuntimeError:
        raise StartError(
            f"cannot listen at {listen}: the address is taken or not of this machine"
        ) from None
    return listen if listen.startswith("unix:") else f"{listen.rpartition(':')[0]}:{port}"


def _answers(path: str) -> bool:
    """Whether somebody listens at a socket's path; gRPC replaces a file that nobody answers at."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(path.removeprefix("//"))
        except (BlockingIOError, TimeoutError):
            return True
        except OSError:
            return False
    return True

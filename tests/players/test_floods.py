"""Connections that bring far more than they are sent are shut; others never are."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from fivehundred.players.floods import ALLOWANCE, MOST_FLOODS, FloodWatch

LIMIT_S = 10.0
ENDLESS = 1 << 20
"""Kilobytes that take longer than it takes to notice them."""


@pytest.fixture
async def peer() -> AsyncIterator[str]:
    """The address of a peer that sends so many kilobytes as the number it gets, a line each."""

    serving: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(writer)
        async with aborted(writer):
            while line := await reader.readline():
                for _ in range(int(line)):
                    writer.write(bytes(1024))
                    await writer.drain()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        host, port = server.sockets[0].getsockname()
        yield f"{host}:{port}"
        for writer in serving:
            async with aborted(writer):
                pass


@contextlib.asynccontextmanager
async def aborted(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    """A connection that is gone after the block, whoever ends it."""
    try:
        with contextlib.suppress(ConnectionError):
            yield
    finally:
        writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def asked(peer: str, kilobytes: int) -> int:
    """How many bytes of those wanted have come when they all have, or the connection is shut."""
    host, _, port = peer.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    received = 0
    async with aborted(writer):
        writer.write(f"{kilobytes}\n".encode())
        while received < kilobytes << 10 and (some := await reader.read(1 << 16)):
            received += len(some)
            await asyncio.sleep(0)
    return received


@pytest.fixture
async def watch(peer: str) -> AsyncIterator[FloodWatch]:
    """A watch on the peer."""
    watch = FloodWatch(peer)
    await watch.begin()
    yield watch
    watch.stop()


async def test_a_flood_is_shut(peer: str, watch: FloodWatch) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not watch.floods:
            received = await asked(peer, ENDLESS)

    assert received < ENDLESS << 10


async def test_what_stays_within_the_allowance_is_let_through(peer: str, watch: FloodWatch) -> None:
    kilobytes = ALLOWANCE // 2048

    assert await asked(peer, kilobytes) == kilobytes << 10
    assert watch.floods == 0


async def test_a_peer_that_floods_again_and_again_is_not_let_in(
    peer: str, watch: FloodWatch
) -> None:
    async with asyncio.timeout(LIMIT_S):
        while watch.floods < MOST_FLOODS:
            await asked(peer, ENDLESS)
        host, _, port = peer.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        async with aborted(writer):
            assert await reader.read() == b""


@pytest.mark.parametrize("target", ["unix:/nowhere", "unix:///run/bot:1", "nowhere", ":1"])
async def test_there_is_nothing_to_watch_where_no_port_is_known(target: str) -> None:
    watch = FloodWatch(target)
    await watch.begin()
    watch.stop()

    assert watch.floods == 0

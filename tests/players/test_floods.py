"""Connections that bring far more than they are sent are shut; others never are."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from fivehundred.players import floods
from fivehundred.players.floods import ALLOWANCE, GRACE_S, MOST_FLOODS, FloodWatch
from fivehundred.table.values import FaultKind

LIMIT_S = 10.0
DUE_FOR_ONE = b"1".rjust(100, b"0") + b"\n"
"""Asks for a kilobyte and is long enough for it to be due, however quickly the two go on."""
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

    barred = watch.barred
    assert barred is not None and barred.kind is FaultKind.DISCONNECTED
    assert barred.reason == f"the bot has flooded {MOST_FLOODS} times: barred for 10 s"


async def test_a_peer_is_let_in_again_and_barred_for_longer_when_it_floods_then(
    peer: str, watch: FloodWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floods, "BARRED_S", 0.5)
    async with asyncio.timeout(LIMIT_S):
        while watch.floods < MOST_FLOODS:
            await asked(peer, ENDLESS)
        while watch.barred is not None:
            await asked(peer, 1)
        while watch.floods == MOST_FLOODS:
            await asked(peer, ENDLESS)

    assert watch.barred is not None
    assert watch.barred.reason.endswith("barred for 1 s")


async def test_what_is_left_open_is_shut_when_nobody_watches_any_more(
    peer: str, watch: FloodWatch
) -> None:
    host, _, port = peer.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    async with aborted(writer), asyncio.timeout(LIMIT_S):
        watch.stop()

        assert await reader.read() == b""


async def test_a_new_watch_keeps_what_is_open(peer: str, watch: FloodWatch) -> None:
    host, _, port = peer.rpartition(":")
    other = FloodWatch(peer)
    reader, writer = await asyncio.open_connection(host, int(port))
    async with aborted(writer), asyncio.timeout(LIMIT_S):
        watch.stop()
        await other.begin()
        loop = asyncio.get_running_loop()
        end = loop.time() + 2 * GRACE_S
        while loop.time() < end:
            writer.write(DUE_FOR_ONE)
            await reader.readexactly(1024)
        assert other.floods == 0
    other.stop()


@pytest.mark.parametrize(
    "target", ["unix:/nowhere", "unix:///run/bot:1", "nowhere", ":1", "a..b:1", f"::1:{9**30}"]
)
async def test_there_is_nothing_to_watch_where_no_port_is_known(target: str) -> None:
    watch = FloodWatch(target)
    await watch.begin()
    watch.stop()

    assert watch.floods == 0

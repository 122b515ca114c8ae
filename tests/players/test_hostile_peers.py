"""Peers that are no bots at all, or that want to harm the daemon."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence

import pytest

from fivehundred.players.player import Unreachable
from fivehundred.players.session import Session
from fivehundred.table.values import Ask, Fault, FaultKind
from fivehundred.v1 import bot_pb2
from fivehundred_bots.faulty import Faulty, Message, Silent
from fivehundred_client import Bot, RawBot

Listen = Callable[[Bot | RawBot], Awaitable[str]]
Greet = Callable[..., Awaitable[Session]]
MakeAsk = Callable[..., Ask]
MS = 1_000


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\n\r\n", b"\x00" * 4096])
async def test_a_peer_that_speaks_no_grpc_is_unreachable(said: bytes, greet: Greet) -> None:
    async def serve_bytes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            writer.write(said)
            await reader.read()

    server = await asyncio.start_server(serve_bytes, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    async with server:
        with pytest.raises(Unreachable, match=r"nothing answers|did not answer"):
            await greet(f"127.0.0.1:{port}", 300 * MS)


async def test_a_bot_that_does_not_read_holds_nothing_up_for_long(
    listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    session = await greet(await listen(Silent()))
    ask = make_ask(limit_us=100 * MS)

    for _ in range(3):
        async with asyncio.timeout(5):
            replies = await asyncio.gather(*(session.decide(ask) for _ in range(1_000)))
        faults = {reply.answer.kind for reply in replies if isinstance(reply.answer, Fault)}
        assert faults <= {FaultKind.TIMEOUT, FaultKind.DISCONNECTED}
        assert all(isinstance(reply.answer, Fault) for reply in replies)


async def test_a_flood_of_answers_ends_the_stream(
    listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    class Flooding(Faulty):
        async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
            return [b""] * 5_000

    session = await greet(await listen(Flooding()))

    reply = await session.decide(make_ask())

    assert isinstance(reply.answer, Fault)
    assert reply.answer.kind is FaultKind.MALFORMED
    assert "in a row answer nothing" in reply.answer.reason


async def test_other_bots_answer_while_one_hangs(
    listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    hung = await greet(await listen(Silent()))
    fair = await greet(await listen(Bot()))
    hanging = [asyncio.create_task(hung.decide(make_ask(limit_us=300 * MS))) for _ in range(50)]

    replies = [await fair.decide(make_ask()) for _ in range(50)]

    assert not any(isinstance(reply.answer, Fault) for reply in replies)
    assert not any(task.done() for task in hanging)
    assert all(isinstance(reply.answer, Fault) for reply in await asyncio.gather(*hanging))

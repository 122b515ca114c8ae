"""Places, rates and turns, on a clock of the test's own where time matters."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from fivehundred.daemon.errors import StatusInterceptor
from fivehundred.daemon.limits import Gauge, Kind, LimitInterceptor, Limits, caller_at
from fivehundred.daemon.watching import Turns
from fivehundred.wire.errors import ResourceExhausted

QUICK = Limits(3, 2, watchers=2, watchers_each=1, bots=2, bots_each=1, rate_each=1e6, refusal_s=0)
ATTACH = "/fivehundred.v1.AttachService/Attach"
LASTING = "/fivehundred.v1.Elsewhere/Talk"


async def test_a_caller_has_so_many_places_and_all_have_so_many() -> None:
    gauge = Gauge(QUICK)

    async with gauge.place("a", Kind.CALL), gauge.place("a", Kind.CALL):
        with pytest.raises(ResourceExhausted, match="at most 2 calls of one caller at once"):
            async with gauge.place("a", Kind.CALL):
                pass
        async with gauge.place("b", Kind.CALL):
            with pytest.raises(ResourceExhausted, match="at most 3 calls at once"):
                async with gauge.place("c", Kind.CALL):
                    pass
    async with gauge.place("a", Kind.CALL):
        pass


async def test_watchers_have_places_of_their_own() -> None:
    gauge = Gauge(QUICK)

    async with (
        gauge.place("a", Kind.CALL),
        gauge.place("a", Kind.CALL),
        gauge.place("a", Kind.WATCHER),
        gauge.place("b", Kind.WATCHER),
    ):
        with pytest.raises(ResourceExhausted, match="at most 2 watchers at once"):
            async with gauge.place("c", Kind.WATCHER):
                pass


async def test_watchers_take_no_place_of_a_bot() -> None:
    gauge = Gauge(QUICK)

    async with (
        gauge.place("a", Kind.WATCHER),
        gauge.place("b", Kind.WATCHER),
        gauge.place("a", Kind.BOT),
    ):
        with pytest.raises(ResourceExhausted, match="at most 1 bots of one caller at once"):
            async with gauge.place("a", Kind.BOT):
                pass
        async with gauge.place("b", Kind.BOT):
            with pytest.raises(ResourceExhausted, match="at most 2 bots at once"):
                async with gauge.place("c", Kind.BOT):
                    pass


class Echo(grpc.GenericRpcHandler):
    """Answers every method with what it is sent."""

    def service(self, _: grpc.HandlerCallDetails) -> Any:
        async def answer(requests: AsyncIterator[bytes], _: object) -> AsyncIterator[bytes]:
            async for request in requests:
                yield request

        return grpc.stream_stream_rpc_method_handler(answer)


async def test_a_bot_that_attaches_is_counted_as_a_bot() -> None:
    limits = Limits(watchers=0, refusal_s=0)
    interceptors = [StatusInterceptor(limits.unread_s), LimitInterceptor(limits)]
    server = grpc.aio.server(interceptors=interceptors)
    server.add_generic_rpc_handlers((Echo(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()

    async def call(method: str) -> list[bytes]:
        ask: Any = channel.stream_stream(method)
        return [each async for each in ask(iter([b"hello"]))]

    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        answers = await call(ATTACH)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(LASTING)

    await server.stop(0)
    assert answers == [b"hello"]
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_caller_beyond_its_rate_is_refused_with_when_to_come_again() -> None:
    now = 100.0
    limits = Limits(rate_each=10, burst_each=2, patience_s=0, refusal_s=0)
    gauge = Gauge(limits, lambda: now)

    for _ in range(2):
        async with gauge.place("a", Kind.CALL):
            pass
    with pytest.raises(ResourceExhausted, match="at most 10 calls a second") as refused:
        async with gauge.place("a", Kind.CALL):
            pass
    async with gauge.place("b", Kind.CALL):
        pass
    now += 0.1
    async with gauge.place("a", Kind.CALL):
        pass

    assert refused.value.retry_after_s == pytest.approx(0.1)


async def test_no_more_wait_than_may() -> None:
    gauge = Gauge(Limits(rate_each=1, burst_each=1, waiting=1, patience_s=60))

    async def call() -> None:
        async with gauge.place("a", Kind.CALL):
            pass

    await call()
    waiting = asyncio.create_task(call())
    await asyncio.sleep(0)
    with pytest.raises(ResourceExhausted, match="at most 1 calls wait at once"):
        await call()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


@pytest.mark.parametrize(
    ("peer", "caller"),
    [
        ("ipv4:192.0.2.7:50123", "ipv4:192.0.2.7"),
        ("ipv6:%5B::1%5D:50123", "ipv6:%5B::1%5D"),
        ("unix:", "unix"),
        ("unix:/run/x.sock", "unix"),
    ],
)
def test_a_caller_is_an_address_without_its_port(peer: str, caller: str) -> None:
    assert caller_at(peer) == caller


async def test_turns_come_in_order_and_share_what_a_tick_allows() -> None:
    turns = Turns(rate=400)
    order: list[int] = []

    async def take(number: int) -> int:
        allowed = await turns.next()
        order.append(number)
        return allowed

    allowed = await asyncio.gather(*(take(number) for number in range(5)))

    assert order == [0, 1, 2, 3, 4]
    assert allowed == [1, 1, 1, 1, 4]

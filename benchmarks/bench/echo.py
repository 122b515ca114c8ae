"""Bare gRPC: messages of a size go to another process and back, as the daemon sends its own.

The server answers a message as the message itself says: with how many answers of what size.

Example, in benchmarks/: python -m bench.echo unix:/tmp/echo.sock
"""

import argparse
import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import grpc

from bench.meter import Traffic
from bench.processes import program

SERVICE = "bench.Echo"
HEAD_BYTES = 4
"""One byte says how many answers, three how large each of them is."""
Stream = grpc.aio.StreamStreamCall[bytes, bytes]
Method = grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]


async def stream_seconds(room: Path, traffic: Traffic, streams: int, processes: int) -> float:
    """Seconds that as many messages of the same mean sizes take over as many streams.

    Ack-clocked: the next message leaves a stream when the first answer to the last has come. So
    every message has one at least.
    """
    traffic = replace(traffic, answers=max(traffic.answers, traffic.requests))
    async with _channels(room, processes, streams) as channels:
        calls = [_open_stream(channel) for channel in channels]
        seconds = await _seconds(_talk(call, traffic, streams) for call in calls)
        for call in calls:
            await call.done_writing()
    return seconds


async def unary_seconds(room: Path, traffic: Traffic, in_flight: int, channels: int) -> float:
    """Seconds that as many calls of the same mean sizes take, so many of them at a time."""
    payload = _payload(traffic, 1)
    left = iter(range(traffic.requests))
    async with _channels(room, 1, channels) as opened:
        methods = [_method(channel) for channel in opened]
        return await _seconds(
            _call(methods[number % channels], payload, left) for number in range(in_flight)
        )


@asynccontextmanager
async def _channels(
    room: Path, processes: int, channels: int
) -> AsyncIterator[list[grpc.aio.Channel]]:
    """Channels to servers in so many processes, ready to be used."""
    async with AsyncExitStack() as stack:
        addresses = stack.enter_context(_servers(room, processes))
        opened = []
        for number in range(channels):
            address = addresses[number % processes]
            opened.append(await stack.enter_async_context(grpc.aio.insecure_channel(address)))
            await opened[-1].channel_ready()
        yield opened


@contextmanager
def _servers(room: Path, processes: int) -> Iterator[tuple[str, ...]]:
    addresses = tuple(f"unix:{room / f'echo{number}.sock'}" for number in range(processes))
    with ExitStack() as stack:
        for address in addresses:
            stack.enter_context(program("bench.echo", address))
        yield addresses


async def _seconds(tasks: Iterable[Awaitable[None]]) -> float:
    start = time.perf_counter()
    await asyncio.gather(*tasks)
    return time.perf_counter() - start


async def _talk(call: Stream, traffic: Traffic, streams: int) -> None:
    """Send one stream's share and read all that comes back."""
    fewest = traffic.answers // traffic.requests
    payloads = {answers: _payload(traffic, answers) for answers in (fewest, fewest + 1)}
    unread = 0
    for number in range(traffic.requests // streams):
        answers = _share(traffic, number + 1) - _share(traffic, number)
        await call.write(payloads[answers])
        for _ in range(unread + 1):
            await call.read()
        unread = answers - 1
    for _ in range(unread):
        await call.read()


def _share(traffic: Traffic, messages: int) -> int:
    """How many answers so many messages have, spread evenly."""
    return messages * traffic.answers // traffic.requests


def _payload(traffic: Traffic, answers: int) -> bytes:
    size = max(traffic.request_bytes // traffic.requests, HEAD_BYTES)
    answer = traffic.answer_bytes // traffic.answers
    return (bytes([answers]) + answer.to_bytes(3, "big")).ljust(size, b"\0")


async def _call(method: Method, payload: bytes, left: Iterator[int]) -> None:
    for _ in left:
        await method(payload)


def _open_stream(channel: grpc.aio.Channel) -> Stream:
    method: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
    method = channel.stream_stream(f"/{SERVICE}/Stream", None, None)
    return method()


def _method(channel: grpc.aio.Channel) -> Method:
    return channel.unary_unary(f"/{SERVICE}/Call", None, None)


async def _serve(address: str) -> None:
    server = grpc.aio.server()
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Stream": grpc.stream_stream_rpc_method_handler(_answer_stream),
        "Call": grpc.unary_unary_rpc_method_handler(_answer_call),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


async def _answer_stream(_: object, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
    while isinstance(message := await context.read(), bytes):
        answer = bytes(int.from_bytes(message[1:HEAD_BYTES], "big"))
        for _each in range(message[0]):
            await context.write(answer)


async def _answer_call(message: bytes, _: object) -> bytes:
    return bytes(int.from_bytes(message[1:HEAD_BYTES], "big"))


def main() -> None:
    """Serve the echo until the process is ended."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address", help="where to listen: host:port or unix:/path")
    asyncio.run(_serve(parser.parse_args().address))


if __name__ == "__main__":
    main()

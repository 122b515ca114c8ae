"""Peers that speak HTTP/2 themselves, to misbehave where a gRPC library would not let them.

``python h2_zoo.py`` serves every one at a free port of its own and says on standard output, in one
line of JSON, at which address each answers. A peer is named by what it does and where it does it:
``banana-unary`` greets well and then does it in single calls, ``banana-stream`` on the stream of
decisions, ``banana-hello`` already when it is greeted. Each ends with its connection.
"""

import asyncio
import contextlib
import gzip
import json
import struct
from collections.abc import Awaitable, Callable, Iterator
from itertools import product

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, Event, RequestReceived, StreamEnded
from h2.exceptions import ProtocolError
from hyperframe.frame import (
    ContinuationFrame,
    DataFrame,
    HeadersFrame,
    PingFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from fivehundred.v1 import bot_pb2
from fivehundred.wire.codec import answer_to_proto, ask_from_proto

MANY = 500
"""Frames that a flood writes at a time."""
BOMB = gzip.compress(bytes(50 << 20), 9)
"""Fifty megabytes in less than 64 KiB."""
Headers = list[tuple[str, str]]
OK: Headers = [(":status", "200"), ("content-type", "application/grpc")]
ENDED: Headers = [("grpc-status", "0")]


class Call:
    """One call of the daemon's, and ways to answer it."""

    def __init__(self, connection: "Connection", stream: int, path: str) -> None:
        self.connection = connection
        self.path = path
        self.asked = b""
        """The message that has come last."""
        self.is_answered = False
        """Whether it has been answered before; what goes on without end is begun once."""
        self._stream = stream
        self._received = b""
        self._has_begun = False

    def take(self, received: bytes) -> Iterator[bytes]:
        """The messages that are complete with some more bytes."""
        self._received += received
        while len(self._received) >= 5:
            (length,) = struct.unpack(">I", self._received[1:5])
            if len(self._received) < 5 + length:
                return
            yield self._received[5 : 5 + length]
            self._received = self._received[5 + length :]

    async def begin(self, headers: Headers = OK) -> None:
        """Send the headers, once."""
        if not self._has_begun:
            self._has_begun = True
            self.connection.h2.send_headers(self._stream, headers)
            await self.connection.flush()

    async def send(self, message: bytes, length: int | None = None, flag: int = 0) -> None:
        """Send a message, the length told of it may be another one; waits for nobody's window."""
        await self.begin()
        told = len(message) if length is None else length
        await self.send_bytes(struct.pack(">BI", flag, told) + message)

    async def send_bytes(self, content: bytes) -> None:
        """Send bytes of messages, as many as the window lets through."""
        while content:
            window = self.connection.h2.local_flow_control_window(self._stream)
            size = min(window, self.connection.h2.max_outbound_frame_size, len(content))
            if not size:
                await self.connection.more_window()
                continue
            self.connection.h2.send_data(self._stream, content[:size])
            content = content[size:]
            await self.connection.flush()

    async def end(self, trailers: Headers = ENDED) -> None:
        """End the call with trailers."""
        await self.begin()
        self.connection.h2.send_headers(self._stream, trailers, end_stream=True)
        await self.connection.flush()

    async def end_single(self) -> None:
        """End the call, unless it is the stream of decisions, which goes on."""
        if not self.path.endswith("/Decide"):
            await self.end()

    async def break_off(self) -> None:
        """End the call without trailers."""
        await self.begin()
        self.connection.h2.end_stream(self._stream)
        await self.connection.flush()

    async def answer(self) -> None:
        """What an honest bot would say."""
        if self.path.endswith("/Hello"):
            streams = self.connection.kind.endswith("-stream")
            greeting = bot_pb2.HelloResponse(name="zoo", version="1", streams=streams)
            await self.send(greeting.SerializeToString())
        elif self.path.endswith("/Decide"):
            decisions = bot_pb2.DecideRequest.FromString(self.asked).decisions
            answers = [_honest(decision) for decision in decisions]
            await self.send(bot_pb2.DecideResponse(answers=answers).SerializeToString())
            return
        else:
            await self.send(_response(self.path, self.asked))
        await self.end()

    async def flood(self, frames: bytes) -> None:
        """Write frames for as long as somebody reads them."""
        while True:
            await self.connection.write(frames)

    @property
    def stream(self) -> int:
        """The number of the HTTP/2 stream."""
        return self._stream


def _honest(decision: bot_pb2.Decision) -> bot_pb2.Answer:
    asked = ask_from_proto(decision)
    return answer_to_proto(asked.decision_id, asked.legal.default())


def _response(path: str, asked: bytes) -> bytes:
    match path.rpartition("/")[2]:
        case "Bid":
            decision = bot_pb2.Decision(bid=bot_pb2.BidRequest.FromString(asked))
            return _honest(decision).bid.SerializeToString()
        case "Discard":
            decision = bot_pb2.Decision(discard=bot_pb2.DiscardRequest.FromString(asked))
            return _honest(decision).discard.SerializeToString()
        case _:
            decision = bot_pb2.Decision(play=bot_pb2.PlayRequest.FromString(asked))
            return _honest(decision).play.SerializeToString()


async def undecodable(call: Call) -> None:
    """Bytes that are no message."""
    await call.send(b"\xff\xff\xff\xff")
    await call.end_single()


async def empty(call: Call) -> None:
    """A message of no bytes."""
    await call.send(b"")
    await call.end_single()


async def nothing(call: Call) -> None:
    """A good end without any message."""
    await call.end()


async def twice(call: Call) -> None:
    """Two messages where one is wanted."""
    await call.send(b"\x0a\x01a")
    await call.send(b"\x0a\x01a")
    await call.end_single()


async def oversized(call: Call) -> None:
    """Ten megabytes."""
    await call.send(bytes(10 << 20))
    await call.end_single()


async def lie(call: Call) -> None:
    """A length of four gigabytes, and ten bytes."""
    await call.send(bytes(10), length=0xFFFFFFFF)


async def torrent(call: Call) -> None:
    """A length of a gigabyte, and as much of it as is taken."""
    await call.send(bytes(1 << 16), length=1 << 30)
    while True:
        await call.send_bytes(bytes(1 << 16))


async def short(call: Call) -> None:
    """A length of a thousand bytes, and ten bytes."""
    await call.send(bytes(10), length=1000)
    await call.end()


async def bomb(call: Call) -> None:
    """Fifty megabytes, compressed."""
    await call.begin([*OK, ("grpc-encoding", "gzip")])
    await call.send(BOMB, flag=1)
    await call.end_single()


async def loris(call: Call) -> None:
    """One byte every 0.3 seconds."""
    await call.begin()
    for byte in struct.pack(">BI", 0, 1000) + bytes(1000):
        await call.send_bytes(bytes([byte]))
        await asyncio.sleep(0.3)


async def trailers(call: Call) -> None:
    """Sixty kilobytes of trailers."""
    await call.end([*ENDED, *((f"x-{number}", "y" * 1000) for number in range(60))])


async def http500(call: Call) -> None:
    """A web server's error."""
    await call.begin([(":status", "500"), ("content-type", "text/html")])
    await call.send_bytes(b"<h1>no</h1>")
    await call.break_off()


async def unended(call: Call) -> None:
    """An end without a status."""
    await call.break_off()


async def banana(call: Call) -> None:
    """A status that is no number."""
    await call.end([("grpc-status", "banana")])


async def unimplemented(call: Call) -> None:
    """A status that says there is no such call."""
    await call.end([("grpc-status", "12"), ("grpc-message", "x" * 4000)])


async def raw(call: Call) -> None:
    """Bytes that are no HTTP/2, in the middle of it."""
    await call.connection.write(b"\xde\xad\xbe\xef" * 1000)


async def mute(call: Call) -> None:
    """Nothing at all."""


async def gone(call: Call) -> None:
    """The end of the connection; nobody listens any more."""
    call.connection.vanish()


async def pings(call: Call) -> None:
    """Pings without end."""
    await call.flood(PingFrame(0, opaque_data=bytes(8)).serialize() * MANY)


async def settings(call: Call) -> None:
    """Settings without end."""
    await call.flood(SettingsFrame(0, settings={4: 65_535}).serialize() * MANY)


async def resets(call: Call) -> None:
    """Resets of streams that have ended, without end."""
    await call.begin()
    await call.flood(RstStreamFrame(1, error_code=8).serialize() * MANY)


async def windows(call: Call) -> None:
    """Windows that open by a byte, without end."""
    await call.flood(WindowUpdateFrame(0, window_increment=1).serialize() * MANY)


async def crumbs(call: Call) -> None:
    """Data of no bytes, without end."""
    await call.begin()
    await call.flood(DataFrame(call.stream, data=b"").serialize() * MANY)


async def continuation(call: Call) -> None:
    """Headers that go on without end."""
    first = HeadersFrame(call.stream, data=b"\x88").serialize()
    await call.connection.write(first)
    field = b"\x00\x01x\x7f\x81\x01" + b"y" * 256
    await call.flood(ContinuationFrame(call.stream, data=field * 8).serialize())


async def messages(call: Call) -> None:
    """Answers that answer nothing, without end."""
    await call.begin()
    while True:
        await call.send_bytes(struct.pack(">BI", 0, 0) * MANY)


Behaviour = Callable[[Call], Awaitable[None]]
BEHAVIOURS: dict[str, Behaviour] = {
    each.__name__.replace("_", "-"): each
    for each in (
        *(
            undecodable,
            empty,
            nothing,
            twice,
            oversized,
            lie,
            torrent,
            short,
            bomb,
            loris,
            trailers,
        ),
        *(http500, unended, banana, unimplemented, raw, mute, gone),
        *(pings, settings, resets, windows, crumbs, continuation, messages),
    )
}
ENDLESS = (loris, torrent, pings, settings, resets, windows, crumbs, continuation, messages)
WAYS = ("unary", "stream", "hello")


class Connection:
    """A connection of the daemon's to a peer of the zoo."""

    def __init__(
        self,
        kind: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        vanish: Callable[[], None],
    ) -> None:
        self.kind = kind
        self.h2 = H2Connection(
            H2Configuration(
                client_side=False,
                validate_outbound_headers=False,
                normalize_outbound_headers=False,
            )
        )
        self._reader = reader
        self._writer = writer
        self._vanish = vanish
        self._calls: dict[int, Call] = {}
        self._changed = asyncio.Event()

    async def serve(self) -> None:
        """Answer until one side ends the connection."""
        self.h2.initiate_connection()
        await self.flush()
        answering: set[asyncio.Task[None]] = set()
        try:
            while received := await self._reader.read(1 << 16):
                for event in self.h2.receive_data(received):
                    for call in self._take(event):
                        answering.add(asyncio.create_task(self._answer(call)))
                self._changed.set()
                self._changed = asyncio.Event()
                await self.flush()
        finally:
            for task in answering:
                task.cancel()
            await asyncio.gather(*answering, return_exceptions=True)

    async def write(self, content: bytes) -> None:
        """Write bytes past HTTP/2."""
        self._writer.write(content)
        await self._writer.drain()

    async def flush(self) -> None:
        """Write what HTTP/2 has to say."""
        await self.write(self.h2.data_to_send())

    async def more_window(self) -> None:
        """Return when something has come, a larger window perhaps."""
        await self._changed.wait()

    def vanish(self) -> None:
        """End the connection and listen no more."""
        self._vanish()
        self._writer.close()

    def _take(self, event: Event) -> Iterator[Call]:
        """The calls that a message has come for."""
        if isinstance(event, RequestReceived):
            path = {bytes(name): value for name, value in event.headers or ()}[b":path"].decode()
            assert event.stream_id is not None
            self._calls[event.stream_id] = Call(self, event.stream_id, path)
        elif isinstance(event, StreamEnded):
            self._calls.pop(event.stream_id or 0, None)
        elif isinstance(event, DataReceived):
            assert event.stream_id is not None and event.flow_controlled_length is not None
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            call = self._calls[event.stream_id]
            for message in call.take(event.data or b""):
                call.asked = message
                yield call

    async def _answer(self, call: Call) -> None:
        does, _, way = self.kind.rpartition("-")
        is_honest = call.path.endswith("/Hello") and way != "hello"
        with contextlib.suppress(ProtocolError, ConnectionError):
            if is_honest:
                await call.answer()
            elif not (call.is_answered and BEHAVIOURS[does] in ENDLESS):
                call.is_answered = True
                await BEHAVIOURS[does](call)


async def listen(kind: str) -> str:
    """Serve a peer; gives its address."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(kind, reader, writer, server.close)
        with contextlib.suppress(ConnectionError, ProtocolError), contextlib.closing(writer):
            await connection.serve()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    address: str = "{}:{}".format(*server.sockets[0].getsockname())
    return address


async def silent(kind: str) -> str:
    """Serve a peer that accepts connections, and says nothing or bytes that are no HTTP/2."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            if kind == "raw-hello":
                writer.write(b"\xde\xad\xbe\xef" * 1000)
            while await reader.read(1 << 16):
                pass

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    address: str = "{}:{}".format(*server.sockets[0].getsockname())
    return address


async def main() -> None:
    """Serve the whole zoo until somebody ends the process."""
    addresses = {
        kind: await (silent if kind in ("mute-hello", "raw-hello") else listen)(kind)
        for kind in map("-".join, product(BEHAVIOURS, WAYS))
    }
    print(json.dumps(addresses), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())

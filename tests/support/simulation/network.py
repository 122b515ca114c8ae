"""Channels that lead to simulated bots: what `grpc.aio` is to the daemon, in virtual time."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Protocol

import grpc.aio

from fivehundred.v1 import bot_pb2
from fivehundred.wire.asked import Asked as WireAsk
from fivehundred.wire.codec import request_of
from simulation.bots import Does, Message, SimulatedBot, read_ask
from simulation.scenario import At
from simulation.trace import Arrived, Asked, End, Ended, Greeted, Sent, Session, Trace

HELLO_US = 200
UNARY = {"Bid": "bid", "Discard": "discard", "Play": "play"}


class Life(Protocol):
    """The daemon that is at one end of the network."""

    number: int

    @property
    def is_over(self) -> bool:
        """Whether it has been killed: nothing reaches anybody any more."""
        ...

    def reach(self, at: At) -> None:
        """It does something at which it may be killed."""
        ...


class Network:
    """All bots, and what passes between them and the daemon that lives now."""

    def __init__(self, bots: Sequence[SimulatedBot], trace: Trace) -> None:
        self.trace = trace
        self._bots = bots
        self._connections = count()
        self._life: Life | None = None

    def begin(self, life: Life) -> None:
        """Another daemon has come up; the connections of the last one are gone."""
        self._life = life
        for bot in self._bots:
            bot.forget()

    def channel(self, target: str, options: object = None) -> "Channel":
        """Stand for ``grpc.aio.insecure_channel``."""
        del options
        assert self._life is not None
        bot = self._bots[int(target.removeprefix("unix:bot-"))]
        return Channel(self, bot, self._life)

    def number(self) -> int:
        """The number of a new connection."""
        return next(self._connections)


class Channel:
    """One daemon's channel to one bot."""

    def __init__(self, network: Network, bot: SimulatedBot, life: Life) -> None:
        self.bot = bot
        self.life = life
        self.session: Session = (life.number, bot.entrant)
        self.loop = asyncio.get_running_loop()
        self._network = network
        self._known: set[str] = set()
        self._open: dict[int, Connection] = {}

    async def channel_ready(self) -> None:
        """Return when the bot is up."""
        await self._until_up()

    async def close(self) -> None:
        """End the calls under way."""
        for connection in [*self._open.values()]:
            connection.cancel()

    def unary_unary(self, path: str, *_: object) -> Callable[..., object]:
        """A method of one answer."""
        name = path.rpartition("/")[2]
        return self._hello if name == "Hello" else partial(self._call, UNARY[name])

    def stream_stream(self, path: str, *_: object) -> Callable[[], "Stream"]:
        """The method of a stream."""
        del path
        return lambda: Stream(self)

    @property
    def is_up(self) -> bool:
        """Whether the bot is there."""
        return self.loop.time() >= self.bot.down_until

    def note(self, event: Sent | Arrived | Ended | Greeted | Asked) -> None:
        """Write down what happens, as long as the daemon lives."""
        if not self.life.is_over:
            self._network.trace.events.append(event)

    def open(self, connection: "Connection") -> int:
        """The number of a connection that is opened."""
        number = self._network.number()
        self._open[number] = connection
        return number

    def ended(self, number: int) -> None:
        """A connection is no more."""
        self._open.pop(number, None)

    def receive(self, connection: "Connection", decisions: Sequence[bot_pb2.Decision]) -> None:
        """A message has been handed to the transport: the bot thinks about it."""
        if self.life.is_over:
            return
        asks = self.take(connection, decisions)
        for ask, decision in zip(asks, decisions, strict=True):
            for does in self.bot.think(ask, view_bytes(decision)):
                due = self.loop.time() + does.after_us / 1e6
                self.loop.call_at(due, self._do, connection, does, due)
        self.life.reach(At.ASKING)

    def take(
        self, connection: "Connection", decisions: Sequence[bot_pb2.Decision]
    ) -> list[WireAsk]:
        """A message has been handed to the transport; whether the bot gets it is another thing."""
        asks = [read_ask(each) for each in decisions]
        for ask in asks:
            self._note_ask(ask)
        ids = tuple([ask.decision_id for ask in asks])
        self.note(Sent(self.loop.time(), self.session, connection.number, ids))
        return asks

    def _note_ask(self, ask: WireAsk) -> None:
        if ask.decision_id not in self._known:
            self._known.add(ask.decision_id)
            view, receipt = ask.view, ask.last_receipt
            limit, bank = ask.time_left_us, ask.bank_left_us
            now, name = self.loop.time(), ask.decision_id
            self.note(Asked(now, self.session, name, ask.kind, view, limit, bank, receipt))

    def _do(self, connection: "Connection", does: Does, due: float) -> None:
        if self.life.is_over or connection.is_over:
            return
        if does.say is not None:
            now, parts = self.loop.time(), does.say.parts
            self.note(Arrived(now, self.session, connection.number, parts, due))
            connection.deliver(does.say)
            self.life.reach(At.ANSWERED)
        elif does.stays_away_us is not None:
            self._crash(does.stays_away_us)
        else:
            connection.end(End.WRONG if does.wrongly else End.LOST)

    def _crash(self, away_us: int) -> None:
        self.bot.down_until = self.loop.time() + away_us / 1e6
        self.bot.mute = False
        self.bot.forget()
        for connection in [*self._open.values()]:
            connection.end(End.LOST)

    async def _until_up(self) -> None:
        if not self.is_up:
            await asyncio.sleep(self.bot.down_until - self.loop.time())

    async def _hello(
        self,
        message: bytes,
        *,
        timeout: float,  # noqa: ASYNC109 - it stands for a method of grpc.aio
        wait_for_ready: bool = False,
    ) -> bytes:
        del message
        try:
            async with asyncio.timeout(timeout):
                if not wait_for_ready and not self.is_up:
                    raise status(grpc.StatusCode.UNAVAILABLE, "the bot is down")
                await self._until_up()
                await asyncio.sleep(HELLO_US / 1e6)
        except TimeoutError:
            raise status(grpc.StatusCode.DEADLINE_EXCEEDED, "no greeting in time") from None
        if self._known:
            self.note(Greeted(self.loop.time(), self.session))
        return self.bot.greeting

    def _call(self, kind: str, message: bytes, *, timeout: float) -> "asyncio.Future[bytes]":
        return Call(self, kind, message, timeout).future


class Connection(Protocol):
    """A stream, or a single call."""

    number: int

    @property
    def is_over(self) -> bool:
        """Whether nothing can come over it any more."""
        ...

    def deliver(self, message: Message) -> None:
        """Hand what the bot says to the daemon's machine."""
        ...

    def end(self, how: End) -> None:
        """End it from the bot's side."""
        ...

    def cancel(self) -> None:
        """End it from the daemon's side."""
        ...


class Stream:
    """Stands for a stream-stream call."""

    def __init__(self, channel: Channel) -> None:
        self.number = channel.open(self)
        self._channel = channel
        self._inbox: deque[bytes] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._blocked: asyncio.Future[None] | None = None
        self._end: End | None = None
        self._cancelled = False
        channel.bot.mute = False
        if not channel.is_up:
            channel.loop.call_later(HELLO_US / 1e6, self.end, End.LOST)

    @property
    def is_over(self) -> bool:
        """Whether nothing can come over it any more."""
        return self._end is not None or self._cancelled

    async def write(self, request: bytes) -> None:
        """Hand a message to the transport; a bot that does not read blocks it."""
        if self.is_over:
            raise asyncio.InvalidStateError("the call has ended")
        decisions = bot_pb2.DecideRequest.FromString(request).decisions
        was_mute = self._channel.bot.mute
        if self._channel.is_up and not was_mute:
            self._channel.receive(self, decisions)
        else:
            self._channel.take(self, decisions)
        if was_mute:
            self._blocked = self._channel.loop.create_future()
            await self._blocked

    async def read(self) -> object:
        """The bytes of the next message, or how the call has ended."""
        while not self._inbox:
            if self._cancelled:
                raise asyncio.CancelledError
            if self._end is End.LOST:
                raise status(grpc.StatusCode.UNAVAILABLE, "the bot is gone")
            if self._end is End.WRONG:
                raise status(grpc.StatusCode.UNKNOWN, "the bot has raised something")
            self._waiting = self._channel.loop.create_future()
            await self._waiting
        return self._inbox.popleft()

    def deliver(self, message: Message) -> None:
        """Hand what the bot says to the daemon's machine."""
        self._inbox.append(message.content)
        self._wake()

    def end(self, how: End) -> None:
        """End it from the bot's side."""
        if not self.is_over:
            self._end = how
            self._note_end(how)

    def cancel(self) -> None:
        """End it from the daemon's side."""
        if not self.is_over:
            self._cancelled = True
            self._note_end(End.LOST)

    def _note_end(self, how: End) -> None:
        channel = self._channel
        channel.note(Ended(channel.loop.time(), channel.session, self.number, how))
        channel.ended(self.number)
        self._wake()
        if self._blocked is not None and not self._blocked.done():
            self._blocked.set_exception(status(grpc.StatusCode.UNAVAILABLE, "the call has ended"))

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Call:
    """Stands for a unary call; its future is what the caller awaits."""

    def __init__(self, channel: Channel, kind: str, message: bytes, timeout: float) -> None:
        self.number = channel.open(self)
        self.future: asyncio.Future[bytes] = channel.loop.create_future()
        self.future.add_done_callback(self._over)
        self._channel = channel
        self._kind = kind
        decision = bot_pb2.Decision()
        getattr(decision, kind).ParseFromString(message)
        channel.loop.call_later(timeout, self._expire)
        if channel.is_up:
            channel.receive(self, [decision])
        else:
            channel.take(self, [decision])
            channel.loop.call_later(HELLO_US / 1e6, self.end, End.LOST)

    @property
    def is_over(self) -> bool:
        """Whether nothing can come over it any more."""
        return self.future.done()

    def deliver(self, message: Message) -> None:
        """Hand what the bot says to the daemon's machine, without the frame of a stream."""
        self.future.set_result(_bare(message))

    def end(self, how: End) -> None:
        """End it from the bot's side."""
        if self.is_over:
            return
        code = grpc.StatusCode.UNAVAILABLE if how is End.LOST else grpc.StatusCode.UNKNOWN
        channel = self._channel
        channel.note(Ended(channel.loop.time(), channel.session, self.number, how))
        self.future.set_exception(status(code, "the call has ended"))

    def cancel(self) -> None:
        """End it from the daemon's side."""
        self.future.cancel()

    def _expire(self) -> None:
        if not self.is_over:
            error = status(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer in time")
            self.future.set_exception(error)

    def _over(self, future: "asyncio.Future[bytes]") -> None:
        self._channel.ended(self.number)
        if not future.cancelled():
            future.exception()


def _bare(message: Message) -> bytes:
    """What stands first in a stream's message, as a unary answer."""
    if message.parts is None:
        return message.content
    answers = bot_pb2.DecideResponse.FromString(message.content).answers
    kind = answers[0].WhichOneof("kind") if answers else None
    return bytes(getattr(answers[0], kind).SerializeToString()) if kind else b""


def view_bytes(decision: bot_pb2.Decision) -> bytes:
    """The bytes of what a decision's seat sees."""
    return request_of(decision).ask.view.SerializeToString()


def status(code: grpc.StatusCode, details: str) -> grpc.aio.AioRpcError:
    """The error in which a call ends."""
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), details)

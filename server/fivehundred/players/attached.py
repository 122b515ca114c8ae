"""Bots that dial in: the streams that they keep, by registered name, and sessions over them.

One stream carries all sessions of a bot. A session takes a new number whenever it greets the bot,
so that nothing that comes late is taken for something else. A session outlives the stream: it waits
for the bot to dial in again, while the clocks of what it has asked run on.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Protocol

from fivehundred.players.faults import GONE, malformed
from fivehundred.players.lag import LagMonitor
from fivehundred.players.line import BeforeAsking
from fivehundred.players.player import unreachable
from fivehundred.players.session import MAX_ANSWER_BYTES, Session, checked, fault_among
from fivehundred.players.stream import (
    MAX_STRAYS,
    WRITE_GRACE_S,
    DecisionStream,
    Pipe,
)
from fivehundred.table.values import Ask, Fault, FaultKind, HandRecord
from fivehundred.v1 import bot_pb2
from fivehundred.wire.attach import (
    Notice,
    fault_notice,
    framed,
    greeting_frame,
    hand_notice,
    notices_frame,
    read_frame,
)
from fivehundred.wire.errors import AlreadyExists, FailedPrecondition, MalformedMessage, WireError

MAX_FRAME_BYTES = MAX_ANSWER_BYTES + 64
MAX_INBOX = 64
"""Messages that a session has not read yet; a bot that sends more loses its stream."""
NOTICES_KEPT = 1000
NOTICES_A_MESSAGE = 100
NOTICE_GATHER_S = 0.05

HUNG_UP = Fault(FaultKind.DISCONNECTED, "the bot's stream has ended")
_Item = bytes | bot_pb2.HelloResponse


class Wire(Protocol):
    """What frames go to and come from; the context of a gRPC call is one."""

    async def write(self, message: bytes, /) -> None:
        """Send a frame."""
        ...

    async def read(self) -> object:
        """The bytes of the next frame; anything else where the stream has ended."""
        ...


class Attachment:
    """A stream that a bot keeps."""

    def __init__(self, wire: Wire, greeting: bot_pb2.HelloResponse) -> None:
        self.greeting = greeting
        self._wire = wire
        self._writing = asyncio.Lock()
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pipes: dict[int, AttachedPipe] = {}
        self._numbers = count(1)
        self._strays_in_a_row = 0
        self._telling: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether the stream has ended or is being ended."""
        return self._over.done()

    async def serve(self) -> None:
        """Hand on what the bot sends until the stream ends; raises what `end` was given."""
        reading = asyncio.create_task(self._read_all())
        try:
            await asyncio.shield(self._over)
        finally:
            self.end()
            reading.cancel()
            await asyncio.wait([each for each in (reading, self._telling) if each is not None])

    def end(self, error: WireError | None = None) -> None:
        """End the stream, with an error that tells the bot why or without."""
        if self._over.done():
            return
        if error is None:
            self._over.set_result(None)
        else:
            self._over.set_exception(error)
        if self._telling is not None:
            self._telling.cancel()
        wrong = isinstance(error, MalformedMessage)
        for pipe in list(self._pipes.values()):
            pipe.end(malformed(str(error)) if wrong else HUNG_UP)
        self._pipes.clear()

    def open_pipe(self) -> "AttachedPipe":
        """A pipe for a session, under a new number."""
        number = next(self._numbers)
        pipe = AttachedPipe(self, number)
        if self.is_over:
            pipe.end(HUNG_UP)
        else:
            self._pipes[number] = pipe
        return pipe

    def forget(self, number: int) -> None:
        """Hand on nothing more under a number."""
        self._pipes.pop(number, None)

    def send(self, frame: bytes) -> "asyncio.Future[None]":
        """Send a frame after those before it; one that is under way is never given up half-way."""
        return asyncio.ensure_future(self._send(frame))

    def tell(self, notices: deque[Notice]) -> None:
        """Send notices soon, and what is added to them meanwhile."""
        if not self.is_over and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell(notices))

    async def _send(self, frame: bytes) -> None:
        async with self._writing:
            if self.is_over:
                raise asyncio.InvalidStateError(HUNG_UP.reason)
            try:
                await self._wire.write(frame)
            except Exception as error:
                self.end()
                raise asyncio.InvalidStateError(HUNG_UP.reason) from error

    async def _tell(self, notices: deque[Notice]) -> None:
        while notices:
            await asyncio.sleep(NOTICE_GATHER_S)
            batch = [notices.popleft() for _ in range(min(len(notices), NOTICES_A_MESSAGE))]
            with contextlib.suppress(asyncio.InvalidStateError):
                await asyncio.shield(self.send(notices_frame(batch)))

    async def _read_all(self) -> None:
        error: WireError | None = None
        try:
            while isinstance(message := await self._wire.read(), bytes):
                self._take(message)
        except WireError as wrong:
            error = wrong
        finally:
            self.end(error)

    def _take(self, message: bytes) -> None:
        """Hand a frame on to its session; raises `MalformedMessage` where it is none."""
        if len(message) > MAX_FRAME_BYTES:
            raise MalformedMessage(f"{len(message)} bytes: a message has at most 64 KiB")
        number, item = read_frame(message)
        pipe = self._pipes.get(number)
        if pipe is not None:
            self._strays_in_a_row = 0
            pipe.take(item)
            return
        self._strays_in_a_row += 1
        if self._strays_in_a_row > MAX_STRAYS:
            raise MalformedMessage(f"more than {MAX_STRAYS} messages in a row answer nothing")


class AttachedPipe:
    """One session's part of a stream."""

    def __init__(self, attachment: Attachment, number: int) -> None:
        self._attachment = attachment
        self._number = number
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[_Item] = deque()
        self._ended: Fault | None = None
        self._waiting: asyncio.Future[None] | None = None
        self._sending: asyncio.Future[None] | None = None

    async def write(self, request: bytes) -> None:
        """Send the bytes of a DecideRequest."""
        await self._send(framed(self._number, request))

    async def read(self) -> bytes | Fault:
        """The bytes of the next DecideResponse, or the fault in which the stream has ended."""
        item = await self._next()
        if isinstance(item, bot_pb2.HelloResponse):
            return malformed("a greeting is answered that was not sent", item.SerializeToString())
        return item

    def cancel(self) -> None:
        """End this part of the stream; where the bot does not read it, the whole of it soon."""
        self._attachment.forget(self._number)
        self._ended = self._ended or HUNG_UP
        if self._waiting is not None:
            self._waiting.cancel()
        if self._sending is not None and not self._sending.done():
            self._loop.call_later(WRITE_GRACE_S, self._end_blocked, self._sending)

    async def greet(
        self, hellos: Sequence[bot_pb2.HelloRequest]
    ) -> list[bot_pb2.HelloResponse] | Fault:
        """Greet every seat; the answers, or the fault that came instead."""
        for hello in hellos:
            try:
                await self._send(greeting_frame(self._number, hello))
            except asyncio.InvalidStateError:
                return HUNG_UP
        answers: list[bot_pb2.HelloResponse] = []
        while len(answers) < len(hellos):
            item = await self._next()
            if isinstance(item, Fault):
                return item
            if isinstance(item, bytes):
                return malformed("answers come before the answer to the greeting", item)
            answers.append(item)
        return answers

    def take(self, item: _Item) -> None:
        """Keep what has come until it is read; raises `MalformedMessage` where it is too much."""
        if len(self._inbox) >= MAX_INBOX:
            raise MalformedMessage(f"more than {MAX_INBOX} messages that nobody waits for")
        self._inbox.append(item)
        self._wake()

    def end(self, fault: Fault) -> None:
        """Let the reader go when it has read what has come."""
        self._ended = fault
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _next(self) -> _Item | Fault:
        while not self._inbox:
            if self._ended is not None:
                return self._ended
            self._waiting = self._loop.create_future()
            await self._waiting
        return self._inbox.popleft()

    async def _send(self, frame: bytes) -> None:
        self._sending = self._attachment.send(frame)
        await asyncio.shield(self._sending)

    def _end_blocked(self, sending: "asyncio.Future[None]") -> None:
        if not sending.done():
            self._attachment.end(FailedPrecondition("the bot does not read what it is sent"))


class AttachedBots:
    """The bots that are attached, by the names under which they are registered."""

    def __init__(self) -> None:
        self.listening = False
        """Whether there is a port at which bots can dial in."""
        self._attachments: dict[str, Attachment] = {}
        self._notices: dict[str, deque[Notice]] = {}
        self._changed = asyncio.Event()

    def find(self, name: str) -> Attachment | None:
        """The stream of a bot; None where it is not attached."""
        attachment = self._attachments.get(name)
        return None if attachment is None or attachment.is_over else attachment

    async def wait_for(self, name: str, limit_s: float) -> Attachment | None:
        """The stream of a bot, which may still dial in; None where it does not within the limit."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                while (attachment := self.find(name)) is None:
                    await self._changed.wait()
                return attachment
        return None

    @contextlib.contextmanager
    def attached(self, name: str, attachment: Attachment) -> Iterator[None]:
        """A bot is attached for the length of a block; raises `AlreadyExists` where it is so."""
        if self.find(name) is not None:
            raise AlreadyExists(
                f"{name!r} is attached already: stop the other process, or wait until its lost "
                "connection is noticed"
            )
        self._attachments[name] = attachment
        self._changed.set()
        self._changed = asyncio.Event()
        if notices := self._notices.get(name):
            attachment.tell(notices)
        try:
            yield
        finally:
            attachment.end()
            if self._attachments.get(name) is attachment:
                del self._attachments[name]

    def end(self, name: str, error: WireError) -> None:
        """End a bot's stream, if it has one, and tell it why."""
        if (attachment := self.find(name)) is not None:
            attachment.end(error)

    def forget(self, name: str, error: WireError) -> None:
        """End a bot's stream as `end` does, and keep nothing for whoever has its name next."""
        self.end(name, error)
        self._notices.pop(name, None)

    def end_all(self) -> None:
        """End every stream; the bots dial in again when there is somebody to answer."""
        for attachment in list(self._attachments.values()):
            attachment.end()

    def tell(self, name: str, notice: Notice) -> None:
        """Tell a bot soon, or when it dials in again; the latest notices are kept."""
        notices = self._notices.setdefault(name, deque(maxlen=NOTICES_KEPT))
        notices.append(notice)
        if (attachment := self.find(name)) is not None:
            attachment.tell(notices)


class AttachedSession(Session):
    """A session of a bot that dials in; the bot is told of its results and faults."""

    def __init__(self, caller: "_Caller", line: DecisionStream, tell: Callable[[Notice], None]):
        super().__init__(caller.greeting, line, caller.close)
        self._tell = tell

    def tell_hand(self, record: HandRecord, entrant: int) -> None:
        """Tell the bot of a hand that it has played as an entrant."""
        self._tell(hand_notice(record, entrant))


async def attached_session(
    bots: AttachedBots,
    name: str,
    hellos: Sequence[bot_pb2.HelloRequest],
    *,
    limit_us: int,
    lag: LagMonitor,
    before_asking: BeforeAsking,
) -> AttachedSession:
    """Greet a bot that is attached or dials in within the limit, or raise `Unreachable`.

    The arguments are those of `fivehundred.players.session.connect`.
    """
    if not bots.listening:
        raise unreachable(f"{name} dials in, and here is no port for it: use `fivehundred serve`")
    caller = _Caller(bots, name, hellos)
    if (fault := await caller.first(limit_us / 1e6)) is not None:
        raise unreachable(fault.reason)

    def tell(notice: Notice) -> None:
        bots.tell(name, notice)

    def tell_fault(decision_id: str, ask: Ask, fault: Fault) -> None:
        tell(fault_notice(decision_id, ask.seat, fault))

    line = DecisionStream(
        caller.open_pipe, caller.rules_hash, caller.again, lag, before_asking, tell_fault
    )
    return AttachedSession(caller, line, tell)


class _Caller:
    """Greets an attached bot for every seat, and again over each new stream."""

    def __init__(
        self, bots: AttachedBots, name: str, hellos: Sequence[bot_pb2.HelloRequest]
    ) -> None:
        self.rules_hash = hellos[0].rules_hash
        self.greeting = bot_pb2.HelloResponse()
        self._bots = bots
        self._name = name
        self._hellos = hellos
        self._loop = asyncio.get_running_loop()
        self._pipe: AttachedPipe | None = None

    def open_pipe(self) -> Pipe:
        """The part of the stream over which the bot was greeted last."""
        assert self._pipe is not None
        return self._pipe

    async def first(self, limit_s: float) -> Fault | None:
        """Greet for the first time, and wait for the bot to dial in."""
        attachment = await self._bots.wait_for(self._name, limit_s)
        if attachment is None:
            waited = f"{self._name} is not attached and did not dial in within {limit_s:g} s"
            return Fault(FaultKind.UNREACHABLE, f"{waited}: start it with --attach")
        self.greeting = attachment.greeting
        return await self._greet_until(self._loop.time() + limit_s)

    async def again(self, limit_s: float) -> Fault | None:
        """Greet once the bot is attached again; a fault where that takes too long."""
        return await self._greet_until(self._loop.time() + limit_s)

    async def close(self) -> None:
        """Leave the stream."""
        if self._pipe is not None:
            self._pipe.cancel()

    async def _greet_until(self, end: float) -> Fault | None:
        while (left := end - self._loop.time()) > 0:
            attachment = await self._bots.wait_for(self._name, left)
            if attachment is None:
                return GONE
            fault = await self._greet(attachment, end - self._loop.time())
            if fault is not HUNG_UP:
                return fault
        return GONE

    async def _greet(self, attachment: Attachment, limit_s: float) -> Fault | None:
        pipe = attachment.open_pipe()
        try:
            fault = await self._greet_over(pipe, limit_s)
        except BaseException:
            pipe.cancel()
            raise
        if fault is None:
            self._pipe = pipe
        else:
            pipe.cancel()
        return fault

    async def _greet_over(self, pipe: AttachedPipe, limit_s: float) -> Fault | None:
        try:
            async with asyncio.timeout(limit_s):
                answers = await pipe.greet(self._hellos)
        except TimeoutError:
            return GONE
        if isinstance(answers, Fault):
            return answers
        return fault_among(map(checked, answers), self.greeting)

"""Meters put around the daemon's parts while it plays; its code stays as it is."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any, Self

from fivehundred.players import stream, unary
from fivehundred.players.stream import DecisionStream, Pipe
from fivehundred.storage.journal import Journal
from fivehundred.table.values import Ask, Fault, FaultKind, Reply

CROWDED_S = 50e-6
"""A call of `Journal.append` that takes longer has had another thread in its midst."""
TICK_S = 0.005


@dataclass(slots=True)
class Traffic:
    """Messages and bytes, both ways."""

    requests: int = 0
    request_bytes: int = 0
    answers: int = 0
    answer_bytes: int = 0

    def __sub__(self, before: Self) -> "Traffic":
        """What has been added since."""
        return Traffic(*(getattr(self, f.name) - getattr(before, f.name) for f in fields(self)))

    def copy(self) -> "Traffic":
        """How it stands now."""
        return self - Traffic()


@dataclass(slots=True)
class Meter:
    """What streams and calls have carried, and how long the daemon was about each message."""

    traffic: Traffic = field(default_factory=Traffic)
    decisions: int = 0
    hands: Callable[[], int] | None = None
    """Tells the hands so far, where turnarounds are wanted."""
    turnarounds: list[tuple[float, int]] = field(default_factory=list)
    """Seconds from an answer's arrival to the next request's departure, and the hands by then."""
    _arrived: float = 0.0

    def sent(self, request: bytes) -> None:
        """Count a request that leaves."""
        if self.hands is not None and self._arrived:
            self.turnarounds.append((time.perf_counter() - self._arrived, self.hands()))
            self._arrived = 0.0
        self.traffic.requests += 1
        self.traffic.request_bytes += len(request)

    def received(self, answer: bytes) -> None:
        """Count an answer that has come."""
        if self.hands is not None:
            self._arrived = time.perf_counter()
        self.traffic.answers += 1
        self.traffic.answer_bytes += len(answer)


class _MeteredPipe:
    """A pipe and the meter it runs through."""

    def __init__(self, pipe: Pipe, meter: Meter) -> None:
        self._pipe = pipe
        self._meter = meter
        self.cancel = pipe.cancel

    async def write(self, request: bytes, /) -> None:
        """Send the bytes of a request."""
        self._meter.sent(request)
        await self._pipe.write(request)

    async def read(self) -> object:
        """The bytes of the next answer."""
        answer = await self._pipe.read()
        if isinstance(answer, bytes):
            self._meter.received(answer)
        return answer


@contextmanager
def replaced(owner: Any, name: str, wrap: Callable[[Any], Any]) -> Iterator[None]:
    """An attribute that is wrapped for the length of a block."""
    original = getattr(owner, name)
    setattr(owner, name, wrap(original))
    try:
        yield
    finally:
        setattr(owner, name, original)


@contextmanager
def metered(meter: Meter) -> Iterator[None]:
    """Every stream and call that begins within the block runs through the meter."""

    def metered_stream(init: Any) -> Any:
        def begin(self: object, open_pipe: Callable[[], Pipe], *rest: Any, **named: Any) -> None:
            init(self, lambda: _MeteredPipe(open_pipe(), meter), *rest, **named)

        return begin

    def counted_decision(encode: Any) -> Any:
        def encoded(*arguments: Any) -> bytes:
            meter.decisions += 1
            decision: bytes = encode(*arguments)
            return decision

        return encoded

    def metered_request(encode: Any) -> Any:
        def encoded(*arguments: Any) -> bytes:
            meter.decisions += 1
            request: bytes = encode(*arguments)
            meter.sent(request)
            return request

        return encoded

    def metered_answer(read: Any) -> Any:
        def reading(self: object, answer: bytes) -> Any:
            meter.received(answer)
            return read(self, answer)

        return reading

    with (
        replaced(DecisionStream, "__init__", metered_stream),
        replaced(stream, "encode_decision", counted_decision),
        replaced(unary, "encode_request", metered_request),
        replaced(unary._Attempt, "_read", metered_answer),
    ):
        yield


@dataclass(slots=True)
class Ledger:
    """How decisions ended: faults by kind, and how far timeouts were over their limits."""

    decisions: int = 0
    faults: dict[FaultKind, int] = field(default_factory=dict)
    over_us: list[int] = field(default_factory=list)
    """Charged beyond the limit, for each timeout."""
    waited_us: list[int] = field(default_factory=list)
    """Waited beyond the limit, the daemon's own lag included."""

    def enter(self, ask: Ask, reply: Reply) -> None:
        """Note one decision's end."""
        self.decisions += 1
        if isinstance(reply.answer, Fault):
            kind = reply.answer.kind
            self.faults[kind] = self.faults.get(kind, 0) + 1
            if kind is FaultKind.TIMEOUT:
                self.over_us.append(reply.elapsed_us - reply.lag_us - ask.limit_us)
                self.waited_us.append(reply.elapsed_us - ask.limit_us)


@contextmanager
def kept(ledger: Ledger) -> Iterator[None]:
    """Every decision of a stream that ends within the block is entered in the ledger."""

    def entering(decide: Any) -> Any:
        async def decided(self: DecisionStream, ask: Ask) -> Reply:
            reply: Reply = await decide(self, ask)
            ledger.enter(ask, reply)
            return reply

        return decided

    with replaced(DecisionStream, "decide", entering):
        yield


@dataclass(slots=True)
class JournalCost:
    """Processor seconds that the journal takes from the event loop, and has in its own thread."""

    append_s: float = 0.0
    flush_s: float = 0.0
    finish_s: float = 0.0
    thread_s: float = 0.0

    def __sub__(self, before: Self) -> "JournalCost":
        """What has been added since."""
        return JournalCost(*(getattr(self, f.name) - getattr(before, f.name) for f in fields(self)))

    def now(self) -> "JournalCost":
        """How it stands now."""
        self.thread_s = _journal_thread_s()
        return self - JournalCost()

    def append(self, method: Any) -> Any:
        """`Journal.append`, timed by the wall: the thread's own clock costs more than the call.

        A call with another thread in its midst counts as `CROWDED_S`.
        """
        clock = time.perf_counter

        def call(*arguments: Any) -> None:
            start = clock()
            method(*arguments)
            self.append_s += min(clock() - start, CROWDED_S)

        return call

    def flush(self, method: Any) -> Any:
        """`Journal.flush`, timed."""

        def call(*arguments: Any) -> None:
            start = time.thread_time()
            method(*arguments)
            self.flush_s += _spent(start)

        return call

    def finish_hand(self, method: Any) -> Any:
        """`Journal.finish_hand`, timed."""

        def call(*arguments: Any) -> Any:
            start = time.thread_time()
            ticket = method(*arguments)
            self.finish_s += _spent(start)
            return ticket

        return call


@contextmanager
def costed(cost: JournalCost) -> Iterator[None]:
    """Every call of a journal within the block is counted in the cost."""
    with (
        replaced(Journal, "append", cost.append),
        replaced(Journal, "flush", cost.flush),
        replaced(Journal, "finish_hand", cost.finish_hand),
    ):
        yield


def _spent(start: float) -> float:
    """Processor seconds of this thread since then, without what looking at its clock takes."""
    return max(0.0, time.thread_time() - start - _LOOKING_S)


def _journal_thread_s() -> float:
    threads = (each for each in threading.enumerate() if each.name == "journal")
    clocks = [time.pthread_getcpuclockid(each.ident) for each in threads if each.ident]
    return sum(map(time.clock_gettime, clocks))


class Lateness:
    """How late a tick of the event loop comes, tick by tick; the daemon's own lag."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._loop = asyncio.get_running_loop()
        self._set()

    def stop(self) -> None:
        """End the ticking."""
        self._timer.cancel()

    def _set(self) -> None:
        self._due = self._loop.time() + TICK_S
        self._timer = self._loop.call_at(self._due, self._tick)

    def _tick(self) -> None:
        self.seconds.append(self._loop.time() - self._due)
        self._set()


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which a part of all lies; 0 where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def _looking_s() -> float:
    """What two looks at the thread's clock take by themselves."""
    differences = []
    for _ in range(200):
        start = time.thread_time()
        differences.append(time.thread_time() - start)
    return quantile(differences, 0.5)


_LOOKING_S = _looking_s()

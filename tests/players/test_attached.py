"""Sessions over the stream of a bot that dials in, and bots that misuse it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack

import pytest

from fivehundred.players.attached import (
    MAX_INBOX,
    AttachedBots,
    AttachedSession,
    Attachment,
    attached_session,
)
from fivehundred.players.lag import LagMonitor
from fivehundred.players.player import Unreachable
from fivehundred.players.stream import MAX_STRAYS
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Ask, Fault, FaultKind, Reply
from fivehundred.v1 import attach_pb2, bot_pb2
from fivehundred.wire.attach import fault_notice, framed
from fivehundred.wire.errors import (
    AlreadyExists,
    FailedPrecondition,
    MalformedMessage,
    Unauthenticated,
    WireError,
)
from fivehundred.wire.ruleset import rules_hash, ruleset_to_proto
from fivehundred_client import Bot
from fivehundred_client.service import Answerer

RULES = RuleSet()
HELLO = bot_pb2.HelloRequest(rules=ruleset_to_proto(RULES), rules_hash=rules_hash(RULES), seat=1)
GREETING = bot_pb2.HelloResponse(name="unnamed", version="1")
MakeAsk = Callable[..., Ask]


class Ends:
    """Both ends of a stream in one process; what is written waits until it is read."""

    def __init__(self) -> None:
        self.to_daemon: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.to_bot: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1)

    async def read(self) -> object:
        return await self.to_daemon.get()

    async def write(self, message: bytes) -> None:
        await self.to_bot.put(message)

    async def next(self) -> attach_pb2.AttachResponse:
        """The bot's next message."""
        return attach_pb2.AttachResponse.FromString(await self.to_bot.get())

    def send(self, request: attach_pb2.AttachRequest) -> None:
        self.to_daemon.put_nowait(request.SerializeToString())

    def hang_up(self) -> None:
        self.to_daemon.put_nowait(None)


class Far:
    """A bot at the other end, attached for as long as its task runs."""

    def __init__(self, bots: AttachedBots, name: str = "far") -> None:
        self.ends = Ends()
        self.attachment = Attachment(self.ends, GREETING)
        self.answerer = Answerer(Bot())
        self.serving = asyncio.create_task(self._serve(bots, name))

    async def _serve(self, bots: AttachedBots, name: str) -> None:
        with bots.attached(name, self.attachment):
            await self.attachment.serve()

    async def greet(self) -> int:
        """Answer one greeting; the session's number."""
        response = await self.ends.next()
        greeted = self.answerer.greet(response.greeting)
        self.ends.send(attach_pb2.AttachRequest(session=response.session, greeted=greeted))
        return response.session

    async def answer(self) -> None:
        """Answer one message of decisions."""
        response = await self.ends.next()
        for answers in self.answerer.answer_all(response.decisions.decisions):
            self.ends.to_daemon.put_nowait(framed(response.session, answers))

    async def end(self) -> WireError | None:
        """What the stream has ended in."""
        await asyncio.wait([self.serving], timeout=10)
        error = self.serving.exception()
        assert error is None or isinstance(error, WireError)
        return error


@pytest.fixture
def bots() -> AttachedBots:
    found = AttachedBots()
    found.listening = True
    return found


@pytest.fixture
async def dial_in(
    bots: AttachedBots, closing: AsyncExitStack
) -> AsyncIterator[Callable[[], Awaitable[Far]]]:
    """A bot dials in."""
    serving: list[asyncio.Task[None]] = []

    async def dial() -> Far:
        far = Far(bots)
        serving.append(far.serving)
        while bots.find("far") is not far.attachment:
            await asyncio.wait(serving, timeout=0.001)
        return far

    yield dial
    for task in serving:
        task.cancel()
    await asyncio.gather(*serving, return_exceptions=True)


@pytest.fixture
def session_of(bots: AttachedBots, closing: AsyncExitStack, lag: LagMonitor) -> "SessionOf":
    """Opens a session with the bot that dials in."""

    async def open_session(limit_us: int = 5_000_000, name: str = "far") -> AttachedSession:
        session = await attached_session(
            bots, name, [HELLO], limit_us=limit_us, lag=lag, before_asking=lambda: None
        )
        return await closing.enter_async_context(session)

    return open_session


DialIn = Callable[[], Awaitable[Far]]
SessionOf = Callable[..., Coroutine[None, None, AttachedSession]]


async def greeted(far: Far, session_of: SessionOf) -> tuple[AttachedSession, int]:
    opening = asyncio.create_task(session_of())
    number = await far.greet()
    return await opening, number


def fault_of(reply: Reply) -> FaultKind | None:
    return reply.answer.kind if isinstance(reply.answer, Fault) else None


async def test_a_decision_goes_there_and_back(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    session, _ = await greeted(far, session_of)

    deciding = asyncio.create_task(session.decide(make_ask()))
    await far.answer()

    assert fault_of(await deciding) is None
    assert str(session.identity) == "unnamed@1"


async def test_a_decision_waits_for_the_bot_and_is_asked_once_more(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    first = await dial_in()
    session, _ = await greeted(first, session_of)
    deciding = asyncio.create_task(session.decide(make_ask()))
    asked = await first.ends.next()
    first.ends.hang_up()
    await first.end()

    second = await dial_in()
    await second.greet()
    response = await second.ends.next()
    again = second.answerer.answer_all(response.decisions.decisions)
    second.ends.to_daemon.put_nowait(framed(response.session, next(again)))

    assert fault_of(await deciding) is None
    assert response.decisions == asked.decisions


async def test_a_decision_is_asked_no_third_time(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    session, _ = await greeted(far, session_of)
    deciding = asyncio.create_task(session.decide(make_ask()))

    for _ in range(2):
        await far.ends.next()
        far.ends.hang_up()
        await far.end()
        far = await dial_in()
        if not deciding.done():
            await far.greet()

    assert fault_of(await deciding) is FaultKind.DISCONNECTED


async def test_the_clock_runs_on_while_the_bot_is_away(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    session, _ = await greeted(far, session_of)
    deciding = asyncio.create_task(session.decide(make_ask(limit_us=200_000)))
    await far.ends.next()
    far.ends.hang_up()

    reply = await deciding

    assert fault_of(reply) is FaultKind.DISCONNECTED
    assert reply.elapsed_us >= 200_000


async def test_each_decision_waits_for_the_bot_for_its_own_time(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    session, _ = await greeted(far, session_of)
    far.ends.hang_up()
    await far.end()

    first = asyncio.create_task(session.decide(make_ask(limit_us=200_000)))
    await asyncio.wait([first], timeout=0.1)
    later = asyncio.create_task(session.decide(make_ask(limit_us=5_000_000)))
    assert fault_of(await first) is FaultKind.DISCONNECTED
    back = await dial_in()
    await back.greet()
    await back.answer()

    assert fault_of(await later) is None


async def test_late_answers_of_an_earlier_session_are_dropped(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    first, number = await greeted(far, session_of)
    await first.close()
    second, later = await greeted(far, session_of)
    deciding = asyncio.create_task(second.decide(make_ask()))

    far.ends.to_daemon.put_nowait(framed(number, b"late"))
    await far.answer()

    assert later > number
    assert fault_of(await deciding) is None


async def test_a_second_stream_is_refused_while_the_first_lives(
    bots: AttachedBots, dial_in: DialIn
) -> None:
    first = await dial_in()

    second = Far(bots)

    assert isinstance(await second.end(), AlreadyExists)
    first.ends.hang_up()
    await first.end()
    assert await dial_in()


async def test_a_bot_that_sends_what_nobody_reads_loses_its_stream(
    dial_in: DialIn, session_of: SessionOf
) -> None:
    far = await dial_in()
    _, number = await greeted(far, session_of)

    for _ in range(MAX_INBOX + 1):
        far.ends.to_daemon.put_nowait(framed(number, b""))

    assert isinstance(await far.end(), MalformedMessage)


async def test_a_bot_that_answers_nothing_that_was_asked_loses_its_stream(dial_in: DialIn) -> None:
    far = await dial_in()

    for _ in range(MAX_STRAYS + 1):
        far.ends.to_daemon.put_nowait(framed(99, b""))

    assert isinstance(await far.end(), MalformedMessage)


async def test_a_bot_that_does_not_read_loses_its_stream(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    session, _ = await greeted(far, session_of)
    decisions = []
    for _ in range(3):
        decisions.append(asyncio.create_task(session.decide(make_ask(limit_us=100_000))))
        await asyncio.wait(decisions, timeout=0.02)

    replies = await asyncio.gather(*decisions)

    assert {fault_of(reply) for reply in replies} <= {FaultKind.TIMEOUT, FaultKind.DISCONNECTED}
    assert isinstance(await far.end(), FailedPrecondition)


async def test_what_does_not_decode_is_the_fault_of_what_is_under_way(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    session, _ = await greeted(far, session_of)
    deciding = asyncio.create_task(session.decide(make_ask()))
    await far.ends.next()

    far.ends.to_daemon.put_nowait(b"<html>")

    assert fault_of(await deciding) is FaultKind.MALFORMED
    assert isinstance(await far.end(), MalformedMessage)


@pytest.mark.parametrize(
    ("name", "version", "reason"),
    [("other", "1", "unnamed@1 came back as other@1"), ("not one", "1", "is not allowed")],
)
async def test_who_answers_the_greeting_must_be_who_dialled_in(
    dial_in: DialIn, session_of: SessionOf, name: str, version: str, reason: str
) -> None:
    far = await dial_in()
    opening = asyncio.create_task(session_of())
    response = await far.ends.next()

    answer = bot_pb2.HelloResponse(name=name, version=version)
    far.ends.send(attach_pb2.AttachRequest(session=response.session, greeted=answer))

    with pytest.raises(Unreachable, match=reason):
        await opening


async def test_a_greeting_that_is_not_answered_ends_with_the_limit(
    dial_in: DialIn, session_of: SessionOf
) -> None:
    await dial_in()

    with pytest.raises(Unreachable, match="the bot is gone"):
        await session_of(100_000)


async def test_answers_before_the_greeting_are_malformed(
    dial_in: DialIn, session_of: SessionOf
) -> None:
    far = await dial_in()
    opening = asyncio.create_task(session_of())
    response = await far.ends.next()

    far.ends.to_daemon.put_nowait(framed(response.session, b""))

    with pytest.raises(Unreachable, match="answers come before"):
        await opening


async def test_nobody_is_waited_for_where_nobody_can_dial_in(
    bots: AttachedBots, session_of: SessionOf
) -> None:
    bots.listening = False

    with pytest.raises(Unreachable, match="here is no port for it"):
        await session_of()


async def test_faults_are_told_when_the_bot_is_back(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    session, _ = await greeted(far, session_of)
    deciding = asyncio.create_task(session.decide(make_ask(limit_us=50_000)))
    asked = (await far.ends.next()).decisions.decisions[0].play.ask.decision_id
    far.ends.hang_up()
    await deciding

    back = await dial_in()
    told = (await back.ends.next()).notices.faults

    assert [(notice.decision_id, notice.seat) for notice in told] == [(asked, make_ask().seat)]


@pytest.mark.parametrize(("dropped", "told"), [("forget", "new"), ("end", "old")])
async def test_whoever_has_the_name_of_a_forgotten_bot_is_not_told_of_its_faults(
    bots: AttachedBots, dial_in: DialIn, dropped: str, told: str
) -> None:
    bots.tell("far", fault_notice("old", 0, Fault(FaultKind.TIMEOUT, "late")))

    getattr(bots, dropped)("far", Unauthenticated("not yours"))
    far = await dial_in()
    bots.tell("far", fault_notice("new", 0, Fault(FaultKind.TIMEOUT, "late")))

    assert (await far.ends.next()).notices.faults[0].decision_id == told


async def test_a_greeting_that_is_given_up_leaves_nothing_behind(
    dial_in: DialIn, session_of: SessionOf, make_ask: MakeAsk
) -> None:
    far = await dial_in()
    given_up = asyncio.create_task(session_of())
    number = (await far.ends.next()).session
    given_up.cancel()
    await asyncio.wait([given_up])

    for _ in range(MAX_INBOX + 1):
        far.ends.to_daemon.put_nowait(framed(number, b""))
    async with asyncio.timeout(10):
        session, _ = await greeted(far, session_of)
    deciding = asyncio.create_task(session.decide(make_ask()))
    await far.answer()

    assert fault_of(await deciding) is None

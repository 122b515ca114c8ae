"""Sessions with bots that behave and with bots that do not, over real sockets."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

import pytest

from fivehundred.players.lag import LagMonitor
from fivehundred.players.player import Identity, Unreachable
from fivehundred.players.process import Launched
from fivehundred.players.session import Session, connect
from fivehundred.rules.actions import Play
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Ask, AskKind, Fault, FaultKind, Reply
from fivehundred.v1 import bot_pb2
from fivehundred.wire.ruleset import ruleset_to_proto
from fivehundred_bots.faulty import (
    Chatterbox,
    Empty,
    Faulty,
    Illegal,
    Malformed,
    Message,
    Oversized,
    Silent,
    Slow,
    WrongId,
)
from fivehundred_client import Bot, PlayTurn, RawBot, serve

Listen = Callable[[Bot | RawBot], Awaitable[str]]
Greet = Callable[[str], Awaitable[Session]]
Start = Callable[..., Awaitable[Launched]]
MakeAsk = Callable[..., Ask]

KINDS = list(AskKind)
MS = 1_000
SECOND = 1_000_000
WAYS = pytest.mark.parametrize("streams", [True, False], ids=["stream", "unary"])

HONEST = """
from fivehundred_bots.faulty import Faulty
from fivehundred_client import run
run(Faulty(streams={}))
"""


def fault_of(reply: Reply) -> Fault:
    assert isinstance(reply.answer, Fault), reply
    return reply.answer


@WAYS
@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
async def test_an_honest_bot_answers_every_kind(
    streams: bool, kind: AskKind, listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    session = await greet(await listen(Faulty(streams=streams)))
    ask = make_ask(kind)

    reply = await session.decide(ask)

    assert session.identity == Identity("faulty", "1")
    assert reply.answer == ask.legal.default()
    assert 0 < reply.elapsed_us < ask.limit_us


@WAYS
@pytest.mark.parametrize(
    ("bot", "kind"),
    [
        (Slow, FaultKind.TIMEOUT),
        (Silent, FaultKind.TIMEOUT),
        (Illegal, FaultKind.ILLEGAL),
        (Malformed, FaultKind.MALFORMED),
        (Empty, FaultKind.MALFORMED),
        (Oversized, FaultKind.MALFORMED),
        (WrongId, FaultKind.MALFORMED),
    ],
)
async def test_a_faulty_bot_is_given_its_fault_again_and_again(
    streams: bool,
    bot: type[Faulty],
    kind: FaultKind,
    listen: Listen,
    greet: Greet,
    make_ask: MakeAsk,
) -> None:
    session = await greet(await listen(bot(streams=streams)))

    faults = [fault_of(await session.decide(make_ask(limit_us=150 * MS))) for _ in range(2)]

    assert [fault.kind for fault in faults] == [kind, kind], faults
    assert all(fault.reason and len(fault.answer) <= 256 for fault in faults)


@WAYS
async def test_many_decisions_of_an_illegal_bot_are_each_illegal(
    streams: bool, listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    session = await greet(await listen(Illegal(streams=streams)))

    replies = await asyncio.gather(*(session.decide(make_ask(kind)) for kind in KINDS))

    assert [fault_of(reply).kind for reply in replies] == [FaultKind.ILLEGAL] * 3


async def test_what_a_chatterbox_says_besides_is_dropped_and_counted(
    listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    session = await greet(await listen(Chatterbox()))
    ask = make_ask()

    replies = [await session.decide(ask) for _ in range(5)]

    assert {reply.answer for reply in replies} == {ask.legal.default()}
    assert session.stray_answers > 0


async def test_a_bot_that_raises_costs_itself_that_decision_only(
    listen: Listen, greet: Greet, make_ask: MakeAsk, capfd: pytest.CaptureFixture[str]
) -> None:
    class Raising(Bot):
        def play(self, turn: PlayTurn) -> Play:
            raise ArithmeticError("too many trumps")

    session = await greet(await listen(Raising()))

    bid, play = await asyncio.gather(
        session.decide(make_ask(AskKind.BID)), session.decide(make_ask(AskKind.PLAY))
    )

    assert not isinstance(bid.answer, Fault)
    assert fault_of(play).kind is FaultKind.MALFORMED
    assert "ArithmeticError: too many trumps" in fault_of(play).reason
    assert "Traceback" in capfd.readouterr().err


async def test_a_note_comes_with_the_answer(
    listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    class Talking(Bot):
        def play(self, turn: PlayTurn) -> Play:
            turn.note = "low is safe"
            return turn.legal.default()

    session = await greet(await listen(Talking()))

    assert (await session.decide(make_ask())).note == "low is safe"


async def test_decisions_of_64_tables_share_messages(
    listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    session = await greet(await listen(Bot()))
    ask = make_ask()

    async def table() -> None:
        for _ in range(10):
            assert (await session.decide(ask)).answer == ask.legal.default()

    await asyncio.gather(*(table() for _ in range(64)))

    assert session.messages_sent < 320


async def test_no_more_decisions_are_asked_at_once_than_the_bot_takes(
    listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    class InPairs(Faulty):
        max_in_flight = 2
        under_way = most = 0
        pair = asyncio.Barrier(2)

        async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            await self.pair.wait()
            self.under_way -= 1
            return [self.honest(decision)]

    bot = InPairs(streams=False)
    session = await greet(await listen(bot))

    await asyncio.gather(*(session.decide(make_ask()) for _ in range(20)))

    assert bot.most == 2


@WAYS
async def test_a_stall_of_the_daemon_times_nobody_out(
    streams: bool, start: Start, greet: Greet, make_ask: MakeAsk
) -> None:
    launched = await start("-c", HONEST.format(streams))
    session = await greet(launched.target)
    asks = [make_ask(limit_us=100 * MS) for _ in range(32)]

    deciding = [asyncio.create_task(session.decide(ask)) for ask in asks]
    await asyncio.sleep(0)
    time.sleep(0.3)  # noqa: ASYNC251 - the stall that the test is about
    replies = await asyncio.gather(*deciding)

    assert [reply for reply in replies if isinstance(reply.answer, Fault)] == []
    assert all(reply.elapsed_us - reply.lag_us <= 100 * MS for reply in replies)


async def test_a_bot_that_crashes_is_disconnected_at_once_and_not_for_the_limit(
    start: Start, greet: Greet, make_ask: MakeAsk
) -> None:
    launched = await start("-m", "fivehundred_bots.faulty", "crashing")
    session = await greet(launched.target)
    began = time.monotonic()

    replies = [await session.decide(make_ask(limit_us=5_000 * MS)) for _ in range(6)]

    assert [isinstance(reply.answer, Fault) for reply in replies] == [False] * 4 + [True] * 2
    assert {fault_of(reply).kind for reply in replies[4:]} == {FaultKind.DISCONNECTED}
    assert time.monotonic() - began < 4
    assert await launched.wait() == 3


@WAYS
async def test_a_bot_that_is_started_anew_plays_on(
    streams: bool, listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    bot = Bot()
    bot.streams = streams
    first = await serve(bot)
    session = await greet(first.address)
    before = await session.decide(make_ask())
    await first.stop()
    second = await serve(bot, first.address)

    after = await session.decide(make_ask())
    await second.stop()

    assert before.answer == after.answer == make_ask().legal.default()


async def test_another_bot_at_the_same_address_is_not_taken_for_the_first(
    greet: Greet, make_ask: MakeAsk
) -> None:
    first = await serve(Faulty())
    session = await greet(first.address)
    await session.decide(make_ask())
    await first.stop()
    second = await serve(Chatterbox(), first.address)

    fault = fault_of(await session.decide(make_ask()))
    await second.stop()

    assert "faulty@1 came back as chatterbox@1" in fault.reason


@WAYS
async def test_a_closed_session_disconnects_what_is_under_way(
    streams: bool, listen: Listen, greet: Greet, make_ask: MakeAsk
) -> None:
    class Listening(Silent):
        asked = asyncio.Event()

        async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
            self.asked.set()
            return await super().messages(decision)

    session = await greet(await listen(Listening(streams=streams)))
    deciding = asyncio.create_task(session.decide(make_ask(limit_us=5_000 * MS)))
    await Listening.asked.wait()

    await session.close()

    fault = fault_of(await deciding)
    assert fault.kind is FaultKind.DISCONNECTED


async def test_an_address_where_nothing_listens_is_unreachable(
    lag: LagMonitor,
) -> None:
    with pytest.raises(Unreachable, match="nothing answers at unix:/nowhere") as raised:
        await connect("unix:/nowhere", [bot_pb2.HelloRequest()], limit_us=100 * MS, lag=lag)

    assert raised.value.fault.kind is FaultKind.UNREACHABLE


async def test_a_bot_without_a_name_is_unreachable(listen: Listen, greet: Greet) -> None:
    bot = Bot()
    bot.name = ""
    address = await listen(bot)

    with pytest.raises(Unreachable, match="name '' is not allowed"):
        await greet(address)


@WAYS
async def test_what_led_to_a_decision_is_written_down_before_it_is_asked(
    streams: bool, listen: Listen, closing: AsyncExitStack, lag: LagMonitor, make_ask: MakeAsk
) -> None:
    written: list[str] = []
    hello = bot_pb2.HelloRequest(rules=ruleset_to_proto(RuleSet()))
    bot = Faulty(streams=streams)
    session = await connect(
        await listen(bot),
        [hello],
        limit_us=SECOND,
        lag=lag,
        before_asking=lambda: written.append("x"),
    )
    await closing.enter_async_context(session)

    reply = await session.decide(make_ask(AskKind.PLAY))

    assert isinstance(reply.answer, Play)
    assert written == ["x"]


@WAYS
async def test_nothing_is_asked_where_that_cannot_be_written_down(
    streams: bool, listen: Listen, closing: AsyncExitStack, lag: LagMonitor, make_ask: MakeAsk
) -> None:
    def fail() -> None:
        raise OSError("disk full")

    hello = bot_pb2.HelloRequest(rules=ruleset_to_proto(RuleSet()))
    session = await connect(
        await listen(Faulty(streams=streams)), [hello], limit_us=SECOND, lag=lag, before_asking=fail
    )
    await closing.enter_async_context(session)

    with pytest.raises(OSError, match="disk full"):
        await session.decide(make_ask(AskKind.PLAY))

    assert session.messages_sent == 0


async def test_seats_that_share_a_session_share_its_stream(
    listen: Listen, closing: AsyncExitStack, lag: LagMonitor, make_ask: MakeAsk
) -> None:
    rules = ruleset_to_proto(RuleSet())
    hellos = [bot_pb2.HelloRequest(rules=rules, seat=seat) for seat in range(4)]
    address = await listen(Faulty(streams=True))
    session = await connect(address, hellos, limit_us=SECOND, lag=lag)
    await closing.enter_async_context(session)

    replies = await asyncio.gather(*(session.decide(make_ask(AskKind.PLAY)) for _ in range(32)))

    assert all(isinstance(reply.answer, Play) for reply in replies)
    assert session.messages_sent < 8

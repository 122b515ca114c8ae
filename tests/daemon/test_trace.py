"""What a trace says a bot was asked is what the bot got over gRPC, to the byte."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.trace import trace, trace_messages
from fivehundred.rules.actions import Action, Bid, LegalCalls
from fivehundred.storage.errors import StorageError
from fivehundred.storage.store import Store, open_store, read_store
from fivehundred.v1 import bot_pb2, hands_pb2, hands_pb2_grpc, tournament_pb2
from fivehundred.wire.codec import Request, answer_to_proto, ask_from_proto, request_of
from fivehundred.wire.errors import NotFound
from fivehundred_bots.faulty import Faulty, Message
from fivehundred_client import serve

MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
EVERY = 9
"""One of so many answers is a fault."""


class Remembering(Faulty):
    """Remembers what it was asked; answers with notes, and now and then with a fault."""

    def __init__(self, *, streams: bool = True) -> None:
        super().__init__(streams=streams)
        self.asked: list[Request] = []

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        request = request_of(decision)
        self.asked.append(request)
        if len(self.asked) % EVERY == 0:
            nothing = bot_pb2.PlayResponse(decision_id=request.ask.decision_id)
            return [bot_pb2.Answer(play=nothing)]
        answer = self.opening(decision)
        getattr(answer, str(answer.WhichOneof("kind"))).note = f"answer {len(self.asked)}"
        return [answer]

    def opening(self, decision: bot_pb2.Decision) -> bot_pb2.Answer:
        """An honest answer that opens the auction where it can, so that there is play."""
        asked = ask_from_proto(decision)
        action: Action = asked.legal.default()
        if isinstance(asked.legal, LegalCalls) and not any(
            isinstance(call, Bid) for _, call in asked.view.auction
        ):
            action = next(call for call in asked.legal.calls if isinstance(call, Bid))
        return answer_to_proto(asked.decision_id, action)


async def played(spec: tournament_pb2.TournamentSpec, database: Path, bot: Remembering) -> None:
    """A tournament of a bot against an honest one, played to its end."""
    async with AsyncExitStack() as stack:
        for name, each in (("mine", bot), ("other", Faulty())):
            server = await serve(each, f"unix:{database.parent / name}.sock")
            stack.push_async_callback(server.stop)
            spec.entrants.add(name=name, address=server.address)
        await run_tournament(spec, database, lambda _: None)


def spec_of(make_spec: MakeSpec, **more: Any) -> tournament_pb2.TournamentSpec:
    """Two short matches with a bank and enough strikes."""
    spec = make_spec(rounds=2, **more)
    spec.time_control.bank.FromMilliseconds(60_000)
    spec.time_control.increment.FromMilliseconds(250)
    spec.fault_policy.never_forfeit = True
    return spec


def traced(
    store: Store, entrant: str, *, faults_only: bool = False
) -> list[hands_pb2.TraceEntrantResponse]:
    hands = trace(store, "test", entrant)
    return [each for hand in hands for each in trace_messages(hand, faults_only=faults_only)]


def request_in(message: hands_pb2.TraceEntrantResponse) -> Request:
    """What the bot was asked."""
    request: Request = getattr(message, str(message.WhichOneof("request")))
    return request


def without_id(request: Request) -> bytes:
    """The bytes of a request, its decision's id left out."""
    copy = type(request).FromString(request.SerializeToString())
    copy.ask.decision_id = ""
    return copy.SerializeToString(deterministic=True)


@pytest.mark.parametrize("streams", [True, False], ids=["stream", "unary"])
@pytest.mark.parametrize("preset", ["au-4p-43", "ko-3p-33"])
async def test_every_request_is_rebuilt_to_the_byte(
    make_spec: MakeSpec, tmp_path: Path, preset: str, streams: bool
) -> None:
    bot = Remembering(streams=streams)
    await played(spec_of(make_spec, preset=preset), tmp_path / "t.db", bot)

    with read_store(tmp_path / "t.db") as store:
        messages = traced(store, "mine")

    assert Counter(map(without_id, bot.asked)) == Counter(
        request_in(each).SerializeToString(deterministic=True) for each in messages
    )
    assert len(messages) == len(bot.asked) > EVERY
    assert {each.WhichOneof("request") for each in messages} == {"bid", "discard", "play"}
    asks = [request_in(each).ask for each in messages]
    assert {each.decision_id for each in asks} == {""}
    assert all(each.seed and each.time_left.seconds >= 60 for each in asks)
    assert any(each.HasField("last_receipt") for each in asks)


async def test_games_and_what_is_forfeited_are_traced_too(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(rounds=2)
    spec.format.games.boards_per_match = 1
    spec.format.games.max_deals = 6
    spec.fault_policy.strikes = 4
    bot = Remembering()
    await played(spec, tmp_path / "t.db", bot)

    with read_store(tmp_path / "t.db") as store:
        messages = traced(store, "mine")
        hands = list(trace(store, "test", "mine"))
        forfeited = [each for each in hands if each.hand.record.ended.forfeited_by is not None]

    assert Counter(map(without_id, bot.asked)) == Counter(
        request_in(each).SerializeToString(deterministic=True) for each in messages
    )
    assert any(not each.asks for each in forfeited)


async def test_faults_alone_are_given_with_evidence_and_what_took_effect(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    bot = Remembering()
    await played(spec_of(make_spec), tmp_path / "t.db", bot)

    with read_store(tmp_path / "t.db") as store:
        everything = traced(store, "mine")
        faults = traced(store, "mine", faults_only=True)
        others = traced(store, "other", faults_only=True)

    assert others == []
    assert faults == [each for each in everything if each.made.fault]
    assert len(faults) == len(bot.asked) // EVERY
    for each in everything:
        assert each.HasField("evidence") == bool(each.made.fault)
        assert each.HasField("receipt")
        assert each.made.seat == each.seat == request_in(each).ask.view.seat
        assert each.note.startswith("answer") != bool(each.made.fault)
    assert all(each.evidence.reason and each.evidence.answer for each in faults)


async def test_the_daemon_gives_the_same_once_the_hands_are_open(
    make_spec: MakeSpec, tmp_path: Path, start_daemon: Callable[[Path], Any]
) -> None:
    database = tmp_path / "t.db"
    await played(spec_of(make_spec), database, Remembering())
    with open_store(database) as store:
        expected = traced(store, "mine")
    request = hands_pb2.TraceEntrantRequest(tournament="test", entrant="mine")
    nobody = hands_pb2.TraceEntrantRequest(tournament="test", entrant="nobody")
    address = start_daemon(database).address

    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = hands_pb2_grpc.HandServiceStub(channel)
        given = [each async for each in stub.TraceEntrant(request)]
        with pytest.raises(grpc.aio.AioRpcError, match="it has mine, other") as refused:
            _ = [each async for each in stub.TraceEntrant(nobody)]

    assert given == expected
    assert refused.value.code() == grpc.StatusCode.NOT_FOUND


async def test_a_log_that_is_not_the_matches_own_is_refused(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    await played(spec_of(make_spec), tmp_path / "t.db", Remembering())
    with open_store(tmp_path / "t.db") as store:
        store.set_bots("test", ["mine@7", "other@1"])

        first = next(iter(store.hands("test"))).id

        with pytest.raises(StorageError, match=rf"hand {first} is not .*see `fivehundred verify`"):
            traced(store, "mine")
        with pytest.raises(NotFound, match="no entrant 'nobody'"):
            traced(store, "nobody")

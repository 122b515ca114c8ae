"""Answering decisions: in which messages, under which rules, and what a bot's failure costs."""

from collections.abc import Sequence
from random import Random
from typing import NoReturn

import grpc
import pytest

from fivehundred.rules.actions import PASS, Action, Call, Exchange, Play
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Ask, AskKind
from fivehundred.v1 import bot_pb2, cards_pb2
from fivehundred.wire.codec import answer_to_proto, ask_to_proto
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred.wire.ruleset import rules_hash, ruleset_to_proto
from fivehundred_client import AnyTurn, BatchBot, BidTurn, Bot, DiscardTurn, PlayTurn
from fivehundred_client.service import (
    Answerer,
    BotServicer,
    Context,
    UnknownRules,
    describe,
    grouped,
)

RULES = RuleSet()
KEY = rules_hash(RULES)


def bid_asked(decision_id: str) -> bot_pb2.Decision:
    """A decision in the auction of a new hand."""
    cards = list(deck(RULES))
    Random(decision_id).shuffle(cards)
    hand = Hand(RULES, deal(RULES, cards, 0), 0, (0, 0))
    assert hand.turn is not None
    ask = Ask(AskKind.BID, 1, 0, hand.view(1), hand.legal(), 10**6, 0, 7, None)
    return ask_to_proto(ask, decision_id, KEY)


def play_asked(decision_id: str) -> bot_pb2.Decision:
    """A decision to play the ace of spades, which is all that the seat has."""
    ask = bot_pb2.Ask(decision_id=decision_id, rules_hash=KEY)
    ask.view.holding.append(cards_pb2.CARD_AS)
    request = bot_pb2.PlayRequest(ask=ask, legal=[cards_pb2.CARD_AS])
    return bot_pb2.Decision(play=request)


def answers_of(answerer: Answerer, *decisions: bot_pb2.Decision) -> list[bot_pb2.Answer]:
    messages = map(bot_pb2.DecideResponse.FromString, answerer.answer_all(decisions))
    return [answer for message in messages for answer in message.answers]


def taught(bot: Bot) -> Answerer:
    answerer = Answerer(bot)
    answerer.learn(RULES)
    return answerer


class Wire(Context):
    """A stream whose messages have all come; keeps what is written."""

    def __init__(self, *messages: bytes) -> None:
        self.written: list[bytes] = []
        self._messages = iter(messages)

    async def read(self) -> bytes | None:
        return next(self._messages, None)

    async def write(self, message: bytes, /) -> None:
        self.written.append(message)

    async def abort(self, code: grpc.StatusCode, details: str, /) -> NoReturn:
        raise AssertionError(details)


@pytest.mark.parametrize("preset", preset_names())
def test_a_greeting_tells_the_rules_exactly(preset: str) -> None:
    rules = load_preset(preset)
    answerer = Answerer(Bot())
    hello = bot_pb2.HelloRequest(rules=ruleset_to_proto(rules), rules_hash=rules_hash(rules))

    answerer.greet(hello)

    assert answerer.rules_of(rules_hash(rules)) == rules


def sizes(messages: list[bytes]) -> list[int]:
    return [len(bot_pb2.DecideResponse.FromString(message).answers) for message in messages]


def test_answers_go_out_thirty_two_at_a_time() -> None:
    assert sizes([*grouped([b""] * 80, lambda: 0.0)]) == [32, 32, 16]


def test_a_slow_bots_answers_go_out_one_by_one() -> None:
    ticks = iter(range(1_000))

    assert sizes([*grouped([b""] * 3, lambda: next(ticks) * 0.01)]) == [1, 1, 1]


def test_long_answers_go_out_before_a_message_is_too_large() -> None:
    answer = answer_to_proto("x", Play(0), "n" * 1000).SerializeToString()

    messages = [*grouped([answer] * 200, lambda: 0.0, most=200)]

    assert sum(sizes(messages)) == 200
    assert all(len(message) < 40_000 for message in messages)


def test_decisions_of_all_kinds_are_answered_in_order() -> None:
    answers = answers_of(taught(Bot()), bid_asked("a"), play_asked("b"), bid_asked("c"))

    assert [answer.WhichOneof("kind") for answer in answers] == ["bid", "play", "bid"]
    assert [answers[0].bid.decision_id, answers[1].play.decision_id] == ["a", "b"]
    assert answers[1].play.card == cards_pb2.CARD_AS
    assert answers[2] == taught(Bot()).answer(bid_asked("c"))


class Stumbling(Bot):
    """Cannot play."""

    def play(self, turn: PlayTurn) -> Play:
        raise LookupError("where was I?")


def test_what_a_bot_raises_costs_that_decision_only(capfd: pytest.CaptureFixture[str]) -> None:
    answers = answers_of(taught(Stumbling()), bid_asked("a"), play_asked("b"), bid_asked("c"))

    assert answers[1] == bot_pb2.Answer(
        play=bot_pb2.PlayResponse(decision_id="b", note="LookupError: where was I?")
    )
    assert [answer.bid.HasField("call") for answer in (answers[0], answers[2])] == [True, True]
    assert "LookupError: where was I?" in capfd.readouterr().err


class Giving(Bot):
    """Gives the same whatever it is asked."""

    def __init__(self, given: object) -> None:
        self.given = given

    def bid(self, turn: BidTurn) -> Call:
        return self.given  # type: ignore[return-value]

    def play(self, turn: PlayTurn) -> Play:
        return self.given  # type: ignore[return-value]

    def discard(self, turn: DiscardTurn) -> Exchange:
        return self.given  # type: ignore[return-value]


@pytest.mark.parametrize("given", [0, None, Play(3), "6S"])
def test_what_is_no_call_is_confessed(given: object, capfd: pytest.CaptureFixture[str]) -> None:
    (answer,) = answers_of(taught(Giving(given)), bid_asked("a"))

    said = f"bid gave {given!r}, which is no call: give one of turn.legal"
    assert answer == bot_pb2.Answer(bid=bot_pb2.BidResponse(decision_id="a", note=said))
    assert capfd.readouterr().err == f"{said}\n"


def test_what_is_no_play_is_confessed() -> None:
    (answer,) = answers_of(taught(Giving(PASS)), play_asked("a"))

    said = "play gave Pass(), which is no play: give one of turn.legal"
    assert answer == bot_pb2.Answer(play=bot_pb2.PlayResponse(decision_id="a", note=said))


def test_what_is_no_exchange_is_confessed() -> None:
    request = bot_pb2.DiscardRequest(ask=play_asked("a").play.ask, throw=1)

    (answer,) = answers_of(taught(Giving(None)), bot_pb2.Decision(discard=request))

    said = "discard gave None, which is no exchange: give an Exchange that is in turn.legal"
    assert answer.discard.note == said
    assert list(answer.discard.cards) == [cards_pb2.CARD_UNSPECIFIED]


class Looking(Bot):
    """Looks at the scores before it calls."""

    def bid(self, turn: BidTurn) -> Play:  # type: ignore[override]
        return Play(turn.view.scores[0])


def test_a_view_that_is_none_is_confessed_when_it_is_looked_at() -> None:
    decision = bid_asked("a")
    decision.bid.ask.view.holding.append(cards_pb2.Card.ValueType(99))

    (seen,) = answers_of(taught(Looking()), decision)
    (unseen,) = answers_of(taught(Bot()), decision)

    assert seen.bid.note == "MalformedMessage: 99 is no card's number"
    assert not seen.bid.HasField("call")
    assert unseen.bid.HasField("call")


def test_decisions_under_unknown_rules_are_not_answered() -> None:
    with pytest.raises(UnknownRules):
        answers_of(Answerer(Bot()), play_asked("a"))


class Counting(BatchBot):
    """Keeps how many decisions have come at once."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        self.sizes.append(len(turns))
        return super().decide(turns)


async def test_a_batch_bot_gets_all_that_waits_on_a_stream_at_once() -> None:
    bot = Counting()
    servicer = BotServicer(bot)
    await servicer.hello(hello(), Wire())
    wire = Wire(request(play_asked("a"), bid_asked("b")), request(), request(bid_asked("c")))

    await servicer.decide(None, wire)

    assert bot.sizes == [3]
    assert sizes(wire.written) == [3]


async def test_a_stream_is_answered_message_by_message() -> None:
    servicer = BotServicer(Bot())
    await servicer.hello(hello(), Wire())
    messages = [request(play_asked("a"), bid_asked("b")), request(), request(bid_asked("c"))]
    wire = Wire(*messages)

    await servicer.decide(None, wire)

    assert sizes(wire.written) == [2, 1]


def hello() -> bytes:
    greeting = bot_pb2.HelloRequest(rules=ruleset_to_proto(RULES), rules_hash=KEY)
    return greeting.SerializeToString()


def request(*decisions: bot_pb2.Decision) -> bytes:
    return bot_pb2.DecideRequest(decisions=decisions).SerializeToString()


def test_an_exception_with_half_a_character_costs_its_own_decision_only() -> None:
    assert describe(ValueError("bad \ud800")) == "ValueError: bad ?"

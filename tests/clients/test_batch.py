"""A bot that decides many at once decides as it would one by one."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from fivehundred.daemon.embedded import run_tournament
from fivehundred.rules.actions import PASS, Action, Call, Exchange, LegalExchange, Play
from fivehundred.rules.cards import mask, members
from fivehundred.rules.hand import Hand, Outcome
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Ask, AskKind
from fivehundred.v1 import bot_pb2, tournament_pb2
from fivehundred.wire.codec import ask_to_proto
from fivehundred.wire.ruleset import rules_hash
from fivehundred_client import AnyTurn, BatchBot, BidTurn, Bot, DiscardTurn, PlayTurn, serve
from fivehundred_client.service import Answerer
from fivehundred_client.testing import play_hand

RULES = RuleSet()
KEY = rules_hash(RULES)


def any_action(turn: AnyTurn) -> Action:
    """Anything legal, the same whenever it is asked for again."""
    legal, rng = turn.legal, turn.rng
    turn.note = f"{rng.random():.3f}"
    if isinstance(legal, LegalExchange):
        return Exchange(mask(rng.sample([*members(legal.holding)], legal.throw)))
    actions: list[Action] = [legal.default(), *legal]
    return rng.choice(actions)


class Single(Bot):
    """Decides one by one."""

    name = "same"

    def bid(self, turn: BidTurn) -> Call:
        return any_action(turn)  # type: ignore[return-value]

    def discard(self, turn: DiscardTurn) -> Exchange:
        return any_action(turn)  # type: ignore[return-value]

    def play(self, turn: PlayTurn) -> Play:
        return any_action(turn)  # type: ignore[return-value]


class Together(BatchBot):
    """Decides the same, many at once; keeps how many."""

    name = "same"

    def __init__(self, window: int = 0) -> None:
        self.max_in_flight = window
        self.sizes: list[int] = []

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        self.sizes.append(len(turns))
        return [any_action(turn) for turn in turns]


class Doubtful(Together):
    """Decides only when it is asked for one decision, and not for that of an odd seed."""

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        actions = super().decide(turns)
        if any(turn.asked.seed % 2 for turn in turns):
            raise LookupError("odd")
        return actions


class Short(Together):
    """Leaves out an answer, unless there is only one."""

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        return super().decide(turns)[: max(len(turns) - 1, 1)]


def bids_asked(count: int) -> list[bot_pb2.Decision]:
    """Decisions in the auctions of new hands, their seeds 0, 1, 2 and so on."""
    return [_bid_asked(number) for number in range(count)]


def _bid_asked(number: int) -> bot_pb2.Decision:
    cards = list(deck(RULES))
    Random(number).shuffle(cards)
    hand = Hand(RULES, deal(RULES, cards, 0), 0, (0, 0))
    ask = Ask(AskKind.BID, 1, 0, hand.view(1), hand.legal(), 10**6, 0, number, None)
    return ask_to_proto(ask, str(number), KEY)


def answers_of(bot: Bot, decisions: Sequence[bot_pb2.Decision]) -> list[bot_pb2.Answer]:
    answerer = Answerer(bot)
    answerer.learn(RULES)
    messages = map(bot_pb2.DecideResponse.FromString, answerer.answer_all(decisions))
    return [answer for message in messages for answer in message.answers]


def test_the_answers_are_those_one_by_one_in_order() -> None:
    bot, decisions = Together(), bids_asked(100)

    assert answers_of(bot, decisions) == answers_of(Single(), decisions)
    assert bot.sizes == [100]


def test_no_more_come_at_once_than_the_bot_takes() -> None:
    bot, decisions = Together(window=8), bids_asked(20)

    assert answers_of(bot, decisions) == answers_of(Single(), decisions)
    assert bot.sizes == [8, 8, 4]


def test_nothing_is_asked_where_nothing_comes() -> None:
    bot = Together()

    assert answers_of(bot, []) == []
    assert bot.sizes == []


def test_a_call_that_raises_costs_the_decisions_at_fault_only(
    capfd: pytest.CaptureFixture[str],
) -> None:
    decisions = bids_asked(4)

    answers = answers_of(Doubtful(), decisions)

    honest = answers_of(Single(), decisions)
    assert [answers[0], answers[2]] == [honest[0], honest[2]]
    for answer in (answers[1], answers[3]):
        assert answer.bid.note == "LookupError: odd"
        assert not answer.bid.HasField("call")
    assert capfd.readouterr().err.count("LookupError: odd") == 3


def test_too_few_actions_count_as_a_call_that_raises() -> None:
    bot, decisions = Short(), bids_asked(3)

    assert answers_of(bot, decisions) == answers_of(Single(), decisions)
    assert bot.sizes == [3, 1, 1, 1]


class Numbering(BatchBot):
    """Gives a number where the seed is odd."""

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        return [
            turn.asked.seed if turn.asked.seed % 2 else turn.legal.default()  # type: ignore[misc]
            for turn in turns
        ]


class Miscounting(BatchBot):
    """Gives whatever it is told to."""

    def __init__(self, given: object) -> None:
        self.given = given

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        return self.given  # type: ignore[return-value]


def test_what_is_no_action_costs_its_decision_and_is_told_once_a_call(
    capfd: pytest.CaptureFixture[str],
) -> None:
    answers = answers_of(Numbering(), bids_asked(5))

    said = "decide gave 1, which is no call: give one of turn.legal"
    assert [answer.bid.HasField("call") for answer in answers] == [True, False, True, False, True]
    assert answers[1].bid.note == said
    assert answers[3].bid.note == said.replace("1", "3")
    assert capfd.readouterr().err == f"{said}\n"


@pytest.mark.parametrize(
    ("given", "told", "noted"),
    [
        ([PASS] * 3, "decide gave 3 actions for 4 turns", "decide gave 3 actions for 1 turn"),
        ([], "decide gave 0 actions for 4 turns", "decide gave 0 actions for 1 turn"),
        (None, *["decide gave None, which is no list of actions"] * 2),
    ],
)
def test_a_wrong_number_of_actions_is_told_once_a_call(
    given: object, told: str, noted: str, capfd: pytest.CaptureFixture[str]
) -> None:
    answers = answers_of(Miscounting(given), bids_asked(4))

    assert [answer.bid.note for answer in answers] == [noted] * 4
    assert not any(answer.bid.HasField("call") for answer in answers)
    assert capfd.readouterr().err == f"{told}\n"


def test_a_view_that_is_none_costs_its_decision_only() -> None:
    decisions = bids_asked(3)
    decisions[1].bid.legal.add(level=7)

    answers = answers_of(Together(), decisions)

    assert [answer.bid.HasField("call") for answer in answers] == [True, False, True]
    assert answers[1].bid.note.startswith("MalformedMessage: a call with a strain but no level")


def test_a_bot_that_overrides_nothing_passes() -> None:
    cards = list(deck(RULES))

    result = play_hand(RULES, [BatchBot()] * 4, cards)

    assert result.outcome is Outcome.PASSED_OUT


@pytest.mark.parametrize("window", [0, 5])
async def test_a_tournament_s_log_is_the_same_bit_for_bit(window: int, tmp_path: Path) -> None:
    bots: list[Bot] = [Single(), Together(window)]

    digests = {await digest_of(bot, tmp_path / f"{type(bot).__name__}.db") for bot in bots}

    assert len(digests) == 1


async def digest_of(bot: Bot, database: Path) -> str:
    """The digest of a small tournament of a bot against itself."""
    server = await serve(bot)
    spec = tournament_pb2.TournamentSpec(name="same", tables=16, seed="5a" * 32)
    for name in ("a", "b"):
        spec.entrants.add(name=name, address=server.address)
    spec.format.round_robin.rounds = 8
    spec.format.boards.boards_per_match = 2
    played = await run_tournament(spec, database, lambda _: None)
    await server.stop()
    assert played.state == tournament_pb2.TOURNAMENT_STATE_FINISHED
    return str(played.log_digest)

"""Tries a bot in its own process: decisions pass through the messages, but not the network."""

from collections.abc import Sequence

from fivehundred.rules.actions import Action, Legal, LegalCalls, LegalExchange
from fivehundred.rules.cards import Card
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand, HandResult
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Ask, AskKind
from fivehundred.v1 import bot_pb2
from fivehundred.wire.codec import ask_to_proto, decode_answer
from fivehundred_client.bot import Bot
from fivehundred_client.service import Answerer

PLENTY_US = 3_600_000_000


def ask_one(bot: Bot, hand: Hand, rules: RuleSet, *, seed: int = 0) -> Action:
    """What a bot does in the seat whose turn it is; the hand stays as it is.

    Raises what the bot raises, and IllegalAction when the action is not legal.
    """
    answerer = Answerer(bot)
    ask = _ask(hand, seed)
    decision = ask_to_proto(ask, "1", answerer.learn(rules)).SerializeToString()
    answer = answerer.answer(bot_pb2.Decision.FromString(decision)).SerializeToString()
    action, _ = decode_answer(bot_pb2.Answer.FromString(answer), ask)
    if action not in ask.legal:
        raise IllegalAction(f"{bot.name} in seat {ask.seat}: {action} is not legal")
    return action


def play_hand(
    rules: RuleSet, bots: Sequence[Bot], deck: Sequence[Card], dealer: int = 0, *, seed: int = 0
) -> HandResult:
    """The result of a hand that a bot for each seat plays with a pack in dealing order."""
    hand = Hand(rules, deal(rules, deck, dealer), dealer, [0] * rules.sides)
    while hand.turn is not None:
        hand.apply(ask_one(bots[hand.turn], hand, rules, seed=seed + hand.turn))
    assert hand.result is not None
    return hand.result


def _ask(hand: Hand, seed: int) -> Ask:
    assert hand.turn is not None, "the hand is over: nobody is to be asked"
    legal = hand.legal()
    view = hand.view(hand.turn)
    return Ask(_kind(legal), hand.turn, hand.turn, view, legal, PLENTY_US, 0, seed, None)


def _kind(legal: Legal) -> AskKind:
    if isinstance(legal, LegalCalls):
        return AskKind.BID
    return AskKind.DISCARD if isinstance(legal, LegalExchange) else AskKind.PLAY

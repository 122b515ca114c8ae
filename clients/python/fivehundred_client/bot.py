"""The base of every Python bot."""

import reprlib

from fivehundred.rules.actions import (
    Action,
    Bid,
    Call,
    Exchange,
    Legal,
    LegalCalls,
    LegalExchange,
    Pass,
    Play,
)
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.asked import Asked
from fivehundred_client.notices import FaultNotice, HandNotice
from fivehundred_client.turn import BidTurn, DiscardTurn, PlayTurn, Turn


class NoAnswer(Exception):
    """A bot has given what is no answer; the words say all that a traceback would."""


class Bot:
    """A player of 500. Override what you care about; the rest passes and plays the lowest card.

    One bot answers for many tables at once, decision by decision, so it keeps nothing between two
    decisions: each turn holds all that there is to know.
    """

    name = "unnamed"
    version = "1"
    streams = True
    """Whether many decisions come in one message, which is many times faster, or each in a call."""
    max_in_flight = 0
    """How many decisions the daemon may ask at once; 0 for no bound."""

    def bid(self, turn: BidTurn) -> Call:
        """The call to make: one of ``turn.legal``."""
        return turn.legal.default()

    def discard(self, turn: DiscardTurn) -> Exchange:
        """What to throw and to settle before the first lead."""
        return turn.legal.default()

    def play(self, turn: PlayTurn) -> Play:
        """The card to play: one of ``turn.legal``."""
        return turn.legal.default()

    def on_result(self, notice: HandNotice) -> None:
        """Is told how a hand ended that the bot has played; only a bot that dials in is."""

    def on_fault(self, notice: FaultNotice) -> None:
        """Is told of a decision of the bot that was a fault; only a bot that dials in is."""


def decide(bot: Bot, asked: Asked, rules: RuleSet) -> tuple[Action, str]:
    """A bot's action and note for a decision of any kind."""
    legal = asked.legal
    if isinstance(legal, LegalCalls):
        calling = Turn(asked, legal, rules)
        return action_of(legal, bot.bid(calling), "bid"), calling.note
    if isinstance(legal, LegalExchange):
        discarding = Turn(asked, legal, rules)
        return action_of(legal, bot.discard(discarding), "discard"), discarding.note
    playing = Turn(asked, legal, rules)
    return action_of(legal, bot.play(playing), "play"), playing.note


def action_of(legal: Legal, given: object, by: str) -> Action:
    """What a bot's method ``by`` gave, an action of the kind asked; raises `NoAnswer`."""
    if isinstance(legal, LegalCalls):
        if isinstance(given, Bid | Pass):
            return given
        raise _no_answer(by, given, "no call: give one of turn.legal")
    if isinstance(legal, LegalExchange):
        if isinstance(given, Exchange):
            return given
        raise _no_answer(by, given, "no exchange: give an Exchange that is in turn.legal")
    if isinstance(given, Play):
        return given
    raise _no_answer(by, given, "no play: give one of turn.legal")


def _no_answer(by: str, given: object, what: str) -> NoAnswer:
    return NoAnswer(f"{by} gave {reprlib.repr(given)}, which is {what}")

"""The base of every Python bot."""

from fivehundred.rules.actions import Action, Call, Exchange, LegalCalls, LegalExchange, Play
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.asked import Asked
from fivehundred_client.turn import BidTurn, DiscardTurn, PlayTurn, Turn


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


def decide(bot: Bot, asked: Asked, rules: RuleSet) -> tuple[Action, str]:
    """A bot's action and note for a decision of any kind."""
    legal = asked.legal
    if isinstance(legal, LegalCalls):
        calling = Turn(asked, legal, rules)
        return bot.bid(calling), calling.note
    if isinstance(legal, LegalExchange):
        discarding = Turn(asked, legal, rules)
        return bot.discard(discarding), discarding.note
    playing = Turn(asked, legal, rules)
    return bot.play(playing), playing.note

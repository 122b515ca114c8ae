"""What hands cost: decisions, time and room."""

from dataclasses import dataclass

from fivehundred.rules.bids import ladder
from fivehundred.rules.ruleset import AuctionRounds, PersonalKittyUse, Reentry, RuleSet

TRICKS = 10
OWN_S = 0.000_15
"""Of the daemon's own for a decision, which receipts do not hold: no bot is charged with it."""
ANSWER_S = 0.000_3
"""Of a quick bot on the same machine."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of one hand by kind."""

    bids: float
    discards: float
    plays: float

    @property
    def total(self) -> float:
        """All of them."""
        return self.bids + self.discards + self.plays

    def times(self, count: float) -> "Decisions":
        """Those of so many hands."""
        return Decisions(self.bids * count, self.discards * count, self.plays * count)


@dataclass(frozen=True, slots=True)
class Limits:
    """The time that bots have, in seconds."""

    bid: float = 1.0
    discard: float = 1.0
    play: float = 1.0
    bank: float = 0.0
    increment: float = 0.0
    first: float = 2.0
    connect: float = 20.0

    @property
    def least(self) -> float:
        """That of the decision which has least, its bank not counted."""
        return min(self.bid, self.discard, self.play)


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast bots answer."""

    answers_s: float
    """All answers of one hand, at so many tables at once."""
    at_once: float | None = None
    """Of more tables answers are taken to come no faster; None where that is not known."""

    def hand_s(self, tables: float, decisions: float) -> float:
        """How long a hand takes on the average, where so many tables play at once.

        Tables wait for answers beside one another; the daemon's own work they take in turn.
        """
        beside = tables if self.at_once is None else min(tables, self.at_once)
        return self.answers_s / beside + decisions * OWN_S


def expected_decisions(rules: RuleSet) -> Decisions:
    """Of a hand that is played out: a call of each, and of every fourth another; all cards."""
    rounds = 1.0 if rules.auction_rounds is AuctionRounds.ONE_EACH else 1.25
    return Decisions(rounds * rules.players, _exchanges(rules), TRICKS * rules.players)


def most_decisions(rules: RuleSet) -> Decisions:
    """Of the longest hand that there can be."""
    bids = len(ladder(rules))
    if rules.auction_rounds is AuctionRounds.ONE_EACH:
        calls = rules.players + (bids if rules.winner_may_raise else 0)
    elif rules.reentry is Reentry.NONE:
        calls = bids + rules.players
    else:
        calls = (bids + 1) * rules.players
    return Decisions(calls, max(1, _exchanges(rules)), TRICKS * rules.players)


def worst_match_s(rules: RuleSet, limits: Limits, hands: float, entrants: int) -> float:
    """The longest match of so many hands: everything at its limit, every bank used up.

    Each entrant has a clock in each seat, with a bank and a longer first decision of its own.
    """
    most = most_decisions(rules)
    hand = most.bids * limits.bid + most.discards * limits.discard + most.plays * limits.play
    clocks = rules.players * entrants
    grown = limits.increment * rules.players * hands
    return hands * hand + clocks * (limits.bank + limits.first) + grown


def _exchanges(rules: RuleSet) -> int:
    is_for_all = rules.personal_kitty > 0 and rules.personal_kitty_use is PersonalKittyUse.ALL
    return rules.players if is_for_all else 1

"""How cards rank in a contract, as tables that make every question a lookup."""

from dataclasses import dataclass
from functools import cache

from fivehundred.rules.cards import (
    ALL_CARDS,
    JOKERS,
    NO_TRUMP,
    Card,
    Cards,
    Strain,
    Suit,
    mask,
    members,
)
from fivehundred.rules.order import NO_SUIT, card_order
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Ranking:
    """The cards of a strain: the suit each belongs to, its power, and the cards above it."""

    strain: Strain
    trump: Suit
    """The suit that beats the suit led: the strain, or the jokers' `NO_SUIT` at no trump."""
    suit: tuple[Suit, ...]
    power: tuple[int, ...]
    """Higher wins among the cards of the suit led and the trumps."""
    above: tuple[Cards, ...]
    """The cards of the same suit that are higher."""
    cards: tuple[Cards, ...]
    """The cards that belong to each suit, `NO_SUIT` last."""

    @property
    def trumps(self) -> Cards:
        """All cards that beat the suit led."""
        return self.cards[self.trump]

    def lowest(self, cards: Cards) -> Card:
        """The weakest of some cards."""
        return min(members(cards), key=self.power.__getitem__)

    def highest(self, cards: Cards) -> Card:
        """The strongest of some cards."""
        return max(members(cards), key=self.power.__getitem__)

    def beating(self, cards: Cards, led: Suit, power: int) -> Cards:
        """Those of some cards that beat a power in a trick to which a suit was led."""
        rivals = cards & (self.cards[led] | self.cards[self.trump])
        return mask(card for card in members(rivals) if self.power[card] > power)


@cache
def ranking(strain: Strain, joker_suit: Suit | None = None, joker_low: bool = False) -> Ranking:
    """The ranking in a strain, where at no trump the joker may have been given a suit."""
    order = card_order(strain, joker_suit, JOKERS, joker_low)
    power = tuple(order.power[order.suit[card]][card] for card in ALL_CARDS)
    above = tuple(
        mask(
            other for other in members(order.suits[order.suit[card]]) if power[other] > power[card]
        )
        for card in ALL_CARDS
    )
    trump = NO_SUIT if strain == NO_TRUMP else strain
    return Ranking(strain, trump, order.suit, power, above, order.suits)


@cache
def pack_of(rules: RuleSet) -> Cards:
    """All the cards of a rule set's pack."""
    return mask(deck(rules))

"""How cards belong to suits and beat each other, for each strain and state of the jokers.

With trumps the jokers and both bowers are trumps. At no trump a joker that its holder has nominated
is the top card of a suit; any other joker has no suit and beats everything, or where
``misere_joker_low`` rules it is beaten by every card of the suit led.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from fivehundred.rules.actions import Pass
from fivehundred.rules.bids import is_lose_all
from fivehundred.rules.cards import (
    ALL_CARDS,
    JACK,
    JOKER,
    JOKERS,
    LOW_JOKER,
    NO_TRUMP,
    SAME_COLOUR,
    SUITS,
    Card,
    Cards,
    Strain,
    Suit,
    make_card,
    mask,
)
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Contract

NO_SUIT: Final = 4
"""Where a joker belongs that is neither a trump nor nominated."""
FOLLOWING: Final = 10
TRUMPING: Final = 100
TOWERING: Final = 200


@dataclass(frozen=True, slots=True)
class Order:
    """Which cards belong to which suit, and their power in a trick."""

    strain: Strain
    suits: tuple[Cards, ...]
    """The cards of each suit S C D H, and of `NO_SUIT`."""
    suit: tuple[Suit, ...]
    """The suit that each card belongs to."""
    power: tuple[tuple[int, ...], ...]
    """By suit led and card; the highest power wins, 0 never does."""


@cache
def card_order(
    strain: Strain, joker_suit: Suit | None = None, nominated: Cards = JOKERS, low: bool = False
) -> Order:
    """The order of a hand; ``nominated`` are the jokers that a ``joker_suit`` is given to."""
    ranked = [_ranked(strain, suit, joker_suit, nominated) for suit in SUITS]
    placed = mask(card for cards in ranked for card in cards)
    free = [card for card in (LOW_JOKER, JOKER) if not placed >> card & 1]
    ranked.append(free)
    suits = {card: suit for suit, cards in enumerate(ranked) for card in cards}
    return Order(
        strain=strain,
        suits=tuple(map(mask, ranked)),
        suit=tuple(suits[card] for card in ALL_CARDS),
        power=tuple(_power(ranked, led, strain, low) for led in range(NO_SUIT + 1)),
    )


def contract_order(rules: RuleSet, contract: Contract, nominated: Cards) -> Order:
    """The order of a hand; ``nominated`` are the jokers that get the contract's joker suit."""
    bid = contract.bid
    if isinstance(bid, Pass):
        return card_order(NO_TRUMP, None, 0)
    low = rules.misere_joker_low and is_lose_all(rules, bid)
    if contract.joker_suit is None:
        nominated = 0
    return card_order(bid.strain, contract.joker_suit, nominated, low)


def suit_order(rules: RuleSet, strain: Strain, suit: Suit) -> tuple[Card, ...]:
    """The cards of the pack that belong to a suit, from high to low, no joker being nominated."""
    order = card_order(strain)
    held = mask(deck(rules)) & order.suits[suit]
    power = order.power[suit]
    return tuple(sorted((card for card in ALL_CARDS if held >> card & 1), key=lambda c: -power[c]))


def led_suit(order: Order, card: Card, named: Suit | None = None) -> Suit:
    """The suit to follow after a lead; `NO_SUIT` after a joker of no suit that names none."""
    return order.suit[card] if named is None else named


def trick_winner(order: Order, cards: Sequence[Card], named: Suit | None = None) -> Card:
    """The card that wins a trick played in this order."""
    return max(cards, key=order.power[led_suit(order, cards[0], named)].__getitem__)


def _ranked(strain: Strain, suit: Suit, joker_suit: Suit | None, nominated: Cards) -> list[Card]:
    """The cards of a suit from low to high."""
    cards = [make_card(suit, rank) for rank in range(16)]
    if strain == NO_TRUMP:
        return cards + _jokers(nominated if suit == joker_suit else 0)
    left = make_card(SAME_COLOUR[strain], JACK)
    if suit == strain:
        right = make_card(suit, JACK)
        cards.remove(right)
        return [*cards, left, right, LOW_JOKER, JOKER]
    return [card for card in cards if card != left]


def _jokers(chosen: Cards) -> list[Card]:
    return [card for card in (LOW_JOKER, JOKER) if chosen >> card & 1]


def _power(ranked: list[list[Card]], led: Suit, strain: Strain, low: bool) -> tuple[int, ...]:
    power = [0] * len(ALL_CARDS)
    for suit, bonus in ((led, FOLLOWING), (strain, TRUMPING), (NO_SUIT, 0 if low else TOWERING)):
        if bonus != TRUMPING or strain != NO_TRUMP:
            for rank, card in enumerate(ranked[suit], start=1):
                power[card] = bonus + rank
    return tuple(power)

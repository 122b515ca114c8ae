"""How many tricks a holding should take."""

from dataclasses import dataclass
from functools import cache
from math import erf, sqrt

from fivehundred.rules.cards import (
    ACE,
    JOKERS,
    NO_TRUMP,
    SUITS,
    Cards,
    Strain,
    make_card,
    mask,
    members,
)
from fivehundred.rules.ruleset import CallMethod, RuleSet, SideModel
from fivehundred_bots.card_ranking import pack_of, ranking

_ACES = mask(make_card(suit, ACE) for suit in SUITS)
_KINGS = mask(make_card(suit, ACE - 1) for suit in SUITS)
_QUEENS = mask(make_card(suit, ACE - 2) for suit in SUITS)

TRUMP_SPREAD, NO_TRUMP_SPREAD = 1.5, 1.8
"""The standard deviation of the tricks taken about the tricks expected."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature of a holding adds to the tricks of its side, the kitty not yet seen.

    Found by least squares over hands played out.
    """

    trump: tuple[float, ...]
    """Of `trump_features`."""
    no_trump: tuple[float, ...]
    """Of `no_trump_features`."""
    usual: float
    """The tricks that a holding expects on average in a foe's strain."""
    against: float
    """The tricks that a foe's contract loses with each one more that is expected."""


TWO = Weights(
    (1.14, 0.55, 1.3, 1.07, 0.66, 0.57, 0.59, 0.66, 0.33, 0.25),
    (1.52, 0.83, 1.38, 0.82, 0.45, 0.15, 0.34),
    5.5,
    0.6,
)
TWO_OF_THREE = Weights(
    (2.76, 0.5, 0.81, 0.85, 0.63, 0.51, 0.46, 0.43, 0.34, 0.19),
    (2.19, 0.5, 1.17, 0.76, 0.64, 0.3, 0.28),
    5.5,
    0.6,
)
"""Two players and a dead hand."""
THREE = Weights(
    (-0.69, 0.36, 1.7, 1.36, 0.93, 0.83, 0.68, 0.87, 0.45, 0.3),
    (-0.3, 0.25, 2.1, 1.21, 0.81, 0.29, 0.76),
    3.65,
    0.45,
)
FOUR = Weights(
    (3.36, 0.18, 1.22, 0.86, 0.63, 0.56, 0.39, 0.43, 0.18, 0.1),
    (2.73, 0.18, 1.14, 0.96, 0.54, 0.41, 0.27),
    5.7,
    0.8,
)
FIVE_CALLING = Weights(
    (2.6, 0.14, 1.22, 0.92, 0.58, 0.65, 0.46, 0.58, 0.18, 0.13),
    (2.86, 0.14, 1.27, 0.81, 0.66, 0.3, 0.18),
    4.7,
    0.6,
)
FIVE_CHOOSING = Weights(
    (1.2, 0.22, 1.51, 1.01, 0.92, 0.75, 0.55, 0.63, 0.33, 0.13),
    (1.5, 0.22, 1.38, 0.93, 0.71, 0.39, 0.23),
    4.0,
    0.5,
)
FIVE_CHOOSING_TWO = Weights(
    (4.6, 0.1, 0.98, 0.64, 0.67, 0.45, 0.35, 0.34, 0.17, 0.06),
    (4.46, 0.13, 0.73, 0.71, 0.47, 0.4, 0.07),
    5.5,
    0.5,
)
SIX = Weights(
    (2.84, 0.22, 1.11, 0.86, 0.69, 0.55, 0.42, 0.52, 0.27, 0.13),
    (3.84, 0.15, 0.94, 0.65, 0.54, 0.25, 0.15),
    5.0,
    0.75,
)
PAIRS = Weights(
    (0.85, 0.2, 1.63, 0.99, 0.89, 0.73, 0.55, 0.66, 0.26, 0.13),
    (1.29, 0.2, 0.91, 0.84, 0.74, 0.5, 0.26),
    3.5,
    0.4,
)


@cache
def weights_of(rules: RuleSet, level: int) -> Weights:
    """The weights measured for the game most like a rule set's, at a level of the contract."""
    if rules.side_model is SideModel.SOLO:
        two = TWO_OF_THREE if rules.dead_hands else TWO
        return two if rules.players == 2 else THREE
    if rules.call is not None:
        if rules.call.method is CallMethod.CALL_CARD:
            return FIVE_CALLING
        two_partners = 0 < rules.call.second_partner_from <= level
        return FIVE_CHOOSING_TWO if two_partners else FIVE_CHOOSING
    if rules.players == 6:
        return SIX if rules.side_model is SideModel.TEAMS_2 else PAIRS
    return FOUR


def expected_tricks(rules: RuleSet, holding: Cards, level: int) -> tuple[float, ...]:
    """By strain of the seat's choice, the tricks its side should take at a level."""
    weights = weights_of(rules, level)
    of_suits = (_weighed(weights.trump, trump_features(rules, holding, suit)) for suit in SUITS)
    return (*of_suits, _weighed(weights.no_trump, no_trump_features(rules, holding)))


def _weighed(weights: tuple[float, ...], features: tuple[float, ...]) -> float:
    return sum(weight * count for weight, count in zip(weights, features, strict=True))


def trump_features(rules: RuleSet, holding: Cards, strain: Strain) -> tuple[float, ...]:
    """What `Weights.trump` weighs.

    One; the cards that a contractor takes up; of the pack's trumps the highest, the next two, the
    fourth, the next two, and the rest; aces, guarded kings and missing cards up to two in the other
    suits.
    """
    order = ranking(strain)
    trumps = holding & order.trumps
    sides = [holding & order.cards[suit] for suit in SUITS if suit != strain]
    rest = holding & ~trumps
    counts = [(trumps & group).bit_count() for group in _trump_groups(rules, strain)]
    return (
        1.0,
        rules.kitty_size + rules.personal_kitty,
        *counts,
        trumps.bit_count() - sum(counts),
        (rest & _ACES).bit_count(),
        sum(1 for side in sides if side & _KINGS and side & (side - 1)),
        sum(max(0, 2 - side.bit_count()) for side in sides),
    )


def no_trump_features(rules: RuleSet, holding: Cards) -> tuple[float, ...]:
    """What `Weights.no_trump` weighs.

    One; the cards that a contractor takes up; jokers, aces, guarded kings, queens twice guarded,
    cards over three in a suit.
    """
    suits = [holding & ranking(NO_TRUMP).cards[suit] for suit in SUITS]
    return (
        1.0,
        rules.kitty_size + rules.personal_kitty,
        (holding & JOKERS).bit_count(),
        (holding & _ACES).bit_count(),
        sum(1 for suit in suits if suit & _KINGS and suit.bit_count() > 1),
        sum(1 for suit in suits if suit & _QUEENS and suit.bit_count() > 2),
        sum(max(0, suit.bit_count() - 3) for suit in suits),
    )


def chance_of(level: int, expected: float, strain: Strain) -> float:
    """The chance of taking at least some tricks where another number is expected."""
    spread = NO_TRUMP_SPREAD if strain == NO_TRUMP else TRUMP_SPREAD
    return 0.5 * (1.0 + erf((expected + 0.5 - level) / (spread * sqrt(2.0))))


@cache
def _trump_groups(rules: RuleSet, strain: Strain) -> tuple[Cards, ...]:
    order = ranking(strain)
    ranked = sorted(
        members(order.trumps & pack_of(rules)), key=order.power.__getitem__, reverse=True
    )
    return 1 << ranked[0], mask(ranked[1:3]), 1 << ranked[3], mask(ranked[4:6])

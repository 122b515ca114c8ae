"""How many tricks a holding should take, and what a contract is worth on average."""

from dataclasses import dataclass
from functools import lru_cache
from math import erf, sqrt

from fivehundred.rules.cards import ACE, JOKERS, NO_TRUMP, SUITS, Cards, Strain, make_card, mask
from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred_bots.card_ranking import ranking

_ACES = mask(make_card(suit, ACE) for suit in SUITS)
_KINGS = mask(make_card(suit, ACE - 1) for suit in SUITS)
_QUEENS = mask(make_card(suit, ACE - 2) for suit in SUITS)


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature of a holding adds to the tricks of its side, the kitty not yet seen.

    Found by least squares over hands played out. ``spread`` is the standard deviation of the tricks
    taken about the tricks expected.
    """

    trump: tuple[float, ...]
    """Of `trump_features`."""
    no_trump: tuple[float, ...]
    """Of `no_trump_features`."""
    spread: float


TWO = Weights(
    (2.54, 1.62, 1.07, 0.87, 0.62, 0.51, 0.7, 0.26, 0.22), (2.71, 2.18, 1.24, 0.5, 0.06, 0.46), 1.3
)
THREE = Weights(
    (-0.13, 2.03, 1.39, 1.13, 0.92, 0.79, 0.83, 0.46, 0.23),
    (0.72, 2.34, 1.35, 0.71, 0.26, 0.79),
    1.4,
)
FOUR = Weights(
    (3.0, 1.39, 0.92, 0.9, 0.56, 0.52, 0.59, 0.24, 0.15), (3.4, 1.38, 0.9, 0.64, 0.27, 0.28), 1.6
)
FOUR_WIDE_KITTY = Weights(
    (4.68, 1.01, 0.67, 0.53, 0.47, 0.32, 0.32, 0.15, 0.1), (4.34, 1.26, 0.82, 0.42, 0.27, 0.24), 1.6
)
FIVE = Weights(
    (2.92, 1.24, 0.79, 0.52, 0.59, 0.47, 0.65, 0.27, 0.17), (3.97, 1.16, 0.78, 0.45, 0.1, 0.06), 1.6
)
SIX = Weights(
    (3.37, 1.12, 0.89, 0.64, 0.57, 0.46, 0.51, 0.25, 0.09),
    (4.13, 1.09, 0.66, 0.64, 0.28, 0.18),
    1.7,
)


def weights_of(rules: RuleSet) -> Weights:
    """The weights measured for the game most like a rule set's."""
    if rules.side_model is SideModel.SOLO:
        return TWO if rules.players == 2 else THREE
    if rules.side_model is SideModel.TEAMS_2 and rules.players == 6:
        return SIX
    if rules.players > 4:
        return FIVE
    return FOUR_WIDE_KITTY if rules.kitty_size > 4 else FOUR


def expected_tricks(weights: Weights, holding: Cards, strain: Strain) -> float:
    """The tricks that a seat's side should take with a strain of the seat's choice."""
    if strain == NO_TRUMP:
        pairs = zip(weights.no_trump, no_trump_features(holding), strict=True)
    else:
        pairs = zip(weights.trump, trump_features(holding, strain), strict=True)
    return sum(weight * count for weight, count in pairs)


def trump_features(holding: Cards, strain: Strain) -> tuple[float, ...]:
    """What `Weights.trump` weighs.

    One; jokers, bowers, ace, king and queen, and the rest of trumps; aces, guarded kings and
    missing cards up to two in the other suits.
    """
    order = ranking(strain)
    trumps = holding & order.trumps
    sides = [holding & order.cards[suit] for suit in SUITS if suit != strain]
    rest = holding & ~trumps
    counts = [(trumps & group).bit_count() for group in _trump_groups(strain)]
    return (
        1.0,
        *counts,
        trumps.bit_count() - sum(counts),
        (rest & _ACES).bit_count(),
        sum(1 for side in sides if side & _KINGS and side & (side - 1)),
        sum(max(0, 2 - side.bit_count()) for side in sides),
    )


def no_trump_features(holding: Cards) -> tuple[float, ...]:
    """One, jokers, aces, guarded kings, queens twice guarded, cards over four in a suit."""
    suits = [holding & ranking(NO_TRUMP).cards[suit] for suit in SUITS]
    return (
        1.0,
        (holding & JOKERS).bit_count(),
        (holding & _ACES).bit_count(),
        sum(1 for suit in suits if suit & _KINGS and suit.bit_count() > 1),
        sum(1 for suit in suits if suit & _QUEENS and suit.bit_count() > 2),
        sum(max(0, suit.bit_count() - 4) for suit in suits),
    )


def chance_of(level: int, expected: float, spread: float) -> float:
    """The chance of taking at least some tricks where another number is expected."""
    return 0.5 * (1.0 + erf((expected + 0.5 - level) / (spread * sqrt(2.0))))


def average_gain(rules: RuleSet, value: float, chance: float) -> float:
    """What a contract wins on average over the other sides, its defenders' tricks left out."""
    loss = value * (rules.set_back + rules.defenders_collect)
    return chance * value - (1.0 - chance) * loss


@lru_cache(maxsize=8)
def _trump_groups(strain: Strain) -> tuple[Cards, ...]:
    order = ranking(strain)
    ranked = sorted(
        (card for card in range(66) if order.trumps >> card & 1), key=order.power.__getitem__
    )
    return mask(ranked[-2:]), mask(ranked[-4:-2]), 1 << ranked[-5], mask(ranked[-7:-5])

"""What a holding and a contract are worth to the careful bot."""

import pytest

from fivehundred.rules.cards import CLUBS, HEARTS, NO_TRUMP, parse_cards
from fivehundred.rules.ruleset import RuleSet
from fivehundred_bots.hand_evaluation import (
    average_gain,
    chance_of,
    expected_tricks,
    no_trump_features,
    trump_features,
    weights_of,
)

HOLDING = parse_cards("JKR JH JD QH 9H AS KC 8C 7C 5D")


def test_trumps_are_told_apart() -> None:
    assert trump_features(HOLDING, HEARTS) == (1.0, 1, 2, 0, 1, 1, 1, 1, 2)


def test_no_trump_sees_aces_and_guarded_honours() -> None:
    assert no_trump_features(HOLDING) == (1.0, 1, 1, 1, 1, 0)


def test_the_long_suit_is_worth_most() -> None:
    weights = weights_of(RuleSet())

    hearts = expected_tricks(weights, HOLDING, HEARTS)

    assert hearts > expected_tricks(weights, HOLDING, CLUBS) + 1.0
    assert hearts > expected_tricks(weights, HOLDING, NO_TRUMP)


def test_an_even_chance_half_a_trick_above_the_expected() -> None:
    assert chance_of(7, 6.5, 1.5) == pytest.approx(0.5)


def test_an_even_chance_gains_nothing_where_failures_cost() -> None:
    assert average_gain(RuleSet(), 100.0, 0.5) == pytest.approx(0.0)

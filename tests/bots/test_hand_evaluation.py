"""What a holding is worth to the careful bot."""

import pytest

from fivehundred.rules.cards import CLUBS, HEARTS, NO_TRUMP, SPADES, parse_cards
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.presets import load_preset
from fivehundred_bots.hand_evaluation import (
    chance_of,
    expected_tricks,
    no_trump_features,
    trump_features,
)

AU = RuleSet()
HOLDING = parse_cards("JKR JH JD QH 9H AS KC 8C 7C 5D")


def test_trumps_are_told_apart() -> None:
    assert trump_features(AU, HOLDING, HEARTS) == (1.0, 3, 1, 2, 0, 1, 1, 1, 1, 2)


def test_no_trump_sees_aces_and_guarded_honours() -> None:
    assert no_trump_features(AU, HOLDING) == (1.0, 3, 1, 1, 1, 1, 0)


def test_without_a_joker_the_right_bower_is_the_highest_trump() -> None:
    without = load_preset("hist-4p-44")

    assert trump_features(without, HOLDING, HEARTS)[2] == 1


def test_the_long_suit_is_worth_most() -> None:
    tricks = expected_tricks(AU, HOLDING, 7)

    assert tricks[HEARTS] > tricks[CLUBS] + 1.0
    assert tricks[HEARTS] > tricks[NO_TRUMP]


def test_a_second_partner_is_worth_a_trick() -> None:
    rules = load_preset("uspc-5p-53")

    one, two = (expected_tricks(rules, HOLDING, level) for level in (7, 8))

    assert two[SPADES] > one[SPADES] + 0.8


def test_an_even_chance_half_a_trick_above_the_expected() -> None:
    assert chance_of(7, 6.5, HEARTS) == pytest.approx(0.5)

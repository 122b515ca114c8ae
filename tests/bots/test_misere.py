"""Judging holdings that are to lose every trick."""

import pytest

from fivehundred.rules.cards import names, parse_cards
from fivehundred.rules.ruleset import MISERE, RuleSet
from fivehundred_bots.card_ranking import pack_of
from fivehundred_bots.misere import chance_to_lose_all, dangers, discards_to_lose

AU = RuleSet()


def test_lowest_cards_of_a_suit_are_no_danger() -> None:
    rated = dangers(pack_of(AU), parse_cards("5S 6S 7S"), joker_low=False)

    assert [danger for danger, _ in rated] == [0.0, 0.0, 0.0]


def test_low_cards_are_likelier_to_lose_than_high_ones() -> None:
    low = chance_to_lose_all(AU, parse_cards("5S 6S 8S 5C 6C 8C 4D 5D 7D 4H"), MISERE)
    high = chance_to_lose_all(AU, parse_cards("AS KS QS 9C 10C QC AD KD AH KH"), MISERE)

    assert low > 0.5
    assert high < 0.05


@pytest.mark.parametrize(
    ("holding", "thrown"),
    [
        pytest.param("JKR AS 5S 6S 5C 6C 4D 5D 4H 5H 6H", "JKR", id="joker"),
        pytest.param("AS 5S 6S 5C 6C 7C 4D 5D 4H 5H 6H", "AS", id="ace"),
    ],
)
def test_throws_the_worst_card(holding: str, thrown: str) -> None:
    assert names(discards_to_lose(AU, parse_cards(holding), 1)) == thrown

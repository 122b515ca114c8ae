"""Which cards the careful bot throws."""

from fivehundred.rules.cards import CLUBS, HEARTS, NO_TRUMP, names, parse_cards
from fivehundred_bots.card_ranking import ranking
from fivehundred_bots.discarding import discards


def test_throws_a_whole_suit_of_losers_before_parts_of_longer_ones() -> None:
    holding = parse_cards("JKR JH JD AH KH 9S 8S AC KC 6D 5D 4D")

    assert names(discards(ranking(HEARTS), holding, 2)) == "9S 8S"


def test_throws_low_trumps_only_when_nothing_else_is_left() -> None:
    holding = parse_cards("JC JS AC KC QC 10C 9C 8C 7C 6C 5C 4D 4H")

    assert names(discards(ranking(CLUBS), holding, 3)) == "5C 4D 4H"


def test_keeps_the_long_suit_at_no_trump() -> None:
    holding = parse_cards("AS KS QS 9S 8S 7S AH KH AD 5C 6C 7D 4H")

    thrown = discards(ranking(NO_TRUMP), holding, 3)

    assert not thrown & parse_cards("AS KS QS 9S 8S 7S AH KH AD")

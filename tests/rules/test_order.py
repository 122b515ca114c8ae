"""Rank of cards and trick winners: vectors B and F of the rules reference."""

import pytest

from fivehundred.rules.cards import (
    DIAMONDS,
    JOKER,
    NO_TRUMP,
    card_name,
    parse_card,
    parse_strain,
    parse_suit,
)
from fivehundred.rules.order import card_order, suit_order, trick_winner
from fivehundred.wire.presets import load_preset

SUITS = [
    ("B01", "au-4p-43", "S", "S", "JKR JS JC AS KS QS 10S 9S 8S 7S 6S 5S"),
    ("B02", "au-4p-43", "S", "C", "AC KC QC 10C 9C 8C 7C 6C 5C"),
    ("B03", "au-4p-43", "H", "H", "JKR JH JD AH KH QH 10H 9H 8H 7H 6H 5H 4H"),
    ("B04", "au-4p-43", "H", "S", "AS KS QS JS 10S 9S 8S 7S 6S 5S"),
    ("B05", "qc-4p-46-vi", "S", "S", "JKR JK2 JS JC AS KS QS 10S 9S 8S 7S 6S 5S 4S"),
    ("B06", "qc-4p-46-vi", "D", "H", "AH KH QH 10H 9H 8H 7H 6H 5H 4H"),
    ("B07", "hist-4p-44", "C", "C", "JC JS AC KC QC 10C 9C 8C 7C 6C 5C 4C"),
    ("B08", "au-6p-63", "H", "H", "JKR JH JD AH KH QH 13H 12H 11H 10H 9H 8H 7H 6H 5H 4H 3H 2H"),
    ("B09", "au-6p-63", "H", "S", "AS KS QS JS 12S 11S 10S 9S 8S 7S 6S 5S 4S 3S 2S"),
    ("B10", "ko-2p-23", "D", "D", "JKR JD JH AD KD QD 10D 9D"),
    ("B11", "ko-2p-23", "S", "S", "JKR JS JC AS KS QS 10S"),
    ("B12", "au-4p-43", "NT", "D", "AD KD QD JD 10D 9D 8D 7D 6D 5D 4D"),
]

WINNERS = [
    ("F01", "S", "", "", "AS JC JS JKR", "JKR"),
    ("F03", "S", "", "", "AH 10H 5S KH", "5S"),
    ("F05", "NT", "", "", "AC JKR KC QC", "JKR"),
    ("F06", "NT", "H", "", "9C JKR 5C", "9C"),
    ("F08", "NT", "", "D", "JKR AD 4D KS", "JKR"),
    ("F10", "NT", "", "", "AH JK2 KH JKR", "JKR"),
    ("F11", "NT", "", "", "10H 11H 13H JH 12H 4S", "JH"),
    ("F13", "C", "", "", "AC JS KC 10C", "JS"),
    ("F15", "S", "", "", "6D AH KC 5D", "6D"),
    ("F16", "D", "", "", "AH JH 4D KH", "JH"),
    ("F18", "H", "", "", "JD JH", "JH"),
    ("F20", "NT", "", "", "JK2 AH 4S KD", "JK2"),
]


@pytest.mark.parametrize(
    ("name", "strain", "suit", "cards"), [row[1:] for row in SUITS], ids=[row[0] for row in SUITS]
)
def test_cards_of_a_suit_from_high_to_low(name: str, strain: str, suit: str, cards: str) -> None:
    ordered = suit_order(load_preset(name), parse_strain(strain), parse_suit(suit))

    assert " ".join(map(card_name, ordered)) == cards


@pytest.mark.parametrize(
    ("strain", "nominated", "named", "played", "winner"),
    [row[1:] for row in WINNERS],
    ids=[row[0] for row in WINNERS],
)
def test_trick_winner(strain: str, nominated: str, named: str, played: str, winner: str) -> None:
    joker_suit = parse_suit(nominated) if nominated else None
    order = card_order(parse_strain(strain), joker_suit)
    cards = [parse_card(word) for word in played.split()]

    won_by = trick_winner(order, cards, parse_suit(named) if named else None)

    assert card_name(won_by) == winner


@pytest.mark.parametrize(
    ("named", "played", "winner"),
    [(None, "4D JKR", "4D"), (DIAMONDS, "JKR 4D", "4D"), (DIAMONDS, "JKR AS", "JKR")],
)
def test_a_low_joker_loses_to_every_card_of_the_suit(
    named: int | None, played: str, winner: str
) -> None:
    order = card_order(NO_TRUMP, low=True)

    won_by = trick_winner(order, [parse_card(word) for word in played.split()], named)

    assert card_name(won_by) == winner


def test_only_the_jokers_of_the_contractor_are_nominated() -> None:
    order = card_order(NO_TRUMP, DIAMONDS, 1 << JOKER)

    assert order.suit[JOKER] == DIAMONDS
    assert order.suit[parse_card("JK2")] not in range(4)

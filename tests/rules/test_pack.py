"""Packs and deals: vectors A of the rules reference."""

import pytest

from fivehundred.rules.cards import Cards, mask, members, parse_card
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.presets import load_preset

PACKS = [
    ("A01", "ko-2p-23", 23, "S/C: A K Q J 10; D/H: A K Q J 10 9; JKR", 3),
    ("A02", "hist-2p-24", 24, "S/C/D/H: A K Q J 10 9", 0),
    ("A03", "hist-2p-25", 25, "S/C/D/H: A K Q J 10 9; JKR", 1),
    ("A04", "uspc-2p-24", 24, "S/C/D/H: A K Q J 10 9", 4),
    ("A05", "uspc-2p-33-dead", 33, "S/C/D/H: A K Q J 10 9 8 7; JKR", 3),
    ("A06", "hist-3p-32", 32, "S/C/D/H: A K Q J 10 9 8 7", 2),
    ("A07", "ko-3p-33 au-3p-33 uspc-3p-33", 33, "S/C/D/H: A K Q J 10 9 8 7; JKR", 3),
    ("A08", "uspc-4p-42", 42, "S/C: A K Q J 10 9 8 7 6 5; D/H: A K Q J 10 9 8 7 6 5 4", 2),
    (
        "A09",
        "au-4p-43 uspc-4p-43 ko-4p-43",
        43,
        "S/C: A K Q J 10 9 8 7 6 5; D/H: A K Q J 10 9 8 7 6 5 4; JKR",
        3,
    ),
    ("A10", "hist-4p-44", 44, "S/C/D/H: A K Q J 10 9 8 7 6 5 4", 4),
    ("A11", "us-4p-45 us-4p-45-inkle", 45, "S/C/D/H: A K Q J 10 9 8 7 6 5 4; JKR", 5),
    ("A12", "qc-4p-46-vi qc-4p-46-mcgill", 46, "S/C/D/H: A K Q J 10 9 8 7 6 5 4; JKR JK2", 6),
    ("A13", "hist-5p-52", 52, "S/C/D/H: A K Q J 10 9 8 7 6 5 4 3 2", 2),
    ("A14", "au-5p-53 ko-5p-53", 53, "S/C/D/H: A K Q J 10 9 8 7 6 5 4 3 2; JKR", 3),
    ("A15", "hist-6p-60", 60, "S/C/D/H: A K Q J 12 11 10 9 8 7 6 5 4 3 2", 0),
    ("A16", "hist-6p-61", 61, "S/C/D/H: A K Q J 12 11 10 9 8 7 6 5 4 3 2; JKR", 1),
    (
        "A17",
        "uspc-6p-62",
        62,
        "S/C: A K Q J 12 11 10 9 8 7 6 5 4 3 2; D/H: A K Q J 13 12 11 10 9 8 7 6 5 4 3 2",
        2,
    ),
    (
        "A18",
        "au-6p-63 ko-6p-63 uspc-6p-63 ext-6p-63-pairs",
        63,
        "S/C: A K Q J 12 11 10 9 8 7 6 5 4 3 2; D/H: A K Q J 13 12 11 10 9 8 7 6 5 4 3 2; JKR",
        3,
    ),
]


def cards_of(text: str) -> Cards:
    """The cards of a text such as ``S/C: A K; D/H: A; JKR``."""
    cards = 0
    for part in text.split("; "):
        suits, colon, ranks = part.rpartition(": ")
        for rank in ranks.split():
            for suit in suits.split("/") if colon else ("",):
                cards |= 1 << parse_card(rank + suit)
    return cards


@pytest.mark.parametrize(
    ("names", "size", "cards", "kitty"), [row[1:] for row in PACKS], ids=[row[0] for row in PACKS]
)
def test_pack_has_the_cards_of_the_reference(names: str, size: int, cards: str, kitty: int) -> None:
    for name in names.split():
        rules = load_preset(name)
        assert len(deck(rules)) == rules.deck_size == size
        assert mask(deck(rules)) == cards_of(cards)
        assert rules.kitty_size == kitty


def test_canonical_order_is_suit_by_suit_ascending_then_jokers() -> None:
    assert list(deck(load_preset("qc-4p-46-vi"))) == sorted(deck(load_preset("qc-4p-46-vi")))


def positions(rules: RuleSet, cards: Cards) -> list[int]:
    """The places that cards have in the pack dealt in canonical order."""
    return [deck(rules).index(card) for card in members(cards)]


def test_a19_four_handed_packets_with_a_kitty_card_after_each_round() -> None:
    rules = load_preset("au-4p-43")

    dealt = deal(rules, deck(rules), dealer=0)

    assert positions(rules, dealt.holdings[1]) == [0, 1, 2, 13, 14, 15, 16, 30, 31, 32]
    assert positions(rules, dealt.holdings[0]) == [9, 10, 11, 25, 26, 27, 28, 39, 40, 41]
    assert positions(rules, dealt.kitty) == [12, 29, 42]


def test_a20_quebec_packets_with_two_kitty_cards_after_each_round() -> None:
    rules = load_preset("qc-4p-46-vi")

    dealt = deal(rules, deck(rules), dealer=0)

    assert positions(rules, dealt.holdings[1]) == [0, 1, 2, 14, 15, 16, 17, 32, 33, 34]
    assert positions(rules, dealt.kitty) == [12, 13, 30, 31, 44, 45]


def test_a21_three_handed_packets_with_the_kitty_last() -> None:
    rules = load_preset("ko-3p-33")

    dealt = deal(rules, deck(rules), dealer=0)

    assert positions(rules, dealt.holdings[1]) == [0, 1, 2, 9, 10, 11, 12, 21, 22, 23]
    assert positions(rules, dealt.kitty) == [30, 31, 32]


def test_personal_kitties_come_last() -> None:
    rules = load_preset("hist-2p-25")

    dealt = deal(rules, deck(rules), dealer=0)

    assert positions(rules, dealt.kitty) == [20]
    assert positions(rules, dealt.personal[1]) == [21, 22]
    assert positions(rules, dealt.personal[0]) == [23, 24]


def test_d19_the_dead_hand_lies_at_the_dealers_left() -> None:
    rules = load_preset("uspc-2p-33-dead")

    dealt = deal(rules, deck(rules), dealer=0)

    assert positions(rules, dealt.dead) == [0, 1, 2, 9, 10, 11, 12, 21, 22, 23]
    assert dealt.dead.bit_count() == 10


def test_every_preset_deals_each_card_once(preset: RuleSet) -> None:
    dealt = deal(preset, deck(preset), dealer=1)

    parts = [*dealt.holdings, dealt.kitty, *dealt.personal, dealt.dead]
    assert sum(parts) == mask(deck(preset))
    assert {holding.bit_count() for holding in dealt.holdings} == {10}


def test_a_deck_with_a_card_twice_is_refused() -> None:
    rules = load_preset("au-4p-43")
    cards = (deck(rules)[0], *deck(rules)[:-1])

    with pytest.raises(ValueError, match="not the pack"):
        deal(rules, cards, dealer=0)

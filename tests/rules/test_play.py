"""Legal plays: vectors E of the rules reference."""

from collections.abc import Callable

import pytest

from fivehundred.rules.actions import LegalPlays
from fivehundred.rules.cards import HEARTS, NO_TRUMP, parse_cards, parse_strain, parse_suit
from fivehundred.rules.order import NO_SUIT, card_order
from fivehundred.rules.play import follow, joker_manner, lead
from fivehundred.rules.ruleset import JokerFollow, JokerForced, JokerLead, RuleSet
from fivehundred.wire.presets import load_preset, preset_names

S, C, D, H = 1, 2, 4, 8
FOLLOWING = [
    ("E01", "au-4p-43", "S", "", "S", "JC AH 4D", "JC"),
    ("E03", "au-4p-43", "H", "", "H", "JKR AS KD", "JKR"),
    ("E05", "au-4p-43", "H", "", "D", "JD 7S JKR", "JD 7S JKR"),
    ("E06", "au-4p-43", "H", "", "D", "JD 6D JKR", "6D"),
    ("E08", "au-4p-43", "S", "", "S", "AC 6S JC", "6S JC"),
    ("E10", "au-4p-43", "NT", "", "C", "JC AH", "JC"),
    ("E11", "au-4p-43", "NT", "", "C", "JKR 5C AH", "5C"),
    ("E13", "au-4p-43", "MIS", "", "C", "JKR AH 6D", "JKR"),
    ("E15", "au-4p-43", "MIS", "H", "C", "JKR AH 6D", "JKR AH 6D"),
    ("E16", "au-4p-43", "NT", "D", "D", "JKR AH", "JKR"),
    ("E18", "au-4p-43", "NT", "", "D", "9D AC", "9D"),
    ("E20", "qc-4p-46-vi", "NT", "", "H", "JKR 5H 9C", "5H"),
    ("E21", "qc-4p-46-vi", "NT", "", "H", "JKR JK2 9C", "JKR JK2 9C"),
    ("E23", "qc-4p-46-vi", "NT", "", "joker", "AH KH", "AH KH"),
    ("E25", "hist-4p-44", "D", "", "D", "JD AH", "JD"),
    ("E26", "au-6p-63", "C", "", "D", "13D JD 4C", "13D JD"),
]

NAMING_PRESETS = [
    name
    for name in preset_names()
    if load_preset(name).joker_lead is JokerLead.NAME_ANY_SUIT and load_preset(name).jokers
]


def plays(legal: LegalPlays) -> set[str]:
    """Legal plays as text."""
    return {str(play) for play in legal}


@pytest.mark.parametrize(
    ("name", "strain", "nominated", "led", "hand", "expected"),
    [row[1:] for row in FOLLOWING],
    ids=[row[0] for row in FOLLOWING],
)
def test_plays_to_a_suit_led(
    name: str, strain: str, nominated: str, led: str, hand: str, expected: str
) -> None:
    lose_all = strain == "MIS"
    joker_suit = parse_suit(nominated) if nominated else None
    order = card_order(NO_TRUMP if lose_all else parse_strain(strain), joker_suit)
    manner = joker_manner(load_preset(name), lose_all)
    suit = NO_SUIT if led == "joker" else parse_suit(led)

    legal = follow(order, manner, parse_cards(hand), suit, first_round=True)

    assert plays(legal) == set(expected.split())


def test_e28_joker_on_the_first_round_of_a_suit(house: Callable[..., RuleSet]) -> None:
    manner = joker_manner(house(joker_follow=JokerFollow.FIRST_ROUND_OF_SUIT), False)
    order, hand = card_order(NO_TRUMP), parse_cards("JKR 5C AH")

    first = follow(order, manner, hand, parse_suit("C"), first_round=True)
    second = follow(order, manner, hand, parse_suit("C"), first_round=False)

    assert plays(first) == {"JKR", "5C"}
    assert plays(second) == {"5C"}


@pytest.mark.parametrize(
    ("led_suits", "hand", "expected"),
    [
        (0, "JKR 5C", {"JKR:S", "JKR:C", "JKR:D", "JKR:H", "5C"}),
        (S | H, "JKR 5C", {"JKR:C", "JKR:D", "5C"}),
        (S | C | D | H, "JKR", {"JKR"}),
        (S | C | D | H, "JKR 5C", {"5C"}),
    ],
    ids=["E30", "E31", "E33", "no suit left to name"],
)
def test_joker_led_names_a_suit_not_led(led_suits: int, hand: str, expected: set[str]) -> None:
    manner = joker_manner(load_preset("au-4p-43"), False)

    legal = lead(card_order(NO_TRUMP), manner, parse_cards(hand), led_suits=led_suits)

    assert plays(legal) == expected


@pytest.mark.parametrize("name", NAMING_PRESETS)
def test_e35_joker_led_names_any_suit(name: str) -> None:
    manner = joker_manner(load_preset(name), False)

    legal = lead(card_order(NO_TRUMP), manner, parse_cards("JKR 7C"), led_suits=S | C | D | H)

    assert plays(legal) == {"JKR:S", "JKR:C", "JKR:D", "JKR:H", "7C"}


def test_e36_joker_led_names_no_suit_shown_void(house: Callable[..., RuleSet]) -> None:
    manner = joker_manner(house(joker_lead=JokerLead.NAME_NOT_SHOWN_VOID), False)

    legal = lead(card_order(NO_TRUMP), manner, parse_cards("JKR 7C"), shown_void=S)

    assert plays(legal) == {"JKR:C", "JKR:D", "JKR:H", "7C"}


def test_e38_a_hand_of_jokers_may_lead_one() -> None:
    manner = joker_manner(load_preset("qc-4p-46-mcgill"), False)
    order = card_order(NO_TRUMP)

    assert plays(lead(order, manner, parse_cards("JKR JK2"))) == {"JKR", "JK2"}
    assert plays(lead(order, manner, parse_cards("JKR JK2 4S"))) == {"4S"}


@pytest.mark.parametrize("mode", JokerLead)
def test_e40_no_restriction_with_trumps(mode: JokerLead, house: Callable[..., RuleSet]) -> None:
    manner = joker_manner(house(joker_lead=mode), False)

    legal = lead(card_order(HEARTS), manner, parse_cards("JKR 4S"), led_suits=S | C | D | H)

    assert plays(legal) == {"JKR", "4S"}


def test_jokers_that_are_a_suit_must_follow_a_joker() -> None:
    manner = joker_manner(load_preset("qc-4p-46-vi"), False)

    legal = follow(card_order(NO_TRUMP), manner, parse_cards("JKR AH"), NO_SUIT, first_round=True)

    assert plays(legal) == {"JKR"}


def test_joker_played_any_time(house: Callable[..., RuleSet]) -> None:
    rules = house(joker_follow=JokerFollow.ANYTIME, joker_forced=JokerForced.ALWAYS)
    manner, order = joker_manner(rules, False), card_order(NO_TRUMP)

    holding_it = follow(order, manner, parse_cards("JKR 5C AH"), 1, first_round=False)
    void = follow(order, manner, parse_cards("JKR AH"), 1, first_round=False)

    assert plays(holding_it) == {"JKR", "5C"}
    assert plays(void) == {"JKR"}


def test_a_nominated_joker_names_nothing_when_led() -> None:
    manner = joker_manner(load_preset("au-4p-43"), False)

    legal = lead(card_order(NO_TRUMP, HEARTS), manner, parse_cards("JKR 5C"))

    assert plays(legal) == {"JKR", "5C"}

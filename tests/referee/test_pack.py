from collections.abc import Callable
from typing import Any

import pytest

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., tuple[str, str]]


def test_the_pack_comes_in_canonical_order(ask: Ask) -> None:
    answered = ask("deck", rules="au-4p-43")

    assert answered["cards"][:3] == ["5S", "6S", "7S"]
    assert answered["cards"][-1] == "JKR"
    assert (answered["size"], answered["kitty"]) == (43, 3)
    assert (answered["personal_kitty"], answered["dead"]) == (0, 0)


def test_dead_cards_and_personal_kitties_are_counted(ask: Ask) -> None:
    assert ask("deck", rules="uspc-2p-33-dead")["dead"] == 10
    assert ask("deck", rules="hist-2p-24")["personal_kitty"] == 2


def test_a_deck_is_dealt_in_packets_from_the_dealer_s_left(ask: Ask) -> None:
    deck = ask("deck", rules="ko-2p-23")["cards"]

    dealt = ask("deal", rules="ko-2p-23", dealer=0, deck=deck)

    assert set(deck[:3]) <= set(dealt["holdings"][1])
    assert set(deck[3:6]) <= set(dealt["holdings"][0])
    assert set(dealt["kitty"]) == set(deck[20:])


def test_the_bowers_stand_over_the_ace(ask: Ask) -> None:
    assert ask("suit_order", strain="H", suit="H")["cards"][:4] == ["JKR", "JH", "JD", "AH"]
    assert "JD" not in ask("suit_order", strain="H", suit="D")["cards"]


@pytest.mark.parametrize(
    ("change", "field", "part"),
    [
        ({"dealer": None}, "dealer", "is missing"),
        ({"dealer": 2}, "dealer", "give 0 to 1"),
        ({"dealer": True}, "dealer", "true: give a whole number"),
        ({"dealer": 0.5}, "dealer", "0.5"),
        ({"dealer": 10**400}, "dealer", "give 0 to 1"),
        ({"deck": "9H"}, "deck", "give a list of cards"),
        ({"deck": ["9H", "9H"]}, "deck[1]", "9H is named before"),
        ({"deck": ["9H", "XX"]}, "deck[1]", "'XX' is no card"),
        ({"deck": ["2H"]}, "deck[0]", "2H is not in this pack of 23 cards"),
        ({"deck": [7]}, "deck[0]", "7: give a card as text"),
        ({"deck": ["9H"]}, "deck", "not among them"),
        ({"deck": ["9H"] * 3000}, "deck", "a list of 3000"),
    ],
)
def test_a_wrong_deal_names_the_member(
    refused: Refused, change: dict[str, Any], field: str, part: str
) -> None:
    found, message = refused("deal", **{"rules": "ko-2p-23", "dealer": 0, "deck": [], **change})

    assert found == field
    assert part in message


def test_no_trump_is_no_suit(refused: Refused) -> None:
    assert refused("suit_order", strain="NT", suit="NT")[0] == "suit"
    assert refused("suit_order", strain="X", suit="S")[0] == "strain"

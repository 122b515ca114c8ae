"""The second opinion against the vectors of the rules reference."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from fivehundred.rules.ruleset import JokerLead
from fivehundred.wire.presets import load_preset
from second_answers import UNSAID, reply
from second_opinion import SecondOpinion, deal, pack
from vectors import COMPARED, VECTORS, disagreements


def said(vector: Mapping[str, Any]) -> Any:
    """A vector without what the second opinion knows nothing of."""
    return {name: _said(part) if name in COMPARED else part for name, part in vector.items()}


def _said(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    return {name: _said(value) for name, value in part.items() if name not in UNSAID}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_the_second_opinion_is_that_of_the_reference(vector: Mapping[str, Any]) -> None:
    assert disagreements(said(vector), reply(vector["question"])) == []


@pytest.mark.parametrize(
    "preset", ["hist-2p-25", "uspc-2p-33-dead", "us-4p-45", "au-6p-63", "hist-6p-60"]
)
def test_every_card_is_dealt_once(preset: str) -> None:
    rules = load_preset(preset)

    holdings, kitty, personal, dead = deal(rules, pack(rules), 1)

    piles = [*holdings, kitty, *personal, dead]
    assert sorted(card for pile in piles for card in pile) == sorted(pack(rules))
    assert [len(holding) for holding in holdings] == [10] * rules.players
    assert (len(kitty), len(dead)) == (rules.kitty_size, 10 * rules.dead_hands)


def test_a_joker_may_not_name_a_suit_that_its_holder_has_not_followed() -> None:
    rules = replace(load_preset("au-4p-43"), joker_lead=JokerLead.NAME_NOT_SHOWN_VOID)
    holdings = [
        {"8C", "8S", "8H"},
        {"5C", "9D", "AH", "JKR", "7C"},
        {"9C", "AS", "5H"},
        {"6C", "6S", "6H"},
    ]
    hand = SecondOpinion(rules, holdings, set(), [], 0, [0, 0])
    tricks = "5C 9C 6C 8C AS 6S 8S 9D 5H 6H 8H AH"

    for text in ["6NT", "P", "P", "P", "-", *tricks.split()]:
        hand.act(text)

    assert hand.legal() == {"JKR:C", "JKR:D", "JKR:H", "7C"}

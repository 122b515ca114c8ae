"""How many auctions and how many plays there are from a written deal, counted by both referees.

`tests/golden/perft.json` holds the deals and, by length, the counts: one rule changed changes one
of them. With ``--rewrite-golden`` the counts of the engine are written there anew.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fivehundred.rules.cards import parse_card
from fivehundred.rules.hand import Hand
from fivehundred.rules.notation import parse_call, parse_exchange
from fivehundred.rules.pack import deal
from fivehundred.wire.presets import load_preset
from second_opinion import SecondOpinion, dealt_hand

FILE = "perft.json"
SITUATIONS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / FILE).read_text(encoding="utf-8")
)
LONGEST_AUCTION = 4
LONGEST_PLAY = 6


@pytest.fixture(params=[*SITUATIONS.values()], ids=[*SITUATIONS])
def situation(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Each of the deals in turn."""
    return dict(request.param)


def test_the_counts_are_those_written(golden: Callable[[str, str], None]) -> None:
    counted = {name: {**each, **by_engine(each)} for name, each in SITUATIONS.items()}

    golden(FILE, json.dumps(counted, indent=2) + "\n")


def test_both_referees_count_alike(situation: dict[str, Any]) -> None:
    assert by_second_opinion(situation) == by_engine(situation)


def by_engine(situation: dict[str, Any]) -> dict[str, list[int]]:
    """The auctions and the plays that the engine knows, by length."""
    rules = load_preset(situation["preset"])
    hand, auction = dealt(situation), dealt(situation)
    for call in situation["calls"].split():
        hand.apply(parse_call(rules, call))
    for exchange in situation["exchanges"]:
        hand.apply(parse_exchange(exchange))
    return {
        "auctions": [_engine(auction, length) for length in range(1, LONGEST_AUCTION + 1)],
        "plays": [_engine(hand, length) for length in range(1, LONGEST_PLAY + 1)],
    }


def by_second_opinion(situation: dict[str, Any]) -> dict[str, list[int]]:
    """The auctions and the plays that the second opinion knows, by length."""
    hand, auction = seen_by_second(situation), seen_by_second(situation)
    for action in (*situation["calls"].split(), *situation["exchanges"]):
        hand.act(action)
    return {
        "auctions": [_second(auction, length) for length in range(1, LONGEST_AUCTION + 1)],
        "plays": [_second(hand, length) for length in range(1, LONGEST_PLAY + 1)],
    }


def dealt(situation: dict[str, Any]) -> Hand:
    """The deal of a situation."""
    rules, dealer = load_preset(situation["preset"]), situation["dealer"]
    deck = [parse_card(name) for name in situation["deck"].split()]
    return Hand(rules, deal(rules, deck, dealer), dealer, (0,) * rules.sides)


def seen_by_second(situation: dict[str, Any]) -> SecondOpinion:
    """The deal of a situation for the second opinion."""
    rules, dealer = load_preset(situation["preset"]), situation["dealer"]
    return dealt_hand(rules, situation["deck"].split(), dealer)


def _engine(hand: Hand, length: int) -> int:
    """The sequences of so many actions that stay within the phase."""
    actions = list(hand.legal())  # type: ignore[arg-type]  # nobody exchanges here
    if length == 1:
        return len(actions)
    total = 0
    for action in actions:
        following = hand.copy()
        following.apply(action)
        if following.phase is hand.phase:
            total += _engine(following, length - 1)
    return total


def _second(hand: SecondOpinion, length: int) -> int:
    """The same by the second opinion."""
    if length == 1:
        return len(hand.legal())
    total = 0
    for action in hand.legal():
        following = hand.copy()
        following.act(action)
        if following.phase == hand.phase:
            total += _second(following, length - 1)
    return total

"""The engine against a second referee that shares no code with it, hand by hand.

A disagreement tells the rules, the deal and the actions; who is right is read in the rules
reference, never in either referee.
"""

from collections import Counter
from functools import cache

import pytest

from comparison import Disagreement, Pair, play_hands
from fivehundred.rules.actions import PASS
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import RuleSet

SEED = "conformance"
CHUNK = 1_000
CHUNKS = range(20)
OFTEN = 100
OCCURRENCES = {
    "outcome PLAYED": 10_000,
    "outcome PASSED_OUT": 1_000,
    "all pass": 1_000,
    "call after a pass": OFTEN,
    "own bid raised": OFTEN,
    "signal": OFTEN,
    "redeal by the next": OFTEN,
    "redeal by the same": OFTEN,
    "played out without a contract": OFTEN,
    "numbered bid made": 1_000,
    "numbered bid failed": 1_000,
    "LOSE_ALL made": OFTEN,
    "LOSE_ALL failed": OFTEN,
    "TAKE_ALL made": 20,
    "TAKE_ALL failed": OFTEN,
    "special MIS": 50,
    "special OM": OFTEN,
    "special NULLO": 20,
    "special DBL": 20,
    "special BAR": 20,
    "special GAME": OFTEN,
    "special of the house": OFTEN,
    "alone": OFTEN,
    "partner plays": OFTEN,
    "slam": 500,
    "no trump": 1_000,
    "joker nominated": OFTEN,
    "joker led naming a suit": 1_000,
    "joker led naming nothing": OFTEN,
    "joker followed": 1_000,
    "card called": OFTEN,
    "card called that the contractor has": 20,
    "1 chosen": OFTEN,
    "2 chosen": 20,
    "personal kitties exchanged": OFTEN,
    "dead hand": OFTEN,
    "held at the ceiling": OFTEN,
    "end at the target under OWN_CONTRACT": OFTEN,
    "end at the target under ANY_POINTS": OFTEN,
    "played on over the target under OWN_CONTRACT": OFTEN,
    "played on over the target under ANY_POINTS": 20,
    "several at the target: CONTRACTOR_THEN_HIGHEST": 20,
    "several at the target: CONTRACTOR_THEN_EARLIEST": 20,
    "several at the target: HIGHEST": 20,
    "several winners": 20,
    "end at the floor": OFTEN,
    "end at the floor for several": 20,
    "played on under the floor, all being negative": 20,
}
"""How often each thing must have happened in all chunks for their agreement to mean anything."""


@cache
def hands(chunk: int) -> Counter[str]:
    """What occurred in a chunk of hands; each is played once."""
    return play_hands(SEED, range(chunk * CHUNK, (chunk + 1) * CHUNK))


@pytest.mark.parametrize("chunk", CHUNKS)
def test_both_referees_agree(chunk: int) -> None:
    assert hands(chunk)


@pytest.mark.timeout(600)
def test_everything_has_occurred() -> None:
    seen = sum(map(hands, CHUNKS), Counter[str]())

    short = {name: seen[name] for name, least in OCCURRENCES.items() if seen[name] < least}
    assert not short
    assert seen["outcome PLAYED"] + seen["outcome PASSED_OUT"] == CHUNK * len(CHUNKS)


def test_a_hand_depends_on_its_number_alone() -> None:
    one_by_one = sum((play_hands(SEED, [number]) for number in range(6)), Counter[str]())

    assert one_by_one == play_hands(SEED, range(6))


def test_a_disagreement_tells_how_to_play_the_hand_again() -> None:
    rules = RuleSet(slam_minimum=0)
    pair = Pair(rules, deck(rules), 2, (70, -30))
    pair.act(PASS)
    pair.hand.apply(PASS)

    with pytest.raises(Disagreement) as raised:
        pair.compare()

    text = str(raised.value)
    assert "turn:" in text
    assert "rules: slam_minimum=0" in text
    assert "dealer 2, scores [70, -30]" in text
    assert "deck: 5S 6S 7S" in text
    assert "actions so far: P" in text

"""What the tests of the rules share: the presets, house rules, and hands dealt at random."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.presets import load_preset, preset_names


@pytest.fixture(params=preset_names())
def preset(request: pytest.FixtureRequest) -> RuleSet:
    """Each preset in turn."""
    return load_preset(str(request.param))


@pytest.fixture
def house() -> Callable[..., RuleSet]:
    """The Australian four-handed game with some fields changed."""

    def change(**fields: object) -> RuleSet:
        return replace(RuleSet(), **fields)  # type: ignore[arg-type]  # the tests name the fields

    return change


@pytest.fixture
def shuffled() -> Callable[[RuleSet, Random], Hand]:
    """Deals a hand at random."""

    def start(rules: RuleSet, random: Random) -> Hand:
        cards = list(deck(rules))
        random.shuffle(cards)
        dealer = random.randrange(rules.players)
        return Hand(rules, deal(rules, cards, dealer), dealer, (0,) * rules.sides)

    return start

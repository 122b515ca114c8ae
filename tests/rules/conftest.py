"""What the tests of the rules share: the presets, house rules, and a player at random."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from fivehundred.rules.actions import (
    Action,
    Exchange,
    Legal,
    LegalCalls,
    LegalExchange,
    LegalPlays,
    Play,
)
from fivehundred.rules.cards import mask, members
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


@pytest.fixture
def any_action() -> Callable[[Legal, Random], Action]:
    """Picks one of the legal actions at random, passes more often than bids."""
    return _any_action


def _any_action(legal: Legal, random: Random) -> Action:
    if isinstance(legal, LegalPlays):
        return _any_play(legal, random)
    if isinstance(legal, LegalCalls):
        return legal.calls[0] if random.random() < 0.6 else random.choice(legal.calls)
    return _any_exchange(legal, random)


def _any_play(legal: LegalPlays, random: Random) -> Play:
    cards = list(members(legal.cards))
    card = cards[int(random.random() * len(cards))]
    if card < 64 or not legal.nameable:
        return Play(card)
    return Play(card, random.choice(list(members(legal.nameable))))


def _any_exchange(legal: LegalExchange, random: Random) -> Exchange:
    thrown = mask(random.sample(list(members(legal.holding)), legal.throw))
    callable_cards = list(members(legal.callable & (-1 if legal.may_call_own else ~thrown)))
    partners = random.randint(0, min(legal.partners, len(legal.choosable)))
    return Exchange(
        thrown=thrown,
        joker_suit=random.choice((None, 0, 1, 2, 3)) if legal.nominable & ~thrown else None,
        called=random.choice((None, *callable_cards)),
        partners=tuple(random.sample(legal.choosable, partners)),
    )

"""The pack of a rule set, and how it is dealt.

Packets go round from the dealer's left, first 3 cards each, then 4, then 3; a dead hand counts as a
seat before all others. With four players and a kitty divisible by three, a third of the kitty
follows each round; otherwise the kitty comes after the last round. The personal kitties come last,
whole packets from the dealer's left.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from fivehundred.rules.cards import BITS, JOKER, LOW_JOKER, SUITS, Card, Cards, make_card
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Deal

PACKETS: Final = (3, 4, 3)
COURT: Final = (12, 13, 14, 15)


@lru_cache(maxsize=256)
def deck(rules: RuleSet) -> tuple[Card, ...]:
    """The pack in canonical order: spades, clubs, diamonds, hearts ascending, then the jokers."""
    plain = tuple(make_card(suit, rank) for suit in SUITS for rank in _ranks(rules, suit))
    return plain + ((), (JOKER,), (LOW_JOKER, JOKER))[rules.jokers]


def deal(rules: RuleSet, deck_order: Sequence[Card], dealer: int) -> Deal:
    """Put a pack in dealing order to seats and kitty; the same for every language and version."""
    if set(deck_order) != _cards(rules) or len(deck_order) != len(_piles(rules)):
        raise ValueError(f"these {len(deck_order)} cards are not the pack of {rules.deck_size}")
    piles = [0] * (2 * rules.players + 2)
    for card, pile in zip(deck_order, _piles(rules), strict=True):
        piles[pile] |= BITS[card]
    holdings, personal = piles[: rules.players], piles[rules.players : -2]
    return Deal(
        holdings=_by_seat(holdings, dealer),
        kitty=piles[-2],
        personal=_by_seat(personal, dealer) if rules.personal_kitty else (),
        dead=piles[-1],
    )


@lru_cache(maxsize=256)
def _piles(rules: RuleSet) -> tuple[int, ...]:
    """The pile that each card of a pack in dealing order is put to.

    The piles are the holdings from the dealer's left, the personal kitties, kitty and dead cards.
    """
    kitty, dead = 2 * rules.players, 2 * rules.players + 1
    share = rules.kitty_size // 3 if _kitty_in_thirds(rules) else 0
    piles: list[int] = []
    for size in PACKETS:
        piles += [dead] * (size * rules.dead_hands)
        piles += [place for place in range(rules.players) for _ in range(size)]
        piles += [kitty] * share
    piles += [kitty] * (rules.kitty_size - piles.count(kitty))
    personal = range(rules.players, kitty)
    piles += [place for place in personal for _ in range(rules.personal_kitty)]
    return tuple(piles)


def _by_seat(piles: list[Cards], dealer: int) -> tuple[Cards, ...]:
    """Piles from the dealer's left, by seat."""
    first = -(dealer + 1) % len(piles)
    return (*piles[first:], *piles[:first])


@lru_cache(maxsize=256)
def _cards(rules: RuleSet) -> frozenset[Card]:
    return frozenset(deck(rules))


def _ranks(rules: RuleSet, suit: int) -> Iterator[int]:
    yield from range(rules.lowest_pip[suit] - 2, rules.highest_pip[suit] - 1)
    yield from COURT


def _kitty_in_thirds(rules: RuleSet) -> bool:
    return rules.players == 4 and rules.kitty_size % 3 == 0

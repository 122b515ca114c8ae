"""The pack of a rule set, and how it is dealt.

Packets go round from the dealer's left, first 3 cards each, then 4, then 3; a dead hand counts as a
seat before all others. With four players and a kitty divisible by three, a third of the kitty
follows each round; otherwise the kitty comes after the last round. The personal kitties come last,
whole packets from the dealer's left.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from fivehundred.rules.cards import JOKER, LOW_JOKER, SUITS, Card, Cards, make_card, mask
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Deal

PACKETS = (3, 4, 3)
COURT = (12, 13, 14, 15)


@lru_cache(maxsize=256)
def deck(rules: RuleSet) -> tuple[Card, ...]:
    """The pack in canonical order: spades, clubs, diamonds, hearts ascending, then the jokers."""
    plain = tuple(make_card(suit, rank) for suit in SUITS for rank in _ranks(rules, suit))
    return plain + ((), (JOKER,), (LOW_JOKER, JOKER))[rules.jokers]


def deal(rules: RuleSet, deck_order: Sequence[Card], dealer: int) -> Deal:
    """Put a pack in dealing order to seats and kitty; the same for every language and version."""
    if sorted(deck_order) != list(deck(rules)):
        raise ValueError(f"these {len(deck_order)} cards are not the pack of {len(deck(rules))}")
    cards = iter(deck_order)
    seats = [(dealer + 1 + place) % rules.players for place in range(rules.players)]
    holdings = [0] * rules.players
    dead = kitty = 0
    share = rules.kitty_size // 3 if _kitty_in_thirds(rules) else 0
    for size in PACKETS:
        if rules.dead_hands:
            dead |= _packet(cards, size * rules.dead_hands)
        for seat in seats:
            holdings[seat] |= _packet(cards, size)
        kitty |= _packet(cards, share)
    kitty |= _packet(cards, rules.kitty_size - kitty.bit_count())
    return Deal(tuple(holdings), kitty, _personal(rules, cards, seats), dead)


def _ranks(rules: RuleSet, suit: int) -> Iterator[int]:
    yield from range(rules.lowest_pip[suit] - 2, rules.highest_pip[suit] - 1)
    yield from COURT


def _kitty_in_thirds(rules: RuleSet) -> bool:
    return rules.players == 4 and rules.kitty_size % 3 == 0


def _packet(cards: Iterator[Card], size: int) -> Cards:
    return mask(islice(cards, size))


def _personal(rules: RuleSet, cards: Iterator[Card], seats: Sequence[int]) -> tuple[Cards, ...]:
    if not rules.personal_kitty:
        return ()
    kitties = {seat: _packet(cards, rules.personal_kitty) for seat in seats}
    return tuple(kitties[seat] for seat in range(rules.players))

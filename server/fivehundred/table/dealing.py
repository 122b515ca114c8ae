"""Deals and seeds derived from a tournament's secret, by a function that any language can repeat.

All numbers are big-endian. For a purpose ``p`` and numbers ``n…`` (unsigned, 8 bytes each)::

    key     = HMAC-SHA256(secret, "fivehundred/" + p + "/v1" + n…)
    block i = SHA256(key + i as 8 bytes), i = 0, 1, …
    stream  = the blocks' 4-byte words in order

The purposes are ``deal`` and ``seat``, the numbers board, hand and attempt. The seed of seat ``s``
is the first 8 bytes of block ``s`` for the purpose ``seat``.

A deck is the pack in canonical order, shuffled by Fisher-Yates from the last card down: for
``i = size-1 … 1`` draw ``j`` in ``0 … i`` and swap. A word ``w`` gives ``j = w mod (i+1)``; words
at or above the largest multiple of ``i+1`` that fits 32 bits are skipped: no order is favoured.

The secret is the tournament's seed. Where entrants have added entropy of their own it is::

    secret  = SHA256("fivehundred/entropy/v1" + seed + SHA256(e) for each entrant in order)

with ``e`` the entrant's entropy, no bytes for an entrant that has given none. Whoever
gives some last knows that nobody, the organiser included, has chosen the deals.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from fivehundred.rules.cards import Card
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import RuleSet

WORDS = 1 << 32


def commitment(seed: bytes) -> bytes:
    """The SHA-256 of the seed: published before play, so that no deal can be chosen later."""
    return hashlib.sha256(seed).digest()


def deal_secret(seed: bytes, entropy: Sequence[bytes]) -> bytes:
    """The secret of a seed and what each entrant has added; the seed where nobody has."""
    if not any(entropy):
        return seed
    digests = b"".join(hashlib.sha256(each).digest() for each in entropy)
    return hashlib.sha256(b"fivehundred/entropy/v1" + seed + digests).digest()


def deck_order(
    secret: bytes, board: int, hand: int, attempt: int, rules: RuleSet
) -> tuple[Card, ...]:
    """The pack in dealing order for one hand of a board."""
    cards = list(deck(rules))
    words = _stream(_key(secret, b"deal", board, hand, attempt))
    for last in range(len(cards) - 1, 0, -1):
        other = _below(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def seat_seeds(
    secret: bytes, board: int, hand: int, attempt: int, rules: RuleSet
) -> tuple[int, ...]:
    """The 64-bit seed that each seat's requests carry in one hand, by seat.

    They are the same in every seating of a board, so that a bot that draws on nothing else plays
    exactly even against itself; they tell nothing of the deal.
    """
    key = _key(secret, b"seat", board, hand, attempt)
    return tuple(int.from_bytes(_block(key, seat)[:8], "big") for seat in range(rules.players))


def _key(secret: bytes, purpose: bytes, *numbers: int) -> bytes:
    text = b"fivehundred/" + purpose + b"/v1"
    text += b"".join(number.to_bytes(8, "big") for number in numbers)
    return hmac.digest(secret, text, "sha256")


def _stream(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = _block(key, block)
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _block(key: bytes, number: int) -> bytes:
    return hashlib.sha256(key + number.to_bytes(8, "big")).digest()


def _below(words: Iterator[int], bound: int) -> int:
    limit = WORDS - WORDS % bound
    return next(word for word in words if word < limit) % bound

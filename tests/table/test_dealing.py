"""Deals from a secret, by a function that anybody can repeat."""

import hashlib
import hmac
from collections import Counter

from fivehundred.rules.cards import card_name
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.dealing import commitment, deck_order, seat_seeds

SECRET = bytes(range(32))
PUBLISHED_DECK = ["AH", "6S", "7C", "8D", "10D", "5H", "AC", "KS", "9D", "JD"]
PUBLISHED_SEED = "9b0f63b4370d91cd"


def by_the_document(secret: bytes, numbers: list[int], cards: list[int]) -> list[int]:
    """The documented function, written anew with nothing but hashlib."""
    text = b"fivehundred/deal/v1" + b"".join(n.to_bytes(8, "big") for n in numbers)
    key = hmac.new(secret, text, hashlib.sha256).digest()
    stream = b"".join(hashlib.sha256(key + n.to_bytes(8, "big")).digest() for n in range(40))
    words = [int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)]
    for i in range(len(cards) - 1, 0, -1):
        word = words.pop(0)
        while word >= 2**32 // (i + 1) * (i + 1):
            word = words.pop(0)
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def test_a_deck_is_what_the_documented_function_gives() -> None:
    rules = RuleSet()

    for board in range(50):
        expected = by_the_document(SECRET, [board, 3, 1], list(deck(rules)))
        assert list(deck_order(SECRET, board, 3, 1, rules)) == expected


def test_published_vector_of_a_deck() -> None:
    order = deck_order(SECRET, 0, 0, 0, RuleSet())

    assert [card_name(card) for card in order[:10]] == PUBLISHED_DECK


def test_published_vectors_of_seed_and_commitment() -> None:
    assert f"{seat_seeds(SECRET, 0, 0, 0, RuleSet())[2]:016x}" == PUBLISHED_SEED
    assert commitment(SECRET).hex() == (
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )


def test_every_card_comes_to_every_place_about_equally_often() -> None:
    rules = RuleSet()
    places = Counter(deck_order(SECRET, board, 0, 0, rules).index(65) for board in range(4300))

    assert set(places) == set(range(43))
    assert min(places.values()) > 55 and max(places.values()) < 150


def test_board_hand_attempt_and_secret_each_change_the_deck() -> None:
    rules = RuleSet()
    decks = {
        deck_order(secret, board, hand, attempt, rules)
        for secret in (SECRET, bytes(32))
        for board in (0, 1)
        for hand in (0, 1)
        for attempt in (0, 1)
    }

    assert len(decks) == 16

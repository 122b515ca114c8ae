"""Cards, suits, strains and calls to and from v1.

A card's number on the wire is the card plus 1, a suit's the suit plus 1, a strain's the strain plus
1; 0 stands for none.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from fivehundred.rules.actions import PASS, Bid, Call
from fivehundred.rules.cards import ALL_CARDS, NO_TRUMP, STRAINS, SUITS, Card, Cards, Suit, members
from fivehundred.v1 import cards_pb2
from fivehundred.wire.errors import MalformedMessage

MAX_SPECIAL_NAME = 63

CARD_NUMBERS = tuple(cards_pb2.Card.ValueType(card + 1) for card in ALL_CARDS)
"""The wire number by card."""
SUIT_NUMBERS = tuple(cards_pb2.Suit.ValueType(suit + 1) for suit in SUITS)
"""The wire number by suit."""
STRAIN_NUMBERS = tuple(cards_pb2.Strain.ValueType(strain + 1) for strain in STRAINS)
"""The wire number by strain."""

_BITS: dict[int, int] = {card + 1: 1 << card for card in ALL_CARDS}
_CARDS: dict[int, Card] = {card + 1: card for card in ALL_CARDS}


@lru_cache(maxsize=1 << 15)
def card_numbers(cards: Cards) -> tuple[cards_pb2.Card.ValueType, ...]:
    """The wire numbers of a set of cards, lowest first."""
    return tuple([CARD_NUMBERS[card] for card in members(cards)])


def cards_from_numbers(numbers: Sequence[int]) -> Cards:
    """The set of cards of some wire numbers; a number given twice is malformed."""
    try:
        cards = sum(map(_BITS.__getitem__, numbers))
    except KeyError as error:
        raise MalformedMessage(f"{error.args[0]} is no card's number") from None
    count = len(numbers)
    if cards.bit_count() != count:  # a sum of so many powers of two has as many bits, or some recur
        twice = count - len(set(numbers))
        raise MalformedMessage(f"{count} cards, of which {twice} twice")
    return cards


def card_list_from_numbers(numbers: Iterable[int]) -> tuple[Card, ...]:
    """The cards of some wire numbers, in order."""
    try:
        return tuple([_CARDS[number] for number in numbers])
    except KeyError as error:
        raise MalformedMessage(f"{error.args[0]} is no card's number") from None


def card_from_number(number: int) -> Card:
    """The card of a wire number."""
    card = _CARDS.get(number)
    if card is None:
        raise MalformedMessage(f"{number} is no card's number" if number else "no card is given")
    return card


def optional_card(number: int) -> Card | None:
    """The card of a wire number; None for 0."""
    return card_from_number(number) if number else None


def optional_card_number(card: Card | None) -> cards_pb2.Card.ValueType:
    """The wire number of a card; 0 for None."""
    return cards_pb2.CARD_UNSPECIFIED if card is None else CARD_NUMBERS[card]


def optional_suit(number: int) -> Suit | None:
    """The suit of a wire number; None for 0."""
    if not 0 <= number <= len(SUITS):
        raise MalformedMessage(f"{number} is no suit's number")
    return number - 1 if number else None


def optional_suit_number(suit: Suit | None) -> cards_pb2.Suit.ValueType:
    """The wire number of a suit; 0 for None."""
    return cards_pb2.SUIT_UNSPECIFIED if suit is None else SUIT_NUMBERS[suit]


def suits_from_numbers(numbers: Iterable[int]) -> int:
    """The bit mask, a bit per suit, of some wire numbers."""
    suits = 0
    for number in numbers:
        if not 1 <= number <= len(SUITS):
            raise MalformedMessage(f"{number} is no suit's number")
        suits |= 1 << number - 1
    return suits


@lru_cache(maxsize=1 << 12)
def call_to_proto(call: Call) -> cards_pb2.Call:
    """The message of a call; shared, so not to be changed."""
    if not isinstance(call, Bid):
        return cards_pb2.Call()
    if call.special and not call.carries_strain:
        return cards_pb2.Call(special=call.special)
    strain = STRAIN_NUMBERS[call.strain]
    return cards_pb2.Call(level=call.level, strain=strain, special=call.special)


@lru_cache(maxsize=1 << 12)
def _call(level: int, strain: int, special: str) -> Call:
    if not 0 <= strain <= len(STRAINS):
        raise MalformedMessage(f"{strain} is no strain's number")
    if level and special:
        raise MalformedMessage(f"a call with both level {level} and the name {special!r}")
    if special:
        return Bid(0, strain - 1 if strain else NO_TRUMP, special, carries_strain=strain > 0)
    if not level and not strain:
        return PASS
    if not level or not strain:
        raise MalformedMessage("a call with a strain but no level, or a level but no strain")
    return Bid(level, strain - 1)


def call_from_proto(message: cards_pb2.Call) -> Call:
    """The call of a message."""
    special = message.special
    if len(special) > MAX_SPECIAL_NAME:
        raise MalformedMessage(f"a special bid's name of {len(special)} characters")
    return _call(message.level, message.strain, special)

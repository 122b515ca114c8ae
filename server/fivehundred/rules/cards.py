"""Cards, suits and strains as small integers, and sets of cards as bit masks.

A card is ``16 * suit + rank`` with suits 0-3 (S C D H) and ranks 0-15 (2-10, 11, 12, 13, J, Q, K,
A); the jokers are 64 (``JK2``, the lower of two) and 65 (``JKR``, the only one or the higher). The
numbers are the same for every pack, and within a plain suit a larger number is a higher card. A
set of cards is an integer with one bit per card.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from fivehundred.rules.errors import NotationError

Card = int
Cards = int
Suit = int
Strain = int

SPADES: Final = 0
CLUBS: Final = 1
DIAMONDS: Final = 2
HEARTS: Final = 3
SUITS: Final = (SPADES, CLUBS, DIAMONDS, HEARTS)
NO_TRUMP: Final = 4
STRAINS: Final = (SPADES, CLUBS, DIAMONDS, HEARTS, NO_TRUMP)
SUIT_LETTERS: Final = "SCDH"
STRAIN_NAMES: Final = ("S", "C", "D", "H", "NT")
RANK_NAMES: Final = (*"23456789", "10", "11", "12", "13", *"JQKA")
JACK: Final = 12
ACE: Final = 15

LOW_JOKER: Final = 64
JOKER: Final = 65
JOKERS: Final[Cards] = 1 << LOW_JOKER | 1 << JOKER
ALL_CARDS: Final = tuple(range(66))
BITS: Final = tuple(1 << card for card in ALL_CARDS)
"""The set of each card alone."""
CARD_NAMES: Final = (
    *(f"{rank}{suit}" for suit in SUIT_LETTERS for rank in RANK_NAMES),
    "JK2",
    "JKR",
)
_SUIT_BITS: Final = 0xFFFF
_CARDS_BY_NAME: Final = {name: card for card, name in enumerate(CARD_NAMES)}
_STRAINS_BY_NAME: Final = {name: strain for strain, name in enumerate(STRAIN_NAMES)}

SAME_COLOUR: Final = (CLUBS, SPADES, HEARTS, DIAMONDS)
"""The other suit of the same colour, by suit: the home of the left bower."""


def make_card(suit: Suit, rank: int) -> Card:
    """The card of a suit and a rank index (0 is the two, 15 the ace)."""
    return 16 * suit + rank


def suit_of(card: Card) -> Suit:
    """The printed suit of a card that is no joker."""
    return card >> 4


def is_joker(card: Card) -> bool:
    """Whether a card is one of the jokers."""
    return card >= LOW_JOKER


def card_name(card: Card) -> str:
    """``10S``, ``JD``, ``JKR``; `parse_card` reads it back."""
    return CARD_NAMES[card]


def parse_card(text: str) -> Card:
    """The card of a name such as ``10S``, ``AH``, ``JKR`` or ``JK2``."""
    card = _CARDS_BY_NAME.get(text.upper())
    if card is None:
        raise NotationError(
            f"{text!r} is no card: write a rank and a suit as in AS, 10H, or JKR, JK2"
        )
    return card


def strain_name(strain: Strain) -> str:
    """``S``, ``C``, ``D``, ``H`` or ``NT``."""
    return STRAIN_NAMES[strain]


def parse_strain(text: str) -> Strain:
    """The strain of ``S``, ``C``, ``D``, ``H`` or ``NT``."""
    strain = _STRAINS_BY_NAME.get(text.upper())
    if strain is None:
        raise NotationError(f"{text!r} is no strain: write S, C, D, H or NT")
    return strain


def parse_suit(text: str) -> Suit:
    """The suit of ``S``, ``C``, ``D`` or ``H``."""
    strain = parse_strain(text)
    if strain == NO_TRUMP:
        raise NotationError(f"{text!r} is no suit: write S, C, D or H")
    return strain


def mask(cards: Iterable[Card]) -> Cards:
    """The set of some cards."""
    result = 0
    for card in cards:
        result |= BITS[card]
    return result


def members(cards: Cards) -> Iterator[Card]:
    """The cards of a set, lowest number first."""
    found = []
    while cards:
        card = cards.bit_length() - 1
        found.append(card)
        cards ^= BITS[card]
    return reversed(found)


def member(cards: Cards, index: int) -> Card:
    """The card at a place of a set, counted from 0, lowest number first; raises `IndexError`."""
    if not 0 <= index < cards.bit_count():
        raise IndexError(f"{index} is no place among {cards.bit_count()} cards")
    first = 0
    while (count := (cards >> first & _SUIT_BITS).bit_count()) <= index:
        index -= count
        first += 16
    bits = cards >> first & _SUIT_BITS
    for _ in range(index):
        bits &= bits - 1
    return first + (bits & -bits).bit_length() - 1


def parse_cards(text: str) -> Cards:
    """The set of cards named in a text, separated by spaces."""
    return mask(parse_card(word) for word in text.split())


def names(cards: Cards) -> str:
    """The cards of a set as people hold them, separated by spaces."""
    return " ".join(CARD_NAMES[card] for card in as_held(cards))


def as_held(cards: Cards) -> list[Card]:
    """The cards of a set, suit by suit from high to low, jokers first."""
    return sorted(members(cards), key=lambda card: (not is_joker(card), card >> 4, -card))

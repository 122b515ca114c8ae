"""What a seat does: a call, an exchange or a play; and what it may do.

Everything here is a frozen value. ``action in legal`` is the one test of legality.

Values that are made at every decision write their own ``__init__``: a frozen dataclass takes twice
as long to make one, and ten times as long where the rules are compiled. ``Final`` freezes them, for
mypy and in compiled code.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fivehundred.rules.cards import (
    ALL_CARDS,
    JOKERS,
    LOW_JOKER,
    STRAIN_NAMES,
    SUIT_LETTERS,
    SUITS,
    Card,
    Cards,
    Strain,
    Suit,
    card_name,
    member,
    members,
    names,
)


@dataclass(frozen=True, slots=True)
class Pass:
    """No bid."""

    def __str__(self) -> str:
        return "P"


@dataclass(frozen=True, slots=True)
class Bid:
    """A promise: a numbered bid, or a special one where ``special`` names it.

    A special bid has level 0; its strain is the one it carries (TAKE_ALL) or no trump (LOSE_ALL).
    """

    level: int
    strain: Strain
    special: str = ""
    carries_strain: bool = True
    """Whether the name is written with its strain, as in ``GAME-H``."""

    def __str__(self) -> str:
        if not self.special:
            return f"{self.level}{STRAIN_NAMES[self.strain]}"
        return (
            f"{self.special}-{STRAIN_NAMES[self.strain]}" if self.carries_strain else self.special
        )


Call = Pass | Bid
PASS: Final = Pass()


@dataclass(init=False, slots=True, unsafe_hash=True)
class Exchange:
    """All that a seat settles between auction and play.

    ``thrown`` are the discards; ``joker_suit`` the suit that the contractor gives his joker, if
    any; ``called`` the card whose holder is his partner, if any; ``partners`` the seats he chooses.
    """

    thrown: Final[Cards]
    joker_suit: Final[Suit | None]
    called: Final[Card | None]
    partners: Final[tuple[int, ...]]

    def __init__(
        self,
        thrown: Cards,
        joker_suit: Suit | None = None,
        called: Card | None = None,
        partners: tuple[int, ...] = (),
    ) -> None:
        self.thrown = thrown
        self.joker_suit = joker_suit
        self.called = called
        self.partners = partners

    def __str__(self) -> str:
        parts = [names(self.thrown) or "-"]
        if self.joker_suit is not None:
            parts.append(f"joker={SUIT_LETTERS[self.joker_suit]}")
        if self.called is not None:
            parts.append(f"called={card_name(self.called)}")
        if self.partners:
            parts.append(f"partners={','.join(map(str, self.partners))}")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Play:
    """A card played; ``named`` is the suit that a joker led at no trump names for the others."""

    card: Card
    named: Suit | None = None

    def __str__(self) -> str:
        suffix = "" if self.named is None else f":{SUIT_LETTERS[self.named]}"
        return card_name(self.card) + suffix


Action = Pass | Bid | Exchange | Play
PLAYS: Final = tuple(Play(card) for card in ALL_CARDS)
"""The play of each card that names no suit."""


@dataclass(frozen=True, slots=True)
class LegalCalls:
    """The calls a seat may make, pass first, then bids from low to high; a sequence of them."""

    calls: tuple[Call, ...]

    def __len__(self) -> int:
        return len(self.calls)

    def __getitem__(self, index: int) -> Call:
        return self.calls[index]

    def __contains__(self, action: object) -> bool:
        return action in self.calls

    def __iter__(self) -> Iterator[Call]:
        return iter(self.calls)

    def default(self) -> Call:
        """The declared substitute for a faulty answer: a pass."""
        return self.calls[0]


@dataclass(init=False, slots=True, unsafe_hash=True)
class LegalExchange:
    """What a seat may throw and settle.

    ``throw`` cards of ``holding``. ``nominable`` are the jokers that may be given a suit; one that
    is thrown cannot be nominated. ``callable`` are the cards that may be called, minus those thrown
    unless ``may_call_own``. ``choosable`` are the seats that may be partners, at most ``partners``.
    Calling and choosing nobody is always legal: the contractor plays alone.
    """

    holding: Final[Cards]
    throw: Final[int]
    nominable: Final[Cards]
    callable: Final[Cards]
    may_call_own: Final[bool]
    choosable: Final[tuple[int, ...]]
    partners: Final[int]

    def __init__(
        self,
        holding: Cards,
        throw: int,
        nominable: Cards = 0,
        callable: Cards = 0,  # noqa: A002 - the field's name, as in the contract
        may_call_own: bool = False,
        choosable: tuple[int, ...] = (),
        partners: int = 0,
    ) -> None:
        self.holding = holding
        self.throw = throw
        self.nominable = nominable
        self.callable = callable
        self.may_call_own = may_call_own
        self.choosable = choosable
        self.partners = partners

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Exchange) and self.refusal(action) is None

    def refusal(self, action: Exchange) -> str | None:
        """Why an exchange is not legal, in words; None where it is."""
        thrown, held = action.thrown, self.holding
        if thrown & ~held:
            return (
                f"{names(thrown & ~held)} not in the holding: throw {self.throw} of {names(held)}"
            )
        if thrown.bit_count() != self.throw:
            return f"{thrown.bit_count()} cards thrown: throw exactly {self.throw}"
        if action.joker_suit is not None and not self.nominable & ~thrown:
            return "no joker to nominate: leave its suit out"
        if action.joker_suit is not None and action.joker_suit not in SUITS:
            return f"{action.joker_suit} is no suit for a joker: give S, C, D or H"
        if action.called is not None and not 1 << action.called & self.callable_after(thrown):
            return f"{card_name(action.called)} may not be called"
        chosen = action.partners
        if len(set(chosen)) != len(chosen) or not set(chosen) <= set(self.choosable):
            return f"{_seats(chosen)} not all partners: choose among {_seats(self.choosable)}"
        if len(chosen) > self.partners:
            return f"{len(chosen)} partners: choose at most {self.partners}"
        return None

    def callable_after(self, thrown: Cards) -> Cards:
        """The cards that may be called once some are thrown."""
        return self.callable if self.may_call_own else self.callable & ~thrown

    def default(self) -> Exchange:
        """The declared substitute for a faulty answer: the lowest card numbers, nothing settled."""
        thrown = 0
        for card in list(members(self.holding))[: self.throw]:
            thrown |= 1 << card
        return Exchange(thrown)


def _seats(seats: tuple[int, ...]) -> str:
    return f"seats {', '.join(map(str, seats))}" if seats else "no seats"


@dataclass(init=False, slots=True, unsafe_hash=True)
class LegalPlays:
    """The cards a seat may play, and the suits that a joker led must name (0: none is named).

    A sequence of plays, by the cards' numbers.
    """

    cards: Final[Cards]
    nameable: Final[int]
    """A bit per suit; when not 0, playing a joker must name one of them."""

    def __init__(self, cards: Cards, nameable: int = 0) -> None:
        self.cards = cards
        self.nameable = nameable

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Play) or not self.cards >> action.card & 1:
            return False
        if action.card >= LOW_JOKER and self.nameable:
            return action.named is not None and bool(self.nameable >> action.named & 1)
        return action.named is None

    def __len__(self) -> int:
        if not self.nameable:
            return self.cards.bit_count()
        jokers = (self.cards & JOKERS).bit_count()
        return self.cards.bit_count() + jokers * (self.nameable.bit_count() - 1)

    def __getitem__(self, index: int) -> Play:
        if index < 0:
            index += len(self)
        if self.nameable:
            return list(self)[index]
        return PLAYS[member(self.cards, index)]

    def __iter__(self) -> Iterator[Play]:
        if not self.nameable:
            return iter([PLAYS[card] for card in members(self.cards)])
        plain = [PLAYS[card] for card in members(self.cards & ~JOKERS)]
        named = [
            Play(card, suit)
            for card in members(self.cards & JOKERS)
            for suit in members(self.nameable)
        ]
        return iter(plain + named)

    def default(self) -> Play:
        """The declared substitute for a faulty answer: the lowest card number."""
        return next(iter(self))


Legal = LegalCalls | LegalExchange | LegalPlays

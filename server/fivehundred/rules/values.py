"""The values that a hand is made of and that its views and results are told in."""

from dataclasses import dataclass
from enum import Enum

from fivehundred.rules.actions import Call
from fivehundred.rules.cards import Card, Cards, Suit


class Phase(Enum):
    """Where a hand stands."""

    AUCTION = 1
    EXCHANGE = 2
    PLAY = 3
    OVER = 4


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards put to seats and kitty, ``personal`` kitties by seat, ``dead`` cards unseen by all."""

    holdings: tuple[Cards, ...]
    kitty: Cards
    personal: tuple[Cards, ...] = ()
    dead: Cards = 0


@dataclass(frozen=True, slots=True)
class Contract:
    """What is being played. ``bid`` is a pass where a hand without a contractor is played out.

    ``contractor`` is then the seat that leads to the first trick.
    """

    bid: Call
    contractor: int
    joker_suit: Suit | None = None
    called: Card | None = None
    partners: tuple[int, ...] = ()
    """The partners found by calling or choosing; empty where the sides are fixed.

    All of them in a result, in a view only those known to the seat.
    """


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, complete or under way; the first seat led."""

    seats: tuple[int, ...]
    cards: tuple[Card, ...]
    named: Suit | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """All that one seat may see; equal for all deals that the seat cannot tell apart."""

    seat: int
    dealer: int
    holding: Cards
    auction: tuple[tuple[int, Call], ...]
    contract: Contract | None
    """None during the auction."""
    playing_seats: tuple[int, ...]
    tricks: tuple[Trick, ...]
    """The current one last; empty before the first card."""
    tricks_won: tuple[int, ...]
    scores: tuple[int, ...]
    """Of each side, before this hand."""
    thrown: Cards
    """The cards that the seat itself has thrown."""
    exposed: Cards
    """The contractor's cards while they lie open."""
    decision_number: int
    """How many decisions the seat has made in this hand before."""


class Outcome(Enum):
    """How a hand ended."""

    PLAYED = 1
    PASSED_OUT = 2
    FORFEITED = 3


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended and what it changed. Winners are sides, set only when the game is over."""

    outcome: Outcome
    contract: Contract | None
    tricks_won: tuple[int, ...]
    change: tuple[int, ...]
    game_over: bool = False
    winners: tuple[int, ...] = ()
    next_dealer: int = 0

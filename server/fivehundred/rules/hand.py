"""One hand of 500: the auction, the exchange, ten tricks and the score.

`Hand` is the state machine. `Hand.legal` is the one function that says what is legal; asking,
checking and bots all use it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from fivehundred.rules.actions import Action, Call, Legal
from fivehundred.rules.cards import Card, Cards, Suit
from fivehundred.rules.ruleset import RuleSet


class Phase(Enum):
    """Where a hand stands."""

    AUCTION = 1
    EXCHANGE = 2
    PLAY = 3
    OVER = 4


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards put to seats and kitty; ``personal`` kitties by seat, ``dead`` cards that nobody sees."""

    holdings: tuple[Cards, ...]
    kitty: Cards
    personal: tuple[Cards, ...] = ()
    dead: Cards = 0


@dataclass(frozen=True, slots=True)
class Contract:
    """What is being played. ``bid`` is a pass where a hand without a contractor is played out."""

    bid: Call
    contractor: int
    joker_suit: Suit | None = None
    called: Card | None = None
    partners: tuple[int, ...] = ()
    """The contractor's partners: all of them in a result, in a view only those known to the seat."""


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


class Hand:
    """A hand under way. ``turn`` is the seat to act, None when the hand is over."""

    phase: Phase
    turn: int | None
    result: HandResult | None

    def __init__(self, rules: RuleSet, deal: Deal, dealer: int, scores: Sequence[int]) -> None:
        raise NotImplementedError

    def legal(self) -> Legal:
        """What the seat in turn may do."""
        raise NotImplementedError

    def apply(self, action: Action) -> None:
        """Carry out the action of the seat in turn; raises `IllegalAction` if it is not legal."""
        raise NotImplementedError

    def view(self, seat: int) -> SeatView:
        """All that a seat may see now."""
        raise NotImplementedError

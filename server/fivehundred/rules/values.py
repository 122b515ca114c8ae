"""The values that a hand is made of and that its views and results are told in.

They write their own ``__init__``, as in `fivehundred.rules.actions`.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from fivehundred.rules.actions import Call
from fivehundred.rules.cards import Card, Cards, Suit


class Phase(Enum):
    """Where a hand stands."""

    AUCTION = 1
    EXCHANGE = 2
    PLAY = 3
    OVER = 4


@dataclass(init=False, slots=True, unsafe_hash=True)
class Deal:
    """Cards put to seats and kitty, ``personal`` kitties by seat, ``dead`` cards unseen by all."""

    holdings: Final[tuple[Cards, ...]]
    kitty: Final[Cards]
    personal: Final[tuple[Cards, ...]]
    dead: Final[Cards]

    def __init__(
        self,
        holdings: tuple[Cards, ...],
        kitty: Cards,
        personal: tuple[Cards, ...] = (),
        dead: Cards = 0,
    ) -> None:
        self.holdings = holdings
        self.kitty = kitty
        self.personal = personal
        self.dead = dead


@dataclass(init=False, slots=True, unsafe_hash=True)
class Contract:
    """What is being played. ``bid`` is a pass where a hand without a contractor is played out.

    ``contractor`` is then the seat that leads to the first trick.
    """

    bid: Final[Call]
    contractor: Final[int]
    joker_suit: Final[Suit | None]
    called: Final[Card | None]
    partners: Final[tuple[int, ...]]
    """The partners found by calling or choosing; empty where the sides are fixed.

    All of them in a result, in a view only those known to the seat.
    """

    def __init__(
        self,
        bid: Call,
        contractor: int,
        joker_suit: Suit | None = None,
        called: Card | None = None,
        partners: tuple[int, ...] = (),
    ) -> None:
        self.bid = bid
        self.contractor = contractor
        self.joker_suit = joker_suit
        self.called = called
        self.partners = partners


@dataclass(init=False, slots=True, unsafe_hash=True)
class Trick:
    """A trick, complete or under way; the first seat led."""

    seats: Final[tuple[int, ...]]
    cards: Final[tuple[Card, ...]]
    named: Final[Suit | None]

    def __init__(
        self, seats: tuple[int, ...], cards: tuple[Card, ...], named: Suit | None = None
    ) -> None:
        self.seats = seats
        self.cards = cards
        self.named = named


@dataclass(init=False, slots=True, unsafe_hash=True)
class SeatView:
    """All that one seat may see; equal for all deals that the seat cannot tell apart."""

    seat: Final[int]
    dealer: Final[int]
    holding: Final[Cards]
    auction: Final[tuple[tuple[int, Call], ...]]
    contract: Final[Contract | None]
    """None during the auction."""
    playing_seats: Final[tuple[int, ...]]
    tricks: Final[tuple[Trick, ...]]
    """The current one last; empty before the first card."""
    tricks_won: Final[tuple[int, ...]]
    scores: Final[tuple[int, ...]]
    """Of each side, before this hand."""
    thrown: Final[Cards]
    """The cards that the seat itself has thrown."""
    exposed: Final[Cards]
    """The contractor's cards while they lie open."""
    decision_number: Final[int]
    """How many decisions the seat has made in this hand before."""

    def __init__(
        self,
        seat: int,
        dealer: int,
        holding: Cards,
        auction: tuple[tuple[int, Call], ...],
        contract: Contract | None,
        playing_seats: tuple[int, ...],
        tricks: tuple[Trick, ...],
        tricks_won: tuple[int, ...],
        scores: tuple[int, ...],
        thrown: Cards,
        exposed: Cards,
        decision_number: int,
    ) -> None:
        self.seat = seat
        self.dealer = dealer
        self.holding = holding
        self.auction = auction
        self.contract = contract
        self.playing_seats = playing_seats
        self.tricks = tricks
        self.tricks_won = tricks_won
        self.scores = scores
        self.thrown = thrown
        self.exposed = exposed
        self.decision_number = decision_number


class Outcome(Enum):
    """How a hand ended."""

    PLAYED = 1
    PASSED_OUT = 2
    FORFEITED = 3


@dataclass(init=False, slots=True, unsafe_hash=True)
class HandResult:
    """How a hand ended and what it changed. Winners are sides, set only when the game is over."""

    outcome: Final[Outcome]
    contract: Final[Contract | None]
    tricks_won: Final[tuple[int, ...]]
    change: Final[tuple[int, ...]]
    game_over: Final[bool]
    winners: Final[tuple[int, ...]]
    next_dealer: Final[int]

    def __init__(
        self,
        outcome: Outcome,
        contract: Contract | None,
        tricks_won: tuple[int, ...],
        change: tuple[int, ...],
        game_over: bool = False,
        winners: tuple[int, ...] = (),
        next_dealer: int = 0,
    ) -> None:
        self.outcome = outcome
        self.contract = contract
        self.tricks_won = tricks_won
        self.change = change
        self.game_over = game_over
        self.winners = winners
        self.next_dealer = next_dealer

"""What passes between a table, its players and the log: asks, replies, receipts, faults and events.

All durations are whole microseconds. What is made at every decision writes its own ``__init__``, as
in `fivehundred.rules.actions`.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from fivehundred.rules.actions import Action, Legal
from fivehundred.rules.cards import Card
from fivehundred.rules.hand import HandResult, SeatView


class FaultKind(Enum):
    """What was wrong with a bot's decision; the whole list."""

    TIMEOUT = 1
    ILLEGAL = 2
    MALFORMED = 3
    DISCONNECTED = 4
    UNREACHABLE = 5


class AskKind(Enum):
    """What a seat is asked for."""

    BID = 1
    DISCARD = 2
    PLAY = 3


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot's fault with its evidence: the reason in words and at most 256 bytes of the answer."""

    kind: FaultKind
    reason: str
    answer: bytes = b""


@dataclass(init=False, slots=True, unsafe_hash=True)
class Receipt:
    """What one decision was measured and charged at, in microseconds."""

    elapsed_us: Final[int]
    lag_us: Final[int]
    charged_us: Final[int]
    bank_left_us: Final[int]

    def __init__(self, elapsed_us: int, lag_us: int, charged_us: int, bank_left_us: int) -> None:
        self.elapsed_us = elapsed_us
        self.lag_us = lag_us
        self.charged_us = charged_us
        self.bank_left_us = bank_left_us


@dataclass(frozen=True, slots=True, order=True)
class HandKey:
    """Which hand of which tournament; unique for ever."""

    tournament: str
    match: int
    board: int
    seating: int
    hand: int = 0
    attempt: int = 0


@dataclass(init=False, slots=True, unsafe_hash=True)
class Ask:
    """One decision to be made: what the seat sees, what it may do and how long it has."""

    kind: Final[AskKind]
    seat: Final[int]
    entrant: Final[int]
    view: Final[SeatView]
    legal: Final[Legal]
    limit_us: Final[int]
    """What this decision may take in all: its own limit and the bank."""
    bank_left_us: Final[int]
    seed: Final[int]
    last_receipt: Final[Receipt | None]

    def __init__(
        self,
        kind: AskKind,
        seat: int,
        entrant: int,
        view: SeatView,
        legal: Legal,
        limit_us: int,
        bank_left_us: int,
        seed: int,
        last_receipt: Receipt | None,
    ) -> None:
        self.kind = kind
        self.seat = seat
        self.entrant = entrant
        self.view = view
        self.legal = legal
        self.limit_us = limit_us
        self.bank_left_us = bank_left_us
        self.seed = seed
        self.last_receipt = last_receipt


@dataclass(init=False, slots=True, unsafe_hash=True)
class Reply:
    """What came back: an action or a fault, and how long it took."""

    answer: Final[Action | Fault]
    elapsed_us: Final[int]
    lag_us: Final[int]
    note: Final[str]

    def __init__(
        self, answer: Action | Fault, elapsed_us: int, lag_us: int = 0, note: str = ""
    ) -> None:
        self.answer = answer
        self.elapsed_us = elapsed_us
        self.lag_us = lag_us
        self.note = note


@dataclass(frozen=True, slots=True)
class HandStarted:
    """A hand has been dealt. ``deck`` is the pack in dealing order."""

    key: HandKey
    bots: tuple[str, ...]
    """``name@version`` by seat."""
    entrants: tuple[int, ...]
    """Entrant index by seat."""
    dealer: int
    deck: tuple[Card, ...]
    scores_before: tuple[int, ...]


@dataclass(init=False, slots=True, unsafe_hash=True)
class Decided:
    """A decision has taken effect: the bot's, or the declared substitute where ``fault`` is set."""

    seat: Final[int]
    action: Final[Action]
    receipt: Final[Receipt]
    fault: Final[Fault | None]
    note: Final[str]

    def __init__(
        self,
        seat: int,
        action: Action,
        receipt: Receipt,
        fault: Fault | None = None,
        note: str = "",
    ) -> None:
        self.seat = seat
        self.action = action
        self.receipt = receipt
        self.fault = fault
        self.note = note


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand is over. ``forfeited_by`` is the entrant whose forfeit ended it, if any."""

    result: HandResult
    forfeited_by: int | None = None


Event = HandStarted | Decided | HandEnded


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One whole hand as the log keeps it: the events from its start to its end."""

    rules_hash: bytes
    started: HandStarted
    decisions: tuple[Decided, ...]
    ended: HandEnded


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time that bots have; a decision may take its limit plus what is left of the bank.

    A seat may be over ``soft_us`` within its limit ``soft_strikes`` times in a match; then
    ``soft_us`` is its limit. 0: there is no soft limit.
    """

    bid_us: int = 1_000_000
    discard_us: int = 1_000_000
    play_us: int = 1_000_000
    bank_us: int = 0
    increment_us: int = 0
    first_decision_us: int = 2_000_000
    connect_us: int = 20_000_000
    soft_us: int = 0
    soft_strikes: int = 0

    def limit_us(self, kind: AskKind) -> int:
        """The limit of one decision of a kind, without the bank."""
        if kind is AskKind.PLAY:
            return self.play_us
        return self.bid_us if kind is AskKind.BID else self.discard_us


class ForfeitScope(Enum):
    """What an entrant forfeits when its strikes are used up; the numbers are the contract's."""

    MATCH = 1
    BOARD = 2
    HAND = 3


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """What follows faults: so many ``strikes`` forfeit something.

    None: faults are only substituted, never counted towards a forfeit. After a forfeit of a board
    or a hand the strikes are counted anew.
    """

    strikes: int | None = 10
    forfeit: ForfeitScope = ForfeitScope.MATCH

"""What happens between the daemon and the bots, in order: what the oracle judges by."""

from dataclasses import dataclass, field
from enum import Enum

from fivehundred.rules.actions import Action
from fivehundred.rules.values import SeatView
from fivehundred.table.values import AskKind, Receipt

Session = tuple[int, int]
"""The daemon's life and the entrant: one session each."""


class Verdict(Enum):
    """What an answer is worth."""

    LEGAL = 1
    ILLEGAL = 2
    MALFORMED = 3


class End(Enum):
    """How a connection has ended."""

    LOST = 1
    """So that the bot may come back and be asked again."""
    WRONG = 2
    """In a way that no honest bot ends one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision as it was first handed to the transport."""

    at: float
    session: Session
    id: str
    kind: AskKind
    view: SeatView
    limit_us: int
    bank_left_us: int
    last_receipt: Receipt | None


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of decisions was handed to the transport."""

    at: float
    session: Session
    connection: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One answer of a message."""

    id: str
    verdict: Verdict
    action: Action | None


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message of answers reached the daemon's machine; None where it does not decode."""

    at: float
    session: Session
    connection: int
    parts: tuple[Part, ...] | None
    due: float
    """When it would have come if the daemon's machine had not stood still."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A connection ended."""

    at: float
    session: Session
    connection: int
    how: End


@dataclass(frozen=True, slots=True)
class Greeted:
    """A bot that had been asked before was greeted again, and answered."""

    at: float
    session: Session


@dataclass(frozen=True, slots=True)
class Stalled:
    """The daemon's machine stood still until now."""

    at: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Killed:
    """The daemon was killed."""

    at: float
    life: int


TraceEvent = Asked | Sent | Arrived | Ended | Greeted | Stalled | Killed


@dataclass(slots=True)
class Trace:
    """All that has happened."""

    events: list[TraceEvent] = field(default_factory=list)

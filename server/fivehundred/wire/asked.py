"""A decision as a bot receives it."""

from dataclasses import dataclass

from fivehundred.rules.actions import Legal
from fivehundred.rules.hand import SeatView
from fivehundred.table.values import AskKind, Receipt


@dataclass(frozen=True)
class Asked:
    """One decision asked of a bot: what its seat sees, what it may do and how long it has."""

    decision_id: str
    kind: AskKind
    view: SeatView
    legal: Legal
    seed: int
    """The same for every decision of a seat in a hand; makes a bot reproducible."""
    time_left_us: int
    """What the decision may take in all, the bank included."""
    bank_left_us: int
    last_receipt: Receipt | None
    """What the seat's last decision was charged at; None before the first."""
    rules_hash: bytes

    @property
    def decision_number(self) -> int:
        """How many decisions the seat has made in this hand before."""
        return self.view.decision_number

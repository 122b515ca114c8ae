"""What there is to know of a hand, in whichever phase it is."""

from typing import Any, Self

from fivehundred.rules.ruleset import RuleSet, SpecialKind
from second_opinion.bids import Bid, all_bids

NO_SUIT = "-"


class State:
    """The state of a hand, and what follows from it at any time."""

    def __init__(
        self,
        rules: RuleSet,
        holdings: list[set[str]],
        kitty: set[str],
        personal: list[set[str]],
        dealer: int,
        scores: list[int],
    ) -> None:
        self.rules = rules
        self.phase = "AUCTION"
        self.turn: int | None = (dealer + 1) % rules.players
        self.result: dict[str, Any] | None = None
        self.dealer = dealer
        self.scores = list(scores)
        self.contractor: int | None = None
        self.contract: Bid | None = None
        self._holdings = [set(holding) for holding in holdings]
        self._kitty = set(kitty)
        self._personal = [set(own) for own in personal]
        self._bids = all_bids(rules)
        # the auction
        self._high: Bid | None = None
        self._made: list[tuple[int, Bid]] = []
        self._calls = 0
        self._passed: set[int] = set()
        self._raising = False
        # the exchange
        self._asked: list[int] = []
        self._side: set[int] = set()
        self.out: set[int] = set()
        self._nominated: str | None = None
        # the play
        self._suits: dict[str, str] = {}
        self._ranks: dict[str, int] = {}
        self._trick: list[tuple[int, str]] = []
        self._led = NO_SUIT
        self._first_round = False
        self.led_suits: set[str] = set()
        self.void: set[tuple[int, str]] = set()
        self.takers: list[int] = []

    def copy(self) -> Self:
        """Another hand in the same state."""
        other = object.__new__(type(self))
        for name, kept in self.__dict__.items():
            other.__dict__[name] = kept.copy() if isinstance(kept, (list, set)) else kept
        other._holdings = [set(holding) for holding in self._holdings]
        return other

    def holding(self, seat: int) -> set[str]:
        """The cards that a seat holds now; what it takes up is in it from its exchange on."""
        return set(self._holdings[seat])

    def _seat(self) -> int:
        if self.turn is None:
            raise ValueError("the hand is over")
        return self.turn

    def _after(self, seat: int) -> int:
        return (seat + 1) % self.rules.players

    def _clockwise(self, first: int) -> list[int]:
        count = self.rules.players
        return [(first + i) % count for i in range(count)]

    def _partners(self, seat: int) -> set[int]:
        """The fixed partners of a seat."""
        side = self.rules.side_of(seat)
        return {s for s in range(self.rules.players) if self.rules.side_of(s) == side} - {seat}

    def _contractor(self) -> int:
        if self.contractor is None:
            raise ValueError("there is no contractor")
        return self.contractor

    def _strain(self) -> str:
        return self.contract.strain if self.contract else "NT"

    def _alone(self) -> bool:
        """Whether the contract itself leaves the contractor without partners."""
        special = self.contract.special if self.contract else None
        return special is not None and not special.partner_plays

    def _lose_all(self) -> bool:
        special = self.contract.special if self.contract else None
        return special is not None and special.kind is SpecialKind.LOSE_ALL

    def _forced_points(self) -> int:
        special = self.contract.special if self.contract else None
        return special.points_per_forced_trick if special else 0

    def _finish(
        self,
        *,
        outcome: str,
        contract: str | None,
        change: list[int],
        next_dealer: int,
        winners: list[int] | None = None,
        losers: list[int] | None = None,
    ) -> None:
        self.phase = "OVER"
        self.turn = None
        self.result = {
            "outcome": outcome,
            "contract": contract,
            "contractor": self.contractor,
            "tricks": [self.takers.count(seat) for seat in range(self.rules.players)],
            "change": change,
            "after": [old + new for old, new in zip(self.scores, change, strict=True)],
            "over": bool(winners or losers),
            "winners": winners or [],
            "losers": losers or [],
            "next_dealer": next_dealer,
        }

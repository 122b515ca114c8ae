"""The auction: who calls next, what he may call, and when it ends."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from fivehundred.rules.actions import PASS, Bid, Call, LegalCalls
from fivehundred.rules.bids import Ladder, bid_ladder
from fivehundred.rules.ruleset import AuctionRounds, Reentry, RuleSet

_FIELDS: Final = (
    "_book",
    "_height",
    "_level",
    "_out",
    "_page",
    "_raising",
    "calls",
    "dealer",
    "high",
    "high_seat",
    "rules",
    "turn",
)
_Standing = tuple[int, bool, int, frozenset[str]]
"""Height to beat, whether a signal is allowed, highest level bid, and the partners' specials."""


@dataclass(frozen=True, slots=True)
class Page:
    """The legal calls at one standing, in order and as a set."""

    legal: LegalCalls
    calls: frozenset[Call]


@dataclass(frozen=True, slots=True)
class CallBook:
    """The legal calls of a rule set, worked out once for each standing of an auction."""

    rules: RuleSet
    ladder: Ladder
    partners_matter: bool
    """Whether a special bid depends on what the partner has bid."""
    pages: dict[_Standing, Page] = field(default_factory=dict)

    def page(self, standing: _Standing) -> Page:
        """The legal calls at a standing."""
        found = self.pages.get(standing)
        if found is None:
            found = self.pages[standing] = self._write(standing)
        return found

    def _write(self, standing: _Standing) -> Page:
        height = standing[0]
        ladder = zip(self.ladder.bids, self.ladder.heights, strict=True)
        higher = (bid for bid, own in ladder if own > height)
        calls: tuple[Call, ...] = (PASS, *(bid for bid in higher if self._allows(bid, standing)))
        return Page(LegalCalls(calls), frozenset(calls))

    def _allows(self, bid: Bid, standing: _Standing) -> bool:
        _, may_signal, level, partners = standing
        if not bid.special:
            return may_signal or bid.level >= self.rules.min_contract
        special = next(each for each in self.rules.special_bids if each.name == bid.special)
        partner = special.needs_partner_bid
        return level >= special.needs_level and (not partner or partner in partners)


@lru_cache(maxsize=256)
def call_book(rules: RuleSet) -> CallBook:
    """The one book of a rule set."""
    partners_matter = any(special.needs_partner_bid for special in rules.special_bids)
    return CallBook(rules, bid_ladder(rules), partners_matter)


class Auction:
    """An auction under way. ``turn`` is None when it is over.

    Everybody calls in turn from the dealer's left. It ends when only the high bidder has not
    passed, when no higher bid exists, or, with one call each, when all have called; where the
    winner may raise he then has one more call.
    """

    __slots__ = _FIELDS

    turn: int | None
    high: Bid | None

    def __init__(self, rules: RuleSet, dealer: int) -> None:
        self.rules = rules
        self.dealer = dealer
        self.turn = (dealer + 1) % rules.players
        self.calls: tuple[tuple[int, Call], ...] = ()
        self.high = None
        self.high_seat = -1
        self._book = call_book(rules)
        self._page: Page | None = None
        """The legal calls of the seat in turn, once asked for."""
        self._height = -1
        """Of the high bid on the ladder."""
        self._level = 0
        """The highest that has been bid."""
        self._out = 0
        self._raising = False

    def copy(self) -> "Auction":
        """An auction that goes its own way from here."""
        twin = Auction(self.rules, self.dealer)
        for name in _FIELDS:
            setattr(twin, name, getattr(self, name))
        return twin

    @property
    def contract(self) -> Bid | None:
        """The high bid if it is enough for a contract."""
        high = self.high
        if high is None or (not high.special and high.level < self.rules.min_contract):
            return None
        return high

    def legal(self) -> LegalCalls:
        """The calls of the seat in turn."""
        return self._open_page().legal

    def allows(self, call: Call) -> bool:
        """Whether a call is among the legal ones."""
        return call in self._open_page().calls

    def apply(self, call: Call) -> None:
        """Carry out a legal call."""
        assert self.turn is not None
        self.calls += ((self.turn, call),)
        if isinstance(call, Bid):
            self._bid(call, self.turn)
        else:
            self._out |= 1 << self.turn
        self._page = None
        self.turn = self._next(self.turn)

    def _open_page(self) -> Page:
        page = self._page
        if page is None:
            page = self._page = self._book.page(self._standing())
        return page

    def _standing(self) -> _Standing:
        may_signal = self._has_place(self.rules.signal_seats)
        return self._height, may_signal, self._level, self._partner_specials()

    def _has_place(self, places: int) -> bool:
        assert self.turn is not None
        return (self.turn - self.dealer - 1) % self.rules.players < places

    def _partner_specials(self) -> frozenset[str]:
        if not self._book.partners_matter:
            return frozenset()
        assert self.turn is not None
        side_of, turn = self.rules.side_of, self.turn
        return frozenset(
            call.special
            for seat, call in self.calls
            if isinstance(call, Bid) and seat != turn and side_of(seat) == side_of(turn)
        )

    def _bid(self, bid: Bid, seat: int) -> None:
        reentry = self.rules.reentry
        changed = self.high is not None and self.high.strain != bid.strain
        if reentry is Reentry.FREE or (reentry is Reentry.AFTER_STRAIN_CHANGE and changed):
            self._out = 0
        self.high, self.high_seat = bid, seat
        self._height = self._book.ladder.height[bid]
        self._level = max(self._level, bid.level)

    def _next(self, seat: int) -> int | None:
        if self._raising or self._at_the_top():
            return None
        following = self._following(seat)
        if following is None and self.rules.winner_may_raise and self.high is not None:
            self._raising = True
            return self.high_seat
        return following

    def _at_the_top(self) -> bool:
        return self._height == self._book.ladder.heights[-1]

    def _following(self, seat: int) -> int | None:
        players = self.rules.players
        if self.rules.auction_rounds is AuctionRounds.ONE_EACH:
            return (seat + 1) % players if len(self.calls) < players else None
        waiting = ~self._out & ((1 << players) - 1)
        if self.high is not None:
            waiting &= ~(1 << self.high_seat)
        if not waiting:
            return None
        seat = (seat + 1) % players
        while not waiting >> seat & 1:
            seat = (seat + 1) % players
        return seat

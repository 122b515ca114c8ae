"""The clocks of a match: what a seat may take, what it is charged, and what its bank has left.

A function of the time control and the receipts alone, so that a log gives back every limit.
"""

from collections.abc import Iterable
from typing import Final

from fivehundred.rules.actions import Action, Exchange, Play
from fivehundred.table.values import (
    AskKind,
    Decided,
    FaultKind,
    HandRecord,
    Receipt,
    TimeControl,
)

NEVER: Final = 1 << 60
"""Microseconds that no answer takes."""


class Clock:
    """What one seat of one entrant has left in a match."""

    __slots__ = ("_extra_us", "_slow_left", "_slow_us", "_time", "bank_us", "last_receipt")

    def __init__(self, time: TimeControl) -> None:
        self.bank_us = time.bank_us
        self.last_receipt: Receipt | None = None
        self._time = time
        self._extra_us = time.first_decision_us
        self._slow_us = time.soft_us or NEVER
        self._slow_left = time.soft_strikes if time.soft_us else 1

    def own_limit_us(self, kind: AskKind) -> int:
        """What the next decision may take without the bank."""
        limit = self._time.limit_us(kind) if self._slow_left else self._time.soft_us
        return limit + self._extra_us

    def credit(self) -> None:
        """Grow the bank at a hand's start."""
        self.bank_us = min(self._time.bank_us, self.bank_us + self._time.increment_us)

    def charge(self, kind: AskKind, elapsed_us: int, lag_us: int) -> Receipt:
        """Charge a decision: what is over its limit comes out of the bank; slow ones are counted.

        The additional time of the first decision is added to the soft limit too.
        """
        charged = max(0, elapsed_us - lag_us)
        overdraft = charged - self.own_limit_us(kind)
        if overdraft > 0:
            self.bank_us = max(0, self.bank_us - overdraft)
        if charged - self._extra_us > self._slow_us:
            self._count_slow()
        self._extra_us = 0
        self.last_receipt = Receipt(elapsed_us, lag_us, charged, self.bank_us)
        return self.last_receipt

    def _count_slow(self) -> None:
        """One more slow answer; after the last one that is allowed, soft is the limit."""
        self._slow_left -= 1
        if self._slow_left <= 0:
            self._slow_left, self._slow_us = 0, NEVER


class Clocks:
    """All clocks of a match, by entrant and seat; they run on from hand to hand."""

    def __init__(self, time: TimeControl) -> None:
        self._time = time
        self._clocks: dict[tuple[int, int], Clock] = {}

    def of(self, entrant: int, seat: int) -> Clock:
        """One seat's clock."""
        clock = self._clocks.get((entrant, seat))
        if clock is None:
            clock = self._clocks[entrant, seat] = Clock(self._time)
        return clock

    def credit(self, entrants: Iterable[int]) -> None:
        """Grow the banks of those who sit down to a hand, by seat."""
        for seat, entrant in enumerate(entrants):
            self.of(entrant, seat).credit()

    def limits_us(self, record: HandRecord) -> list[int]:
        """The limit, the bank included, of each decision of the match's next hand."""
        entrants = record.started.entrants
        self.credit(entrants)
        limits = []
        for decided in record.decisions:
            kind, receipt = kind_of(decided.action), decided.receipt
            clock = self.of(entrants[decided.seat], decided.seat)
            limits.append(clock.own_limit_us(kind) + clock.bank_us)
            clock.charge(kind, receipt.elapsed_us, receipt.lag_us)
        return limits

    def voids(self, record: HandRecord) -> tuple[int, ...]:
        """The seat of each decision of the match's next hand that was over its limit by lag alone.

        Such a decision was not charged with what made it late: the daemon's own delay.
        """
        limits = self.limits_us(record)
        return tuple(
            decided.seat
            for decided, limit in zip(record.decisions, limits, strict=True)
            if decided.receipt.elapsed_us > limit and _is_in_time(decided, limit)
        )


def _is_in_time(decided: Decided, limit_us: int) -> bool:
    fault = decided.fault
    is_timeout = fault is not None and fault.kind is FaultKind.TIMEOUT
    return decided.receipt.charged_us <= limit_us and not is_timeout


def kind_of(action: Action) -> AskKind:
    """What a seat was asked for that has done this."""
    if isinstance(action, Play):
        return AskKind.PLAY
    return AskKind.DISCARD if isinstance(action, Exchange) else AskKind.BID

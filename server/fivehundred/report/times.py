"""How long bots have taken: every decision of the log, a hand at a time; no hand is kept."""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fivehundred.table.clocks import kind_of
from fivehundred.table.values import AskKind, HandRecord, TimeControl


@dataclass(frozen=True, slots=True)
class TimesUsed:
    """What an entrant's decisions of one kind were charged, in microseconds.

    Each quantile is a time that was taken: the least one that so large a part does not exceed.
    """

    entrant: str
    kind: str
    decisions: int
    p50_us: int
    p95_us: int
    p99_us: int
    most_us: int
    total_us: int
    limit_us: int
    """Of one decision, without the bank."""
    over_limit: int
    """Decisions that took longer than that: out of the bank, in a first decision, or too late."""


class Times:
    """Counts the decisions of hands, whether these count for the standings or not."""

    def __init__(self) -> None:
        self._charged: dict[tuple[int, AskKind], array[int]] = defaultdict(lambda: array("q"))

    def add(self, record: HandRecord) -> None:
        """Counts the decisions of one hand."""
        entrants = record.started.entrants
        for decided in record.decisions:
            place = entrants[decided.seat], kind_of(decided.action)
            self._charged[place].append(decided.receipt.charged_us)

    def used(self, entrants: Sequence[str], time: TimeControl) -> tuple[TimesUsed, ...]:
        """By entrant and kind; whoever has decided nothing is left out."""
        return tuple(self._rows(entrants, time))

    def _rows(self, entrants: Sequence[str], time: TimeControl) -> Iterator[TimesUsed]:
        for entrant, name in enumerate(entrants):
            for kind in AskKind:
                if charged := sorted(self._charged.get((entrant, kind), ())):
                    yield _row(name, kind, charged, time.limit_us(kind))


def _row(name: str, kind: AskKind, charged: Sequence[int], limit_us: int) -> TimesUsed:
    return TimesUsed(
        entrant=name,
        kind=kind.name.lower(),
        decisions=len(charged),
        p50_us=quantile(charged, 50),
        p95_us=quantile(charged, 95),
        p99_us=quantile(charged, 99),
        most_us=charged[-1],
        total_us=sum(charged),
        limit_us=limit_us,
        over_limit=sum(took > limit_us for took in charged),
    )


def quantile(ordered: Sequence[int], percent: int) -> int:
    """The least of some ordered numbers that so many per cent of them do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]

"""Ranks as ranges: what the intervals of the differences leave open."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fivehundred.ratings.values import Strengths


@dataclass(frozen=True, slots=True)
class RankRange:
    """The best and the worst rank that are left open, from 1."""

    best: int
    worst: int

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


def rank_ranges(
    entrants: Sequence[int], is_better: Callable[[int, int], bool]
) -> tuple[RankRange, ...]:
    """The range of each entrant, given who is certainly better than whom."""
    ranges = []
    for entrant in entrants:
        above = sum(is_better(other, entrant) for other in entrants if other != entrant)
        below = sum(is_better(entrant, other) for other in entrants if other != entrant)
        ranges.append(RankRange(1 + above, len(entrants) - below))
    return tuple(ranges)


def is_clearly_better(strengths: Strengths, first: int, second: int) -> bool:
    """Whether the interval of the difference lies above 0."""
    low = strengths.difference(first, second).low
    return low is not None and low > 0

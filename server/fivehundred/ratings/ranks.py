"""Ranks as ranges: what the intervals of the differences leave open."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

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
    above, below = dict.fromkeys(entrants, 0), dict.fromkeys(entrants, 0)
    for better, worse in permutations(entrants, 2):
        if is_better(better, worse):
            above[worse] += 1
            below[better] += 1
    return tuple(
        RankRange(1 + above[entrant], len(entrants) - below[entrant]) for entrant in entrants
    )


def ranges_of(is_better: NDArray[np.bool_]) -> tuple[RankRange, ...]:
    """The same, given as a matrix: whether the first is certainly better than the second."""
    above, below = is_better.sum(axis=0).tolist(), is_better.sum(axis=1).tolist()
    return tuple(
        RankRange(1 + higher, len(above) - lower)
        for higher, lower in zip(above, below, strict=True)
    )


def is_clearly_better(strengths: Strengths, first: int, second: int) -> bool:
    """Whether the interval of the difference lies above 0."""
    low = strengths.difference(first, second).low
    return low is not None and low > 0


def chances(
    entrants: Sequence[int], chance_better: Callable[[int, int], float | None]
) -> tuple[tuple[float | None, ...], ...]:
    """The chance of each to be better than each, from the covariance of the difference.

    ``chance_better`` is that of `Strengths` or of a fit; None where results cannot say.
    """
    return tuple(tuple(chance_better(first, second) for second in entrants) for first in entrants)

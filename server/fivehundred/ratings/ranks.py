"""Ranks as ranges: what the intervals of the differences leave open; and who is listed first."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fivehundred.ratings.values import Estimate


@dataclass(frozen=True, slots=True)
class RankRange:
    """The best and the worst rank that are left open, from 1."""

    best: int
    worst: int


def ranges_of(
    is_better: NDArray[np.bool_], has_played: NDArray[np.bool_] | None = None
) -> tuple[RankRange, ...]:
    """The range of each, given whether the first is certainly better than the second.

    Who has not played leaves nothing open for the others: those share the ranks after them.
    """
    size = len(is_better)
    played = np.ones(size, dtype=np.bool_) if has_played is None else has_played
    ranked = int(played.sum())
    counted = is_better & np.logical_and.outer(played, played)
    above, below = counted.sum(axis=0).tolist(), counted.sum(axis=1).tolist()
    return tuple(
        RankRange(1 + higher, ranked - lower) if has else RankRange(ranked + 1, size)
        for higher, lower, has in zip(above, below, played.tolist(), strict=True)
    )


def tier_of(estimate: Estimate) -> tuple[int, float]:
    """Where a list has it, best first, and the number that decides within the tier.

    Those without an upper bound come first, then the rated, then those without a lower bound.
    """
    if estimate.value is not None:
        return 1, estimate.value
    if estimate.low is not None:
        return 0, estimate.low
    if estimate.high is not None:
        return 2, estimate.high
    return 3, 0.0

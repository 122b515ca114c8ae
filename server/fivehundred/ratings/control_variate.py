"""Take the luck that is known out of a mean: what a datum table made of the same deals.

Formula: ``mean(y - b z)`` with a covariate ``z`` whose expectation is exactly 0, as that of a fixed
reference bot's margin over swapped seats is. ``b`` is fixed beforehand or fitted by least squares;
it is always told. A covariate that is chosen after the results were seen can produce any result.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fivehundred.ratings.values import Estimate, interval, rounded

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A mean with and without the known luck; the errors of both tell what it was worth."""

    raw: Estimate
    adjusted: Estimate
    coefficient: float
    is_fitted: bool
    """Whether the coefficient is from these very results."""
    explained: float
    """The share of the variance that the covariate explains (R²)."""
    intercept_error: float | None
    """The error of the least-squares intercept, which also counts the covariate's mean; None
    where the coefficient was fixed beforehand."""


def fitted(margins: Sequence[float], luck: Sequence[float]) -> Adjusted | None:
    """Adjust with the coefficient of least squares; None with fewer than three results."""
    if len(margins) < 3:
        return None
    y, z = np.array(margins, dtype=np.float64), np.array(luck, dtype=np.float64)
    spread = z - z.mean()
    square = float(spread @ spread)
    coefficient = float(spread @ (y - y.mean())) / square if square > 0 else 0.0
    left = y - coefficient * z
    residual = float(((left - left.mean()) ** 2).sum()) / (len(y) - 2)
    lift = float(z.mean()) ** 2 / square if square > 0 else 0.0
    error = math.sqrt(residual * (1 / len(y) + lift))
    return _adjusted(y, left, coefficient, math.sqrt(residual / len(y)), error, len(y) - 2)


def fixed(margins: Sequence[float], luck: Sequence[float], coefficient: float) -> Adjusted | None:
    """Adjust with a coefficient fixed beforehand; None with fewer than two results."""
    if len(margins) < 2:
        return None
    y, z = np.array(margins, dtype=np.float64), np.array(luck, dtype=np.float64)
    left = y - coefficient * z
    error = float(left.std(ddof=1)) / math.sqrt(len(y))
    return _adjusted(y, left, coefficient, error, None, len(y) - 1)


def _adjusted(
    raw: Floats,
    left: Floats,
    coefficient: float,
    error: float,
    intercept_error: float | None,
    freedom: int,
) -> Adjusted:
    count, total = len(raw), float(((raw - raw.mean()) ** 2).sum())
    raw_error = float(raw.std(ddof=1)) / math.sqrt(count)
    unexplained = float(((left - left.mean()) ** 2).sum())
    return Adjusted(
        raw=interval(rounded(raw.mean()), raw_error, count - 1),
        adjusted=interval(rounded(left.mean()), error, freedom),
        coefficient=coefficient,
        is_fitted=intercept_error is not None,
        explained=1 - unexplained / total if total > 0 else 0.0,
        intercept_error=intercept_error,
    )

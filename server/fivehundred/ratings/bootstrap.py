"""Intervals of a mean by resampling deals, as a check of the formulas' intervals.

Formulas: percentile and bias-corrected accelerated intervals (Efron & Tibshirani 1993, 13.3 and
14.3). The point estimate stays the mean of the sample, never the middle of the resamples.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from fivehundred.ratings.values import CONFIDENCE

Floats = NDArray[np.float64]

RESAMPLES = 10_000
CHUNK = 1_000_000
"""So many drawn values are held at once."""


@dataclass(frozen=True, slots=True)
class Resampled:
    """The mean of a sample with resampled errors; None where the sample does not vary."""

    mean: float
    standard_error: float | None
    percentile: tuple[float, float] | None
    accelerated: tuple[float, float] | None
    degenerate: int
    """Resamples without any spread: one deal drawn throughout, or a sample that does not vary."""


def mean(values: Sequence[float], seed: int, resamples: int = RESAMPLES) -> Resampled:
    """Resample the deals' values; equal seeds give equal results."""
    if not values:
        raise ValueError("a mean needs at least one value")
    sample = np.sort(np.array(values, dtype=np.float64))
    centre = float(sample.mean())
    means, flat = _means(sample, seed, resamples)
    if sample[0] == sample[-1]:
        return Resampled(centre, None, None, None, resamples)
    tails = np.array([(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Resampled(
        mean=centre,
        standard_error=float(means.std(ddof=1)),
        percentile=_ends(means, tails),
        accelerated=_ends(means, _accelerated(sample, means, centre, tails)),
        degenerate=flat,
    )


def _means(sample: Floats, seed: int, resamples: int) -> tuple[Floats, int]:
    draw, size = np.random.default_rng(seed), len(sample)
    step = max(1, CHUNK // size)
    means, flat = [], 0
    for start in range(0, resamples, step):
        drawn = sample[draw.integers(0, size, (min(step, resamples - start), size))]
        means.append(drawn.mean(axis=1))
        flat += int((drawn.max(axis=1) == drawn.min(axis=1)).sum())
    return np.concatenate(means), flat


def _accelerated(sample: Floats, means: Floats, centre: float, tails: Floats) -> Floats:
    """The tails after correction for bias and skewness."""
    below = float((means < centre).mean() + (means == centre).mean() / 2)
    bias = float(special.ndtri(np.clip(below, 1 / len(means), 1 - 1 / len(means))))
    gaps = centre - (sample.sum() - sample) / max(1, len(sample) - 1)
    skew = float((gaps**3).sum()) / (6 * float((gaps**2).sum()) ** 1.5)
    moved = bias + special.ndtri(tails)
    return np.asarray(special.ndtr(bias + moved / (1 - skew * moved)))


def _ends(means: Floats, tails: Floats) -> tuple[float, float]:
    low, high = np.quantile(means, tails)
    return float(low), float(high)

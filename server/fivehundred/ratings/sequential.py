"""Tests of two bots that may stop early: a generalised sequential probability ratio test.

Formulas: bounds ``ln(beta/(1-alpha))`` and ``ln((1-beta)/alpha)`` (Wald 1945). For pair scores the
likelihood of the counts is maximised under each hypothesis; its ratio is the statistic (Van den
Bergh, "Generalized SPRT for chess", 2017; for normalised Elo "Normalized Elo", 2020). Cells without
a result count 0.001. For margins with unknown variance it is ``n/2 ln(s0²/s1²)``, the variances
taken about each hypothesis' mean.

Only whole pairs count, in the order of the schedule and only up to the first that is missing: quick
games finish first, and they are not a fair sample.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from fivehundred.ratings.bradley_terry import expected_score
from fivehundred.ratings.match import NORMALISED_SCALE

Floats = NDArray[np.float64]

EMPTY = 1e-3
"""Counts for an empty cell."""

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
GAME_SCORES = (1.0, 0.5, 0.0)

Statistic = Callable[[Sequence[float]], float | None]
"""The log-likelihood ratio of a prefix of results; None where it is not defined yet."""


class Scale(Enum):
    """On which scale the hypotheses are given."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"


class Decision(Enum):
    """What a test has come to."""

    OPEN = "open"
    """More results are wanted."""
    H0 = "h0"
    H1 = "h1"
    UNDECIDED = "undecided"
    """The cap was reached first."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The ratio at or below which H0 is taken, and that at or above which H1 is."""

    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Plan:
    """How a test is run; fixed before the first result."""

    most: int
    """So many pairs at most; then the verdict is "undecided"."""
    alpha: float = 0.05
    """The chance to take H1 where H0 is true."""
    beta: float = 0.05
    """The chance to take H0 where H1 is true."""
    least: int = 20
    """No verdict from fewer pairs."""
    every: int = 1
    """Looks after each so many pairs."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test has come to, and at which look; later results do not change it."""

    decision: Decision
    pairs: int
    """How many pairs bear on it."""
    ratio: float | None
    """The log-likelihood ratio at that look; None: not defined yet."""
    mean: float | None
    """The mean of those pairs. After an early stop it is biased away from the start."""
    remark: str = ""


def bounds(alpha: float, beta: float) -> Bounds:
    """Wald's bounds."""
    return Bounds(math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha))


def decide(plan: Plan, results: Mapping[int, float], statistic: Statistic) -> Verdict:
    """The verdict of the results by place in the schedule, from 0.

    A pure function of the longest prefix without a gap, looked at from its start: once reached a
    verdict stays, whatever is still being played.
    """
    prefix = _prefix(results, plan.most)
    edges = bounds(plan.alpha, plan.beta)
    seen, ratio = 0, None
    for seen in _looks(plan, len(prefix)):
        ratio = statistic(prefix[:seen])
        if ratio is not None and ratio >= edges.upper:
            return verdict_of(Decision.H1, prefix[:seen], ratio)
        if ratio is not None and ratio <= edges.lower:
            return verdict_of(Decision.H0, prefix[:seen], ratio)
    if len(prefix) >= plan.most:
        return verdict_of(Decision.UNDECIDED, prefix, ratio)
    return verdict_of(Decision.OPEN, prefix, ratio)


def verdict_of(decision: Decision, results: Sequence[float], ratio: float | None) -> Verdict:
    """The verdict on results in their order; ``ratio`` is theirs."""
    mean = float(np.mean(results)) if results else None
    is_stopped = decision in (Decision.H0, Decision.H1)
    remark = "stopped early: the mean is biased" if is_stopped else ""
    return Verdict(decision, len(results), ratio, mean, remark)


def of_pair_scores(elo0: float, elo1: float, scale: Scale) -> Statistic:
    """The statistic of pairs' mean scores (0, ¼, ½, ¾ or 1) for two hypotheses in Elo."""

    def ratio(scores: Sequence[float]) -> float | None:
        places = np.rint(4 * np.asarray(scores)).astype(np.int64)
        return pair_ratio(np.bincount(places, minlength=5).tolist(), elo0, elo1, scale)

    return ratio


def of_margins(margin0: float, margin1: float) -> Statistic:
    """The statistic of pairs' mean margins per hand for two hypotheses in points per hand."""
    return lambda margins: margin_ratio(margins, margin0, margin1)


def pair_ratio(counts: Sequence[int], elo0: float, elo1: float, scale: Scale) -> float | None:
    """The log-likelihood ratio of pairs counted by score; None where it is not defined."""
    return _ratio(PAIR_SCORES, counts, elo0, elo1, scale, 2)


def game_ratio(
    wins: int, draws: int, losses: int, elo0: float, elo1: float, scale: Scale
) -> float | None:
    """The log-likelihood ratio of independent games; None where it is not defined."""
    return _ratio(GAME_SCORES, (wins, draws, losses), elo0, elo1, scale, 1)


def draw_model_ratio(wins: int, draws: int, losses: int, elo0: float, elo1: float) -> float | None:
    """The log-likelihood ratio under Bayesian Elo's model of draws, its draw rate from the data.

    Formula: a win has the chance ``1/(1 + 10^((d - elo)/400))`` and a loss the mirrored one
    (Coulom, "Bayesian Elo Rating", 2005). None where one side has won nothing.
    """
    if not wins or not losses:
        return None
    parts = _filled((wins, draws, losses))
    chance = parts / parts.sum()
    drawn = 200 * math.log10((1 - chance[2]) / chance[2] * (1 - chance[0]) / chance[0])
    return float(parts @ np.log(_outcomes(elo1, drawn) / _outcomes(elo0, drawn)))


def margin_ratio(margins: Sequence[float], margin0: float, margin1: float) -> float | None:
    """The log-likelihood ratio of margins of unknown variance; None where they do not vary."""
    values = np.asarray(margins, dtype=np.float64)
    if len(values) < 2 or float(np.ptp(values)) == 0:
        return None
    spread0, spread1 = ((values - mean) @ (values - mean) for mean in (margin0, margin1))
    return float(len(values) / 2 * math.log(spread0 / spread1))


def _prefix(results: Mapping[int, float], most: int) -> list[float]:
    prefix: list[float] = []
    while len(prefix) < most and len(prefix) in results:
        prefix.append(results[len(prefix)])
    return prefix


def _looks(plan: Plan, size: int) -> Iterable[int]:
    first = max(1, plan.least)
    yield from range(first, size + 1, plan.every)
    if size >= plan.most and (size < first or (size - first) % plan.every):
        yield size


def _filled(counts: Sequence[int]) -> Floats:
    parts = np.array(counts, dtype=np.float64)
    return np.where(parts == 0, EMPTY, parts)


def _ratio(
    scores: Sequence[float],
    counts: Sequence[int],
    elo0: float,
    elo1: float,
    scale: Scale,
    games: int,
) -> float | None:
    if not sum(counts):
        return None
    parts, values = _filled(counts), np.array(scores)
    likely = [_likeliest(parts, values, elo, scale, games) for elo in (elo0, elo1)]
    if likely[0] is None or likely[1] is None:
        return None
    return float(parts @ np.log(likely[1] / likely[0]))


def _likeliest(
    parts: Floats, scores: Floats, elo: float, scale: Scale, games: int
) -> Floats | None:
    """The distribution that fits the counts best among those of a hypothesis."""
    share = parts / parts.sum()
    if scale is Scale.LOGISTIC:
        return _with_mean_zero(share, scores - expected_score(elo))
    return _with_distance(share, scores - 0.5, elo / NORMALISED_SCALE * math.sqrt(games))


def _with_mean_zero(share: Floats, values: Floats) -> Floats | None:
    """The likeliest distribution under which the values' mean is 0 (empirical likelihood).

    It is ``share / (1 + x value)``, with the one ``x`` that makes it so.
    """
    low, high = float(values.min()), float(values.max())
    if low >= 0 or high <= 0:
        return None
    left, right = -1 / high, -1 / low
    width = right - left
    found = optimize.brentq(
        lambda x: float((share * values / (1 + x * values)).sum()),
        left + 1e-13 * width,
        right - 1e-13 * width,
        xtol=1e-14,
        rtol=1e-14,
    )
    return np.asarray(share / (1 + found * values))


def _with_distance(share: Floats, values: Floats, distance: float) -> Floats | None:
    """The likeliest distribution whose mean is so many of its standard deviations from 0.

    The constraint is linearised about the last distribution and solved anew until it stands.
    """
    likely = np.full(len(share), 1 / len(share))
    for _ in range(200):
        mean = float(likely @ values)
        deviation = math.sqrt(float(likely @ (values - mean) ** 2))
        if deviation == 0:
            return None
        bent = values - distance * deviation * (1 + ((mean - values) / deviation) ** 2) / 2
        found = _with_mean_zero(share, bent)
        if found is None:
            return None
        gap, likely = float(np.abs(found - likely).max()), found
        if gap < 1e-9:
            return likely
    return None


def _outcomes(elo: float, drawn: float) -> Floats:
    win, loss = expected_score(elo - drawn), expected_score(-elo - drawn)
    return np.array([win, 1 - win - loss, loss])

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

from fivehundred.ratings.bradley_terry import expected_score
from fivehundred.ratings.match import NORMALISED_SCALE

Floats = NDArray[np.float64]

EMPTY = 1e-3
"""Counts for an empty cell."""
STEPS = 200
"""Of a search at most."""

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
    return verdict_on(decision, len(results), mean, ratio)


def verdict_on(decision: Decision, pairs: int, mean: float | None, ratio: float | None) -> Verdict:
    """The verdict on so many results of a mean."""
    is_stopped = decision in (Decision.H0, Decision.H1)
    remark = "stopped early: the mean is biased" if is_stopped else ""
    return Verdict(decision, pairs, ratio, mean, remark)


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
    if len(values) < 2 or values.min() == values.max():
        return None
    mean = float(values.mean())
    about = float((values - mean) @ (values - mean))
    return _margin_ratio(len(values), mean, about, margin0, margin1)


class RunningMargins:
    """The statistic of margins that come one by one; each costs the same.

    Formula: the sum of squares about the mean is kept as each comes (Welford 1962).
    """

    def __init__(self, margin0: float, margin1: float) -> None:
        self._hypotheses = margin0, margin1
        self.count = 0
        self.mean = 0.0
        self._about = 0.0
        self._least, self._most = math.inf, -math.inf

    def add(self, margin: float) -> None:
        """Takes one more."""
        self.count += 1
        off = margin - self.mean
        self.mean += off / self.count
        self._about += off * (margin - self.mean)
        self._least, self._most = min(self._least, margin), max(self._most, margin)

    @property
    def ratio(self) -> float | None:
        """`margin_ratio` of all so far."""
        if self.count < 2 or self._least == self._most:
            return None
        return _margin_ratio(self.count, self.mean, self._about, *self._hypotheses)


class RunningPairScores:
    """The statistic of pairs' mean scores that come one by one; each costs the same."""

    def __init__(self, elo0: float, elo1: float, scale: Scale) -> None:
        self._hypotheses = elo0, elo1, scale
        self._counts = [0] * len(PAIR_SCORES)

    def add(self, score: float) -> None:
        """Takes one more."""
        self._counts[round(4 * score)] += 1

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(self._counts)

    @property
    def mean(self) -> float:
        """Their mean; 0 of none."""
        scores = zip(self._counts, PAIR_SCORES, strict=True)
        return sum(count * score for count, score in scores) / max(1, self.count)

    @property
    def ratio(self) -> float | None:
        """`pair_ratio` of all so far."""
        return pair_ratio(self._counts, *self._hypotheses)


def _margin_ratio(
    count: int, mean: float, about: float, margin0: float, margin1: float
) -> float | None:
    """The ratio from the sum of squares about the mean; None where it is no finite number."""
    off0, off1 = mean - margin0, mean - margin1
    spread0, spread1 = about + count * off0 * off0, about + count * off1 * off1
    if not (0 < spread0 < math.inf and 0 < spread1 < math.inf):
        return None
    return count / 2 * math.log(spread0 / spread1)


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
    parts = [float(count) or EMPTY for count in counts]
    total = math.fsum(parts)
    share = [part / total for part in parts]
    first, second = (_likeliest(share, scores, elo, scale, games) for elo in (elo0, elo1))
    if first is None or second is None:
        return None
    each = zip(parts, first, second, strict=True)
    ratio = math.fsum(part * math.log(high / low) for part, low, high in each)
    return ratio if math.isfinite(ratio) else None


def _likeliest(
    share: Sequence[float], scores: Sequence[float], elo: float, scale: Scale, games: int
) -> list[float] | None:
    """The distribution that fits the shares best among those of a hypothesis."""
    if scale is Scale.LOGISTIC:
        expected = expected_score(elo)
        return _with_mean_zero(share, [score - expected for score in scores])
    values = [score - 0.5 for score in scores]
    return _with_distance(share, values, elo / NORMALISED_SCALE * math.sqrt(games))


def _with_mean_zero(share: Sequence[float], values: Sequence[float]) -> list[float] | None:
    """The likeliest distribution under which the values' mean is 0 (empirical likelihood).

    It is ``share / (1 + x value)``, with the one ``x`` that makes it so.
    """
    if min(values) >= 0 or max(values) <= 0:
        return None
    found = _multiplier(share, values)
    return [part / (1 + found * value) for part, value in zip(share, values, strict=True)]


def _multiplier(share: Sequence[float], values: Sequence[float]) -> float:
    """The root of a falling function, by Newton's steps, halving where one leads out.

    A few numbers in plain floats are quicker than any library's general search.
    """
    pairs = list(zip(share, values, strict=True))
    left, right = -1 / max(values), -1 / min(values)
    at = 0.0
    for _ in range(STEPS):
        height = slope = 0.0
        for part, value in pairs:
            ratio = value / (1 + at * value)
            height += part * ratio
            slope += part * ratio * ratio
        left, right = (at, right) if height > 0 else (left, at)
        after = at + height / slope
        if not left < after < right:
            after = (left + right) / 2
        if abs(after - at) <= 1e-15 * (1 + abs(at)) or not left < after < right:
            return at
        at = after
    return at


def _with_distance(
    share: Sequence[float], values: Sequence[float], distance: float
) -> list[float] | None:
    """The likeliest distribution whose mean is so many of its standard deviations from 0.

    The constraint is linearised about the last distribution and solved anew until it stands.
    """
    likely, last = [1 / len(share)] * len(share), math.inf
    for _ in range(STEPS):
        mean = sum(part * value for part, value in zip(likely, values, strict=True))
        about = [(value - mean) ** 2 for value in values]
        variance = sum(part * square for part, square in zip(likely, about, strict=True))
        if variance <= 0:
            return None
        pull = distance * math.sqrt(variance) / 2
        squares = zip(values, about, strict=True)
        bent = [value - pull * (1 + square / variance) for value, square in squares]
        found = _with_mean_zero(share, bent)
        if found is None:
            return None
        gap = max(abs(one - other) for one, other in zip(found, likely, strict=True))
        likely = found
        if gap < 1e-9 or last <= gap < 1e-7:  # Next to an edge floats come no nearer.
            return likely
        last = gap
    return None


def _outcomes(elo: float, drawn: float) -> Floats:
    win, loss = expected_score(elo - drawn), expected_score(-elo - drawn)
    return np.array([win, 1 - win - loss, loss])

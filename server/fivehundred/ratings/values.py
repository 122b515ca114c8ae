"""A number with its error, and strengths that were fitted together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

CONFIDENCE = 0.95
"""The confidence of every interval."""

ALIKE = "all its results came out alike, and tell no error"
"""The remark on a number from results without any spread: they may all err alike."""

TOO_FEW = "there are too few boards for an error"

NO_SPREAD = 1e-12
"""The share of two variances below which that of their difference is rounding alone."""

DIGITS = 9
"""Results are rounded to so many decimals, so that the order of sums cannot show."""

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its standard error and interval; every number is finite.

    None: there is no estimate, the error is not defined, or the interval has no such end; the
    remark says why.
    """

    value: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    remark: str = ""

    def __post_init__(self) -> None:
        numbers = (self.value, self.standard_error, self.low, self.high)
        if not all(number is None or math.isfinite(number) for number in numbers):
            raise ValueError(f"an estimate is made of finite numbers or None, not {numbers}")


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Everybody against everybody, by first and second."""

    is_better: NDArray[np.bool_]
    """Whether the interval of the difference lies above 0."""
    chances: NDArray[np.float64]
    """The chance that the first is the stronger; NaN where the results cannot say."""


@dataclass(frozen=True, slots=True)
class Strengths:
    """Strengths of entrants on one scale per group, with the covariance of their errors.

    Entrants of different groups cannot be compared. ``covariance`` is the large-sample one; the
    errors are widened by ``correction`` (None: too few boards for an error) and their intervals
    use Student's t with ``freedom`` degrees of freedom (infinite: the normal distribution).

    Results without any spread have an error of 0. That is no certainty: it is told as no error, and
    chances are then from an even prior. Only the ``anchor`` is exact, by definition.
    """

    groups: tuple[tuple[int, ...], ...]
    values: tuple[float | None, ...]
    covariance: Matrix
    correction: tuple[float | None, ...]
    freedom: tuple[float, ...]
    remarks: tuple[str, ...]
    anchor: int | None = None

    def estimate(self, entrant: int) -> Estimate:
        """The strength of an entrant."""
        value = self.values[entrant]
        if value is None:
            return Estimate(remark=self.remarks[entrant])
        error, remark = self._own_error(entrant), self.remarks[entrant]
        if entrant == self.anchor and error is not None:
            return Estimate(value, 0.0, value, value, remark)
        return interval(value, error, self.freedom[entrant], remark)

    def difference(self, first: int, second: int) -> Estimate:
        """How much stronger the first is; without a value where the two are not comparable."""
        values = self.values[first], self.values[second]
        if values[0] is None or values[1] is None or not self.are_comparable(first, second):
            return Estimate(remark="the two are not comparable")
        error = self._error(first, second)
        return interval(rounded(values[0] - values[1]), error, self._freedom(first, second))

    def are_comparable(self, first: int, second: int) -> bool:
        """Whether the two are in one group."""
        return any(first in group and second in group for group in self.groups)

    def chance_better(self, first: int, second: int) -> float | None:
        """The chance that the first is the stronger; None where the results cannot say."""
        if first == second:
            return 0.5
        gap, error = self.difference(first, second).value, self._error(first, second)
        if gap is None or error is None:
            return None
        return chance_positive(gap, error, self._freedom(first, second))

    def is_better(self, first: int, second: int) -> bool:
        """Whether the first is the stronger beyond the confidence of the intervals."""
        low = self.difference(first, second).low
        if low is not None:
            return low > 0
        chance = self.chance_better(first, second)
        return chance is not None and chance >= (1 + CONFIDENCE) / 2

    def group_of(self) -> NDArray[np.int64]:
        """The place of each entrant's group."""
        group = np.zeros(len(self.values), dtype=np.int64)
        for at, members in enumerate(self.groups):
            group[list(members)] = at
        return group

    def comparisons(self) -> Comparisons:
        """The differences between all at once: as `difference` and `chance_better` say of two."""
        gaps, errors, freedom = self._gaps(), self._errors(), np.minimum.outer(*2 * (self.freedom,))
        normal = np.isinf(freedom)
        plain = np.where(normal | (freedom <= 0), 1.0, freedom)
        tail = (1 + CONFIDENCE) / 2
        reach = np.where(normal, special.ndtri(tail), special.stdtrit(plain, tail))
        are_alike = errors == 0
        ratio = gaps / np.where(are_alike, 1.0, errors)
        chances = np.where(normal, special.ndtr(ratio), special.stdtr(plain, ratio))
        even = 0.5 + np.sign(gaps) * (0.5 - 0.5 ** (np.maximum(freedom, 0.0) + 2))
        chances = np.where(are_alike, even, chances)
        np.fill_diagonal(chances, 0.5)
        is_above = np.round(gaps - errors * reach, DIGITS) > 0
        return Comparisons(np.where(are_alike, chances >= tail, is_above), chances)

    def _gaps(self) -> NDArray[np.float64]:
        """All differences; NaN where two are not comparable."""
        values, group = np.array(self.values, dtype=np.float64), self.group_of()
        gaps = np.round(values[:, None] - values[None, :], DIGITS)
        return np.asarray(np.where(group[:, None] == group[None, :], gaps, np.nan))

    def _errors(self) -> NDArray[np.float64]:
        """The errors of all differences; NaN where there is none."""
        size = len(self.values)
        cov = np.array(self.covariance, dtype=np.float64).reshape(size, size)
        own = np.diag(cov)
        both = own[:, None] + own[None, :]
        variance = np.where(both - 2 * cov > NO_SPREAD * both, both - 2 * cov, 0.0)
        correction = np.array(self.correction, dtype=np.float64)
        freedom = np.array(self.freedom, dtype=np.float64)
        correction = np.where(freedom > 0, correction, np.nan)
        errors = np.sqrt(variance * np.maximum.outer(correction, correction))
        return np.asarray(errors.round(DIGITS), dtype=np.float64)

    def _freedom(self, first: int, second: int) -> float:
        return min(self.freedom[first], self.freedom[second])

    def _own_error(self, entrant: int) -> float | None:
        return self._widened(self.covariance[entrant][entrant], entrant, entrant)

    def _error(self, first: int, second: int) -> float | None:
        """That of the difference; 0 where there is no spread."""
        cov = self.covariance
        both = cov[first][first] + cov[second][second]
        variance = both - 2 * cov[first][second]
        return self._widened(variance if variance > NO_SPREAD * both else 0.0, first, second)

    def _widened(self, variance: float, first: int, second: int) -> float | None:
        corrections = self.correction[first], self.correction[second]
        if corrections[0] is None or corrections[1] is None or self._freedom(first, second) <= 0:
            return None
        error = math.sqrt(max(variance, 0.0) * max(corrections[0], corrections[1]))
        return error if rounded(error) > 0 else 0.0


def interval(value: float, error: float | None, freedom: float, remark: str = "") -> Estimate:
    """The estimate with its two-sided interval.

    Without ends where there is no error, and where it is 0: nothing that was measured is exact.
    """
    if error is None or rounded(error) == 0:
        told = TOO_FEW if error is None else ALIKE
        return Estimate(value, remark=f"{remark}; {told}" if remark else told)
    reach = error * quantile((1 + CONFIDENCE) / 2, freedom)
    low, high = rounded(value - reach), rounded(value + reach)
    return Estimate(value, rounded(error), low, high, remark)


def quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t, or of the normal distribution at infinite freedom."""
    if math.isinf(freedom):
        return float(special.ndtri(probability))
    return float(special.stdtrit(freedom, probability))


def chance_positive(value: float, error: float, freedom: float) -> float:
    """The chance that a number estimated with this error is above 0.

    Where all boards said the same, from an even prior on what a board says: never 0 or 1.
    """
    if error == 0:
        sign = (value > 0) - (value < 0)
        return float(0.5 + sign * (0.5 - 0.5 ** (freedom + 2)))
    if math.isinf(freedom):
        return float(special.ndtr(value / error))
    return float(special.stdtr(freedom, value / error))


def rounded(number: float) -> float:
    """The number to `DIGITS` decimals, never a negative zero."""
    return round(float(number), DIGITS) + 0.0


def matrix(rows: Sequence[Sequence[float]]) -> Matrix:
    """The rows as a matrix that is equal by content."""
    return tuple(tuple(float(cell) + 0.0 for cell in row) for row in rows)

"""Effects of levels on a result, freed of what is taken out, with errors clustered by board.

Least squares in two steps (Frisch & Waugh 1933): first what is to be taken out, such as the
entrants' strengths, then the levels. What the first step explains wholly is *absorbed*: no result
can tell it apart, and there is no estimate.

Errors are the sandwich of the boards' scores times ``n / (n - 1)``, with ``n`` the effective number
of boards: ``(sum s)² / sum s²`` over what each board tells of the effect. Where all boards tell as
much, that is their number; where one board tells nearly everything, it is near 1 and there is no
error. The joint test is Hotelling's: ``F = W (n - r) / (r (n - 1))`` with ``r`` and ``n - r``
degrees of freedom, of which ``W``, Wald's chi-squared by the clustered covariance, is the limit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from fivehundred.ratings.values import Estimate, interval, rounded
from fivehundred.tournament.lines import Floats, Numbers

ABSORBED = "cannot be told apart from the strengths of the entrants"
ALWAYS_THE_SAME = "the same on every board: there is no variation to test"
NO_BOARDS = "no boards"
ONE_LEVEL = "only one level"
TOO_FEW = "too few boards for a test"

TOLERANCE = 1e-9
CELLS_AT_ONCE = 2_000_000
"""Numbers of a block of columns that are held in memory."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level of what is tested, and how far its results are from the mean of all levels."""

    name: str
    hands: int
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Joint:
    """One test of all levels together."""

    levels: tuple[Level, ...]
    chi_squared: float | None
    """Wald's statistic; None where there is no test, and then the remark says why."""
    f: float | None
    freedom: int
    """Of the numerator: how many differences between the levels can be told."""
    error_freedom: float | None
    """Of the denominator: effective boards less those."""
    p_value: float | None
    remark: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Results, what is taken out of them, and the board of each."""

    response: Floats
    taken_out: sparse.csr_array
    cluster: Numbers

    def __post_init__(self) -> None:
        assert self.taken_out.shape[0] == len(self.response) == len(self.cluster)


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect by itself: where it is, against everywhere else."""

    estimate: Estimate
    p_value: float | None


def joint_effects(rows: Rows, levels: Floats, names: Sequence[str], hands: Sequence[int]) -> Joint:
    """The effect of each level (a column of ``levels``) and one test of all."""
    count = len(names)
    if not len(rows.response):
        return _untested(names, hands, NO_BOARDS)
    if sum(1 for number in hands if number) < 2:
        return _untested(names, hands, ONE_LEVEL)
    taking = _Taking(rows)
    told = taking.out_of(levels)
    size = float((levels**2).sum(axis=0).max())
    values, vectors = np.linalg.eigh(told.T @ told)
    kept = values > TOLERANCE * size
    basis = vectors[:, kept] / np.sqrt(values[kept])
    if not kept.any():
        return _untested(names, hands, ABSORBED)
    white = told @ basis
    found = white.T @ taking.left
    fit = _Fit(taking, white, found, taking.left - white @ found)
    contrasts = np.eye(count) - 1 / count
    estimates = [_level(fit, vectors[:, kept], basis, contrast) for contrast in contrasts]
    levels_told = tuple(map(Level, names, hands, estimates))
    return _tested(fit, levels_told)


def single_effects(rows: Rows, columns: sparse.csc_array) -> list[Effect]:
    """The effect of each column by itself, and its test."""
    if not len(rows.response):
        return [Effect(Estimate(remark=NO_BOARDS), None)] * columns.shape[1]
    taking = _Taking(rows)
    step = max(1, CELLS_AT_ONCE // len(rows.response))
    found: list[Effect] = []
    for first in range(0, columns.shape[1], step):
        block = columns[:, first : first + step].toarray()
        found += _singles(taking, np.asarray(block, dtype=np.float64))
    return found


class _Taking:
    """Takes out what is to be taken out."""

    def __init__(self, rows: Rows) -> None:
        self._design = rows.taken_out
        gram = (self._design.T @ self._design).toarray()
        self._inverse = np.linalg.pinv(gram, hermitian=True)
        _, at = np.unique(rows.cluster, return_inverse=True)
        self.boards = int(at.max()) + 1
        self._sums = sparse.csr_array(
            (np.ones(len(at)), (at, np.arange(len(at)))), shape=(self.boards, len(at))
        )
        self.left = self.out_of(rows.response)
        self.total = float(rows.response @ rows.response)

    def out_of(self, columns: Floats) -> Floats:
        """What is left of the columns."""
        return np.asarray(columns - self._design @ (self._inverse @ (self._design.T @ columns)))

    def by_board(self, columns: Floats) -> Floats:
        """The sums over each board."""
        return np.asarray(self._sums @ columns)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A fit in coordinates in which what the levels tell is orthonormal."""

    taking: _Taking
    white: Floats
    found: Floats
    residual: Floats


def _level(fit: _Fit, range_: Floats, basis: Floats, contrast: Floats) -> Estimate:
    seen = range_ @ (range_.T @ contrast)
    if float(np.abs(seen - contrast).max()) > 1e-6:
        return Estimate(remark=ABSORBED)
    direction = basis.T @ contrast
    pull = fit.white @ direction
    value = rounded(float(direction @ fit.found))
    boards = _effective(fit.taking.by_board(pull**2))
    if boards <= 1 + TOLERANCE:
        return interval(value, None, 0)
    scores = fit.taking.by_board(pull * fit.residual)
    error = float(np.sqrt(scores @ scores * boards / (boards - 1)))
    return interval(value, error, boards - 1)


def _tested(fit: _Fit, levels: tuple[Level, ...]) -> Joint:
    rank = fit.white.shape[1]
    boards = _effective(fit.taking.by_board((fit.white**2).sum(axis=1)))
    if boards <= rank + TOLERANCE:
        return Joint(levels, None, None, rank, None, None, TOO_FEW)
    scores = fit.taking.by_board(fit.white * fit.residual[:, None])
    spread = scores.T @ scores * boards / (boards - 1)
    values, vectors = np.linalg.eigh(spread)
    if values[0] <= TOLERANCE * max(values[-1], TOLERANCE * fit.taking.total):
        remark = ALWAYS_THE_SAME if values[-1] <= TOLERANCE**2 * fit.taking.total else TOO_FEW
        return Joint(levels, None, None, rank, None, None, remark)
    along = vectors.T @ fit.found
    wald = float((along**2 / values).sum())
    ratio = wald * (boards - rank) / (rank * (boards - 1))
    chance = float(special.fdtrc(rank, boards - rank, ratio))
    freedom = rounded(boards - rank)
    return Joint(levels, rounded(wald), rounded(ratio), rank, freedom, _chance(chance))


def _singles(taking: _Taking, columns: Floats) -> list[Effect]:
    told = taking.out_of(columns)
    size, square = (columns**2).sum(axis=0), (told**2).sum(axis=0)
    is_told = square > TOLERANCE * np.maximum(size, TOLERANCE)
    safe = np.where(is_told, square, 1.0)
    values = told.T @ taking.left / safe
    scores = taking.by_board(told * (taking.left[:, None] - told * values))
    spread = (scores**2).sum(axis=0) / safe**2
    shares = taking.by_board(told**2)
    boards = shares.sum(axis=0) ** 2 / np.maximum((shares**2).sum(axis=0), np.finfo(float).tiny)
    none = TOLERANCE**2 * taking.total
    return [
        _effect(float(value), float(variance), float(number), none / float(scale))
        if tells
        else Effect(Estimate(remark=ABSORBED), None)
        for value, variance, number, scale, tells in zip(
            values, spread, boards, safe, is_told, strict=True
        )
    ]


def _effect(value: float, variance: float, boards: float, none: float) -> Effect:
    value = rounded(value)
    if boards < 2:
        return Effect(Estimate(value, remark=TOO_FEW), None)
    error = float(np.sqrt(variance * boards / (boards - 1)))
    if variance <= none:
        return Effect(Estimate(value, remark=ALWAYS_THE_SAME), None)
    chance = 2 * float(special.stdtr(boards - 1, -abs(value / error)))
    return Effect(interval(value, error, boards - 1), _chance(chance))


def _effective(shares: Floats) -> float:
    square = float(shares @ shares)
    return float(shares.sum()) ** 2 / square if square > 0 else 0.0


def _untested(names: Sequence[str], hands: Sequence[int], remark: str) -> Joint:
    blank = Estimate(remark=remark)
    levels = tuple(Level(name, number, blank) for name, number in zip(names, hands, strict=True))
    return Joint(levels, None, None, 0, None, None, remark)


def _chance(chance: float) -> float:
    return rounded(min(max(chance, 0.0), 1.0))

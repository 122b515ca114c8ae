"""Logistic regression with whatever columns a model needs: seats, shares of teams.

Formulas: maximum likelihood by Newton's method; errors from the inverse information, or by the
sandwich of the clusters' scores (White 1982). Where results separate the field there is no finite
maximum (Albert & Anderson 1984); then the results that only say "infinitely better" are set
aside, and the rest is fitted among those whom it can compare.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from fivehundred.ratings.bradley_terry import (
    CENTRE,
    NO_LINK,
    NO_RESULTS,
    SCALE,
    bounded,
    not_comparable,
)
from fivehundred.ratings.clusters import counted
from fivehundred.ratings.values import CONFIDENCE, Estimate, Strengths, matrix, rounded

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

NEAR = 1e-8
MOST_STEPS = 60


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Results: which columns each adds up, its score for the first, how often, its cluster."""

    design: sparse.csr_array
    score: Floats
    weight: Floats
    cluster: Numbers
    is_alone: Flags
    """A row that stands alone: as many clusters as its weight says."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What a set of rows says of the columns."""

    rows: Rows
    theta: Floats
    """The strengths in log-odds; what the results leave open is 0."""
    model: Floats
    """Their covariance if every result is independent and won or lost."""
    clustered: Floats
    """Their covariance by cluster."""
    kept: Flags
    """The rows that bear on the fit; the others separate."""
    space: Floats
    """Projects on the combinations of columns that the results determine."""

    def is_known(self, combination: Floats) -> bool:
        """Whether the results determine this combination of columns."""
        gap = combination - self.space @ combination
        return bool(np.abs(gap).max() < NEAR)


def fit(rows: Rows) -> Fit:
    """Fit the rows; the result does not depend on their order beyond rounding."""
    size = rows.design.shape[1]
    kept = np.ones(len(rows.score), dtype=np.bool_)
    basis = _row_space(rows.design)
    beta = _newton(rows, basis)
    if beta is None:
        kept = ~_separated(rows, rows.design @ basis)
        basis = _row_space(rows.design[kept])
        beta = _newton(only(rows, kept), basis)
    if beta is None:
        beta, basis = np.zeros(0), np.zeros((size, 0))
    inverse, sandwich = _covariances(only(rows, kept), basis, beta)
    return Fit(
        rows=rows,
        theta=basis @ beta,
        model=basis @ inverse @ basis.T,
        clustered=basis @ sandwich @ basis.T,
        kept=kept,
        space=basis @ basis.T,
    )


def only(rows: Rows, kept: Flags) -> Rows:
    """Some of the rows."""
    return Rows(
        rows.design[kept],
        rows.score[kept],
        rows.weight[kept],
        rows.cluster[kept],
        rows.is_alone[kept],
    )


def groups(found: Fit, size: int, anchor: int | None) -> tuple[tuple[int, ...], ...]:
    """Entrants (the first ``size`` columns) whose differences the results determine.

    The anchor's group comes first, or else the largest.
    """
    left, told = list(range(size)), []
    while left:
        first = left[0]
        group = tuple(
            other for other in left if other == first or found.is_known(_gap(found, first, other))
        )
        left = [other for other in left if other not in group]
        told.append(group)
    return tuple(sorted(told, key=lambda group: _precedence(found, group, anchor)))


def strengths(
    found: Fit, names: Sequence[str], anchor: int | None, covariance: Floats
) -> Strengths:
    """The Elo strengths of the first columns, one per name, with errors from a covariance."""
    size = len(names)
    parts = groups(found, size, anchor)
    values: list[float | None] = [None] * size
    spread = np.zeros((size, size))
    correction: list[float | None] = [None] * size
    for group in parts:
        if len(group) == 1 and group[0] != anchor:
            continue
        shift = _centring(group, anchor)
        theta = shift @ found.theta[list(group)]
        part = shift @ covariance[np.ix_(group, group)] @ shift.T
        spread[np.ix_(group, group)] = SCALE**2 * part
        for entrant, strength in zip(group, theta, strict=True):
            values[entrant] = rounded(CENTRE + SCALE * strength)
            correction[entrant] = _correction(found, group)
    return Strengths(
        groups=parts,
        values=tuple(values),
        covariance=matrix(spread.tolist()),
        correction=tuple(correction),
        freedom=_freedom(found, parts, anchor),
        remarks=tuple(
            "" if entrant == anchor else _remark(found, parts[0], entrant, names)
            for entrant in range(size)
        ),
        anchor=anchor,
    )


def bound(found: Fit, told: Strengths, entrant: int, names: Sequence[str]) -> Estimate | None:
    """The one-sided bound of who won (or lost) everything against the rated.

    It is the rating at which doing so is as rare as an interval's tail; None where there is a
    rating, or no such results.
    """
    if told.values[entrant] is not None:
        return None
    main = [other for other in told.groups[0] if told.values[other] is not None]
    for sign in (1, -1):
        terms = _sweeps(found, told, entrant, main, sign)
        if terms:
            met = [names[other] for other in main if _have_met(found, entrant, other)]
            return bounded(sign, _edge(sign, terms), met)
    return None


def _precedence(
    found: Fit, group: tuple[int, ...], anchor: int | None
) -> tuple[bool, int, float, tuple[int, ...]]:
    """The anchor's group first, then the largest, then that with the most results."""
    results = float(found.rows.weight[found.kept & _touching(found, group)].sum())
    return anchor not in group, -len(group), -results, group


def _row_space(design: sparse.csr_array) -> Floats:
    """An orthonormal basis of the combinations that the rows determine, as columns."""
    values, vectors = np.linalg.eigh((design.T @ design).toarray())
    limit = max(float(values.max(initial=0.0)), 1.0) * NEAR
    return np.asarray(vectors[:, values > limit])


def _newton(rows: Rows, basis: Floats) -> Floats | None:
    """The maximum, or None where Newton's steps do not end."""
    beta = np.zeros(basis.shape[1])
    best = _likelihood(rows, basis @ beta)
    for _ in range(MOST_STEPS):
        chance = _logistic(rows.design @ (basis @ beta))
        pull = basis.T @ (rows.design.T @ (rows.weight * (rows.score - chance)))
        step = _solved(_information(rows, basis, chance), pull)
        if step is None:
            return None
        while (found := _likelihood(rows, basis @ (beta + step))) < best - 1e-9 * abs(best):
            step = step / 2
        beta, best = beta + step, found
        if float(np.abs(step).max(initial=0.0)) < 1e-10:
            return beta
    return None


def _solved(information: Floats, pull: Floats) -> Floats | None:
    scale = float(np.abs(information).max(initial=1.0))
    if len(pull) and np.linalg.cond(information / scale) > 1e12:
        return None
    return np.asarray(np.linalg.solve(information, pull))


def _information(rows: Rows, basis: Floats, chance: Floats) -> Floats:
    weights = sparse.diags_array(rows.weight * chance * (1 - chance))
    return np.asarray(basis.T @ (rows.design.T @ (weights @ rows.design)).toarray() @ basis)


def _likelihood(rows: Rows, theta: Floats) -> float:
    gap = rows.design @ theta
    won, lost = np.logaddexp(0.0, -gap), np.logaddexp(0.0, gap)
    return float(-(rows.weight * (rows.score * won + (1 - rows.score) * lost)).sum())


def _logistic(gap: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-gap)))


def _separated(rows: Rows, columns: Floats) -> Flags:
    """The rows that some direction explains ever better without contradicting any other row.

    A linear program: the most rows that a direction can have strictly on their right side, while
    all decided rows are on theirs and all that went both ways are on the edge.
    """
    patterns, place = np.unique(np.round(columns, 12), axis=0, return_inverse=True)
    place = place.reshape(-1)
    won, lost = np.zeros(len(patterns)), np.zeros(len(patterns))
    np.add.at(won, place, rows.weight * rows.score)
    np.add.at(lost, place, rows.weight * (1 - rows.score))
    decided = (won == 0) != (lost == 0)
    sign = np.where(won > 0, 1.0, -1.0)[decided]
    count, free = int(decided.sum()), columns.shape[1]
    best = optimize.linprog(
        np.concatenate([np.zeros(free), -np.ones(count)]),
        A_ub=np.hstack([-sign[:, None] * patterns[decided], np.eye(count)]),
        b_ub=np.zeros(count),
        A_eq=np.hstack([patterns[~decided], np.zeros((len(patterns) - count, count))]),
        b_eq=np.zeros(len(patterns) - count),
        bounds=[(None, None)] * free + [(0, 1)] * count,
    )
    is_separated = np.zeros(len(patterns), dtype=np.bool_)
    if best.x is None:
        raise ArithmeticError(best.message)
    is_separated[decided] = best.x[free:] > 0.5
    return np.asarray(is_separated[place])


def _covariances(rows: Rows, basis: Floats, beta: Floats) -> tuple[Floats, Floats]:
    if not len(beta):
        return np.zeros((0, 0)), np.zeros((0, 0))
    chance = _logistic(rows.design @ (basis @ beta))
    inverse = np.asarray(np.linalg.inv(_information(rows, basis, chance)), np.float64)
    pull = np.where(rows.is_alone, np.sqrt(rows.weight), rows.weight) * (rows.score - chance)
    numbers, place = np.unique(rows.cluster, return_inverse=True)
    by_cluster = sparse.coo_array(
        (pull, (place, np.arange(len(place)))), shape=(len(numbers), len(place))
    ).tocsr()
    scores = by_cluster @ rows.design
    meat = basis.T @ (scores.T @ scores).toarray() @ basis
    sandwich: Floats = inverse @ meat @ inverse
    return inverse, sandwich


def _gap(found: Fit, first: int, second: int) -> Floats:
    gap = np.zeros(len(found.theta))
    gap[first], gap[second] = 1, -1
    return gap


def _centring(group: Sequence[int], anchor: int | None) -> Floats:
    shift = np.eye(len(group))
    if anchor in group:
        shift[:, group.index(anchor)] -= 1
        return shift
    return np.asarray(shift - 1 / len(group))


def _touching(found: Fit, group: Sequence[int]) -> Flags:
    chosen = np.zeros(found.rows.design.shape[1])
    chosen[list(group)] = 1
    return np.asarray(abs(found.rows.design) @ chosen > 0)


def _count(found: Fit, chosen: Flags) -> float:
    rows = found.rows
    return counted(rows.cluster[chosen], rows.is_alone[chosen], rows.weight[chosen])


def _correction(found: Fit, group: Sequence[int]) -> float | None:
    if len(group) == 1:
        return 1.0
    seen = _count(found, found.kept & _touching(found, group))
    return seen / (seen - len(group) + 1) if seen > len(group) - 1 else None


def _freedom(found: Fit, parts: Sequence[Sequence[int]], anchor: int | None) -> tuple[float, ...]:
    """One less than the clusters of an entrant; with an anchor no more than the anchor's."""
    freedom = [
        _count(found, _touching(found, [entrant])) - 1 for entrant in range(sum(map(len, parts)))
    ]
    if anchor is not None:
        for entrant in parts[0]:
            freedom[entrant] = min(freedom[entrant], freedom[anchor])
        freedom[anchor] = math.inf
    return tuple(freedom)


def _remark(found: Fit, main: Sequence[int], entrant: int, names: Sequence[str]) -> str:
    if not _touching(found, [entrant]).any():
        return NO_RESULTS
    if entrant in main:
        return "" if len(main) > 1 else NO_LINK
    return not_comparable(names[entrant], names[main[0]])


def _have_met(found: Fit, entrant: int, other: int) -> bool:
    return bool((_touching(found, [entrant]) & _touching(found, [other])).any())


def _sweeps(
    found: Fit, told: Strengths, entrant: int, main: Sequence[int], sign: int
) -> list[tuple[float, float, float]]:
    """Share, the rest of the gap, and units of each result that the entrant won (or lost)."""
    rows, size = found.rows, len(told.values)
    others = [at for at in range(size) if at != entrant and at not in main]
    known = np.zeros(rows.design.shape[1])
    for other in main:
        known[other] = ((told.values[other] or 0.0) - CENTRE) / SCALE
    known[size:] = found.theta[size:]
    rows = only(rows, _touching(found, [entrant]) & ~_touching(found, others))
    share = (rows.design @ np.eye(rows.design.shape[1])[entrant]).tolist()
    side = np.sign(share)
    if (rows.score != np.where(side * sign > 0, 1.0, 0.0)).any():
        return []
    rest = (side * (rows.design @ known)).tolist()
    units = _units(rows, side[:, None] * rows.design.toarray()[:, :size]).tolist()
    return [(abs(part), gap, count) for part, gap, count in zip(share, rest, units, strict=True)]


def _units(rows: Rows, sides: Floats) -> Floats:
    """A cluster counts once against the same opponents, whatever the number of its rows."""
    keys = np.column_stack([rows.cluster, sides])
    _, place, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    return np.asarray(np.where(rows.is_alone, rows.weight, 1 / counts[place.reshape(-1)]))


def _edge(sign: int, terms: Sequence[tuple[float, float, float]]) -> float:
    tail = math.log((1 - CONFIDENCE) / 2)

    def excess(strength: float) -> float:
        gaps = ((sign * (share * strength + rest), units) for share, rest, units in terms)
        return sum(-units * float(np.logaddexp(0.0, -gap)) for gap, units in gaps) - tail

    total = sum(units for _, _, units in terms)
    far = max((20 - 2 * tail / total + abs(rest)) / share for share, rest, _ in terms)
    return rounded(CENTRE + SCALE * float(optimize.brentq(excess, -far, far, xtol=1e-13)))

"""Points per hand of members of teams: a team is as strong as the mean of its seats.

Least squares with an effect for each board, as in `margins`; a team's points are those of its
members' mean strength, each member counting ``1/size``. Entrants that only ever sat together cannot
be told apart; they are rated as one.

Formula: weighted least squares within boards, errors by the sandwich of the boards' scores (Liang &
Zeger 1986) times ``n / (n - k)``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from fivehundred.ratings.margins import NO_BOARDS
from fivehundred.ratings.values import Strengths, matrix, rounded

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

NEAR = 1e-8
RANK = 1e-11
"""Of the greatest eigenvalue: what is smaller is 0."""


@dataclass(frozen=True, slots=True, eq=False)
class TeamColumns:
    """Very many boards of teams of one size, a row for each."""

    board: Numbers
    """The cluster: equal deals share it."""
    teams: Numbers
    """By board, team and member."""
    points: Floats
    """By board and team."""
    hands: Floats
    """The weight; boards of games differ in length."""


@dataclass(frozen=True, slots=True)
class TeamStrengths:
    """Strengths of units: an entrant, or several that were never apart."""

    units: tuple[tuple[int, ...], ...]
    strengths: Strengths
    """By unit."""


def fit(tables: Sequence[TeamColumns], names: Sequence[str]) -> TeamStrengths:
    """Fit the strengths in points per hand; the mean of each group's entrants is 0."""
    rows = [_ordered(table) for table in tables]
    normal, right = _normal_equations(rows, len(names))
    units = units_of(normal)
    shares = belonging(units, len(names))
    space, inverse = _inverse(shares.T @ (shares.T @ normal).T)
    theta = inverse @ (shares.T @ right)
    scores = _scores(rows, shares @ theta) @ shares
    spread = inverse @ (scores.T @ scores).toarray() @ inverse
    seen = _seen(rows, len(names)) @ shares
    return TeamStrengths(units, _told(units, theta, spread, space, seen, names))


def units_of(normal: Floats) -> tuple[tuple[int, ...], ...]:
    """Entrants whose difference has no bearing on any board: they only ever sat together.

    Given the normal equations; in order of the first of each.
    """
    own = np.diag(normal)
    told: dict[int, list[int]] = {}
    together = own[:, None] + own[None, :] - 2 * normal < NEAR * np.maximum.outer(own, own)
    for entrant in range(len(own)):
        first = int(np.argmax(together[entrant])) if together[entrant].any() else entrant
        told.setdefault(first, []).append(entrant)
    return tuple(tuple(unit) for unit in told.values())


def belonging(units: Sequence[Sequence[int]], size: int) -> sparse.csr_array:
    """By entrant and unit, 1 where the one belongs to the other."""
    entrants = [entrant for unit in units for entrant in unit]
    places = [at for at, unit in enumerate(units) for _ in unit]
    return sparse.coo_array(
        (np.ones(len(entrants)), (entrants, places)), shape=(size, len(units))
    ).tocsr()


def together(unit: Sequence[int], names: Sequence[str]) -> str:
    """The remark on a rating that is of several; empty for one alone."""
    if len(unit) == 1:
        return ""
    *others, last = (names[entrant] for entrant in unit)
    return f"{', '.join(others)} and {last} always played together: this is the rating of both"


def _ordered(table: TeamColumns) -> TeamColumns:
    """Sorted, so that the order of sums does not show."""
    seats = table.teams.reshape(len(table.board), -1)
    order = np.lexsort((table.hands, *table.points.T[::-1], *seats.T[::-1], table.board))
    return TeamColumns(
        table.board[order], table.teams[order], table.points[order], table.hands[order]
    )


def _normal_equations(rows: Sequence[TeamColumns], size: int) -> tuple[Floats, Floats]:
    normal, right = np.zeros((size, size)), np.zeros(size)
    for table in rows:
        _, sides, members = table.teams.shape
        weight = (table.hands / members**2)[:, None, None, None]
        one, two = table.teams[:, :, :, None], table.teams[:, :, None, :]
        np.add.at(normal, (one, two), weight)
        seats = table.teams.reshape(len(table.board), -1)
        np.add.at(normal, (seats[:, :, None], seats[:, None, :]), -weight[:, 0] / sides)
        pull = table.hands[:, None] * _gaps(table.points) / members
        np.add.at(right, table.teams, pull[:, :, None])
    return normal, right


def _gaps(points: Floats) -> Floats:
    return np.asarray(points - points.mean(axis=1, keepdims=True))


def _inverse(normal: Floats) -> tuple[Floats, Floats]:
    """The projection on what the boards determine, and the inverse there."""
    values, vectors = np.linalg.eigh(normal)
    is_known = values > RANK * max(float(values.max(initial=0.0)), 1.0)
    basis = vectors[:, is_known]
    return basis @ basis.T, (basis / values[is_known]) @ basis.T


def _scores(rows: Sequence[TeamColumns], strengths: Floats) -> sparse.csr_array:
    """What each cluster's residuals pull at each entrant."""
    pulls, clusters, seats = [np.zeros(0)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for table in rows:
        members = table.teams.shape[2]
        fitted = _gaps(strengths[table.teams].mean(axis=2))
        pull = table.hands[:, None] * (_gaps(table.points) - fitted) / members
        pulls.append(np.repeat(pull.ravel(), members))
        clusters.append(np.repeat(table.board, table.teams[0].size))
        seats.append(table.teams.ravel())
    return _by_cluster(np.concatenate(pulls), clusters, seats, len(strengths))


def _seen(rows: Sequence[TeamColumns], size: int) -> sparse.csr_array:
    """How often each entrant was at each cluster."""
    clusters = [np.repeat(table.board, table.teams[0].size) for table in rows]
    seats = [table.teams.ravel() for table in rows]
    return _by_cluster(np.ones(sum(map(len, seats))), clusters, seats, size)


def _by_cluster(
    numbers: Floats, clusters: Sequence[Numbers], seats: Sequence[Numbers], size: int
) -> sparse.csr_array:
    boards, at = np.unique(np.concatenate(clusters), return_inverse=True)
    return sparse.coo_array(
        (numbers, (at, np.concatenate(seats))), shape=(len(boards), size)
    ).tocsr()


def _told(
    units: tuple[tuple[int, ...], ...],
    theta: Floats,
    spread: Floats,
    space: Floats,
    seen: sparse.csr_array,
    names: Sequence[str],
) -> Strengths:
    groups = _groups(units, space, seen)
    values: list[float | None] = [None] * len(units)
    covariance = np.zeros((len(units), len(units)))
    correction: list[float | None] = [None] * len(units)
    for group in groups:
        members = list(group)
        if len(members) == 1:
            continue
        sizes = np.array([len(units[unit]) for unit in members], dtype=np.float64)
        centring = np.eye(len(members)) - sizes / sizes.sum()
        covariance[np.ix_(members, members)] = (
            centring @ spread[np.ix_(members, members)] @ centring.T
        )
        clusters, spent = _count(seen, members), len(members) - 1
        for unit, strength in zip(members, (centring @ theta[members]).tolist(), strict=True):
            values[unit] = rounded(strength)
            correction[unit] = clusters / (clusters - spent) if clusters > spent else None
    return Strengths(
        groups=groups,
        values=tuple(values),
        covariance=matrix(covariance.tolist()),
        correction=tuple(correction),
        freedom=tuple(float(_count(seen, [unit]) - 1) for unit in range(len(units))),
        remarks=tuple(_remark(unit, units, groups, seen, names) for unit in range(len(units))),
    )


def _count(seen: sparse.csr_array, units: Sequence[int]) -> int:
    """The clusters at which any of the units was."""
    chosen = np.zeros(seen.shape[1])
    chosen[list(units)] = 1
    return int((seen @ chosen > 0).sum())


def _groups(
    units: Sequence[Sequence[int]], space: Floats, seen: sparse.csr_array
) -> tuple[tuple[int, ...], ...]:
    """Units whose differences the boards determine, the largest group first."""
    left = np.eye(len(space)) - space
    own = np.diag(left)
    known = own[:, None] + own[None, :] - 2 * left < NEAR
    count, labels = csgraph.connected_components(known, directed=False)
    groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in range(count)]

    def precedence(group: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        entrants = sum(len(units[unit]) for unit in group)
        return -entrants, -_count(seen, group), group

    return tuple(sorted(groups, key=precedence))


def _remark(
    unit: int,
    units: Sequence[Sequence[int]],
    groups: Sequence[tuple[int, ...]],
    seen: sparse.csr_array,
    names: Sequence[str],
) -> str:
    if not _count(seen, [unit]):
        return NO_BOARDS
    if unit in groups[0] and len(groups[0]) > 1:
        return together(units[unit], names)
    name, main = names[units[unit][0]], names[units[groups[0][0]][0]]
    if unit in groups[0]:
        return "there are no boards that tell it from the others"
    return (
        f"{name} is not comparable with {main}: no boards link the two; "
        f"boards of {name} against {main}, or with other partners, would link them"
    )

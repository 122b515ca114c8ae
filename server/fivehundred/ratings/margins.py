"""Points per hand: least squares with an effect for each board, errors clustered by board.

On one board all entrants play the same deals from the same seats, so the luck of the deal is
common to them and only the differences between their points count. On a duplicate board of two
sides the difference is half the sum of the two margins: the mean margin per hand.

Formula: weighted least squares within boards, errors by the sandwich of the boards' scores (Liang &
Zeger 1986) times ``n / (n - k)``.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from fivehundred.ratings.clusters import distinct
from fivehundred.ratings.values import Strengths, matrix, rounded

Floats = NDArray[np.float64]

NO_BOARDS = "there are no boards"


@dataclass(frozen=True, slots=True, order=True)
class BoardPoints:
    """A whole board: each entrant's mean points per hand, and how many hands that is."""

    board: int
    """The cluster: equal deals share it."""
    entrants: tuple[int, ...]
    points: tuple[float, ...]
    hands: float = 1.0
    """The weight; boards of games differ in length."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardColumns:
    """Very many boards of tables of one size, a row for each, as columns of `BoardPoints`."""

    board: NDArray[np.int64]
    entrants: NDArray[np.int64]
    """By board and seat."""
    points: Floats
    """By board and seat."""
    hands: Floats


def fit(boards: Iterable[BoardPoints], names: Sequence[str]) -> Strengths:
    """Fit the strengths in points per hand, the mean of each group being 0.

    Boards of one entrant say nothing and are left out. ``names`` appear in remarks only.
    """
    sizes: dict[int, list[BoardPoints]] = defaultdict(list)
    for board in boards:
        sizes[len(board.entrants)].append(board)
    return fit_columns([_columns(sizes[size]) for size in sorted(sizes)], names)


def fit_columns(tables: Sequence[BoardColumns], names: Sequence[str]) -> Strengths:
    """Fit the strengths from very many boards, given by the number of entrants at a table."""
    rows = [_ordered(table) for table in tables if table.entrants.shape[1] > 1]
    groups = _groups(rows, len(names))
    values: list[float | None] = [None] * len(names)
    covariance = np.zeros((len(names), len(names)))
    correction: list[float | None] = [None] * len(names)
    for group in groups:
        if len(group) == 1:
            continue
        inside = [_inside(table, group, len(names)) for table in rows]
        strengths, spread = _least_squares(inside, len(group))
        covariance[np.ix_(group, group)] = spread
        widening = _correction(inside, len(group))
        for entrant, strength in zip(group, strengths.tolist(), strict=True):
            values[entrant] = rounded(strength)
            correction[entrant] = widening
    return Strengths(
        groups=groups,
        values=tuple(values),
        covariance=matrix(covariance.tolist()),
        correction=tuple(correction),
        freedom=_freedom(rows, len(names)),
        remarks=tuple(_remark(entrant, groups, names) for entrant in range(len(names))),
    )


def _columns(boards: Sequence[BoardPoints]) -> BoardColumns:
    return BoardColumns(
        board=np.array([row.board for row in boards], dtype=np.int64),
        entrants=np.array([row.entrants for row in boards], dtype=np.int64),
        points=np.array([row.points for row in boards], dtype=np.float64),
        hands=np.array([row.hands for row in boards], dtype=np.float64),
    )


def _ordered(table: BoardColumns) -> BoardColumns:
    """Sorted, so that the order of sums does not show."""
    order = np.lexsort((table.hands, *table.points.T[::-1], *table.entrants.T[::-1], table.board))
    return _chosen(table, order)


def _chosen(table: BoardColumns, rows: NDArray[np.int64] | NDArray[np.bool_]) -> BoardColumns:
    return BoardColumns(
        table.board[rows], table.entrants[rows], table.points[rows], table.hands[rows]
    )


def _inside(table: BoardColumns, group: tuple[int, ...], size: int) -> BoardColumns:
    """The boards of a group, its entrants numbered from 0."""
    place = np.full(size, -1, dtype=np.int64)
    place[list(group)] = np.arange(len(group))
    rows = _chosen(table, place[table.entrants[:, 0]] >= 0)
    return replace(rows, entrants=place[rows.entrants])


def _groups(rows: Sequence[BoardColumns], size: int) -> tuple[tuple[int, ...], ...]:
    """Entrants linked by common boards, the largest group first."""
    met, boards = np.zeros((size, size)), np.zeros(size)
    for table in rows:
        met[table.entrants[:, :1], table.entrants] = 1
        boards += np.bincount(table.entrants[:, 0], minlength=size)
    count, labels = csgraph.connected_components(met, directed=False)
    groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in range(count)]
    played = [float(boards[list(group)].sum()) for group in groups]
    order = sorted(range(count), key=lambda k: (-len(groups[k]), -played[k], groups[k]))
    return tuple(groups[k] for k in order)


def _least_squares(rows: Sequence[BoardColumns], size: int) -> tuple[Floats, Floats]:
    normal, right = np.zeros((size, size)), np.zeros(size)
    for table in rows:
        seats, weights = table.entrants, table.hands[:, None]
        share = weights / seats.shape[1]
        np.add.at(normal, (seats, seats), np.broadcast_to(weights, seats.shape))
        np.add.at(normal, (seats[:, :, None], seats[:, None, :]), -share[:, :, None])
        np.add.at(right, seats, weights * _gaps(table))
    inverse = np.linalg.inv(normal + 1 / size) - 1 / size
    strengths = inverse @ right
    scores = _scores(rows, strengths)
    meat = (scores.T @ scores).toarray()
    return strengths - strengths.mean(), inverse @ meat @ inverse


def _gaps(table: BoardColumns) -> Floats:
    return np.asarray(table.points - table.points.mean(axis=1, keepdims=True))


def _scores(rows: Sequence[BoardColumns], strengths: Floats) -> sparse.csr_array:
    """What each cluster's residuals pull at each strength."""
    pulls, clusters, seats = [], [], []
    for table in rows:
        fitted = strengths[table.entrants]
        residual = _gaps(table) - (fitted - fitted.mean(axis=1, keepdims=True))
        pulls.append((table.hands[:, None] * residual).ravel())
        clusters.append(np.repeat(table.board, table.entrants.shape[1]))
        seats.append(table.entrants.ravel())
    boards, at = np.unique(np.concatenate(clusters), return_inverse=True)
    return sparse.coo_array(
        (np.concatenate(pulls), (at, np.concatenate(seats))), shape=(len(boards), len(strengths))
    ).tocsr()


def _correction(rows: Sequence[BoardColumns], size: int) -> float | None:
    boards = len(distinct(np.concatenate([table.board for table in rows])))
    return boards / (boards - size + 1) if boards > size - 1 else None


def _freedom(rows: Sequence[BoardColumns], size: int) -> tuple[float, ...]:
    """One less than an entrant's boards."""
    if not rows:
        return (-1.0,) * size
    boards = np.concatenate([np.repeat(t.board, t.entrants.shape[1]) for t in rows])
    seats = np.concatenate([table.entrants.ravel() for table in rows])
    order = np.lexsort((boards, seats))
    boards, seats = boards[order], seats[order]
    is_new = np.ones(len(boards), dtype=np.bool_)
    is_new[1:] = (boards[1:] != boards[:-1]) | (seats[1:] != seats[:-1])
    played = np.bincount(seats[is_new], minlength=size)
    return tuple(float(count - 1) for count in played)


def _remark(entrant: int, groups: tuple[tuple[int, ...], ...], names: Sequence[str]) -> str:
    group = next(group for group in groups if entrant in group)
    if len(group) == 1:
        return NO_BOARDS
    if group == groups[0]:
        return ""
    main = names[groups[0][0]]
    return (
        f"{names[entrant]} is not comparable with {main}: no boards link the two; "
        f"boards of {names[entrant]} against {main} would link them"
    )

"""Points per hand: least squares with an effect for each board, errors clustered by board.

On one board all entrants play the same deals from the same seats, so the luck of the deal is
common to them and only the differences between their points count. On a duplicate board of two
sides the difference is half the sum of the two margins: the mean margin per hand.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph

from fivehundred.ratings.values import Strengths, matrix, rounded

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HandPoints:
    """What one hand of a board brought: the entrant and the points of each side or seat."""

    board: int
    entrants: tuple[int, ...]
    points: tuple[float, ...]


@dataclass(frozen=True, slots=True, order=True)
class BoardPoints:
    """A whole board: each entrant's mean points per hand, and how many hands that is."""

    board: int
    """The cluster: equal deals share it."""
    entrants: tuple[int, ...]
    points: tuple[float, ...]
    hands: float = 1.0
    """The weight; boards of games differ in length."""


def board_points(hands: Iterable[HandPoints]) -> list[BoardPoints]:
    """Sum hands up into boards, sorted; an entrant in several seats counts with their mean."""
    tables: dict[tuple[int, tuple[int, ...]], list[HandPoints]] = defaultdict(list)
    for hand in hands:
        tables[hand.board, tuple(sorted(set(hand.entrants)))].append(hand)
    return sorted(_summed(board, names, table) for (board, names), table in tables.items())


def fit(boards: Iterable[BoardPoints], names: Sequence[str]) -> Strengths:
    """Fit the strengths in points per hand, the mean of each group being 0.

    Boards of one entrant say nothing and are left out. ``names`` appear in remarks only.
    """
    rows = sorted(board for board in boards if len(board.entrants) > 1)
    groups = _groups(rows, len(names))
    values: list[float | None] = [None] * len(names)
    covariance = np.zeros((len(names), len(names)))
    correction: list[float | None] = [None] * len(names)
    for group in groups:
        if len(group) == 1:
            continue
        inside = [row for row in rows if row.entrants[0] in group]
        strengths, spread = _least_squares(inside, group)
        covariance[np.ix_(group, group)] = spread
        for entrant, strength in zip(group, strengths.tolist(), strict=True):
            values[entrant] = rounded(strength)
            correction[entrant] = _correction(inside, group)
    return Strengths(
        groups=groups,
        values=tuple(values),
        covariance=matrix(covariance.tolist()),
        correction=tuple(correction),
        freedom=_freedom(rows, len(names)),
        remarks=tuple(_remark(entrant, groups, names) for entrant in range(len(names))),
    )


def _summed(board: int, entrants: tuple[int, ...], table: Sequence[HandPoints]) -> BoardPoints:
    total, seats = dict.fromkeys(entrants, 0.0), dict.fromkeys(entrants, 0)
    for hand in table:
        for entrant, points in zip(hand.entrants, hand.points, strict=True):
            total[entrant] += points
            seats[entrant] += 1
    means = tuple(total[entrant] / seats[entrant] for entrant in entrants)
    return BoardPoints(board, entrants, means, len(table))


def _groups(rows: Sequence[BoardPoints], size: int) -> tuple[tuple[int, ...], ...]:
    """Entrants linked by common boards, the largest group first."""
    met = np.zeros((size, size))
    for row in rows:
        met[row.entrants[0], list(row.entrants)] = 1
    count, labels = csgraph.connected_components(met, directed=False)
    groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in range(count)]
    boards = [sum(row.entrants[0] in group for row in rows) for group in groups]
    order = sorted(range(count), key=lambda k: (-len(groups[k]), -boards[k], groups[k]))
    return tuple(groups[k] for k in order)


def _least_squares(rows: Sequence[BoardPoints], group: tuple[int, ...]) -> tuple[Floats, Floats]:
    place = {entrant: at for at, entrant in enumerate(group)}
    normal, right = np.zeros((len(group), len(group))), np.zeros(len(group))
    for tables in _by_size(rows):
        seats, gaps, weights = _arrays(tables, place)
        share = weights / seats.shape[1]
        np.add.at(normal, (seats, seats), np.broadcast_to(weights, seats.shape))
        np.add.at(normal, (seats[:, :, None], seats[:, None, :]), -share[:, :, None])
        np.add.at(right, seats, weights * gaps)
    inverse = np.linalg.inv(normal + 1 / len(group)) - 1 / len(group)
    strengths = inverse @ right
    scores = _scores(rows, place, strengths)
    return strengths - strengths.mean(), inverse @ (scores.T @ scores) @ inverse


def _scores(rows: Sequence[BoardPoints], place: dict[int, int], strengths: Floats) -> Floats:
    """What each cluster's residuals pull at each strength."""
    clusters = {board: at for at, board in enumerate(sorted({row.board for row in rows}))}
    scores = np.zeros((len(clusters), len(place)))
    for tables in _by_size(rows):
        seats, gaps, weights = _arrays(tables, place)
        fitted = strengths[seats]
        residual = gaps - (fitted - fitted.mean(axis=1, keepdims=True))
        at = np.array([clusters[row.board] for row in tables])
        np.add.at(scores, (at[:, None], seats), weights * residual)
    return scores


def _by_size(rows: Sequence[BoardPoints]) -> list[list[BoardPoints]]:
    sizes: dict[int, list[BoardPoints]] = defaultdict(list)
    for row in rows:
        sizes[len(row.entrants)].append(row)
    return [sizes[size] for size in sorted(sizes)]


def _arrays(
    tables: Sequence[BoardPoints], place: dict[int, int]
) -> tuple[NDArray[np.int64], Floats, Floats]:
    seats = np.array([[place[entrant] for entrant in row.entrants] for row in tables])
    points = np.array([row.points for row in tables], dtype=np.float64)
    gaps = points - points.mean(axis=1, keepdims=True)
    return seats, gaps, np.array([[row.hands] for row in tables], dtype=np.float64)


def _correction(rows: Sequence[BoardPoints], group: tuple[int, ...]) -> float | None:
    clusters, spent = len({row.board for row in rows}), len(group) - 1
    return clusters / (clusters - spent) if clusters > spent else None


def _freedom(rows: Sequence[BoardPoints], size: int) -> tuple[float, ...]:
    boards: list[set[int]] = [set() for _ in range(size)]
    for row in rows:
        for entrant in row.entrants:
            boards[entrant].add(row.board)
    return tuple(float(len(played) - 1) for played in boards)


def _remark(entrant: int, groups: tuple[tuple[int, ...], ...], names: Sequence[str]) -> str:
    group = next(group for group in groups if entrant in group)
    if len(group) == 1:
        return "no boards"
    if group == groups[0]:
        return ""
    main = names[groups[0][0]]
    return (
        f"not comparable with {main}: no boards link the two; "
        f"boards of {names[entrant]} against {main} would"
    )

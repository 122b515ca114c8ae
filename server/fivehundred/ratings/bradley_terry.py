"""Bradley–Terry strengths on the Elo scale: one maximum-likelihood fit over all results.

A finite fit exists only among entrants that are linked by points in both directions; so groups
come first, and whoever won or lost everything gets a one-sided bound instead of a number. A draw
is half a point. Errors are clustered by board; a game without a cluster is a cluster of its own.

Formulas: Bradley & Terry 1952; existence of the maximum, Ford 1957; Newton's method with the
inverse information, and the sandwich of the clusters' scores (White 1982).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse, special
from scipy.sparse import csgraph

from fivehundred.ratings import clusters
from fivehundred.ratings.values import (
    CONFIDENCE,
    Comparisons,
    Estimate,
    Strengths,
    matrix,
    rounded,
)

SCALE = 400 / math.log(10)
"""Elo points per unit of log-odds."""

CENTRE = 1500.0
"""The anchor's rating, or the mean where there is no anchor."""

NO_RESULTS = "there are no results"
NO_LINK = "there are no results that link it both ways with another"
MOST_NAMES = 4
"""So many are listed in a remark."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

Spread = Callable[[tuple[int, ...], Floats, Floats], Floats]
"""Makes a group's covariance from its strengths and the inverse information."""


@dataclass(frozen=True, slots=True)
class Game:
    """One result: ``score`` is 1, ½ or 0 for the first. ``weight`` is how often it happened."""

    first: int
    second: int
    score: float
    cluster: int | None = None
    """Results of one board share it; None: independent of all others."""
    weight: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class GameColumns:
    """Very many games, a column for each field of `Game`."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    score: Floats
    cluster: NDArray[np.int64]
    is_alone: NDArray[np.bool_]
    """Whether the result has no cluster."""
    weight: Floats


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a field: strengths by group, bounds for those who won or lost everything."""

    strengths: Strengths
    bounds: tuple[Estimate | None, ...]
    """One-sided bounds on the scale of the main group; None for entrants that have a rating."""
    records: dict[tuple[int, int], float]
    """Points of the first against the second, a board counting once."""

    def estimate(self, entrant: int) -> Estimate:
        """The rating of an entrant, or its bound."""
        return self.bounds[entrant] or self.strengths.estimate(entrant)

    def chance_better(self, first: int, second: int) -> float | None:
        """The chance that the first is the stronger; None where no result can say.

        From the covariance of the difference within a group; across groups from the results of
        the two against each other, with an even prior.
        """
        if first == second or self.strengths.are_comparable(first, second):
            return self.strengths.chance_better(first, second)
        won, lost = self.records.get((first, second), 0.0), self.records.get((second, first), 0.0)
        return _beta_chance(won, lost) if won + lost > 0 else None

    def is_better(self, first: int, second: int) -> bool:
        """Whether the first is the stronger beyond the confidence of the intervals."""
        if self.strengths.are_comparable(first, second):
            return self.strengths.is_better(first, second)
        chance = self.chance_better(first, second)
        return (chance is not None and chance >= (1 + CONFIDENCE) / 2) or self._is_bound_clear(
            first, second
        )

    def comparisons(self) -> Comparisons:
        """Everybody against everybody: as `is_better` and `chance_better` say of two."""
        told, group = self.strengths.comparisons(), self.strengths.group_of()
        is_same = group[:, None] == group[None, :]
        chances = told.chances.copy()
        for first, second in self.records:
            if not is_same[first, second]:
                for pair in ((first, second), (second, first)):
                    chance = self.chance_better(*pair)
                    chances[pair] = np.nan if chance is None else chance
        apart = (chances >= (1 + CONFIDENCE) / 2) | self._are_bounds_clear()
        return Comparisons(np.where(is_same, told.is_better, apart), chances)

    def _are_bounds_clear(self) -> NDArray[np.bool_]:
        everybody = range(len(self.bounds))
        on_scale = [self._is_on_main_scale(entrant) for entrant in everybody]
        ends = [self.estimate(entrant) for entrant in everybody]
        low = np.array([each.low for each in ends], dtype=np.float64)
        high = np.array([each.high for each in ends], dtype=np.float64)
        are_on_scale = np.logical_and.outer(on_scale, on_scale)
        return np.asarray(are_on_scale & (low[:, None] > high[None, :]))

    def _is_bound_clear(self, first: int, second: int) -> bool:
        on_scale = self._is_on_main_scale(first) and self._is_on_main_scale(second)
        low, high = self.estimate(first).low, self.estimate(second).high
        return on_scale and low is not None and high is not None and low > high

    def _is_on_main_scale(self, entrant: int) -> bool:
        groups = self.strengths.groups
        return self.bounds[entrant] is not None or (bool(groups) and entrant in groups[0])


def expected_score(difference: float) -> float:
    """The score expected of an entrant that is so many Elo points stronger."""
    return 1 / (1 + math.exp(-difference / SCALE))


def elo_difference(score: float) -> float:
    """The Elo difference at which a score strictly between 0 and 1 is expected."""
    return SCALE * math.log(score / (1 - score))


def fit(games: Iterable[Game], names: Sequence[str], anchor: int | None = None) -> Ratings:
    """Fit the ratings; errors by board. ``names`` appear in remarks only."""
    return fit_columns(columns(games), names, anchor)


def fit_columns(games: GameColumns, names: Sequence[str], anchor: int | None = None) -> Ratings:
    """Fit the ratings of very many games; the same as `fit`."""
    return _Field(games, names, anchor).ratings()


def columns(games: Iterable[Game]) -> GameColumns:
    """The games as columns."""
    rows = list(games)
    return GameColumns(
        first=np.array([game.first for game in rows], dtype=np.int64),
        second=np.array([game.second for game in rows], dtype=np.int64),
        score=np.array([game.score for game in rows], dtype=np.float64),
        cluster=np.array([game.cluster or 0 for game in rows], dtype=np.int64),
        is_alone=np.array([game.cluster is None for game in rows], dtype=np.bool_),
        weight=np.array([game.weight for game in rows], dtype=np.float64),
    )


def fit_with_model_errors(
    games: Iterable[Game], names: Sequence[str], anchor: int | None = None
) -> Ratings:
    """Fit the ratings; errors as if every game were independent and won or lost."""
    return _Field(columns(games), names, anchor).ratings_by_model()


class _Field:
    """All results of a field as arrays, sorted, each game seen from its lower entrant."""

    def __init__(self, games: GameColumns, names: Sequence[str], anchor: int | None) -> None:
        rows = _oriented(games)
        self.names, self.size, self.anchor = names, len(names), anchor
        self.first, self.second = rows.first, rows.second
        self.score, self.weight, self.is_alone = rows.score, rows.weight, rows.is_alone
        self.cluster = clusters.numbered(rows.is_alone, rows.cluster)
        self.points = np.zeros((self.size, self.size))
        np.add.at(self.points, (self.first, self.second), self.weight * self.score)
        np.add.at(self.points, (self.second, self.first), self.weight * (1 - self.score))
        self.records = _records(rows, self.cluster, self.size)
        self.groups = self._groups()

    def ratings(self) -> Ratings:
        """Ratings with errors clustered by board."""
        return self._assemble(self._clustered)

    def ratings_by_model(self) -> Ratings:
        """Ratings with the errors that the model implies."""
        ratings = self._assemble(lambda group, theta, inverse: inverse)
        strengths = replace(
            ratings.strengths,
            correction=(1.0,) * self.size,
            freedom=(math.inf,) * self.size,
        )
        return replace(ratings, strengths=strengths)

    def _assemble(self, covariance_of: Spread) -> Ratings:
        values: list[float | None] = [None] * self.size
        covariance = np.zeros((self.size, self.size))
        correction: list[float | None] = [None] * self.size
        for group in self.groups:
            if self._is_unrated(group):
                continue
            theta = _maximum(self.points[np.ix_(group, group)])
            inverse = _pseudo_inverse(_information(self.points[np.ix_(group, group)], theta))
            spread = self._gauge(group, covariance_of(group, theta, inverse))
            covariance[np.ix_(group, group)] = SCALE**2 * spread
            centre = theta[group.index(self.anchor)] if self.anchor in group else 0.0
            widening = self._correction(group)
            for entrant, strength in zip(group, theta, strict=True):
                values[entrant] = rounded(CENTRE + SCALE * (strength - centre))
                correction[entrant] = widening
        strengths = Strengths(
            groups=self.groups,
            values=tuple(values),
            covariance=matrix(covariance.tolist()),
            correction=tuple(correction),
            freedom=self._freedom(),
            remarks=tuple(self._remark(entrant) for entrant in range(self.size)),
            anchor=self.anchor,
        )
        bounds = tuple(self._bound(entrant, values) for entrant in range(self.size))
        return Ratings(strengths, bounds, self.records)

    def _is_unrated(self, group: tuple[int, ...]) -> bool:
        return len(group) == 1 and group[0] != self.anchor

    def _gauge(self, group: tuple[int, ...], spread: Floats) -> Floats:
        if self.anchor not in group:
            return spread
        shift = np.eye(len(group))
        shift[:, group.index(self.anchor)] -= 1
        return np.asarray(shift @ spread @ shift.T)

    def _clustered(self, group: tuple[int, ...], theta: Floats, inverse: Floats) -> Floats:
        place = np.full(self.size, -1)
        place[list(group)] = np.arange(len(group))
        inside = (place[self.first] >= 0) & (place[self.second] >= 0)
        one, two = place[self.first[inside]], place[self.second[inside]]
        residual = self.score[inside] - _logistic(theta[one] - theta[two])
        alone, weight = self.is_alone[inside], self.weight[inside]
        pull = np.where(alone, residual * np.sqrt(weight), residual * weight)
        numbers, rows = np.unique(self.cluster[inside], return_inverse=True)
        scores = sparse.coo_array(
            (np.concatenate([pull, -pull]), (np.tile(rows, 2), np.concatenate([one, two]))),
            shape=(len(numbers), len(group)),
        ).tocsr()
        return np.asarray(inverse @ (scores.T @ scores).toarray() @ inverse)

    def _inside(self, group: tuple[int, ...]) -> NDArray[np.bool_]:
        return np.isin(self.first, group) & np.isin(self.second, group)

    def _correction(self, group: tuple[int, ...]) -> float | None:
        if len(group) == 1:
            return 1.0
        inside, spent = self._inside(group), len(group) - 1
        boards = clusters.counted(self.cluster[inside], self.is_alone[inside], self.weight[inside])
        return boards / (boards - spent) if boards > spent else None

    def _freedom(self) -> tuple[float, ...]:
        """One less than an entrant's boards; with an anchor no more than the anchor's."""
        played = clusters.by_entrant(
            np.concatenate([self.first, self.second]),
            np.tile(self.cluster, 2),
            np.tile(self.is_alone, 2),
            np.tile(self.weight, 2),
            self.size,
        )
        freedom = (played - 1).tolist()
        if self.anchor is not None:
            for entrant in self.groups[0]:
                freedom[entrant] = min(freedom[entrant], freedom[self.anchor])
            freedom[self.anchor] = math.inf
        return tuple(freedom)

    def _groups(self) -> tuple[tuple[int, ...], ...]:
        """Groups linked by points both ways; the anchor's or else the largest first."""
        count, labels = csgraph.connected_components(
            self.points > 0, directed=True, connection="strong"
        )
        groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in range(count)]
        return tuple(sorted(groups, key=self._precedence))

    def _precedence(self, group: tuple[int, ...]) -> tuple[bool, int, float, tuple[int, ...]]:
        games = float(self.points[np.ix_(group, group)].sum())
        return self.anchor not in group, -len(group), -games, group

    def _remark(self, entrant: int) -> str:
        main = self.groups[0]
        if not self.points[entrant].any() and not self.points[:, entrant].any():
            return "" if entrant == self.anchor else NO_RESULTS
        if entrant in main:
            return NO_LINK if self._is_unrated(main) else ""
        return not_comparable(self.names[entrant], self.names[main[0]])

    def _bound(self, entrant: int, values: Sequence[float | None]) -> Estimate | None:
        if values[entrant] is not None:
            return None
        if self.size == 2 and self.anchor is None:
            return self._bound_of_two(entrant)
        main = [other for other in self.groups[0] if values[other] is not None]
        rated = {other: values[other] or 0.0 for other in main}
        for sign in (1, -1):
            units = {other: self._swept(entrant, other, sign) for other in main}
            if sum(units.values()) > 0:
                results = [(rated[other], units[other]) for other in main]
                met = [self.names[other] for other in main if units[other] > 0]
                return bounded(sign, _edge(sign, results), met)
        return None

    def _bound_of_two(self, entrant: int) -> Estimate | None:
        for sign in (1, -1):
            units = self._swept(entrant, 1 - entrant, sign)
            if units > 0:
                edge = rounded(CENTRE + _edge(sign, [(0.0, units)]) / 2)
                return bounded(sign, edge, [self.names[1 - entrant]])
        return None

    def _swept(self, entrant: int, other: int, sign: int) -> float:
        pair = (entrant, other) if sign > 0 else (other, entrant)
        return self.records.get(pair, 0.0)


def records(games: GameColumns, size: int) -> dict[tuple[int, int], float]:
    """Points by pair, where all games of a pair on one board together count once."""
    rows = _oriented(games)
    return _records(rows, clusters.numbered(rows.is_alone, rows.cluster), size)


def _records(rows: GameColumns, cluster: Numbers, size: int) -> dict[tuple[int, int], float]:
    if not len(cluster):
        return {}
    keys = np.stack([cluster, rows.first, rows.second])
    starts = np.flatnonzero(np.r_[True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)])
    won = np.add.reduceat(rows.weight * rows.score, starts)
    played = np.add.reduceat(rows.weight, starts)
    units = np.where(rows.is_alone[starts], rows.weight[starts], 1.0)
    first, second = rows.first[starts], rows.second[starts]
    found = np.zeros((size, size))
    np.add.at(found, (first, second), units * won / played)
    np.add.at(found, (second, first), units * (1 - won / played))
    met = np.argwhere(found + found.T > 0).tolist()
    return {(one, two): float(found[one, two]) for one, two in met}


def _oriented(games: GameColumns) -> GameColumns:
    """The games between two, sorted, the lower entrant first."""
    turned = games.first > games.second
    first = np.where(turned, games.second, games.first)
    second = np.where(turned, games.first, games.second)
    score = np.where(turned, 1 - games.score, games.score)
    cluster = np.where(games.is_alone, 0, games.cluster)
    order = np.lexsort((games.weight, score, second, first, cluster, games.is_alone))
    order = order[first[order] != second[order]]
    return GameColumns(
        first[order],
        second[order],
        score[order],
        cluster[order],
        games.is_alone[order],
        games.weight[order],
    )


def _logistic(difference: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-difference)))


def _expected(points: Floats, theta: Floats) -> tuple[Floats, Floats]:
    games = points + points.T
    return games, _logistic(theta[:, None] - theta[None, :])


def _information(points: Floats, theta: Floats) -> Floats:
    games, chance = _expected(points, theta)
    weights = games * chance * (1 - chance)
    np.fill_diagonal(weights, 0.0)
    return np.asarray(np.diag(weights.sum(axis=1)) - weights)


def _gradient(points: Floats, theta: Floats) -> Floats:
    games, chance = _expected(points, theta)
    return np.asarray((points - games * chance).sum(axis=1))


def _likelihood(points: Floats, theta: Floats) -> float:
    gaps = theta[:, None] - theta[None, :]
    return float(-(points * np.logaddexp(0.0, -gaps)).sum())


def _pseudo_inverse(laplacian: Floats) -> Floats:
    mean = np.full_like(laplacian, 1 / len(laplacian))
    return np.asarray(np.linalg.inv(laplacian + mean) - mean)


def _maximum(points: Floats) -> Floats:
    """Newton's method from equal strengths, halving steps that overshoot; the mean is 0."""
    theta, best = np.zeros(len(points)), _likelihood(points, np.zeros(len(points)))
    for _ in range(200):
        step = _pseudo_inverse(_information(points, theta)) @ _gradient(points, theta)
        while (found := _likelihood(points, theta + step)) < best - 1e-9 * abs(best):
            step = step / 2
        theta, best = theta + step, found
        if float(np.abs(step).max()) < 1e-12:
            break
    return np.asarray(theta - theta.mean())


def _edge(sign: int, results: Sequence[tuple[float, float]]) -> float:
    """The rating at which winning (or losing) everything is as rare as an interval's tail."""
    tail = math.log((1 - CONFIDENCE) / 2)

    def excess(rating: float) -> float:
        gaps = ((sign * (rating - other) / SCALE, units) for other, units in results)
        return sum(-units * float(np.logaddexp(0.0, -gap)) for gap, units in gaps) - tail

    ratings = [rating for rating, _ in results]
    far = SCALE * (20 - 2 * tail / sum(units for _, units in results))
    low, high = min(ratings) - far, max(ratings) + far
    return rounded(float(optimize.brentq(excess, low, high, xtol=1e-11)))


def bounded(sign: int, edge: float, rated: Sequence[str]) -> Estimate:
    """The bound of who won (or lost) everything against the rated; those it has met by name."""
    met = listed(rated)
    if sign > 0:
        remark = f"there is no upper bound: all was won against those with a rating ({met})"
        return Estimate(low=edge, remark=remark)
    remark = f"there is no lower bound: all was lost against those with a rating ({met})"
    return Estimate(high=edge, remark=remark)


def listed(names: Sequence[str]) -> str:
    """Some names in words, as ``A, B and C``; of many the first and how many more there are."""
    if len(names) > MOST_NAMES:
        shown, rest = names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} others"
    else:
        shown, rest = names[:-1], names[-1]
    return f"{', '.join(shown)} and {rest}" if shown else rest


def not_comparable(name: str, main: str) -> str:
    """The remark on the rating of who is in another group than the main one."""
    return (
        f"{name} is not comparable with {main}: no chain of points links the two both ways; "
        f"further results of {name} against {main} may link them"
    )


def _beta_chance(won: float, lost: float) -> float:
    return float(special.betainc(lost + 1, won + 1, 0.5))

"""Plackett–Luce strengths on the Elo scale, from the finishing orders of tables of several.

Formula: the chance of an order is the product over its places of ``strength / sum of the strengths
not yet placed`` (Plackett 1975); maximum likelihood by Newton's method, errors from the inverse
information or by the sandwich of the clusters' scores. For two it is Bradley–Terry.

A finite maximum exists only among entrants that have finished above one another by some chain both
ways (Hunter 2004); a group of them is fitted on the orders among its own, which is what the model
says of a part of a table.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import optimize
from scipy.sparse import csgraph

from fivehundred.ratings.bradley_terry import CENTRE, SCALE
from fivehundred.ratings.values import CONFIDENCE, Estimate, Strengths, matrix, rounded

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Ties(Enum):
    """How entrants that finished level count."""

    SHARED = "shared"
    """The mean over all orders they could have finished in; for two, half a point each."""
    BRESLOW = "breslow"
    """As if each had finished above all that are level with it (Breslow 1974)."""
    DROPPED = "dropped"
    """Only against those below; nothing among themselves."""


@dataclass(frozen=True, slots=True)
class Order:
    """How a table finished: best first, those who are level together."""

    levels: tuple[tuple[int, ...], ...]
    cluster: int | None = None
    """Results of one board share it; None: independent of all others."""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ratings of a field from its finishing orders."""

    strengths: Strengths
    bounds: tuple[Estimate | None, ...]
    """One-sided bounds of who was always first (or last); None for those with a rating."""
    log_likelihood: float

    def estimate(self, entrant: int) -> Estimate:
        """The rating of an entrant, or its bound."""
        return self.bounds[entrant] or self.strengths.estimate(entrant)


def fit(
    orders: Iterable[Order],
    names: Sequence[str],
    anchor: int | None = None,
    ties: Ties = Ties.SHARED,
) -> Ranks:
    """Fit the ratings; errors by board."""
    return _Field(orders, names, anchor, ties).ranks(by_model=False)


def fit_with_model_errors(
    orders: Iterable[Order],
    names: Sequence[str],
    anchor: int | None = None,
    ties: Ties = Ties.SHARED,
) -> Ranks:
    """The same; errors as if every order were independent and the model right."""
    return _Field(orders, names, anchor, ties).ranks(by_model=True)


def fit_with_prior(
    orders: Iterable[Order],
    names: Sequence[str],
    deviation: float,
    ties: Ties = Ties.SHARED,
) -> Strengths:
    """Fit with a normal prior of so many Elo around 1500, for display; remarks name it.

    Everybody gets a rating, also those who never met. It is not the reference.
    """
    return _Field(orders, names, None, ties).with_prior(deviation)


@dataclass(frozen=True, slots=True, eq=False)
class _Terms:
    """A log-likelihood: ``gain @ theta - sum(weight log(sum over a set of exp(theta)))``."""

    gain: Floats
    sets: Flags
    weight: Floats
    table: NDArray[np.int64]
    gains: Floats
    """The gain by table."""

    def value(self, theta: Floats) -> float:
        """The log-likelihood."""
        return float(self.gain @ theta - self.weight @ np.log(self._sums(theta)))

    def shares(self, theta: Floats) -> Floats:
        """By set, each entrant's chance to be first of it."""
        parts = self.sets * np.exp(theta - theta.max(initial=0.0))
        return np.asarray(parts / parts.sum(axis=1, keepdims=True))

    def gradient(self, theta: Floats) -> Floats:
        """The slope of the log-likelihood."""
        return np.asarray(self.gain - self.weight @ self.shares(theta))

    def information(self, theta: Floats) -> Floats:
        """Minus its curvature."""
        shares = self.shares(theta)
        weighted = shares * self.weight[:, None]
        return np.asarray(np.diag(weighted.sum(axis=0)) - shares.T @ weighted)

    def scores(self, theta: Floats) -> Floats:
        """The slope by table."""
        scores = self.gains.copy()
        np.add.at(scores, self.table, -self.weight[:, None] * self.shares(theta))
        return scores

    def _sums(self, theta: Floats) -> Floats:
        top = theta.max(initial=0.0)
        return np.asarray(np.exp(top) * (self.sets @ np.exp(theta - top)))


class _Field:
    """All orders of a field, sorted."""

    def __init__(
        self, orders: Iterable[Order], names: Sequence[str], anchor: int | None, ties: Ties
    ) -> None:
        self.orders = sorted(map(_tidy, orders), key=_precedence)
        self.names, self.size, self.anchor, self.ties = names, len(names), anchor, ties
        self.above = np.zeros((self.size, self.size))
        for order in self.orders:
            self._count(order)
        self.groups = self._groups()

    def ranks(self, *, by_model: bool) -> Ranks:
        """The ratings of each group."""
        values: list[float | None] = [None] * self.size
        spread = np.zeros((self.size, self.size))
        correction: list[float | None] = [None] * self.size
        likelihood = 0.0
        for group in self.groups:
            if len(group) == 1 and group[0] != self.anchor:
                continue
            theta, part, found = self._fit(group, by_model)
            likelihood += found
            spread[np.ix_(group, group)] = SCALE**2 * part
            for entrant, strength in zip(group, theta, strict=True):
                values[entrant] = rounded(CENTRE + SCALE * strength)
                correction[entrant] = 1.0 if by_model else self._correction(group)
        strengths = Strengths(
            groups=self.groups,
            values=tuple(values),
            covariance=matrix(spread.tolist()),
            correction=tuple(correction),
            freedom=(math.inf,) * self.size if by_model else self._freedom(),
            remarks=tuple(self._remark(entrant) for entrant in range(self.size)),
        )
        bounds = tuple(self._bound(entrant, values) for entrant in range(self.size))
        return Ranks(strengths, bounds, likelihood)

    def with_prior(self, deviation: float) -> Strengths:
        """The most likely strengths under a normal prior."""
        everybody = tuple(range(self.size))
        ridge = (SCALE / deviation) ** 2
        terms = _terms(self.orders, everybody, self.ties)
        theta = _maximum(terms, ridge)
        spread = np.linalg.inv(terms.information(theta) + ridge * np.eye(self.size))
        return Strengths(
            groups=(everybody,),
            values=tuple(rounded(CENTRE + SCALE * strength) for strength in theta),
            covariance=matrix((SCALE**2 * spread).tolist()),
            correction=(1.0,) * self.size,
            freedom=(math.inf,) * self.size,
            remarks=(f"with a prior of 1500 ± {deviation:g}",) * self.size,
        )

    def _count(self, order: Order) -> None:
        for better, worse in combinations(order.levels, 2):
            for first in better:
                self.above[first, list(worse)] += order.weight
        for level in order.levels if self.ties is not Ties.DROPPED else ():
            for first, second in combinations(level, 2):
                self.above[first, second] += order.weight / 2
                self.above[second, first] += order.weight / 2

    def _groups(self) -> tuple[tuple[int, ...], ...]:
        count, labels = csgraph.connected_components(
            self.above > 0, directed=True, connection="strong"
        )
        groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in range(count)]
        return tuple(sorted(groups, key=self._rank))

    def _rank(self, group: tuple[int, ...]) -> tuple[bool, int, float, tuple[int, ...]]:
        results = float(self.above[np.ix_(group, group)].sum())
        return self.anchor not in group, -len(group), -results, group

    def _fit(self, group: tuple[int, ...], by_model: bool) -> tuple[Floats, Floats, float]:
        terms = _terms(self.orders, group, self.ties)
        theta = _maximum(terms, 0.0)
        even = 1 / len(group)
        inverse = np.asarray(np.linalg.inv(terms.information(theta) + even) - even, np.float64)
        spread = inverse if by_model else self._sandwich(terms, theta, inverse)
        shift = np.eye(len(group))
        if self.anchor in group:
            shift[:, group.index(self.anchor)] -= 1
        return shift @ theta, shift @ spread @ shift.T, terms.value(theta)

    def _sandwich(self, terms: _Terms, theta: Floats, inverse: Floats) -> Floats:
        scores = terms.scores(theta)
        weights = np.array([order.weight for order in self.orders])
        alone = np.array([order.cluster is None for order in self.orders], dtype=np.bool_)
        scores[alone] /= np.sqrt(weights[alone])[:, None]
        ids = np.where(
            alone,
            len(self.orders) + np.arange(len(self.orders)),
            np.unique([order.cluster or 0 for order in self.orders], return_inverse=True)[1],
        )
        numbers, place = np.unique(ids, return_inverse=True)
        sums = np.zeros((len(numbers), len(theta)))
        np.add.at(sums, place.reshape(-1), scores)
        return np.asarray(inverse @ (sums.T @ sums) @ inverse)

    def _boards(self, chosen: Sequence[Order]) -> float:
        shared = {order.cluster for order in chosen if order.cluster is not None}
        return len(shared) + sum(order.weight for order in chosen if order.cluster is None)

    def _correction(self, group: tuple[int, ...]) -> float | None:
        if len(group) == 1:
            return 1.0
        inside = [order for order in self.orders if len(_within(order, group)) > 1]
        boards = self._boards(inside)
        return boards / (boards - len(group) + 1) if boards > len(group) - 1 else None

    def _freedom(self) -> tuple[float, ...]:
        freedom = []
        for entrant in range(self.size):
            played = [order for order in self.orders if _within(order, (entrant,))]
            freedom.append(self._boards(played) - 1)
        if self.anchor is not None:
            for entrant in self.groups[0]:
                freedom[entrant] = min(freedom[entrant], freedom[self.anchor])
            freedom[self.anchor] = math.inf
        return tuple(freedom)

    def _remark(self, entrant: int) -> str:
        main = self.groups[0]
        if not self.above[entrant].any() and not self.above[:, entrant].any():
            return "" if entrant == self.anchor else "no results"
        if entrant in main:
            return "" if len(main) > 1 else "no results that link it both ways"
        return (
            f"not comparable with {self.names[main[0]]}: no chain of finishes links the two both "
            f"ways; further tables of {self.names[entrant]} with {self.names[main[0]]} may"
        )

    def _bound(self, entrant: int, values: Sequence[float | None]) -> Estimate | None:
        main = {
            other: (values[other] or 0.0) / SCALE
            for other in self.groups[0]
            if values[other] is not None
        }
        if values[entrant] is not None:
            return None
        for sign in (1, -1):
            tables = self._swept(entrant, main, sign)
            if tables:
                return _one_sided(sign, tables)
        return None

    def _swept(
        self, entrant: int, main: dict[int, float], sign: int
    ) -> list[tuple[list[float], float]]:
        """The strengths beaten by (or above) the entrant by table; a board counts once.

        Who is always last is bounded by the table's weakest: being below it is the likeliest part
        of being last, so the bound is on the safe side.
        """
        swept: list[tuple[list[float], Order]] = []
        for order in self.orders:
            place = next((at for at, level in enumerate(order.levels) if entrant in level), None)
            if place is None:
                continue
            others = order.levels[place + 1 :] if sign > 0 else order.levels[:place]
            met = [main[other] for level in others for other in level if other in main]
            if met:
                swept.append((met if sign > 0 else [min(met)], order))
        seen = Counter(order.cluster for _, order in swept)
        return [
            (met, order.weight if order.cluster is None else 1 / seen[order.cluster])
            for met, order in swept
        ]


def _tidy(order: Order) -> Order:
    """Levels sorted within; an entrant in several seats counts with its best place."""
    seen: set[int] = set()
    levels = []
    for level in order.levels:
        fresh = tuple(sorted(set(level) - seen))
        seen.update(fresh)
        if fresh:
            levels.append(fresh)
    return Order(tuple(levels), order.cluster, order.weight)


def _precedence(order: Order) -> tuple[bool, int, tuple[tuple[int, ...], ...], float]:
    return order.cluster is None, order.cluster or 0, order.levels, order.weight


def _within(order: Order, group: Sequence[int]) -> list[tuple[int, ...]]:
    """The levels of those who are in the group."""
    levels = [tuple(entrant for entrant in level if entrant in group) for level in order.levels]
    return [level for level in levels if level]


def _terms(orders: Sequence[Order], group: Sequence[int], ties: Ties) -> _Terms:
    place = {entrant: at for at, entrant in enumerate(group)}
    members = set(group)
    sets: list[list[int]] = []
    weights: list[float] = []
    tables: list[int] = []
    gains = np.zeros((len(orders), len(group)))
    for table, order in enumerate(orders):
        levels = [
            [place[entrant] for entrant in level if entrant in members] for level in order.levels
        ]
        for at, level in enumerate(levels):
            below = [entrant for lower in levels[at + 1 :] for entrant in lower]
            for risk, weight in _risks(level, below, ties):
                sets.append(risk)
                weights.append(weight * order.weight)
                tables.append(table)
            if below or ties is not Ties.DROPPED:
                gains[table, level] += order.weight
    flags = np.zeros((len(sets), len(group)), dtype=np.bool_)
    for at, risk in enumerate(sets):
        flags[at, risk] = True
    return _Terms(gains.sum(axis=0), flags, np.array(weights), np.array(tables, int), gains)


def _risks(level: list[int], below: list[int], ties: Ties) -> list[tuple[list[int], float]]:
    """The sets from which those of a level came first, and how often each counts."""
    if ties is Ties.BRESLOW:
        return [(level + below, float(len(level)))] if level else []
    if ties is Ties.DROPPED:
        return [([one, *below], 1.0) for one in level] if below else []
    return [
        (list(chosen) + below, 1 / math.comb(len(level), size))
        for size in range(1, len(level) + 1)
        for chosen in combinations(level, size)
    ]


def _maximum(terms: _Terms, ridge: float) -> Floats:
    """Newton's method from equal strengths, halving steps that overshoot."""
    size = len(terms.gain)
    theta = np.zeros(size)
    hold = ridge * np.eye(size) if ridge else np.full((size, size), 1 / size)

    def value(at: Floats) -> float:
        return terms.value(at) - ridge * float(at @ at) / 2

    best = value(theta)
    for _ in range(200):
        slope = terms.gradient(theta) - ridge * theta
        step = np.linalg.solve(terms.information(theta) + hold, slope)
        while (found := value(theta + step)) < best - 1e-9 * abs(best):
            step = step / 2
        theta, best = theta + step, found
        if float(np.abs(step).max()) < 1e-12:
            break
    return theta if ridge else np.asarray(theta - theta.mean())


def _one_sided(sign: int, tables: Sequence[tuple[list[float], float]]) -> Estimate:
    """The rating at which such finishes are as rare as an interval's tail."""
    tail = math.log((1 - CONFIDENCE) / 2)
    sums = [(float(np.logaddexp.reduce(met)), units) for met, units in tables]

    def excess(strength: float) -> float:
        return (
            sum(-units * float(np.logaddexp(0.0, sign * (top - strength))) for top, units in sums)
            - tail
        )

    far = 20 - 2 * tail / sum(units for _, units in sums)
    low, high = min(top for top, _ in sums) - far, max(top for top, _ in sums) + far
    edge = rounded(SCALE * float(optimize.brentq(excess, low, high, xtol=1e-13)))
    if sign > 0:
        return Estimate(low=edge, remark="finished above all the rated: no upper bound")
    return Estimate(high=edge, remark="finished below all the rated: no lower bound")

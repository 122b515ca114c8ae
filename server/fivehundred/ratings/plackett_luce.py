"""Plackett–Luce strengths on the Elo scale, from the finishing orders of tables of several.

Formula: the chance of an order is the product over its places of ``strength / sum of the strengths
not yet placed`` (Plackett 1975); maximum likelihood by Newton's method, errors from the inverse
information or by the sandwich of the clusters' scores. For two it is Bradley–Terry.

A finite maximum exists only among entrants that have finished above one another by some chain both
ways (Hunter 2004); a group of them is fitted on the orders among its own, which is what the model
says of a part of a table.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations, permutations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse
from scipy.sparse import csgraph

from fivehundred.ratings import clusters
from fivehundred.ratings.bradley_terry import CENTRE, SCALE
from fivehundred.ratings.values import CONFIDENCE, Estimate, Strengths, matrix, rounded

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Scalar = TypeVar("Scalar", np.bool_, np.int64)


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
    is_open: bool = False
    """Whether those of the last level are merely beaten, and not level among themselves."""


@dataclass(frozen=True, slots=True, eq=False)
class OrderColumns:
    """Very many finishes of tables of one size, a row for each, as columns of `Order`."""

    entrants: Numbers
    """By table and place at it; all different."""
    level: Numbers
    """By table and place: the lower, the better; equal where they are level."""
    cluster: Numbers
    is_alone: Flags
    """Whether the result has no cluster."""
    weight: Floats
    is_open: Flags


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
    return fit_columns(columns(orders), names, anchor, ties)


def fit_columns(
    tables: Iterable[OrderColumns],
    names: Sequence[str],
    anchor: int | None = None,
    ties: Ties = Ties.SHARED,
) -> Ranks:
    """Fit the ratings of very many orders, given by the size of the table; the same as `fit`."""
    return _Field(tables, names, anchor, ties).ranks(by_model=False)


def columns(orders: Iterable[Order]) -> list[OrderColumns]:
    """The orders as columns; an entrant in several seats counts with its best place."""
    sizes: dict[int, list[Order]] = defaultdict(list)
    for order in map(_tidy, orders):
        sizes[sum(map(len, order.levels))].append(order)
    return [_columns(sizes[size]) for size in sorted(sizes)]


def fit_with_model_errors(
    orders: Iterable[Order],
    names: Sequence[str],
    anchor: int | None = None,
    ties: Ties = Ties.SHARED,
) -> Ranks:
    """The same; errors as if every order were independent and the model right."""
    return _Field(columns(orders), names, anchor, ties).ranks(by_model=True)


def fit_with_prior(
    orders: Iterable[Order],
    names: Sequence[str],
    deviation: float,
    ties: Ties = Ties.SHARED,
) -> Strengths:
    """Fit with a normal prior of so many Elo around 1500, for display; remarks name it.

    Everybody gets a rating, also those who never met. It is not the reference.
    """
    return _Field(columns(orders), names, None, ties).with_prior(deviation)


@dataclass(frozen=True, slots=True, eq=False)
class _Terms:
    """A log-likelihood: ``gain @ theta - sum(weight log(sum over a set of exp(theta)))``."""

    gains: sparse.csr_array
    """By order and entrant."""
    sets: sparse.csr_array
    """By set and entrant: 1 for those in it."""
    weight: Floats
    order: Numbers
    """By set, the place of its order among all."""

    @property
    def gain(self) -> Floats:
        """The gain of all orders."""
        return np.asarray(self.gains.sum(axis=0), dtype=np.float64)

    def value(self, theta: Floats) -> float:
        """The log-likelihood."""
        top = theta.max(initial=0.0)
        sums = np.exp(top) * (self.sets @ np.exp(theta - top))
        return float(self.gain @ theta - self.weight @ np.log(sums))

    def shares(self, theta: Floats) -> sparse.csr_array:
        """By set, each entrant's chance to be first of it."""
        parts = np.exp(theta - theta.max(initial=0.0))
        sums = np.repeat(self.sets @ parts, np.diff(self.sets.indptr))
        found = self.sets.copy()
        found.data = parts[found.indices] / sums
        return found

    def gradient(self, theta: Floats) -> Floats:
        """The slope of the log-likelihood."""
        return np.asarray(self.gain - self.shares(theta).T @ self.weight)

    def information(self, theta: Floats) -> Floats:
        """Minus its curvature."""
        shares = self.shares(theta)
        weighted = sparse.diags_array(self.weight) @ shares
        return np.asarray(np.diag(shares.T @ self.weight) - (shares.T @ weighted).toarray())

    def scores(self, theta: Floats) -> sparse.csr_array:
        """The slope by order."""
        by_order = sparse.coo_array(
            (self.weight, (self.order, np.arange(len(self.weight)))),
            shape=(self.gains.shape[0], len(self.weight)),
        ).tocsr()
        pulls = by_order @ self.shares(theta)
        return sparse.csr_array(self.gains - pulls)

    def telling(self) -> Flags:
        """By order, whether it says anything: a set of several is in it."""
        several = self.order[np.diff(self.sets.indptr) > 1]
        found = np.zeros(self.gains.shape[0], dtype=np.bool_)
        found[several] = True
        return found


class _Field:
    """All orders of a field, sorted, by the size of the table."""

    def __init__(
        self, tables: Iterable[OrderColumns], names: Sequence[str], anchor: int | None, ties: Ties
    ) -> None:
        self.tables = [_ordered(table) for table in tables]
        self.names, self.size, self.anchor, self.ties = names, len(names), anchor, ties
        none = np.zeros(0)
        self.weight = np.concatenate([none, *(table.weight for table in self.tables)])
        self.is_alone = _joined([table.is_alone for table in self.tables], np.bool_)
        self.cluster = clusters.numbered(
            self.is_alone, _joined([table.cluster for table in self.tables], np.int64)
        )
        self.above = np.zeros((self.size, self.size))
        for table in self.tables:
            self._count(table)
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
            terms = _terms(self.tables, group, self.size, self.ties)
            theta, part = self._fit(terms, group, by_model)
            likelihood += terms.value(theta)
            spread[np.ix_(group, group)] = SCALE**2 * part
            widening = 1.0 if by_model else self._correction(terms, group)
            for entrant, strength in zip(group, theta.tolist(), strict=True):
                values[entrant] = rounded(CENTRE + SCALE * strength)
                correction[entrant] = widening
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
        terms = _terms(self.tables, everybody, self.size, self.ties)
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

    def _count(self, table: OrderColumns) -> None:
        last = table.is_open & (self.ties is not Ties.DROPPED)
        for one, two in permutations(range(table.entrants.shape[1]), 2):
            first, second = table.level[:, one], table.level[:, two]
            is_beaten = last & (first == table.level.max(axis=1))
            share = 0.0 if self.ties is Ties.DROPPED else 0.5
            level = np.where(is_beaten, 0.0, share)
            points = np.where(first < second, 1.0, np.where(first == second, level, 0.0))
            pair = table.entrants[:, one], table.entrants[:, two]
            np.add.at(self.above, pair, table.weight * points)

    def _groups(self) -> tuple[tuple[int, ...], ...]:
        count, labels = csgraph.connected_components(
            self.above > 0, directed=True, connection="strong"
        )
        groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in range(count)]
        return tuple(sorted(groups, key=self._rank))

    def _rank(self, group: tuple[int, ...]) -> tuple[bool, int, float, tuple[int, ...]]:
        results = float(self.above[np.ix_(group, group)].sum())
        return self.anchor not in group, -len(group), -results, group

    def _fit(self, terms: _Terms, group: tuple[int, ...], by_model: bool) -> tuple[Floats, Floats]:
        theta = _maximum(terms, 0.0)
        even = 1 / len(group)
        inverse = np.asarray(np.linalg.inv(terms.information(theta) + even) - even, np.float64)
        spread = inverse if by_model else self._sandwich(terms, theta, inverse)
        shift = np.eye(len(group))
        if self.anchor in group:
            shift[:, group.index(self.anchor)] -= 1
        return shift @ theta, shift @ spread @ shift.T

    def _sandwich(self, terms: _Terms, theta: Floats, inverse: Floats) -> Floats:
        numbers, place = np.unique(self.cluster, return_inverse=True)
        share = np.where(self.is_alone, 1 / np.sqrt(self.weight), 1.0)
        by_cluster = sparse.coo_array(
            (share, (place, np.arange(len(place)))), shape=(len(numbers), len(place))
        ).tocsr()
        scores = by_cluster @ terms.scores(theta)
        return np.asarray(inverse @ (scores.T @ scores).toarray() @ inverse)

    def _correction(self, terms: _Terms, group: tuple[int, ...]) -> float | None:
        if len(group) == 1:
            return 1.0
        told, spent = terms.telling(), len(group) - 1
        boards = clusters.counted(self.cluster[told], self.is_alone[told], self.weight[told])
        return boards / (boards - spent) if boards > spent else None

    def _freedom(self) -> tuple[float, ...]:
        """One less than an entrant's boards; with an anchor no more than the anchor's."""
        seats = _joined(
            [np.full(len(table.weight), table.entrants.shape[1]) for table in self.tables], np.int64
        )
        played = clusters.by_entrant(
            _joined([table.entrants.ravel() for table in self.tables], np.int64),
            np.repeat(self.cluster, seats),
            np.repeat(self.is_alone, seats),
            np.repeat(self.weight, seats),
            self.size,
        )
        freedom = (played - 1).tolist()
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
        if values[entrant] is not None:
            return None
        main = np.full(self.size, np.nan)
        for other in self.groups[0]:
            if values[other] is not None:
                main[other] = (values[other] or 0.0) / SCALE
        for sign in (1, -1):
            tables = self._swept(entrant, main, sign)
            if tables:
                return _one_sided(sign, tables)
        return None

    def _swept(self, entrant: int, main: Floats, sign: int) -> list[tuple[list[float], float]]:
        """The strengths beaten by (or above) the entrant by table; a board counts once.

        Who is always last is bounded by the table's weakest: being below it is the likeliest part
        of being last, so the bound is on the safe side.
        """
        swept: list[tuple[list[float], int | None, float]] = []
        for table in self.tables:
            for at in np.flatnonzero((table.entrants == entrant).any(axis=1)).tolist():
                seats, level = table.entrants[at], table.level[at]
                own = level[seats == entrant][0]
                others = main[seats[level > own if sign > 0 else level < own]]
                met = others[~np.isnan(others)].tolist()
                cluster = None if table.is_alone[at] else int(table.cluster[at])
                if met:
                    told = met if sign > 0 else [min(met)]
                    swept.append((told, cluster, float(table.weight[at])))
        seen = Counter(cluster for _, cluster, _ in swept)
        return [
            (met, weight if cluster is None else 1 / seen[cluster])
            for met, cluster, weight in swept
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
    is_open = order.is_open and len(levels) > 1
    return replace(order, levels=tuple(levels), is_open=is_open)


def _columns(orders: Sequence[Order]) -> OrderColumns:
    size = sum(map(len, orders[0].levels))
    seats = [[entrant for level in order.levels for entrant in level] for order in orders]
    levels = [[at for at, level in enumerate(order.levels) for _ in level] for order in orders]
    return OrderColumns(
        entrants=np.array(seats, dtype=np.int64).reshape(-1, size),
        level=np.array(levels, dtype=np.int64).reshape(-1, size),
        cluster=np.array([order.cluster or 0 for order in orders], dtype=np.int64),
        is_alone=np.array([order.cluster is None for order in orders], dtype=np.bool_),
        weight=np.array([order.weight for order in orders], dtype=np.float64),
        is_open=np.array([order.is_open for order in orders], dtype=np.bool_),
    )


def _ordered(table: OrderColumns) -> OrderColumns:
    """Each table's best first, levels counted by who is better; the tables sorted."""
    by_level = np.lexsort((table.entrants, table.level), axis=1)
    seats = np.take_along_axis(table.entrants, by_level, axis=1)
    level = np.take_along_axis(table.level, by_level, axis=1)
    level = (level[:, None, :] < level[:, :, None]).sum(axis=2)
    cluster = np.where(table.is_alone, 0, table.cluster)
    keys = (table.is_open, table.weight, *level.T[::-1], *seats.T[::-1], cluster, table.is_alone)
    order = np.lexsort(keys)
    return OrderColumns(
        seats[order],
        level[order],
        cluster[order],
        table.is_alone[order],
        table.weight[order],
        table.is_open[order],
    )


def _joined(parts: Sequence[NDArray[Scalar]], kind: type[Scalar]) -> NDArray[Scalar]:
    return np.concatenate([np.zeros(0, dtype=kind), *parts])


class _Builder:
    """Collects the terms of orders."""

    def __init__(self) -> None:
        self.sets = 0
        self.gains: list[tuple[Floats, Numbers, Numbers]] = []
        self.parts: list[tuple[Numbers, Numbers]] = []
        self.weights: list[Floats] = []
        self.orders: list[Numbers] = []

    def add(
        self,
        orders: Numbers,
        weight: Floats,
        levels: Sequence[Numbers],
        last_is_open: bool,
        ties: Ties,
    ) -> None:
        """Adds orders that came out alike: by level, the entrants of each order in columns."""
        for at, level in enumerate(levels):
            is_last = at == len(levels) - 1
            if is_last and last_is_open:
                continue
            below = np.concatenate([level[:, :0], *levels[at + 1 :]], axis=1)
            if not is_last or ties is not Ties.DROPPED:
                size = level.shape[1]
                gain = np.repeat(weight, size), np.repeat(orders, size), level.ravel()
                self.gains.append(gain)
            places = list(range(level.shape[1]))
            for chosen, share in _risks(places, below.shape[1] > 0, ties):
                members = np.concatenate([level[:, chosen], below], axis=1)
                self._add_sets(orders, share * weight, members)

    def _add_sets(self, orders: Numbers, weight: Floats, members: Numbers) -> None:
        numbers = self.sets + np.arange(len(orders))
        self.sets += len(orders)
        self.parts.append((np.repeat(numbers, members.shape[1]), members.ravel()))
        self.weights.append(weight)
        self.orders.append(orders)

    def terms(self, orders: int, size: int) -> _Terms:
        """The terms of so many orders of a group of so many."""
        none = np.zeros(0, dtype=np.int64)
        gain = np.concatenate([np.zeros(0), *(part[0] for part in self.gains)])
        rows, seats = (np.concatenate([none, *(part[k] for part in self.gains)]) for k in (1, 2))
        sets, members = (np.concatenate([none, *(part[k] for part in self.parts)]) for k in (0, 1))
        return _Terms(
            gains=sparse.coo_array((gain, (rows, seats)), shape=(orders, size)).tocsr(),
            sets=sparse.coo_array(
                (np.ones(len(sets)), (sets, members)), shape=(self.sets, size)
            ).tocsr(),
            weight=np.concatenate([np.zeros(0), *self.weights]),
            order=np.concatenate([none, *self.orders]),
        )


def _terms(tables: Sequence[OrderColumns], group: Sequence[int], size: int, ties: Ties) -> _Terms:
    """The terms of the orders among a group."""
    place = np.full(size, -1, dtype=np.int64)
    place[list(group)] = np.arange(len(group))
    builder, seen = _Builder(), 0
    for table in tables:
        seats = place[table.entrants]
        last = table.level.max(axis=1, initial=0)
        pattern = np.where(seats < 0, -1, table.level)
        pattern = np.column_stack([pattern, np.where(table.is_open, last, -1)])
        kinds, kind, count = np.unique(pattern, axis=0, return_inverse=True, return_counts=True)
        alike = np.split(np.argsort(kind.reshape(-1), kind="stable"), np.cumsum(count)[:-1])
        for (*level, open_level), rows in zip(kinds.tolist(), alike, strict=True):
            told = sorted(set(level) - {-1})
            columns = [[k for k, own in enumerate(level) if own == each] for each in told]
            builder.add(
                seen + rows,
                table.weight[rows],
                [seats[rows][:, chosen] for chosen in columns],
                bool(told) and told[-1] == open_level,
                ties,
            )
        seen += len(seats)
    return builder.terms(seen, len(group))


def _risks(level: list[int], has_below: bool, ties: Ties) -> list[tuple[list[int], float]]:
    """Who of a level is in each set from which those of the level came first, and its weight."""
    if ties is Ties.BRESLOW:
        return [(level, float(len(level)))]
    if ties is Ties.DROPPED:
        return [([one], 1.0) for one in level] if has_below else []
    return [
        (list(chosen), 1 / math.comb(len(level), size))
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

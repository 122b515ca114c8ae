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
from itertools import permutations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse
from scipy.sparse import csgraph

from fivehundred.ratings import clusters
from fivehundred.ratings.bradley_terry import CENTRE, NO_LINK, NO_RESULTS, SCALE, listed
from fivehundred.ratings.finishing_orders import Floats, Order, OrderColumns, columns, ordered
from fivehundred.ratings.order_likelihood import Terms, Ties, maximum, terms_of
from fivehundred.ratings.values import CONFIDENCE, Estimate, Strengths, matrix, rounded

Scalar = TypeVar("Scalar", np.bool_, np.int64)


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


class _Field:
    """All orders of a field, sorted, by the size of the table."""

    def __init__(
        self, tables: Iterable[OrderColumns], names: Sequence[str], anchor: int | None, ties: Ties
    ) -> None:
        self.tables = [ordered(table) for table in tables]
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
            terms = terms_of(self.tables, group, self.size, self.ties)
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
            anchor=self.anchor,
        )
        bounds = tuple(self._bound(entrant, values) for entrant in range(self.size))
        return Ranks(strengths, bounds, likelihood)

    def with_prior(self, deviation: float) -> Strengths:
        """The most likely strengths under a normal prior."""
        everybody = tuple(range(self.size))
        ridge = (SCALE / deviation) ** 2
        terms = terms_of(self.tables, everybody, self.size, self.ties)
        theta = maximum(terms, ridge)
        spread = np.linalg.inv(terms.information(theta) + ridge * np.eye(self.size))
        return Strengths(
            groups=(everybody,),
            values=tuple(rounded(CENTRE + SCALE * strength) for strength in theta),
            covariance=matrix((SCALE**2 * spread).tolist()),
            correction=(1.0,) * self.size,
            freedom=(math.inf,) * self.size,
            remarks=(f"this is a rating with a prior of 1500 ± {deviation:g}",) * self.size,
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

    def _fit(self, terms: Terms, group: tuple[int, ...], by_model: bool) -> tuple[Floats, Floats]:
        theta = maximum(terms, 0.0)
        even = 1 / len(group)
        inverse = np.asarray(np.linalg.inv(terms.information(theta) + even) - even, np.float64)
        spread = inverse if by_model else self._sandwich(terms, theta, inverse)
        shift = np.eye(len(group))
        if self.anchor in group:
            shift[:, group.index(self.anchor)] -= 1
        return shift @ theta, shift @ spread @ shift.T

    def _sandwich(self, terms: Terms, theta: Floats, inverse: Floats) -> Floats:
        numbers, place = np.unique(self.cluster, return_inverse=True)
        share = np.where(self.is_alone, 1 / np.sqrt(self.weight), 1.0)
        by_cluster = sparse.coo_array(
            (share, (place, np.arange(len(place)))), shape=(len(numbers), len(place))
        ).tocsr()
        scores = by_cluster @ terms.scores(theta)
        return np.asarray(inverse @ (scores.T @ scores).toarray() @ inverse)

    def _correction(self, terms: Terms, group: tuple[int, ...]) -> float | None:
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
            return "" if entrant == self.anchor else NO_RESULTS
        if entrant in main:
            return "" if len(main) > 1 else NO_LINK
        return (
            f"{self.names[entrant]} is not comparable with {self.names[main[0]]}: no chain of "
            f"finishes links the two both ways; further tables of {self.names[entrant]} with "
            f"{self.names[main[0]]} may link them"
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
                return _bounded(sign, _edge(sign, tables), self._met(entrant, sign))
        return None

    def _met(self, entrant: int, sign: int) -> list[str]:
        """The rated below (or above) whom the entrant has finished."""
        above = self.above[entrant] if sign > 0 else self.above[:, entrant]
        return [self.names[other] for other in self.groups[0] if above[other] > 0]

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


def _joined(parts: Sequence[NDArray[Scalar]], kind: type[Scalar]) -> NDArray[Scalar]:
    return np.concatenate([np.zeros(0, dtype=kind), *parts])


def _edge(sign: int, tables: Sequence[tuple[list[float], float]]) -> float:
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
    return rounded(SCALE * float(optimize.brentq(excess, low, high, xtol=1e-13)))


def _bounded(sign: int, edge: float, rated: Sequence[str]) -> Estimate:
    met = listed(rated)
    if sign > 0:
        remark = f"there is no upper bound: it finished above all those with a rating ({met})"
        return Estimate(low=edge, remark=remark)
    remark = f"there is no lower bound: it finished below all those with a rating ({met})"
    return Estimate(high=edge, remark=remark)

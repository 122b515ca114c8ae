"""The likelihood of finishing orders under Plackett and Luce's model, and where it is greatest.

Formula: the chance of an order is the product over its places of ``strength / sum of the strengths
not yet placed`` (Plackett 1975). So its logarithm is linear in the strengths less the logarithms of
sums over sets, and those of all orders together are kept as one sparse array of sets.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

import numpy as np
from scipy import sparse

from fivehundred.ratings.finishing_orders import Flags, Floats, Numbers, OrderColumns


class Ties(Enum):
    """How entrants that finished level count."""

    SHARED = "shared"
    """The mean over all orders they could have finished in; for two, half a point each."""
    BRESLOW = "breslow"
    """As if each had finished above all that are level with it (Breslow 1974)."""
    DROPPED = "dropped"
    """Only against those below; nothing among themselves."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
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


def terms_of(tables: Sequence[OrderColumns], group: Sequence[int], size: int, ties: Ties) -> Terms:
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


def maximum(terms: Terms, ridge: float) -> Floats:
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

    def terms(self, orders: int, size: int) -> Terms:
        """The terms of so many orders of a group of so many."""
        none = np.zeros(0, dtype=np.int64)
        gain = np.concatenate([np.zeros(0), *(part[0] for part in self.gains)])
        rows, seats = (np.concatenate([none, *(part[k] for part in self.gains)]) for k in (1, 2))
        sets, members = (np.concatenate([none, *(part[k] for part in self.parts)]) for k in (0, 1))
        return Terms(
            gains=sparse.coo_array((gain, (rows, seats)), shape=(orders, size)).tocsr(),
            sets=sparse.coo_array(
                (np.ones(len(sets)), (sets, members)), shape=(self.sets, size)
            ).tocsr(),
            weight=np.concatenate([np.zeros(0), *self.weights]),
            order=np.concatenate([none, *self.orders]),
        )


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

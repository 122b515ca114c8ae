"""Finishing orders of tables of several, one by one or very many as columns."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


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


def columns(orders: Iterable[Order]) -> list[OrderColumns]:
    """The orders as columns; an entrant in several seats counts with its best place."""
    sizes: dict[int, list[Order]] = defaultdict(list)
    for order in map(_tidy, orders):
        sizes[sum(map(len, order.levels))].append(order)
    return [_columns(sizes[size]) for size in sorted(sizes)]


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


def ordered(table: OrderColumns) -> OrderColumns:
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

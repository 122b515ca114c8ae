"""Orders: in which order so many sit round a table, time after time, until each has sat so to each.

A match is played in all rotations of its order, so that everybody sits in every seat; what an order
adds is who sits how far to whose left.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations, product

Order = tuple[int, ...]


def orders(players: int) -> tuple[Order, ...]:
    """A cycle of orders after which everybody has sat equally often at each distance to everybody.

    One order for 2, two for 3, six for 4, four for 5, twenty for 6. Part of a cycle is out of
    balance by `imbalance`.
    """
    match players:
        case 2 | 3 | 5:
            return tuple(_multiplied(players, step) for step in range(1, players))
        case 4:
            return _evenly([(0, *rest) for rest in permutations(range(1, 4))])
        case 6:
            return _evenly(_projective())
        case _:
            raise ValueError(f"no table seats {players}: 2 to 6 are right")


def imbalance(players: int, seated: Sequence[Order]) -> int:
    """How much oftener one sits at a distance to another than some other pair at some distance."""
    counts = _distances(players, seated)
    times = [
        counts[one, other, distance]
        for one in range(players)
        for other in range(players)
        for distance in range(1, players)
        if one != other
    ]
    return max(times) - min(times)


def _multiplied(players: int, step: int) -> Order:
    return tuple(at * step % players for at in range(players))


def _projective() -> list[Order]:
    """The orders of six that PGL(2, 5) makes of one: it takes each three to each three once.

    Five points are the remainders of 5, the sixth is what 1 / 0 is. The order is the round that
    x to (x + 3) / (x + 1) goes through all six, so that its rotations are in the group as well.
    """
    circle = [0]
    while len(circle) < 6:
        circle.append(_mapped((1, 3, 1, 1), circle[-1]))
    maps = [at for at in product(range(5), repeat=4) if (at[0] * at[3] - at[1] * at[2]) % 5]
    seated = {tuple(_mapped(each, point) for point in circle) for each in maps}
    return sorted(order for order in seated if order[0] == 0)


def _mapped(by: tuple[int, ...], point: int) -> int:
    """Where x to (ax + b) / (cx + d) takes a point; 5 is 1 / 0."""
    a, b, c, d = by
    above, below = (a, c) if point == 5 else (a * point + b, c * point + d)
    return 5 if below % 5 == 0 else above * pow(below, -1, 5) % 5


def _evenly(candidates: Iterable[Order]) -> tuple[Order, ...]:
    """All of these, each time the one that has most to make good."""
    counts: Counter[tuple[int, int, int]] = Counter()
    left = {order: _distances(len(order), [order]) for order in candidates}
    chosen = []
    while left:
        best = min(left, key=lambda order: (_repeated(counts, left[order]), order))
        counts += left.pop(best)
        chosen.append(best)
    return tuple(chosen)


def _repeated(counts: Counter[tuple[int, int, int]], added: Counter[tuple[int, int, int]]) -> int:
    """How often what is to be added has been there."""
    return sum(counts[key] for key in added)


def _distances(players: int, seated: Sequence[Order]) -> Counter[tuple[int, int, int]]:
    """How often one sits so many seats to the left of another."""
    return Counter(
        (order[at], order[(at + distance) % players], distance)
        for order in seated
        for at in range(players)
        for distance in range(1, players)
    )

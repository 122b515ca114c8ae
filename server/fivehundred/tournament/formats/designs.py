"""Balanced designs: tables for a field that is larger than one, everybody with everybody.

The entrants stand in a circle, or all but one, who stands outside. A base
table, moved on round the whole circle, makes as many tables; in these, pairs at the same distance
on the circle meet equally often. So a design is balanced if its few base tables have each distance
equally often: as partners, as opponents, and at each distance of seats. They are looked for by
local search, seeded; how far from balanced the best that was found is, is a number.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import gcd, lcm

from fivehundred.tournament.formats.draws import Draws

Base = tuple[int, ...]
"""A base table: the places on the circle by slot; its length stands for the place outside."""
Class = tuple[int, int]
"""What is to be equal: the kind of the pair, and the pair's distance on the circle."""
OPPONENTS = 0
PARTNERS = 1
STEPS = 4000
"""Of one search, and as many more for each hundred base tables."""
TRIES = 6


@dataclass(frozen=True, slots=True)
class Shape:
    """The slots of a table; those of one side are partners. As many sides as slots: solo."""

    slots: int
    sides: int

    def kind(self, one: int, other: int) -> int:
        """Whether two slots are partners or opponents."""
        return PARTNERS if (one - other) % self.sides == 0 else OPPONENTS

    def pairs(self, kind: int) -> int:
        """How many pairs of a kind sit at a table."""
        pairs = combinations(range(self.slots), 2)
        return sum(self.kind(one, other) == kind for one, other in pairs)


@dataclass(frozen=True, slots=True)
class Circle:
    """Places for so many entrants, all in the circle or all but one, who stands outside."""

    entrants: int
    length: int
    """How many stand in the circle; one who is outside needs an odd number there."""

    @property
    def distances(self) -> range:
        """The distances of pairs; 0 is that to the one outside."""
        return range(self.length == self.entrants, self.length // 2 + 1)

    def distance(self, one: int, other: int) -> int:
        """The distance of two places."""
        if self.length in (one, other):
            return 0
        apart = (one - other) % self.length
        return min(apart, self.length - apart)

    def meetings(self, distance: int) -> int:
        """How often each pair at a distance meets that is once in a base table: opposites twice."""
        return 2 if 2 * distance == self.length else 1

    def direction(self, one: int, other: int) -> int:
        """How far on the other stands; below 0 where one of them is outside."""
        if self.length in (one, other):
            return -1 if one == self.length else -2
        return (other - one) % self.length

    @property
    def directions(self) -> list[int]:
        """All directions."""
        outside = [] if self.entrants == self.length else [-2, -1]
        return [*outside, *range(1, self.length)]

    def moved(self, base: Base, by: int) -> Base:
        """The table so many places on."""
        return tuple(at if at == self.length else (at + by) % self.length for at in base)


def bases_needed(shape: Shape, circle: Circle) -> int:
    """The fewest base tables in which, as far as numbers go, all distances can be equally often.

    With one outside, he has to come to as many tables as everybody else.
    """
    if circle.length < circle.entrants:
        return circle.entrants // gcd(circle.entrants, shape.slots)
    pairs = circle.length - 1 if circle.length % 2 == 0 else (circle.length - 1) // 2
    return lcm(*(pairs // gcd(pairs, shape.pairs(kind)) for kind in (OPPONENTS, PARTNERS)))


def circle_for(shape: Shape, entrants: int) -> Circle:
    """The circle with which a cycle is shorter."""
    lengths = [entrants] if entrants % 2 else [entrants - 1, entrants]
    circles = [Circle(entrants, length) for length in lengths]
    return min(circles, key=lambda circle: circle.length * bases_needed(shape, circle))


class Design:
    """Base tables, cycle after cycle; each cycle also makes good what those before lack."""

    def __init__(self, shape: Shape, entrants: int, seed: int) -> None:
        self.shape = shape
        self.circle = circle_for(shape, entrants)
        self.length = bases_needed(shape, self.circle)
        """How many base tables a cycle has."""
        pairs = combinations(range(shape.slots), 2)
        self._pairs = [(one, other, shape.kind(one, other)) for one, other in pairs]
        self._seed = seed
        self._cycles: list[list[Base]] = []
        self._met: Counter[Class] = Counter()
        self._seated: Counter[Class] = Counter()

    def cycle(self, number: int) -> list[Base]:
        """The base tables of a cycle."""
        while len(self._cycles) <= number:
            self._cycles.append(self._find(len(self._cycles)))
        return self._cycles[number]

    def partner_imbalance(self) -> int:
        """How much oftener some pair are partners than another, over the cycles found so far."""
        return self._spread(PARTNERS, self._met) if self.shape.pairs(PARTNERS) else 0

    def opponent_imbalance(self) -> int:
        """How much oftener some pair are opponents than another, over the cycles found so far."""
        return self._spread(OPPONENTS, self._met)

    def seat_imbalance(self) -> int:
        """How much oftener one sits at some distance to another, in all rotations; solo tables."""
        return max(self._seated.values()) - min(self._seated.values()) if self._seated else 0

    def _spread(self, kind: int, met: Counter[Class]) -> int:
        times = [met[kind, distance] for distance in self.circle.distances]
        return max(times) - min(times)

    def _find(self, number: int) -> list[Base]:
        draws = Draws(self._seed, number)
        found = [self._try(draws)]
        while self._faults(found[-1]) > (0, 0) and len(found) < TRIES:
            found.append(self._try(draws))
        best = min(found, key=self._faults)
        for base in best:
            self._met.update(self._meetings(base))
        return self._seat(best, draws) if self.shape.sides == self.shape.slots > 3 else best

    def _faults(self, bases: Sequence[Base]) -> tuple[int, int]:
        """The imbalances with these base tables added, partners first."""
        met = self._met.copy()
        for base in bases:
            met.update(self._meetings(base))
        return self._spread(PARTNERS, met), self._spread(OPPONENTS, met)

    def _try(self, draws: Draws) -> list[Base]:
        """Base tables at random, bettered until they are balanced or the steps are used up."""
        places = range(self.circle.entrants)
        bases = [draws.sample(places, self.shape.slots) for _ in range(self.length)]
        climb = _Climb(self._met, map(self._meetings, bases), self._weights.__getitem__)
        for _ in range(STEPS + STEPS * self.length // 100):
            if climb.has_gained and self._faults(bases) == (0, 0):
                break
            at = draws.below(len(bases))
            changed = self._changed(bases[at], draws)
            if climb.replace(at, self._meetings(changed)):
                bases[at] = changed
        return bases

    def _changed(self, base: Base, draws: Draws) -> Base:
        """A base table with another at one slot, who goes where he comes from if he sat there."""
        slot, new = draws.below(len(base)), draws.below(self.circle.entrants)
        old = base[slot]
        return tuple(new if at == old else old if at == new else at for at in base)

    def _seat(self, bases: Sequence[Base], draws: Draws) -> list[Base]:
        """Orders the tables so that everybody sits equally often at each distance to everybody."""
        seated = list(bases)
        climb = _Climb(self._seated, map(self._seats, bases), lambda _: 1)
        for _ in range(STEPS):
            at = draws.below(len(seated))
            changed = list(seated[at])
            one, other = draws.sample(range(len(changed)), 2)
            changed[one], changed[other] = changed[other], changed[one]
            if climb.replace(at, self._seats(changed)):
                seated[at] = tuple(changed)
        for direction in self.circle.directions:
            self._seated.update({(away, direction): 0 for away in range(1, self.shape.slots)})
        for base in seated:
            self._seated.update(self._seats(base))
        return seated

    @cached_property
    def _weights(self) -> dict[Class, int]:
        """The weights of counts: there are half as many pairs of opposites; partners go first."""
        return {
            (kind, distance): weight // self.circle.meetings(distance)
            for kind, weight in ((OPPONENTS, 2), (PARTNERS, 8))
            for distance in self.circle.distances
        }

    def _meetings(self, base: Base) -> Iterator[Class]:
        for one, other, kind in self._pairs:
            distance = self.circle.distance(base[one], base[other])
            yield kind, distance
            if self.circle.meetings(distance) == 2:
                yield kind, distance

    def _seats(self, base: Sequence[int]) -> Iterator[Class]:
        for one, first in enumerate(base):
            for away in range(1, len(base)):
                other = base[(one + away) % len(base)]
                yield away, self.circle.direction(first, other)


class _Climb:
    """Counts that are to become equal: the sum of their weighted squares never grows."""

    def __init__(
        self,
        before: Counter[Class],
        added: Iterable[Iterable[Class]],
        weight: Callable[[Class], int],
    ) -> None:
        self._counts = before.copy()
        self._added = [list(each) for each in added]
        self._weight = weight
        self.has_gained = True
        """Whether the last change has made it smaller."""
        for each in self._added:
            self._counts.update(each)

    def replace(self, at: int, new: Iterable[Class]) -> bool:
        """Replaces what one has added, unless that makes it less equal; whether it did."""
        old, put = self._added[at], list(new)
        change = sum(self._step(each, -1) for each in old) + sum(
            self._step(each, 1) for each in put
        )
        self.has_gained = change < 0
        if change > 0:
            self._counts.subtract(put)
            self._counts.update(old)
            return False
        self._added[at] = put
        return True

    def _step(self, at: Class, by: int) -> int:
        """Counts one more or less; by how much the squares grow."""
        count = self._counts[at]
        self._counts[at] = count + by
        return self._weight(at) * (2 * by * count + 1)

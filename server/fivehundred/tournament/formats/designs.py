"""Balanced designs: tables for a field that is larger than one, everybody with everybody.

The entrants stand in a circle, or all but one, who stands outside. A base
table, moved on round the whole circle, makes as many tables; in these, pairs at the same distance
on the circle meet equally often. So a design is balanced if its few base tables have each distance
equally often: as partners, as opponents, and at each distance of seats. They are looked for by
local search, seeded; how far from balanced the best that was found is, is a number.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd, lcm

from fivehundred.tournament.formats.draws import Draws

Base = tuple[int, ...]
"""A base table: the places on the circle by slot; its length stands for the place outside."""
Counts = list[int]
"""Classes of what is to be equal, as numbers, or how often each has come."""
OPPONENTS = 0
PARTNERS = 1
STEPS = 4000
"""Of one search, and as many more for each hundred base tables."""
TRIES = 6
DIFFERENT = 16
"""So many cycles are looked for; then the same ones come again."""


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

    def meetings(self, distance: int) -> int:
        """How often each pair at a distance meets that is once in a base table: opposites twice."""
        return 2 if 2 * distance == self.length else 1

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
    """Base tables, cycle after cycle; each also makes good what those before lack.

    After `DIFFERENT` cycles the same ones come again.
    """

    def __init__(self, shape: Shape, entrants: int, seed: int) -> None:
        self.shape = shape
        self.circle = circle_for(shape, entrants)
        self.length = bases_needed(shape, self.circle)
        """How many base tables a cycle has."""
        self._classes = _Classes(shape, self.circle)
        self._seed = seed
        self._none = _Cycle([], self._classes.none_met, self._classes.none_seated)
        self._cycles: dict[int, _Cycle] = {}

    def cycle(self, number: int) -> list[Base]:
        """The base tables of a cycle.

        Searches of several threads find the same, so that they need not wait for each other.
        """
        at = number % DIFFERENT
        for each in range(at + 1):
            if each not in self._cycles:
                self._cycles[each] = self._find(each, self._before(each))
        return self._cycles[at].bases

    def partner_imbalance(self, cycles: int) -> int:
        """How much oftener some pair are partners than another, over so many cycles."""
        return self._classes.spread(PARTNERS, self._over(cycles, lambda each: each.met))

    def opponent_imbalance(self, cycles: int) -> int:
        """How much oftener some pair are opponents than another, over so many cycles."""
        return self._classes.spread(OPPONENTS, self._over(cycles, lambda each: each.met))

    def seat_imbalance(self, cycles: int) -> int:
        """How much oftener one sits at some distance to another, in all rotations; solo tables."""
        return self._classes.seat_spread(self._over(cycles, lambda each: each.seated))

    def _over(self, cycles: int, counts: Callable[["_Cycle"], Counts]) -> Counts:
        """The counts over so many cycles."""
        self.cycle(min(cycles, DIFFERENT) - 1)
        again, rest = divmod(cycles, DIFFERENT)
        part = counts(self._before(rest))
        if not again:
            return part
        whole = counts(self._before(DIFFERENT))
        return [again * each + more for each, more in zip(whole, part, strict=True)]

    def _before(self, cycle: int) -> "_Cycle":
        return self._cycles[cycle - 1] if cycle else self._none

    def _find(self, number: int, before: "_Cycle") -> "_Cycle":
        draws = Draws(self._seed, number)
        found = [self._try(before, draws)]
        while found[-1].faults > (0, 0) and len(found) < TRIES:
            found.append(self._try(before, draws))
        best = min(found, key=lambda each: each.faults)
        if self.shape.sides == self.shape.slots > 3:
            return self._seat(best, before, draws)
        return _Cycle(best.bases, best.met, before.seated)

    def _try(self, before: "_Cycle", draws: Draws) -> "_Found":
        """Base tables at random, bettered until they are balanced or the steps are used up."""
        places, meetings = range(self.circle.entrants), self._classes.meetings
        bases = [draws.sample(places, self.shape.slots) for _ in range(self.length)]
        climb = _Climb(before.met, map(meetings, bases), self._classes.weights)
        for _ in range(STEPS + STEPS * self.length // 100):
            if climb.has_gained and self._classes.faults(climb.counts) == (0, 0):
                break
            at = draws.below(len(bases))
            changed = self._changed(bases[at], draws)
            if climb.replace(at, meetings(changed)):
                bases[at] = changed
        return _Found(bases, climb.counts, self._classes.faults(climb.counts))

    def _changed(self, base: Base, draws: Draws) -> Base:
        """A base table with another at one slot, who goes where he comes from if he sat there."""
        slot, new = draws.below(len(base)), draws.below(self.circle.entrants)
        old = base[slot]
        return tuple(new if at == old else old if at == new else at for at in base)

    def _seat(self, found: "_Found", before: "_Cycle", draws: Draws) -> "_Cycle":
        """Orders the tables so that everybody sits equally often at each distance to everybody."""
        seated, seats = list(found.bases), self._classes.seats
        climb = _Climb(before.seated, map(seats, seated), [1] * len(before.seated))
        for _ in range(STEPS):
            at = draws.below(len(seated))
            changed = list(seated[at])
            one, other = draws.sample(range(len(changed)), 2)
            changed[one], changed[other] = changed[other], changed[one]
            if climb.replace(at, seats(changed)):
                seated[at] = tuple(changed)
        return _Cycle(seated, found.met, climb.counts)


@dataclass(frozen=True, slots=True)
class _Cycle:
    """The base tables of a cycle; who has met and sat with it and those before."""

    bases: list[Base]
    met: Counts
    seated: Counts


@dataclass(frozen=True, slots=True)
class _Found:
    """Base tables, what has met with them and before, and the imbalances of that."""

    bases: list[Base]
    met: Counts
    faults: tuple[int, int]


class _Classes:
    """What is to be equal, as numbers: the kind of a pair, and its distance on the circle."""

    def __init__(self, shape: Shape, circle: Circle) -> None:
        self._circle = circle
        self._length = length = circle.length
        self._half = length // 2 if length % 2 == 0 else 0
        """The distance of opposites, of which there are half as many; 0 for none."""
        self._kinds = length // 2 + 1
        pairs = combinations(range(shape.slots), 2)
        self._pairs = [(one, other, self._kinds * shape.kind(one, other)) for one, other in pairs]
        self._away = [
            (one, (one + away) % shape.slots, away * (length + 2))
            for one in range(shape.slots)
            for away in range(1, shape.slots)
        ]
        self._apart = [min(at, length - at) for at in range(length)]
        self.none_met: Counts = [0] * (2 * self._kinds)
        self.none_seated: Counts = [0] * (shape.slots * (length + 2))
        self.weights = [
            weight // circle.meetings(distance)
            for weight in (2, 8)
            for distance in range(self._kinds)
        ]
        """Of the counts: there are half as many pairs of opposites; partners go first."""

    def meetings(self, base: Base) -> Counts:
        """The classes that meet at a table, opposites twice."""
        length, apart, half, met = self._length, self._apart, self._half, []
        for one, other, kind in self._pairs:
            first, second = base[one], base[other]
            is_outside = length in (first, second)
            distance = 0 if is_outside else apart[(first - second) % length]
            met.append(kind + distance)
            if distance == half > 0:
                met.append(kind + distance)
        return met

    def seats(self, base: Sequence[int]) -> Counts:
        """The classes of who sits how far from whom; those with the one outside come first."""
        length, seated = self._length, []
        for one, other, away in self._away:
            first, second = base[one], base[other]
            if first == length:
                seated.append(away)
            else:
                seated.append(
                    away + 1 if second == length else away + 1 + (second - first) % length
                )
        return seated

    def faults(self, met: Counts) -> tuple[int, int]:
        """The imbalances, partners first."""
        return self.spread(PARTNERS, met), self.spread(OPPONENTS, met)

    def spread(self, kind: int, met: Counts) -> int:
        """How much oftener some pair of a kind meet than another."""
        distances = self._circle.distances
        times = met[kind * self._kinds + distances.start : kind * self._kinds + distances.stop]
        return max(times) - min(times)

    def seat_spread(self, seated: Counts) -> int:
        """The same of seats; 0 where none have been ordered."""
        first = 2 if self._circle.entrants == self._length else 0
        width = self._length + 2
        times = [
            seated[away * width + at]
            for away in range(1, len(seated) // width)
            for at in range(first, width)
            if at != 1 + self._length
        ]
        return max(times) - min(times)


class _Climb:
    """Counts that are to become equal: the sum of their weighted squares never grows."""

    def __init__(self, before: Counts, added: Iterable[Counts], weights: Sequence[int]) -> None:
        self.counts = list(before)
        self._added = list(added)
        self._weights = weights
        self.has_gained = True
        """Whether the last change has made it smaller."""
        for each in self._added:
            for at in each:
                self.counts[at] += 1

    def replace(self, at: int, new: Counts) -> bool:
        """Replaces what one has added, unless that makes it less equal; whether it did."""
        old, counts, weights, change = self._added[at], self.counts, self._weights, 0
        for each in old:
            change += weights[each] * (1 - 2 * counts[each])
            counts[each] -= 1
        for each in new:
            change += weights[each] * (1 + 2 * counts[each])
            counts[each] += 1
        self.has_gained = change < 0
        if change > 0:
            for each in new:
                counts[each] -= 1
            for each in old:
                counts[each] += 1
            return False
        self._added[at] = new
        return True

"""Courses: how the matches of a format may go, before the first is played.

Where outcomes decide who meets whom, the pure format is played with equal entrants and seeded
chance, a few times over.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fivehundred.tournament.formats.draws import Draws
from fivehundred.tournament.formats.values import Format, Outcome, Pairing, outcome

RUNS = 60
"""How often a small event is played to see how it goes."""
PLAYED = 40_000
"""About so many entrants times matches are played in all."""


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """One way that an event may go: how often each table meets, by round where that matters."""

    tables: Counter[tuple[int, tuple[int, ...]]]
    """By round, 0 for all alike, and the entrants by slot, sorted where they have no partners."""
    matches: int
    waves: int
    """How many matches one after the other, with so many at once as there are tables."""

    def times(self, factor: float) -> "Course":
        """The course of an event so many times as long, in which the same tables meet again."""
        tables = Counter({table: round(count * factor) for table, count in self.tables.items()})
        return Course(tables, round(self.matches * factor), round(self.waves * factor))


def courses(
    make: Callable[[], Format], entrants: int, at_once: int, *, by_round: bool, teams: int = 0
) -> tuple[Course, ...]:
    """How the matches may go: the one course of a fixed format, or several of an open one.

    ``teams`` is the number of sides where partners are different bots.
    """
    first = make()
    note = _Note(by_round=by_round, teams=teams)
    if _is_fixed(first):
        total = first.total
        assert total is not None
        return (note.course(_pairings(first, total), -(-total // at_once)),)
    runs = max(1, min(RUNS, PLAYED // max(1, entrants * max(1, first.size.least))))
    return tuple(_played(make(), note, at_once, seed) for seed in range(runs))


def beside(made: Format, at_once: int) -> float:
    """How many matches are under way at once, on the average, where as many as tables may be."""
    if _is_fixed(made):
        total = made.total or 1
        return total / -(-total // at_once)
    course = _played(made, _Note(by_round=False, teams=0), at_once, 0)
    return course.matches / max(1, course.waves)


def longest(make: Callable[[], Format], at_once: int, ways: Sequence[Course]) -> int:
    """How many matches one after the other, at most, given the ways that chance has found.

    Where outcomes decide how many there are, every match is tied as well; matches that there may
    be and that were not played are taken one by one.
    """
    first = make()
    most = first.size.most
    if most is None or first.size.least == most:
        return max(course.waves for course in ways)
    trials = [*ways, _played(first, _Note(by_round=False, teams=0), at_once, None)]
    fullest = max(trials, key=lambda course: course.matches)
    left = max(0, most - fullest.matches)
    return max(fullest.waves + left, *(course.waves for course in trials))


def between_two(matches: int, at_once: int) -> Course:
    """The course of so many matches between two."""
    return Course(Counter({(0, (0, 1)): matches}), matches, -(-matches // at_once))


def match_sizes(ways: Sequence[Course]) -> Counter[int]:
    """How many matches there are, over all ways, by the number of entrants in each."""
    slots: Counter[int] = Counter()
    for course in ways:
        for (_, table), matches in course.tables.items():
            slots[len(table)] += matches
    return slots


class _Note:
    """Notes who meets whom."""

    def __init__(self, *, by_round: bool, teams: int) -> None:
        self._by_round = by_round
        self._teams = teams

    def course(self, pairings: Iterator[Pairing], waves: int) -> Course:
        """The course of the pairings."""
        tables = Counter(map(self._key, pairings))
        return Course(tables, tables.total(), waves)

    def _key(self, pairing: Pairing) -> tuple[int, tuple[int, ...]]:
        table = pairing.entrants
        if len(table) <= self._teams or not self._teams:
            table = tuple(sorted(table))
        return pairing.round if self._by_round else 0, table


def _is_fixed(made: Format) -> bool:
    """Whether all pairings are known before the first outcome."""
    total = made.total
    return total is not None and (total == 0 or made.pairing(total - 1) is not None)


def _pairings(made: Format, total: int) -> Iterator[Pairing]:
    for number in range(total):
        pairing = made.pairing(number)
        assert pairing is not None
        yield pairing


def _played(made: Format, note: _Note, at_once: int, seed: int | None) -> Course:
    draws = None if seed is None else Draws(seed)
    pairings: list[Pairing] = []
    waves = 0
    while wave := _wave(made, at_once):
        waves += 1
        pairings += wave
        for pairing in wave:
            made.record(_by_chance(pairing, draws))
    return note.course(iter(pairings), waves)


def _wave(made: Format, at_once: int) -> list[Pairing]:
    wave: list[Pairing] = []
    while len(wave) < at_once and (pairing := made.next()) is not None:
        wave.append(pairing)
    return wave


def _by_chance(pairing: Pairing, draws: Draws | None) -> Outcome:
    """An outcome between equals; a tie where there are no draws."""
    slots = range(len(pairing.entrants))
    if draws is None:
        return outcome(pairing.number, [0.0 for _ in slots])
    return outcome(pairing.number, [float(draws.below(1 << 30)) for _ in slots])

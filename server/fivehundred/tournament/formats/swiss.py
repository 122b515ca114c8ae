"""Swiss tournaments: so many rounds, in each of which entrants of like scores meet."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum

from fivehundred.tournament.formats.matching import Graph, Matching
from fivehundred.tournament.formats.ordered import Meeting, Ordered
from fivehundred.tournament.formats.values import Outcome, Pairing, Size, entrants_of

BYE_SCORE = 1.0
"""What the entrant scores who has the bye: a match won, without points."""


class Swiss(Ordered):
    """Pairs score groups, the upper half with the lower; nobody twice, no second bye.

    Entrants are numbered by their seeds, the best first. Of an odd group, one who has floated
    least floats down and meets there one who has floated up least. A pair is made only where all
    the others still find opponents whom they have not met (an exact search for a perfect
    matching), so that a rematch comes only in a round that has no pairing without one, and then
    between those who have met least. In the first ``entrants / 2`` rounds there is always one
    without (Dirac's theorem). The ranking is by score, the sum of the opponents' scores
    (Buchholz; a bye counts as an opponent with the own score), points, seed.
    """

    def __init__(self, entrants: int, rounds: int) -> None:
        super().__init__()
        self._entrants = entrants
        self._rounds = rounds
        self._records = [_Record() for _ in range(entrants)]
        self._waiting = 0
        """How many matches of the round have no outcome."""
        self._round = -1
        self._bye_of: list[int | None] = []
        """By round."""

    @property
    def size(self) -> Size:
        """Half as many matches as entrants in each round."""
        matches = self._rounds * (self._entrants // 2)
        return Size(matches, matches, matches)

    def ranking(self) -> tuple[int, ...]:
        """By score, Buchholz, points, seed."""
        self._begin()
        return tuple(sorted(range(self._entrants), key=self._rank))

    def score(self, entrant: int) -> float:
        """What an entrant has scored, byes among it."""
        self._begin()
        return self._records[entrant].score

    def buchholz(self, entrant: int) -> float:
        """The sum of the scores of an entrant's opponents."""
        self._begin()
        record = self._records[entrant]
        met = (self._records[other].score * times for other, times in record.met.items())
        return fsum(met) + record.byes * record.score

    def byes(self, entrant: int) -> int:
        """How many byes an entrant has had."""
        self._begin()
        return self._records[entrant].byes

    @property
    def bye_of_round(self) -> tuple[int | None, ...]:
        """Of each round that has been paired, who has its bye."""
        self._begin()
        return tuple(self._bye_of)

    def _rank(self, entrant: int) -> tuple[float, float, float, int]:
        record = self._records[entrant]
        return -record.score, -self.buchholz(entrant), -record.points, entrant

    def _first(self) -> Iterable[Meeting]:
        return self._next_round()

    def _take(self, pairing: Pairing, known: Outcome) -> Iterable[Meeting]:
        for slot, entrant in enumerate(pairing.entrants):
            self._records[entrant].score += known.scores[slot]
            self._records[entrant].points += known.points[slot]
        self._waiting -= 1
        return [] if self._waiting else self._next_round()

    def _next_round(self) -> list[Meeting]:
        self._round += 1
        if self._round == self._rounds:
            return []
        pairs = _Round(self._records).pairs()
        for one, other in pairs:
            self._note(one, other)
        self._bye_of.append(next((one for one, other in pairs if other is None), None))
        self._waiting = sum(other is not None for _, other in pairs)
        return [self._meeting(one, other) for one, other in pairs if other is not None]

    def _note(self, one: int, other: int | None) -> None:
        """Notes who meets whom, and who floats."""
        first = self._records[one]
        if other is None:
            first.byes += 1
            first.score += BYE_SCORE
            return
        second = self._records[other]
        first.met[other] += 1
        second.met[one] += 1
        if first.score != second.score:
            high, low = (first, second) if first.score > second.score else (second, first)
            high.floats_down += 1
            low.floats_up += 1

    def _meeting(self, one: int, other: int) -> Meeting:
        """The meeting, first named who has been so less often."""
        first, second = sorted((one, other), key=lambda at: (self._records[at].named_first, at))
        self._records[first].named_first += 1
        return Meeting(self._round, (first, second))


def swiss(entrants: int, rounds: int) -> Swiss:
    """The Swiss tournament of so many entrants, numbered by their seeds."""
    if entrants < 2:
        raise ValueError(f"{entrants_of(entrants)} cannot meet anybody: 2 or more are right")
    most = entrants - 1 + entrants % 2
    if not 1 <= rounds <= most:
        raise ValueError(
            f"{entrants} entrants cannot play {rounds} rounds without meeting twice:"
            f" 1 to {most} are right"
        )
    return Swiss(entrants, rounds)


@dataclass(slots=True, init=False)
class _Record:
    """What one entrant has done."""

    score: float
    points: float
    byes: int
    floats_down: int
    floats_up: int
    named_first: int
    met: Counter[int]

    def __init__(self) -> None:
        self.score = self.points = 0.0
        self.byes = self.floats_down = self.floats_up = self.named_first = 0
        self.met = Counter()


class _Round:
    """The pairing of one round. The bye is one vertex more, joined to those who had none."""

    def __init__(self, records: Sequence[_Record]) -> None:
        self._records = records
        self._bye = len(records) if len(records) % 2 else None
        self._left = set(range(len(records)))
        self._pairs: list[tuple[int, int | None]] = []

    def pairs(self) -> list[tuple[int, int | None]]:
        """Who meets whom, best score group first; the bye, if there is one, with None."""
        if self._bye is not None:
            lowest_first = sorted(self._left, key=lambda at: (self._records[at].score, -at))
            self._pair_first(self._bye, lowest_first)
        floated: list[int] = []
        groups: dict[float, list[int]] = {}
        for at in sorted(self._left):
            groups.setdefault(self._records[at].score, []).append(at)
        for score in sorted(groups, reverse=True):
            floated = self._pair_group(floated, groups[score])
        for one in sorted(self._left):
            if one in self._left:
                self._pair_first(one, self._by_nearness(one))
        return self._pairs

    def _pair_group(self, floated: Sequence[int], group: Sequence[int]) -> list[int]:
        """Pairs those who have floated here, then the group; gives those who float on."""
        on = [one for one in floated if not self._pair_floated(one, [*group, *floated])]
        rest = [at for at in group if at in self._left]
        if len(rest) % 2:
            down = min(rest, key=lambda at: (self._records[at].floats_down, -at))
            rest.remove(down)
            on.append(down)
        half = len(rest) // 2
        for at, one in enumerate(rest):
            if one in self._left and not self._pair_first(one, _fold(rest, at, half)):
                on.append(one)
        return [one for one in on if one in self._left]

    def _pair_floated(self, one: int, group: Iterable[int]) -> bool:
        """Pairs one who has floated down with one who has floated up least; whether it could."""
        if one not in self._left:
            return True
        others = sorted(group, key=lambda at: (self._records[at].floats_up, at))
        return self._pair_first(one, others)

    def _by_nearness(self, one: int) -> list[int]:
        """Who is left, by how near their scores are."""
        own = self._records[one].score
        return sorted(self._left, key=lambda at: (abs(self._records[at].score - own), at))

    def _pair_first(self, one: int, others: Iterable[int]) -> bool:
        """Pairs one with the first who leaves everybody else an opponent; whether there is one."""
        for other in others:
            is_free = other in self._left and other != one
            if is_free and self._matching.may_take(one, other):
                self._left -= {one, other}
                self._pairs.append((other, None) if one == self._bye else (one, other))
                return True
        return False

    @cached_property
    def _matching(self) -> Matching:
        """A pairing of all in which pairs have never met, or as seldom as there is one."""
        most = 0
        while not (matching := Matching(self._graph(most))).complete():
            most += 1
        return matching

    def _graph(self, most: int) -> Graph:
        """Joins those who have met no more often, and the bye to those who have had none."""
        everybody = list(range(len(self._records) + (self._bye is not None)))
        graph = [self._others(one, everybody, most) for one in range(len(self._records))]
        if self._bye is not None:
            graph.append([at for at, record in enumerate(self._records) if record.byes == 0])
        return graph

    def _others(self, one: int, everybody: list[int], most: int) -> list[int]:
        """Everybody without the few whom one cannot meet."""
        record, others = self._records[one], everybody.copy()
        without = [other for other, times in record.met.items() if times > most]
        if self._bye is not None and record.byes:
            without.append(self._bye)
        for other in sorted([one, *without], reverse=True):
            del others[other]
        return others


def _fold(group: Sequence[int], at: int, half: int) -> Iterator[int]:
    """The opponents of one of a group, best first: half the group below, then who is nearest."""
    ideal = at + half if at < half else at - half
    yield group[ideal]
    for away in range(1, len(group)):
        for place in (ideal - away, ideal + away):
            if 0 <= place < len(group) and place != at:
                yield group[place]

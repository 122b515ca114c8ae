"""Brackets: series whose winners and losers go on to other series, until there are none left."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from heapq import heappop, heappush

from fivehundred.tournament.formats.ordered import Meeting, Ordered
from fivehundred.tournament.formats.values import Outcome, Pairing, Size


@dataclass(frozen=True, slots=True)
class Seed:
    """A place that is filled from the start; None for a bye."""

    entrant: int | None


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The place of a series' winner."""

    series: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The place of a series' loser."""

    series: int


Source = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class Series:
    """Who meets in a bracket's series; sources name earlier series."""

    round: int
    first: Source
    second: Source
    decides: int | None = None
    """Is a deciding series: played only if the first of that other series has lost it."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long a series is: the best of so many, ties played on with so many matches at most.

    Then the points of the series decide, then the better seed: copies of one bot tie for ever.
    """

    best_of: int
    extra: int

    def __post_init__(self) -> None:
        if self.best_of < 1 or self.best_of % 2 == 0:
            raise ValueError(f"the best of {self.best_of} may have no winner: an odd number has")
        if self.extra < 0:
            raise ValueError(f"{self.extra} matches cannot be played on: 0 or more are right")

    @property
    def wins(self) -> int:
        """How many wins decide."""
        return self.best_of // 2 + 1

    @property
    def most(self) -> int:
        """How many matches there are at most."""
        return self.best_of + self.extra


class Branch(Enum):
    """Whose series it is."""

    WINNERS = "winners"
    """Of those who have not lost."""
    LOSERS = "losers"
    """Of those who have lost once."""
    FINAL = "final"
    """Of the last of both."""


class Decided(Enum):
    """What has decided a series."""

    WINS = "wins"
    PLAYED_ON = "played on"
    """Wins, in the matches that a tie was played on with."""
    POINTS = "points"
    SEED = "seed"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class SeriesView:
    """How a series stands; ``entrants`` are none until both are known, one where he has a bye."""

    round: int
    branch: Branch
    entrants: tuple[int, ...]
    matches: tuple[int, ...] = ()
    """The numbers of those that have been made."""
    wins: tuple[int, int] = (0, 0)
    winner: int | None = None
    decided: Decided | None = None
    """None while it is open."""


@dataclass(slots=True)
class _State:
    """How one series stands."""

    entrants: tuple[int, int] | None = None
    made: int = 0
    taken: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    points: list[float] = field(default_factory=lambda: [0.0, 0.0])
    winner: int | None = None
    loser: int | None = None
    is_decided: bool = False


class Bracket(Ordered):
    """Plays a bracket out. Entrants are numbered by their seeds, the best first."""

    def __init__(
        self, entrants: int, bracket: Sequence[Series], length: Length, size: Size
    ) -> None:
        super().__init__()
        self._entrants = entrants
        self._bracket = bracket
        self._length = length
        self._size = size
        self._states = [_State() for _ in bracket]
        self._series_of: list[int] = []
        """The series of each match, by its number."""
        self._lost_in: dict[int, int] = {}
        """The last series that each entrant has lost."""
        self._goes_on: set[int] = set()
        """The series whose losers go on."""
        self._after: list[list[int]] = [[] for _ in bracket]
        """Of each series, those that it decides entrants of."""
        for number, source in _sources(bracket):
            self._after[source.series].append(number)
            if isinstance(source, LoserOf):
                self._goes_on.add(source.series)

    @property
    def size(self) -> Size:
        """How many matches there are, as far as that is known before the first."""
        return self._size

    @property
    def series(self) -> tuple[SeriesView, ...]:
        """All series, as they stand; a deciding one that is not needed has no entrants."""
        self._begin()
        matches: dict[int, list[int]] = {}
        for match, series in enumerate(self._series_of):
            matches.setdefault(series, []).append(match)
        return tuple(
            self._view(number, branch, tuple(matches.get(number, ())))
            for number, branch in enumerate(_branches(self._bracket))
        )

    def ranking(self) -> tuple[int, ...]:
        """Who is still in, then by the round of the last series lost, then by seed."""
        return tuple(sorted(range(self._entrants), key=self._rank))

    def _first(self) -> Iterable[Meeting]:
        return self._open(range(len(self._bracket)))

    def _take(self, pairing: Pairing, known: Outcome) -> Iterable[Meeting]:
        series = self._series_of[pairing.number]
        state = self._states[series]
        slots = (0, 1) if pairing.entrants == state.entrants else (1, 0)
        state.taken += 1
        for place, slot in enumerate(slots):
            state.points[place] += known.points[slot]
            state.wins[place] += known.scores[slot] > known.scores[1 - slot]
        if self._has_ended(state):
            self._decide(series, _first_wins(state))
            return self._open(self._after[series])
        return self._play_on(series)

    def _view(self, number: int, branch: Branch, matches: tuple[int, ...]) -> SeriesView:
        series, state = self._bracket[number], self._states[number]
        if state.entrants is None:
            alone = state.winner is not None and state.loser is None
            entrants = (state.winner,) if alone and state.winner is not None else ()
            decided = Decided.BYE if entrants else None
            return SeriesView(series.round, branch, entrants, (), (0, 0), state.winner, decided)
        return SeriesView(
            round=series.round,
            branch=branch,
            entrants=state.entrants,
            matches=matches,
            wins=(state.wins[0], state.wins[1]),
            winner=state.winner,
            decided=self._decided(state) if state.is_decided else None,
        )

    def _decided(self, state: _State) -> Decided:
        if state.wins[0] != state.wins[1]:
            return Decided.WINS if state.taken <= self._length.best_of else Decided.PLAYED_ON
        return Decided.SEED if state.points[0] == state.points[1] else Decided.POINTS

    def _open(self, numbers: Iterable[int]) -> list[Meeting]:
        """Starts those of the series whose entrants have become known, and what follows from byes.

        In the order of their numbers: a series comes after those that its entrants come from.
        """
        meetings: list[Meeting] = []
        left = sorted(numbers)
        while left:
            number = heappop(left)
            state = self._states[number]
            is_open = not state.is_decided and state.entrants is None
            if is_open and self._is_known(self._bracket[number]):
                meetings += self._start(number)
                if state.is_decided:
                    for after in self._after[number]:
                        heappush(left, after)
        return meetings

    def _start(self, number: int) -> list[Meeting]:
        series, state = self._bracket[number], self._states[number]
        first, second = self._entrant(series.first), self._entrant(series.second)
        if self._is_idle(series) or first is None or second is None:
            present, absent = (second, first) if first is None else (first, second)
            state.winner, state.loser, state.is_decided = present, absent, True
            return []
        state.entrants = (first, second)
        return self._play_on(number)

    def _play_on(self, number: int) -> list[Meeting]:
        """The matches that a series needs in any case."""
        state, length = self._states[number], self._length
        assert state.entrants is not None
        needed = state.taken + length.wins - max(state.wins)
        meetings = []
        while state.made < min(needed, length.most):
            turn = state.made % 2
            self._series_of.append(number)
            entrants = state.entrants[::-1] if turn else state.entrants
            meetings.append(Meeting(self._bracket[number].round, entrants))
            state.made += 1
        return meetings

    def _has_ended(self, state: _State) -> bool:
        return max(state.wins) >= self._length.wins or state.taken == self._length.most

    def _decide(self, number: int, first_wins: bool) -> None:
        state = self._states[number]
        assert state.entrants is not None
        first, second = state.entrants
        state.winner, state.loser = (first, second) if first_wins else (second, first)
        state.is_decided = True
        self._lost_in[state.loser] = number

    def _is_known(self, series: Series) -> bool:
        return all(self._is_settled(source) for source in (series.first, series.second))

    def _is_settled(self, source: Source) -> bool:
        return isinstance(source, Seed) or self._states[source.series].is_decided

    def _entrant(self, source: Source) -> int | None:
        match source:
            case Seed(entrant):
                return entrant
            case WinnerOf(series):
                return self._states[series].winner
            case LoserOf(series):
                return self._states[series].loser

    def _is_idle(self, series: Series) -> bool:
        """Whether a deciding series is not needed, the first having won."""
        if series.decides is None:
            return False
        before = self._states[series.decides]
        assert before.entrants is not None
        return before.winner == before.entrants[0]

    def _rank(self, entrant: int) -> tuple[bool, bool, int, int]:
        last = self._lost_in.get(entrant, -1)
        is_out = self._is_out(entrant)
        order = -self._bracket[last].round if is_out else last + 1
        return entrant != self._champion(), is_out, order, entrant

    def _champion(self) -> int | None:
        return self._states[-1].winner

    def _is_out(self, entrant: int) -> bool:
        """Whether an entrant has lost its last series and goes on to none."""
        if entrant not in self._lost_in:
            return False
        return self._champion() is not None or self._lost_in[entrant] not in self._goes_on


def seed_order(entrants: int) -> list[int | None]:
    """The seeds in the order of a bracket of a power of two; the best meet last, have the byes."""
    order = [0]
    while len(order) < entrants:
        full = 2 * len(order)
        order = [seed for one in order for seed in (one, full - 1 - one)]
    return [seed if seed < entrants else None for seed in order]


def neighbours(sources: Sequence[Source]) -> Iterator[tuple[Source, Source]]:
    """Those who stand side by side, two by two."""
    return zip(sources[::2], sources[1::2], strict=True)


def _first_wins(state: _State) -> bool:
    """Whether the first of a series that has ended wins it: by wins, points, seed."""
    assert state.entrants is not None
    first = (state.wins[0], state.points[0], -state.entrants[0])
    return first > (state.wins[1], state.points[1], -state.entrants[1])


def _sources(bracket: Sequence[Series]) -> Iterator[tuple[int, WinnerOf | LoserOf]]:
    """Of each series the places that are filled by others."""
    for number, series in enumerate(bracket):
        for source in (series.first, series.second):
            if not isinstance(source, Seed):
                yield number, source


def _branches(bracket: Sequence[Series]) -> list[Branch]:
    """Of each series, by its sources."""
    known: list[Branch] = []
    for series in bracket:
        sources = series.first, series.second
        has_lost = [isinstance(each, LoserOf) or _is_of(each, known) for each in sources]
        if series.decides is not None:
            known.append(Branch.FINAL)
        elif not any(has_lost):
            known.append(Branch.WINNERS)
        else:
            unbeaten = (each for each, lost in zip(sources, has_lost, strict=True) if not lost)
            is_final = any(isinstance(each, WinnerOf) for each in unbeaten)
            known.append(Branch.FINAL if is_final else Branch.LOSERS)
    return known


def _is_of(source: Source, known: Sequence[Branch]) -> bool:
    """Whether a place is filled by somebody who has lost before."""
    return isinstance(source, WinnerOf) and known[source.series] is Branch.LOSERS

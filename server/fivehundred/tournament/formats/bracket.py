"""Brackets: series whose winners and losers go on to other series, until there are none left."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

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
        self._make(self._open())

    @property
    def size(self) -> Size:
        """How many matches there are, as far as that is known before the first."""
        return self._size

    def ranking(self) -> tuple[int, ...]:
        """Who is still in, then by the round of the last series lost, then by seed."""
        return tuple(sorted(range(self._entrants), key=self._rank))

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
            return self._open()
        return self._play_on(series)

    def _open(self) -> list[Meeting]:
        """Settles what byes settle, and starts every series whose entrants have become known."""
        meetings: list[Meeting] = []
        for number, series in enumerate(self._bracket):
            state = self._states[number]
            if not state.is_decided and state.entrants is None and self._is_known(series):
                meetings += self._start(number)
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
        goes_on = LoserOf(self._lost_in[entrant])
        later = (series for series in self._bracket if goes_on in (series.first, series.second))
        return self._champion() is not None or not any(later)


def seed_order(entrants: int) -> list[int | None]:
    """The seeds in the order of a bracket of a power of two; the best meet last, have the byes."""
    order = [0]
    while len(order) < entrants:
        full = 2 * len(order)
        order = [seed for one in order for seed in (one, full - 1 - one)]
    return [seed if seed < entrants else None for seed in order]


def pairwise(sources: Sequence[Source]) -> Iterator[tuple[Source, Source]]:
    """Neighbours, two by two."""
    return zip(sources[::2], sources[1::2], strict=True)


def _first_wins(state: _State) -> bool:
    """Whether the first of a series that has ended wins it: by wins, points, seed."""
    assert state.entrants is not None
    first = (state.wins[0], state.points[0], -state.entrants[0])
    return first > (state.wins[1], state.points[1], -state.entrants[1])

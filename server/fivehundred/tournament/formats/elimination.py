"""Eliminations: who loses one series, or two, is out."""

from collections.abc import Iterator, Sequence
from math import ceil, comb

from fivehundred.tournament.formats.bracket import (
    Bracket,
    Length,
    LoserOf,
    Seed,
    Series,
    Source,
    WinnerOf,
    neighbours,
    seed_order,
)
from fivehundred.tournament.formats.values import Size, entrants_of


def single_elimination(entrants: int, *, best_of: int = 1, extra: int = 10) -> Bracket:
    """Who loses one series is out. Entrants are numbered by their seeds, the best first.

    Where the field is no power of two, the best have byes in the first round. A series that its
    matches leave tied is played on with up to ``extra`` matches more.
    """
    _check(entrants)
    length = Length(best_of, extra)
    bracket = _Drawn()
    bracket.winners(entrants)
    series = entrants - 1
    return Bracket(entrants, bracket.series, length, _size(length, series, series, series))


def double_elimination(entrants: int, *, best_of: int = 1, extra: int = 10) -> Bracket:
    """Who loses two series is out. The losers of the winners' bracket go on in the losers'.

    The two who are left meet; if the one who has not lost before loses, they meet once more.
    """
    _check(entrants)
    length = Length(best_of, extra)
    bracket = _Drawn()
    rounds = bracket.winners(entrants)
    final = bracket.losers(rounds)
    bracket.series.append(Series(bracket.round, WinnerOf(final), LoserOf(final), decides=final))
    least = 2 * entrants - 2
    size = _size(length, least, least + 0.5, least + 1)
    return Bracket(entrants, bracket.series, length, size)


class _Drawn:
    """A bracket that is being drawn."""

    def __init__(self) -> None:
        self.series: list[Series] = []
        self.round = 0

    def winners(self, entrants: int) -> list[list[int]]:
        """Draws the rounds of those who have not lost; the series of each."""
        sources: list[Source] = [Seed(seed) for seed in seed_order(entrants)]
        rounds = []
        while len(sources) > 1:
            drawn = self._draw(neighbours(sources))
            rounds.append(drawn)
            sources = [WinnerOf(series) for series in drawn]
        return rounds

    def losers(self, rounds: Sequence[Sequence[int]]) -> int:
        """Draws the rounds of those who have lost once, and the final; its number.

        Those who come down do so in turned order, so that they meet again late.
        """
        alive: list[Source] = [LoserOf(series) for series in rounds[0]]
        for turn, drawn in enumerate(rounds[1:]):
            alive = self._winners_of(neighbours(alive))
            down = _turned([LoserOf(series) for series in drawn], turn)
            alive = self._winners_of(zip(down, alive, strict=True))
        (final,) = self._draw([(WinnerOf(rounds[-1][0]), alive[0])])
        return final

    def _winners_of(self, pairs: Iterator[tuple[Source, Source]]) -> list[Source]:
        return [WinnerOf(series) for series in self._draw(pairs)]

    def _draw(
        self, pairs: Iterator[tuple[Source, Source]] | Sequence[tuple[Source, Source]]
    ) -> list[int]:
        """Draws one round; the numbers of its series."""
        start = len(self.series)
        self.series += [Series(self.round, first, second) for first, second in pairs]
        self.round += 1
        return list(range(start, len(self.series)))


def _turned(sources: Sequence[Source], turn: int) -> list[Source]:
    """The order in which losers come down: reversed, or half a turn on, by rounds."""
    if turn % 2 == 0:
        return list(reversed(sources))
    half = len(sources) // 2
    return [*sources[half:], *sources[:half]]


def _check(entrants: int) -> None:
    if entrants < 2:
        raise ValueError(f"{entrants_of(entrants)} cannot meet anybody: 2 or more are right")


def _size(length: Length, least: int, expected: float, most: int) -> Size:
    """The size of so many series; expected between equals who do not tie."""
    mean = sum(_chance(length.wins, played) * played for played in _lengths(length))
    return Size(least * length.wins, ceil(expected * mean - 1e-9), most * length.most)


def _lengths(length: Length) -> range:
    return range(length.wins, length.best_of + 1)


def _chance(wins: int, played: int) -> float:
    """The chance that a series between equals is decided by just that match."""
    return float(2 * comb(played - 1, wins - 1) / 2**played)

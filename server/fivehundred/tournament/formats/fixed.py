"""Formats whose matches are known beforehand, whatever their outcomes."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Protocol, runtime_checkable

from fivehundred.tournament.formats.values import (
    Outcome,
    Pairing,
    Size,
    check_slots,
    kept_outcome,
)


class Pairings(Protocol):
    """Matches by number."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> Pairing: ...


@runtime_checkable
class Found(Protocol):
    """Pairings that follow from a search."""

    def find(self) -> None:
        """Searches, once."""


class Fixed:
    """Hands out a sequence of pairings, in its order."""

    def __init__(self, pairings: Pairings, entrants: int) -> None:
        self._pairings = pairings
        self._entrants = entrants
        self._outcomes: dict[int, Outcome] = {}
        self._at = 0

    @property
    def total(self) -> int:
        """How many matches there are."""
        return len(self._pairings)

    @property
    def size(self) -> Size:
        """How many matches there are."""
        return Size(self.total, self.total, self.total)

    @property
    def is_over(self) -> bool:
        """Whether every match has been played."""
        return len(self._outcomes) == self.total

    def next(self) -> Pairing | None:
        """The next match that has no outcome."""
        while self._at < self.total and self._at in self._outcomes:
            self._at += 1
        if self._at == self.total:
            return None
        self._at += 1
        return self._pairings[self._at - 1]

    def pairing(self, number: int) -> Pairing | None:
        """The match of a number; None where it is none."""
        return self._pairings[number] if 0 <= number < self.total else None

    def record(self, outcome: Outcome) -> None:
        """Takes a match's outcome."""
        if outcome.number >= self.total:
            raise ValueError(f"there are {self.total} matches, no number {outcome.number}")
        if outcome.number >= 0:
            check_slots(self._pairings[outcome.number], outcome)
        kept_outcome(self._outcomes, outcome)

    def find(self) -> None:
        """Finds what the pairings follow from, where that is a search of seconds."""
        if isinstance(self._pairings, Found):
            self._pairings.find()

    def ranking(self) -> tuple[int, ...]:
        """By score a match, then points a match, then seed."""
        played = [(self._pairings[number], known) for number, known in self._outcomes.items()]
        return ranked_by_means(self._entrants, played)


def ranked_by_means(entrants: int, played: Iterable[tuple[Pairing, Outcome]]) -> tuple[int, ...]:
    """The entrants by score a match, then points a match, then seed."""
    scores: list[list[float]] = [[] for _ in range(entrants)]
    points: list[list[float]] = [[] for _ in range(entrants)]
    for pairing, known in played:
        for slot, entrant in enumerate(pairing.entrants):
            scores[entrant].append(known.scores[slot])
            points[entrant].append(known.points[slot])
    means = [(_mean(scores[entrant]), _mean(points[entrant])) for entrant in range(entrants)]
    return tuple(sorted(range(entrants), key=lambda at: (-means[at][0], -means[at][1], at)))


def _mean(values: Sequence[float]) -> float:
    """The mean, the same in any order of the values; 0 of none."""
    return fsum(values) / len(values) if values else 0.0

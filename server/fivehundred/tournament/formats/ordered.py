"""Formats whose matches depend on outcomes: these take effect in the order of their numbers."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fivehundred.tournament.formats.values import (
    Outcome,
    Pairing,
    Size,
    check_slots,
    kept_outcome,
)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match that has no number yet."""

    round: int
    entrants: tuple[int, ...]


class Ordered(ABC):
    """Numbers meetings as they are made, and holds outcomes until all before them have come.

    A subclass makes meetings at the start and after each outcome; as outcomes reach it in the
    order of their numbers, what it makes depends on nothing else. The first are made when they are
    asked for: to say how large a format is takes no matches.
    """

    def __init__(self) -> None:
        self._has_begun = False
        self._outcomes: dict[int, Outcome] = {}
        self._made: list[Pairing] = []
        self._at = 0
        self._taken = 0
        """How many outcomes have taken effect: those of the numbers below."""

    @property
    @abstractmethod
    def size(self) -> Size:
        """How many matches there are, as far as that is known before the first."""

    @abstractmethod
    def ranking(self) -> tuple[int, ...]:
        """The entrants, best first."""

    @property
    def total(self) -> int | None:
        """How many matches there are in all; None while that is open."""
        size = self.size
        if size.least == size.most:
            return size.most
        return len(self._made) if self.is_over else None

    @property
    def is_over(self) -> bool:
        """Whether every match has been played, and none will be added."""
        return self._taken == len(self._made) and self._taken > 0

    def next(self) -> Pairing | None:
        """The next match that has no outcome, where one is known."""
        self._begin()
        while self._at < len(self._made) and self._made[self._at].number in self._outcomes:
            self._at += 1
        if self._at == len(self._made):
            return None
        self._at += 1
        return self._made[self._at - 1]

    def pairing(self, number: int) -> Pairing | None:
        """The match of a number; None where it has not been made."""
        self._begin()
        return self._made[number] if 0 <= number < len(self._made) else None

    def record(self, outcome: Outcome) -> None:
        """Takes a match's outcome; it takes effect once all before it are there."""
        self._begin()
        if 0 <= outcome.number < len(self._made):
            check_slots(self._made[outcome.number], outcome)
        most = self.size.most
        if most is not None and outcome.number >= most:
            raise ValueError(f"there are {most} matches at most, no number {outcome.number}")
        if kept_outcome(self._outcomes, outcome):
            self._take_all()

    @abstractmethod
    def _first(self) -> Iterable[Meeting]:
        """The meetings that follow from no outcome, each numbered before the next is asked for."""

    @abstractmethod
    def _take(self, pairing: Pairing, known: Outcome) -> Iterable[Meeting]:
        """Lets an outcome take effect; the meetings that follow from it."""

    @property
    def _pairings(self) -> Sequence[Pairing]:
        """All that have been made."""
        self._begin()
        return self._made

    def _begin(self) -> None:
        """Makes the first matches, once."""
        if not self._has_begun:
            self._has_begun = True
            self._make(self._first())

    def _make(self, meetings: Iterable[Meeting]) -> None:
        """Numbers meetings."""
        for meeting in meetings:
            self._made.append(Pairing(len(self._made), meeting.round, meeting.entrants))

    def _take_all(self) -> None:
        while self._taken < len(self._made) and self._taken in self._outcomes:
            pairing, known = self._made[self._taken], self._outcomes[self._taken]
            check_slots(pairing, known)
            self._taken += 1
            self._make(self._take(pairing, known))

"""Stages: one format after another, the ranking of each seeding the next."""

from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

from fivehundred.tournament.formats.fixed import Fixed
from fivehundred.tournament.formats.values import (
    Format,
    Outcome,
    Pairing,
    Size,
    entrants_of,
    kept_outcome,
)

Make = Callable[[int], Format]
"""Makes the format of so many entrants, numbered by their seeds."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A format, and how many of those who come into it: the best of the stage before."""

    make: Make
    entrants: int


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage that has begun; its format knows entrants by their seeds in it, matches from 0."""

    format: Format
    entrants: tuple[int, ...]
    """By seed."""
    first: int
    """The number of its first match in all."""


class Stages:
    """Plays stages in turn; their matches are numbered through, rounds count from 0 in each."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = stages
        self._formats = [stage.make(stage.entrants) for stage in stages]
        _check_ends(self._formats)
        self._size = reduce(Size.then, [each.size for each in self._formats])
        self._outcomes: dict[int, Outcome] = {}
        self._seeds = [tuple(range(stages[0].entrants))]
        """The entrants who have come into each stage so far, in the order of their seeds in it."""
        self._behind: tuple[int, ...] = ()
        """Those who have not, best first."""
        self._at = 0
        self._offsets = [0]
        """The number of the first match of each stage so far."""

    def find(self) -> None:
        """Finds what the pairings of stages follow from, where that is a search of seconds."""
        for each in self._formats:
            if isinstance(each, Fixed):
                each.find()

    @property
    def begun(self) -> tuple[StageView, ...]:
        """The stages so far, to be read only."""
        parts = zip(self._formats, self._seeds, self._offsets, strict=False)
        return tuple(StageView(*part) for part in parts)

    @property
    def total(self) -> int | None:
        """How many matches there are in all; None while that is open."""
        totals = [each.total for each in self._formats[self._at :]]
        known = [total for total in totals if total is not None]
        return self._offset + sum(known) if len(known) == len(totals) else None

    @property
    def size(self) -> Size:
        """How many matches there are, as far as that is known before the first."""
        return self._size

    @property
    def is_over(self) -> bool:
        """Whether the last stage is."""
        return self._at == len(self._stages) - 1 and self._format.is_over

    def next(self) -> Pairing | None:
        """The next match of the stage that is played."""
        pairing = self._format.next()
        return None if pairing is None else self._numbered_through(self._at, pairing)

    def pairing(self, number: int) -> Pairing | None:
        """The match of a number; None where it has not been made."""
        if number < 0:
            return None
        stage = bisect(self._offsets, number) - 1
        pairing = self._formats[stage].pairing(number - self._offsets[stage])
        return None if pairing is None else self._numbered_through(stage, pairing)

    def record(self, outcome: Outcome) -> None:
        """Takes a match's outcome; those of later stages are held."""
        if outcome.number >= self._offset:
            self._record_here(outcome)
        kept_outcome(self._outcomes, outcome)
        while self._format.is_over and self._at < len(self._stages) - 1:
            self._go_on()

    def ranking(self) -> tuple[int, ...]:
        """Who has come into the stage, as ranked there; then who has not, as ranked before."""
        seeds = self._seeds[-1]
        return tuple(seeds[seed] for seed in self._format.ranking()) + self._behind

    @property
    def _format(self) -> Format:
        return self._formats[self._at]

    @property
    def _offset(self) -> int:
        return self._offsets[-1]

    def _numbered_through(self, stage: int, pairing: Pairing) -> Pairing:
        """A stage's match with its number in all, and the entrants themselves."""
        seeds = self._seeds[stage]
        entrants = tuple(seeds[seed] for seed in pairing.entrants)
        return Pairing(self._offsets[stage] + pairing.number, pairing.round, entrants)

    def _record_here(self, known: Outcome) -> None:
        """Passes an outcome to the stage that is played, if it may be one of its own."""
        number, most = known.number - self._offset, self._format.size.most
        if most is None or number < most:
            self._format.record(replace(known, number=number))

    def _go_on(self) -> None:
        """Goes on to the next stage, with what is held for it."""
        ranking, total = self.ranking(), self._format.total
        assert total is not None
        self._at += 1
        self._offsets.append(self._offset + total)
        coming = self._stages[self._at].entrants
        self._seeds.append(ranking[:coming])
        self._behind = ranking[coming:]
        for number in sorted(number for number in self._outcomes if number >= self._offset):
            self._record_here(self._outcomes[number])


def stages(parts: Sequence[Stage]) -> Stages:
    """The stages, in their order."""
    if not parts:
        raise ValueError("no stages play nothing: 1 or more are right")
    for before, after in pairwise(parts):
        if not 2 <= after.entrants <= before.entrants:
            raise ValueError(
                f"{entrants_of(after.entrants)} cannot come out of a stage of {before.entrants}:"
                f" 2 to {before.entrants} are right"
            )
    return Stages(parts)


def _check_ends(formats: Sequence[Format]) -> None:
    for number, each in enumerate(formats[:-1]):
        if each.size.most is None:
            raise ValueError(f"stage {number} has no end: only the last may be open-ended")

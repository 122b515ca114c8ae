"""What the formats have in common: pairings out, outcomes in, and how many matches there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match: its number from 0, its round, and its entrants by slot, first-named first."""

    number: int
    round: int
    entrants: tuple[int, ...]

    def teams(self, sides: int) -> tuple[tuple[int, ...], ...]:
        """The entrants of each side, where every seat has its own: slots count round the table."""
        return tuple(self.entrants[side::sides] for side in range(sides))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match has ended: what it is worth to each slot (1 won, ½ tied, 0 lost), and points."""

    number: int
    scores: tuple[float, ...]
    points: tuple[float, ...]
    shares: tuple[float, ...] = ()
    """What part of its hands or games each slot has won, ties shared; empty where not known."""

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.points) or len(self.scores) < 2:
            raise ValueError(
                f"match {self.number} has {len(self.scores)} scores and {len(self.points)} points:"
                " both need one for each slot, of two or more"
            )


def outcome(number: int, points: Sequence[float]) -> Outcome:
    """The outcome in which a slot scores the share of the others that it has beaten, ties half."""
    others = max(1, len(points) - 1)
    scores = tuple((_beaten(own, points) - 0.5) / others for own in points)
    return Outcome(number, scores, tuple(points))


@dataclass(frozen=True, slots=True)
class Size:
    """How many matches there will be: at least, with equal entrants, and at most.

    ``expected`` is None where it cannot be said, ``most`` where there is no end.
    """

    least: int
    expected: int | None
    most: int | None

    def then(self, other: "Size") -> "Size":
        """The size of both, one after the other."""
        return Size(
            self.least + other.least,
            _sum(self.expected, other.expected),
            _sum(self.most, other.most),
        )


class Format(Protocol):
    """Hands out pairings and takes outcomes, in whatever order they come.

    Which matches there are, and their numbers, depends on the entrants, the parameters and the
    outcomes alone, never on when these arrive. A tournament is therefore resumed by recording
    what the log holds; those matches are not handed out again.
    """

    @property
    def total(self) -> int | None:
        """How many matches there are in all; None while that is open."""

    @property
    def size(self) -> Size:
        """How many matches there are, as far as that is known before the first."""

    @property
    def is_over(self) -> bool:
        """Whether every match has been played, and none will be added."""

    def next(self) -> Pairing | None:
        """The next match to play; None where none can be handed out now."""

    def pairing(self, number: int) -> Pairing | None:
        """The match of a number, played or not; None where it is not known, or is none."""

    def record(self, outcome: Outcome) -> None:
        """Takes a match's outcome; the same one again changes nothing, another is refused."""

    def ranking(self) -> tuple[int, ...]:
        """The entrants, best first, as the outcomes stand; equals in the order of their seeds."""


def kept_outcome(known: dict[int, Outcome], new: Outcome) -> bool:
    """Keeps an outcome; whether it was new. A second, different one is refused."""
    if new.number < 0:
        raise ValueError(f"there is no match {new.number}: numbers count from 0")
    kept = known.setdefault(new.number, new)
    if kept is not new and kept != new:
        raise ValueError(f"match {new.number} has ended before, and otherwise: {kept}, not {new}")
    return kept is new


def entrants_of(count: int) -> str:
    """So many entrants in words."""
    return "1 entrant" if count == 1 else f"{count} entrants"


def check_slots(pairing: Pairing, known: Outcome) -> None:
    """Refuses an outcome that has not one score for each entrant of its match."""
    if len(known.scores) != len(pairing.entrants):
        raise ValueError(
            f"match {pairing.number} has {len(pairing.entrants)} slots, not {len(known.scores)}"
        )


def _beaten(own: float, points: Sequence[float]) -> float:
    """How many of the points are beaten, ties (and itself) counting half."""
    return sum(1.0 if own > other else 0.5 if own == other else 0.0 for other in points)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other

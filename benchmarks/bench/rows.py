"""A row of the suite: what it is called, what is asked of it, and how it is reached."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Terms:
    """Where a row may write, how long it looks on, and how often it takes its measure."""

    room: Path
    seconds: float = 5.0
    rounds: int = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """A bound on a figure."""

    bound: float
    at_most: bool = False

    def ratio(self, reached: float) -> float:
        """How well it is met: 1 exactly, more where better."""
        if not self.at_most:
            return reached / self.bound
        if reached:
            return self.bound / reached
        return float("inf") if self.bound else 1.0

    def is_met(self, reached: float) -> bool:
        """Whether a figure keeps the bound."""
        return reached <= self.bound if self.at_most else reached >= self.bound

    def __str__(self) -> str:
        return f"{'≤' if self.at_most else '≥'} {self.bound:g}"


def least(bound: float) -> Asked:
    """A bound that figures should reach."""
    return Asked(bound)


def most(bound: float) -> Asked:
    """A bound that figures should not pass."""
    return Asked(bound, at_most=True)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One row of the suite. Its figures that nothing is asked of are told as well."""

    name: str
    text: str
    asked: Mapping[str, Asked]
    reach: Callable[[Terms], Awaitable[Figures]]

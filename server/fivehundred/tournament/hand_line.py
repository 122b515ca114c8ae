"""What the standings need of one hand."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HandLine:
    """What the standings need to know of one hand."""

    match: int
    board: int
    seating: int
    hand: int
    attempt: int
    entrants: tuple[int, ...]
    """By seat."""
    change: tuple[int, ...]
    """Of each side's score."""
    contractor: int | None
    """His seat; None where all passed."""
    made: bool
    faults: tuple[tuple[int, str], ...] = ()
    """Seat and kind of each."""
    voids: tuple[int, ...] = ()
    """The seat of each decision that was over its limit by the daemon's own lag alone."""
    forfeited_by: int | None = None
    """The entrant whose forfeit ended the hand."""
    game_over: bool = False
    winners: tuple[int, ...] = ()
    """Sides."""

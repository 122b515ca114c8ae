"""How far a tournament is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """Hands and matches stored and planned; ``planned`` is 0 where games decide how many."""

    hands: int
    planned: int
    matches: int
    matches_planned: int
    waits_for: str = ""
    """What play waits for, in words; empty while it goes on."""

"""Seatings: who sits where, so that a board is fair once it is played in all of them."""

from collections.abc import Sequence
from itertools import permutations

from fivehundred.rules.ruleset import RuleSet

Seating = tuple[int, ...]
"""The slot of the match at each seat."""


def seatings(rules: RuleSet, slots: int) -> tuple[Seating, ...]:
    """All seatings of a board for a match of so many entrants.

    As many slots as sides: all permutations of up to three sides, rotations of more. Two slots at
    a table of more sides: each sits alone on each side once, against copies of the other.
    """
    sides = rules.sides
    if slots == sides:
        by_side = _permutations(sides) if sides <= 3 else _rotations(sides)
    elif slots == 2 < sides:
        by_side = _alone(sides)
    else:
        raise ValueError(f"a table of {sides} sides seats {sides} or 2 entrants, not {slots}")
    return tuple(_by_seat(rules, seating) for seating in by_side)


def _permutations(sides: int) -> Sequence[Seating]:
    return list(permutations(range(sides)))


def _rotations(sides: int) -> Sequence[Seating]:
    return [tuple((side + turn) % sides for side in range(sides)) for turn in range(sides)]


def _alone(sides: int) -> Sequence[Seating]:
    return [
        tuple(slot if side == place else 1 - slot for side in range(sides))
        for place in range(sides)
        for slot in (0, 1)
    ]


def _by_seat(rules: RuleSet, by_side: Seating) -> Seating:
    return tuple(by_side[rules.side_of(seat)] for seat in range(rules.players))

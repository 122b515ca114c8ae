"""Seatings: who sits where, so that a board is fair once it is played in all of them."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from fivehundred.rules.ruleset import RuleSet

Seating = tuple[int, ...]
"""The slot of the match at each seat."""

_MIXED: dict[tuple[int, int], tuple[Seating, ...]] = {
    (4, 2): ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)),
    (6, 2): (
        *((0, 1, 2, 3, 4, 5), (4, 3, 0, 5, 2, 1), (2, 5, 4, 1, 0, 3)),
        *((1, 0, 5, 4, 3, 2), (5, 2, 3, 0, 1, 4), (3, 4, 1, 2, 5, 0)),
    ),
    (6, 3): (
        *((0, 1, 2, 3, 4, 5), (3, 2, 1, 0, 5, 4), (4, 0, 5, 1, 3, 2)),
        *((5, 3, 4, 2, 0, 1), (1, 5, 0, 4, 2, 3), (2, 4, 3, 5, 1, 0)),
    ),
}
"""By players and sides, for as many slots as players; slot s is of the side s modulo the sides."""


def seatings(rules: RuleSet, slots: int) -> tuple[Seating, ...]:
    """All seatings of a board for a match of so many entrants.

    As many slots as sides: all permutations of up to three sides, rotations of more. Two slots at
    a table of more sides: each sits alone on each side once, against copies of the other. As many
    slots as players, in teams: each sits in each seat once, and equally often at each distance to
    each partner and each opponent; six in three teams, once or twice (`relative_imbalance`).
    """
    sides = rules.sides
    if slots == rules.players > sides:
        return _MIXED[rules.players, sides]
    if slots == sides:
        by_side = _permutations(sides) if sides <= 3 else _rotations(sides)
    elif slots == 2 < sides:
        by_side = _alone(sides)
    else:
        raise ValueError(
            f"a table of {sides} sides seats {_right_numbers(rules)} entrants, not {slots}"
        )
    return tuple(_by_seat(rules, seating) for seating in by_side)


def full_seatings(players: int) -> tuple[Seating, ...]:
    """Solo seatings in which everybody sits once in each pair of seats with everybody.

    There are ``players * (players - 1)`` for 2, 3 and 5. Rotations alone, which `seatings` gives
    for more than three, never change who sits to whose left.
    """
    if players not in (2, 3, 5):
        raise ValueError(f"no full seatings are known for {players} players: 2, 3 or 5 are right")
    return tuple(
        tuple((step * seat + turn) % players for seat in range(players))
        for step in range(1, players)
        for turn in range(players)
    )


def relative_imbalance(sides: int, seated: Sequence[Seating]) -> int:
    """How much oftener one sits at some distance to another than at another one; 0 is perfect.

    Partners and opponents are held apart; each slot has one seat. Slots s of one side are partners.
    """
    counts: Counter[tuple[int, int, int]] = Counter()
    for seating in seated:
        for seat, slot in enumerate(seating):
            for away in range(1, len(seating)):
                counts[slot, seating[(seat + away) % len(seating)], away] += 1
    slots = len(seated[0])
    return max(_spread(counts, sides, slots, is_partner=answer) for answer in (True, False))


def _spread(
    counts: Counter[tuple[int, int, int]], sides: int, slots: int, *, is_partner: bool
) -> int:
    times = [
        counts[one, other, away]
        for one in range(slots)
        for other in range(slots)
        for away in range(1, slots)
        if one != other
        and ((one - other) % sides == 0) is is_partner
        and (away % sides == 0) is is_partner
    ]
    return max(times) - min(times) if times else 0


def _right_numbers(rules: RuleSet) -> str:
    """The numbers of entrants that a table seats, the largest first, in words."""
    *first, last = sorted({rules.players, rules.sides, 2}, reverse=True)
    return f"{', '.join(map(str, first))} or {last}" if first else str(last)


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

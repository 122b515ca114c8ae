"""The end of a game: who has won, and who has lost by falling to the floor."""

from collections.abc import Iterable, Sequence
from typing import Final

from fivehundred.rules.ruleset import FloorEffect, RuleSet, SeveralReach, WinCondition
from fivehundred.rules.scoring import contracting_sides, trick_points
from fivehundred.rules.values import Contract

Ending = tuple[bool, tuple[int, ...], tuple[int, ...]]
PLAY_ON: Final[Ending] = (False, (), ())


def game_end(
    rules: RuleSet,
    before: Sequence[int],
    change: Sequence[int],
    contract: Contract,
    made: bool,
    taken: Sequence[int],
) -> Ending:
    """Whether the game is over, the sides that have won it and those that the floor has beaten.

    ``taken`` are the seats in the order in which they won tricks. A side that wins at the target
    comes before the floor. Equal totals where the highest decides are played off by another hand.
    """
    after = [score + gain for score, gain in zip(before, change, strict=True)]
    reached = [side for side, score in enumerate(after) if score >= rules.target]
    contracting = [side for side in reached if made and side in contracting_sides(rules, contract)]
    if rules.win_condition is WinCondition.OWN_CONTRACT:
        winners = contracting
    else:
        winners = _first_of_several(rules, after, before, contract, reached, contracting, taken)
    if winners:
        return True, tuple(winners), ()
    return _floor_end(rules, after)


def _first_of_several(
    rules: RuleSet,
    after: Sequence[int],
    before: Sequence[int],
    contract: Contract,
    reached: list[int],
    contracting: list[int],
    taken: Sequence[int],
) -> list[int]:
    if rules.several_reach is not SeveralReach.HIGHEST and contracting:
        return contracting
    if rules.several_reach is SeveralReach.CONTRACTOR_THEN_EARLIEST and len(reached) > 1:
        reached = _earliest(rules, contract, before, reached, taken)
    return _highest(after, reached)


def _earliest(
    rules: RuleSet,
    contract: Contract,
    before: Sequence[int],
    reached: list[int],
    taken: Sequence[int],
) -> list[int]:
    """Those who got to the target by the earliest trick; all of them where no trick did it."""
    tricks = [0] * rules.players
    for winner in (None, *taken):
        if winner is not None:
            tricks[winner] += 1
        points = trick_points(rules, contract, tricks, before)
        there = [side for side in reached if before[side] + points[side] >= rules.target]
        if there:
            return there
    return reached


def _highest(after: Sequence[int], sides: Iterable[int]) -> list[int]:
    """The side with the highest total; none where several share it."""
    best = _best(after, sides)
    return best if len(best) == 1 else []


def _best(after: Sequence[int], sides: Iterable[int]) -> list[int]:
    sides = list(sides)
    top = max((after[side] for side in sides), default=0)
    return [side for side in sides if after[side] == top]


def _floor_end(rules: RuleSet, after: Sequence[int]) -> Ending:
    if rules.floor is None:
        return PLAY_ON
    fallen = [side for side, score in enumerate(after) if score <= rules.floor]
    spared = rules.floor_effect is FloorEffect.LOSES_UNLESS_ALL_NEGATIVE and max(after) < 0
    if not fallen or spared:
        return PLAY_ON
    rest = [side for side in range(rules.sides) if side not in fallen] or fallen
    return True, tuple(_best(after, rest)), tuple(fallen)

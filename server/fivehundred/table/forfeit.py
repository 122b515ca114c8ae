"""What a forfeit scores: never better than the worst result of playing on.

No hand leaves a side further behind any other than a forfeit does: it loses the dearest bid of the
rule set, and each of the others scores what makes the difference the widest that a hand can make.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from fivehundred.rules.actions import Bid
from fivehundred.rules.bids import HAND_SIZE, bid_value, is_lose_all, ladder, special_bid
from fivehundred.rules.hand import HandResult, Outcome
from fivehundred.rules.ruleset import AllPass, FloorEffect, RuleSet
from fivehundred.rules.scoring import PLAYED_OUT_TRICK
from fivehundred.table.values import HandStarted


def forfeit_change(rules: RuleSet, sides: Collection[int]) -> tuple[int, ...]:
    """Points by side when these sides forfeit."""
    lost, others = _points(rules)
    return tuple(lost if side in sides else others for side in range(rules.sides))


def forfeiting_sides(rules: RuleSet, entrants: Sequence[int], entrant: int) -> frozenset[int]:
    """The sides of an entrant; ``entrants`` are by seat."""
    return frozenset(rules.side_of(seat) for seat, each in enumerate(entrants) if each == entrant)


def forfeit_result(rules: RuleSet, sides: Collection[int], dealer: int) -> HandResult:
    """The result of a hand that sides forfeit together with the game that it belongs to."""
    return HandResult(
        outcome=Outcome.FORFEITED,
        contract=None,
        tricks_won=(0,) * rules.players,
        change=forfeit_change(rules, sides),
        game_over=True,
        winners=tuple(each for each in range(rules.sides) if each not in sides),
        next_dealer=dealer,
    )


def hand_forfeit_result(rules: RuleSet, sides: Collection[int], started: HandStarted) -> HandResult:
    """The result of a hand of a game that sides forfeit alone; the score may still end the game."""
    change = forfeit_change(rules, sides)
    after = [before + gain for before, gain in zip(started.scores_before, change, strict=True)]
    winners = _winners(rules, sides, after)
    return HandResult(
        outcome=Outcome.FORFEITED,
        contract=None,
        tricks_won=(0,) * rules.players,
        change=change,
        game_over=bool(winners),
        winners=winners,
        next_dealer=(started.dealer + 1) % rules.players,
    )


def _winners(rules: RuleSet, sides: Collection[int], after: Sequence[int]) -> tuple[int, ...]:
    """Those whom the score makes win: at the target without a contract too; else by the floor."""
    others = [side for side in range(rules.sides) if side not in sides]
    if reached := [side for side in others if after[side] >= rules.target]:
        return _best(after, reached)
    if rules.floor is None:
        return ()
    fallen = [side for side, score in enumerate(after) if score <= rules.floor]
    is_spared = rules.floor_effect is FloorEffect.LOSES_UNLESS_ALL_NEGATIVE and max(after) < 0
    if not fallen or is_spared:
        return ()
    return _best(after, [side for side in others if side not in fallen] or others)


def _best(after: Sequence[int], sides: Sequence[int]) -> tuple[int, ...]:
    top = max(after[side] for side in sides)
    return tuple(side for side in sides if after[side] == top)


@lru_cache(maxsize=256)
def _points(rules: RuleSet) -> tuple[int, int]:
    """What a side that forfeits scores, and each of the others."""
    lost = max(_loss(rules, bid) for bid in ladder(rules))
    return -lost, max(_gaps(rules)) - lost


def _gaps(rules: RuleSet) -> Iterator[int]:
    """How far a side may fall behind another in one hand, bid by bid: lost, or made by others."""
    if rules.all_pass is AllPass.PLAY_OUT:
        yield PLAYED_OUT_TRICK * HAND_SIZE
    for bid in ladder(rules):
        value = bid_value(rules, bid)
        collected = value if rules.defenders_collect else 0
        yield _loss(rules, bid) + collected + HAND_SIZE * _trick_points(rules, bid)
        yield value if bid.special else max(value, rules.slam_minimum)


def _loss(rules: RuleSet, bid: Bid) -> int:
    return bid_value(rules, bid) if rules.set_back else 0


def _trick_points(rules: RuleSet, bid: Bid) -> int:
    special = special_bid(rules, bid)
    if special is not None and special.points_per_forced_trick:
        return special.points_per_forced_trick
    return 0 if is_lose_all(rules, bid) else rules.defender_trick_points

"""Every bot is legal in every game, answers alike when asked again, and ranks where it should."""

import statistics
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from math import sqrt
from random import Random as Source

import pytest

from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.rules.values import HandResult
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred_bots.basic import Basic
from fivehundred_bots.careful import Careful
from fivehundred_bots.random_bot import Random
from fivehundred_bots.reckless import Reckless
from fivehundred_client import Bot
from random_rules import random_rules

PlayHand = Callable[[RuleSet, Sequence[Bot], int], HandResult]
BOTS: tuple[Bot, ...] = (Careful(), Random(), Reckless(), Basic())
HANDS_OF_EACH = 40
BOARDS = 200
MANY_BOARDS = {
    "hist-5p-52": 400,
    "hist-6p-60": 250,
    "hist-6p-61": 250,
    "ko-5p-53": 120,
    "ko-6p-63": 150,
    "uspc-5p-53": 300,
    "uspc-6p-62": 200,
    "uspc-6p-63": 150,
}
"""The boards that show careful better than basic where there is least between the two."""
FEW_BOARDS = 60


@pytest.mark.parametrize("preset", preset_names())
def test_plays_legally(play_hand: PlayHand, preset: str) -> None:
    rules = load_preset(preset)
    hands = HANDS_OF_EACH * len(BOTS) // min(rules.players, len(BOTS))

    for seed in range(hands):
        bots = tuple(islice(cycle(BOTS), seed, seed + rules.players))
        result = play_hand(rules, bots, seed)

        assert len(result.change) == rules.sides, f"seed {seed}"


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_plays_legally_under_rules_at_random(play_hand: PlayHand, start: int) -> None:
    for seed in range(start, start + 20):
        rules = random_rules(Source(seed))
        bots = tuple(islice(cycle(BOTS), seed, seed + rules.players))
        result = play_hand(rules, bots, seed)

        assert len(result.change) == rules.sides, f"seed {seed}"


def test_answers_alike_when_asked_again(play_hand: PlayHand) -> None:
    rules = RuleSet()

    first = [play_hand(rules, BOTS, seed) for seed in range(20)]

    assert [play_hand(rules, BOTS, seed) for seed in range(20)] == first


@pytest.mark.parametrize(
    ("better", "worse", "points"),
    [
        pytest.param(Careful(), Basic(), 25.0, id="careful over basic"),
        pytest.param(Basic(), Random(), 25.0, id="basic over random"),
        pytest.param(Basic(), Reckless(), 0.0, id="basic over reckless"),
        pytest.param(Reckless(), Random(), 25.0, id="reckless over random"),
    ],
)
def test_wins_points(play_hand: PlayHand, better: Bot, worse: Bot, points: float) -> None:
    assert _lower_bound(play_hand, RuleSet(), (better, worse), BOARDS) > points


@pytest.mark.parametrize("preset", preset_names())
def test_basic_beats_random(play_hand: PlayHand, preset: str) -> None:
    assert _lower_bound(play_hand, load_preset(preset), (Basic(), Random()), 40) > 0.0


@pytest.mark.parametrize("preset", preset_names())
def test_careful_beats_basic(play_hand: PlayHand, preset: str) -> None:
    boards = MANY_BOARDS.get(preset, FEW_BOARDS)

    assert _lower_bound(play_hand, load_preset(preset), (Careful(), Basic()), boards) > 0.0


def _lower_bound(play_hand: PlayHand, rules: RuleSet, pair: tuple[Bot, Bot], boards: int) -> float:
    """The points a hand by which the first of a pair wins at least, two standard errors off."""
    margins = [_margin(play_hand, rules, pair, seed) for seed in range(boards)]
    error = statistics.stdev(margins) / sqrt(len(margins))
    return statistics.fmean(margins) - 2.0 * error


def _margin(play_hand: PlayHand, rules: RuleSet, pair: tuple[Bot, Bot], seed: int) -> float:
    """The points a hand by which the first of a pair wins a board, the seats then exchanged."""
    first = _first_sides(rules, seed)
    return (
        _lead(play_hand, rules, pair, first, seed)
        - _lead(play_hand, rules, pair[::-1], first, seed)
    ) / 2.0


def _first_sides(rules: RuleSet, seed: int) -> frozenset[int]:
    """The sides of the first bot: one, or where five play for themselves two, in turn."""
    if rules.side_model is SideModel.CALLED:
        return frozenset((seed % 5, (seed + 1 + seed // 5 % 2) % 5))
    return frozenset((seed % rules.sides,))


def _lead(
    play_hand: PlayHand, rules: RuleSet, pair: tuple[Bot, Bot], first: frozenset[int], seed: int
) -> float:
    """The points by which the sides of the first bot do better than those of the second."""
    bots = [pair[rules.side_of(seat) not in first] for seat in range(rules.players)]
    change = play_hand(rules, bots, seed).change
    ours = [points for side, points in enumerate(change) if side in first]
    theirs = [points for side, points in enumerate(change) if side not in first]
    return statistics.fmean(ours) - statistics.fmean(theirs)

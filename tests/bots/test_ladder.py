"""Every bot is legal in every game, answers alike when asked again, and ranks where it should."""

import statistics
from collections.abc import Callable, Sequence

import pytest

from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import HandResult
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred_bots.basic import Basic
from fivehundred_bots.careful import Careful
from fivehundred_bots.random_bot import Random
from fivehundred_bots.reckless import Reckless
from fivehundred_client import Bot

PlayHand = Callable[[RuleSet, Sequence[Bot], int], HandResult]
BOTS: tuple[Bot, ...] = (Careful(), Random(), Reckless(), Basic(), Careful(), Random())
BOARDS = 200


@pytest.mark.parametrize("preset", preset_names())
def test_plays_legally(play_hand: PlayHand, preset: str) -> None:
    rules = load_preset(preset)

    for seed in range(12):
        bots = (*BOTS[seed % 6 :], *BOTS[: seed % 6])[: rules.players]
        result = play_hand(rules, bots, seed)

        assert len(result.change) == rules.sides, f"seed {seed}"


def test_answers_alike_when_asked_again(play_hand: PlayHand) -> None:
    rules = RuleSet()

    first = [play_hand(rules, BOTS[:4], seed) for seed in range(20)]

    assert [play_hand(rules, BOTS[:4], seed) for seed in range(20)] == first


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
    rules = RuleSet()

    margins = [_margin(play_hand, rules, (better, worse), seed) for seed in range(BOARDS)]

    error = statistics.stdev(margins) / BOARDS**0.5
    assert statistics.mean(margins) - 2.0 * error > points


def _margin(play_hand: PlayHand, rules: RuleSet, pair: tuple[Bot, Bot], seed: int) -> float:
    """The points a hand by which the first of a pair wins a board of two seatings."""
    here = play_hand(rules, pair * 2, seed).change
    there = play_hand(rules, pair[::-1] * 2, seed).change
    return (here[0] - here[1] + there[1] - there[0]) / 2.0

"""The model over arrays plays legally everywhere, and the same whatever it is asked together."""

from collections.abc import Sequence
from random import Random

import pytest

from fivehundred.rules.actions import Action
from fivehundred.rules.hand import Outcome
from fivehundred.rules.pack import deck
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred_bots.numpy_batch import NumpyBatch
from fivehundred_bots.random_bot import Random as RandomBot
from fivehundred_client import AnyTurn
from fivehundred_client.testing import play_hand


class Keeping(NumpyBatch):
    """Keeps what it was asked."""

    def __init__(self) -> None:
        self.turns: list[AnyTurn] = []

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        self.turns += turns
        return super().decide(turns)


def pack(preset: str, seed: int) -> list[int]:
    cards = list(deck(load_preset(preset)))
    Random(seed).shuffle(cards)
    return cards


@pytest.mark.parametrize("preset", preset_names())
def test_it_plays_every_preset_legally(preset: str) -> None:
    rules = load_preset(preset)

    for seed in range(2):
        play_hand(rules, [NumpyBatch()] * rules.players, pack(preset, seed))


def test_many_at_once_are_decided_as_one_by_one_under_any_rules() -> None:
    bot = Keeping()
    for preset in ("au-4p-43", "ko-3p-33", "qc-4p-46-vi"):
        rules = load_preset(preset)
        for seed in range(3):
            play_hand(rules, [bot] * rules.players, pack(preset, seed))
    turns = Random(1).sample(bot.turns, len(bot.turns))

    together = NumpyBatch().decide(turns)

    assert len(turns) > 200
    assert together == [action for turn in turns for action in NumpyBatch().decide([turn])]


def test_it_makes_more_of_the_same_cards_than_chance_does() -> None:
    rules = load_preset("au-4p-43")
    gains = [0, 0]
    for seed in range(20):
        for side in (0, 1):
            bots = [NumpyBatch() if seat % 2 == side else RandomBot() for seat in range(4)]
            result = play_hand(rules, bots, pack("au-4p-43", seed), seed=seed)
            if result.outcome is Outcome.PLAYED:
                gains[0] += result.change[side]
                gains[1] += result.change[1 - side]

    assert gains[0] > gains[1] + 20 * 50

"""Arrays and numbers of actions are what the documentation says they are."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fivehundred.rules.actions import PASS, Exchange, LegalExchange, Play
from fivehundred.rules.bids import ladder
from fivehundred.rules.cards import mask, parse_card, parse_cards
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Outcome
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred_client.arrays import (
    Settling,
    Step,
    Views,
    action_numbers,
    cards_as_bools,
    empty_views,
)
from fivehundred_client.testing import play_hand

DOCUMENT = Path(__file__).parents[2] / "docs" / "python.md"
NUMBERS = action_numbers(RuleSet())
BLOCKS = ("calls", "throws", "suits", "called", "partners", "nothing", "plays", "named")


def cells(width: int) -> list[list[str]]:
    """The rows of the document's tables of a width."""
    lines = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| `")]
    split = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in split if len(row) == width]


def test_the_document_s_table_of_arrays_is_right() -> None:
    lengths = {"n": 3, "players": 4, "sides": 2, "A": NUMBERS.size, "66": 66, "10": 10}
    views = empty_views(RuleSet(), 3)
    lengths["L"] = views.auction.shape[1]

    told = [
        (name, tuple(lengths[length.strip()] for length in shape.split(",")), dtype)
        for name, shape, dtype, _ in cells(4)
    ]

    dtypes = [array.dtype.name for array in views.arrays()]
    assert told == [
        (field.name, array.shape, dtype)
        for field, array, dtype in zip(fields(Views), views.arrays(), dtypes, strict=True)
        for dtype in [dtype.removesuffix("_")]
    ]


def test_the_docstring_and_the_document_tell_the_same_arrays() -> None:
    assert Views.__doc__ is not None
    names = re.findall(r"^    ``(\w+)``", Views.__doc__, re.MULTILINE)

    assert names == [row[0] for row in cells(4)]


def test_the_document_s_table_of_actions_is_right() -> None:
    told = [(row[0], row[1]) for row in cells(3)]

    sizes = {"1 + bids": 1 + len(ladder(RuleSet())), "players": 4}
    blocks = [getattr(NUMBERS, name) for name in BLOCKS]
    assert told == [(name, size) for name, (_, size) in zip(BLOCKS, told, strict=True)]
    for block, (_, size) in zip(blocks, told, strict=True):
        length = block.stop - block.start if isinstance(block, slice) else 1
        assert length == (sizes[size] if size in sizes else int(size))
    assert "has 28 calls and 243 actions" in DOCUMENT.read_text()
    assert (NUMBERS.calls.stop, NUMBERS.size) == (28, 243)


def test_the_document_s_programs_run() -> None:
    programs = re.findall(r"^```python\n(.*?)^```$", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)

    told: dict[str, Any] = {"__name__": "document"}

    for program in programs:
        exec(program, told)  # as a reader would run it

    assert len(programs) == 4
    late = told["Late"](RuleSet(), 2)
    assert late.reset(seed=1).scores.tolist() == [[400, -200]] * 2
    bots = [told["Trained"]()] * 4
    assert play_hand(RuleSet(), bots, deck(RuleSet())).outcome is Outcome.PLAYED


@pytest.mark.parametrize("preset", preset_names())
def test_every_call_and_play_has_one_number(preset: str) -> None:
    rules = load_preset(preset)
    numbers = action_numbers(rules)
    own = [*range(numbers.calls.stop), *range(numbers.plays.start, numbers.size)]

    actions = [numbers.action(number) for number in own]

    assert [numbers.number(action) for action in actions] == own
    assert actions[: numbers.calls.stop] == [PASS, *ladder(rules)]
    assert actions[numbers.calls.stop] == Play(0)
    assert actions[-1] == Play(65, 3)
    with pytest.raises(KeyError):
        numbers.action(numbers.nothing)


def test_sets_of_cards_are_rows_of_bools() -> None:
    sets = [0, parse_cards("2S AH JK2 JKR"), (1 << 66) - 1]

    bools = cards_as_bools(sets)

    assert bools.shape == (3, 66) and bools.dtype == np.bool_
    assert [mask(np.flatnonzero(row).tolist()) for row in bools] == sets


def test_an_exchange_is_settled_part_by_part() -> None:
    numbers = action_numbers(load_preset("uspc-5p-53"))
    legal = LegalExchange(
        holding=parse_cards("AS KS 4D JKR"),
        throw=2,
        nominable=parse_cards("JKR"),
        callable=parse_cards("AH KS"),
        choosable=(0, 3),
        partners=2,
    )
    settling = Settling(numbers, legal)
    steps = []

    for choice in (
        numbers.throws.start + parse_card("KS"),
        numbers.throws.start + parse_card("4D"),
        numbers.suits.start + 2,
        numbers.called.start + parse_card("AH"),
        numbers.partners.start + 3,
        numbers.nothing,
    ):
        steps.append(settling.step)
        assert choice in settling.options()
        settling.choose(choice)

    throw, partner = [Step.THROW] * 2, [Step.PARTNER] * 2
    assert steps == [*throw, Step.JOKER_SUIT, Step.CALL_CARD, *partner]
    assert (settling.step, settling.options()) == (None, [])
    assert settling.exchange in legal
    assert settling.exchange == Exchange(parse_cards("KS 4D"), 2, parse_card("AH"), partners=(3,))


def test_a_joker_that_is_thrown_is_given_no_suit() -> None:
    settling = Settling(NUMBERS, LegalExchange(parse_cards("AS JKR"), 1, parse_cards("JKR")))

    settling.choose(NUMBERS.throws.start + parse_card("JKR"))

    assert settling.step is None

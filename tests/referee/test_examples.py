"""Every question of docs/referee.md has the answer that stands there."""

import json
from typing import Any

from fivehundred.referee import answer_line
from fivehundred.referee.asks import ASKS

Examples = list[tuple[dict[str, Any], dict[str, Any]]]


def test_every_example_of_the_documentation_is_answered_as_it_says(examples: Examples) -> None:
    for question, expected in examples:
        assert json.loads(answer_line(json.dumps(question))) == expected


def test_every_ask_has_an_example(examples: Examples) -> None:
    assert {question["ask"] for question, _ in examples} == set(ASKS)

import json
from io import BytesIO
from typing import Any

import pytest

from fivehundred.referee import (
    MAX_LINE_BYTES,
    BadQuestion,
    answer,
    answer_bytes,
    answer_line,
    read_lines,
)


def told(line: str | bytes) -> Any:
    """What comes of a line, as JSON."""
    text = answer_line(line) if isinstance(line, str) else answer_bytes(line)
    assert "\n" not in text
    return json.loads(text)


@pytest.mark.parametrize("identity", ["7", '"a"', "[1, {}]", '{"b": null}', "null", "1.5", "true"])
def test_the_id_comes_back_whatever_it_is(identity: str) -> None:
    good = told(f'{{"id": {identity}, "ask": "ladder"}}')
    bad = told(f'{{"id": {identity}, "ask": "nothing"}}')

    assert good["id"] == bad["id"] == json.loads(identity)
    assert set(good) == {"id", "answer"}
    assert bad["error"]["field"] == "ask"


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("{", "no JSON"),
        ('{"ask": "deck"} {}', "no JSON"),
        ('{"ask": "deck", "dealer": NaN}', "NaN is no number"),
        ('{"ask": "deck", "dealer": -Infinity}', "-Infinity is no number"),
        ('{"ask": "deck", "dealer": 1e999}', "too large"),
        ('{"ask": "deck", "dealer": ' + "9" * 5000 + "}", "too many digits"),
        ("[" * 100_000, "nested too deep"),
        ('{"a":' * 100_000, "nested too deep"),
        ("[]", "a list: give an object"),
        ('"deck"', "give an object"),
        ("null", "null: give an object"),
        ("{}", "is missing: give one of deck, deal"),
        ('{"ask": "plys"}', "did you mean `plays`"),
        ('{"ask": 3}', "3: give one of"),
        ('{"ask": "deck", "dealer": 0}', "no such member"),
        ('{"ask": "deck", "rule": 0}', "did you mean `rules`"),
        ('{"ask": "deck", "ask": "deck"}', "stands twice"),
        ('{"ask": "deck", "rules": {"preset": "au-4p-43", "preset": "x"}}', "stands twice"),
        ('{"ask": "\\ud800"}', "no ask"),
        (b'{"ask": "\xff"}', "byte 9 of the line is no UTF-8"),
        (b"x" * (MAX_LINE_BYTES + 1), "a line of more than"),
    ],
)
def test_a_line_that_is_no_question_is_answered_with_an_error(line: str | bytes, part: str) -> None:
    answered = told(line)

    assert set(answered) == {"id", "error"}
    assert answered["id"] is None
    assert part in answered["error"]["message"]


def test_an_id_that_stands_twice_is_none() -> None:
    assert told('{"id": 1, "id": 2, "ask": "deck"}')["id"] is None
    assert told('{"id": 1, "ask": "deck", "ask": "deck"}')["id"] == 1


def test_a_lone_surrogate_goes_there_and_back() -> None:
    assert told('{"id": "\\udfff", "ask": "ladder"}')["id"] == "\udfff"


def test_long_values_are_cut_in_errors() -> None:
    answered = told(json.dumps({"ask": "x" * 200, "id": 1}))
    unknown = told(json.dumps({"ask": "deck", "y" * 100_000: 1}))

    assert len(answered["error"]["message"]) < 400
    assert len(unknown["error"]["field"]) < 100


def test_an_id_too_deep_to_write_is_left_out() -> None:
    for depth in (100, 500, 900, 950, 980, 990, 1000):
        answered = told('{"ask": "ladder", "id": ' + "[" * depth + "]" * depth + "}")
        assert set(answered) in ({"id", "answer"}, {"id", "error"})


def test_the_answer_to_a_mapping_has_no_envelope() -> None:
    assert answer({"ask": "deck", "id": 1})["size"] == 43
    with pytest.raises(BadQuestion, match="ask: is missing"):
        answer({})


def test_lines_are_read_one_by_one_and_blank_ones_skipped() -> None:
    assert list(read_lines(BytesIO(b"a\n\n  \r\nb"))) == [b"a\n", b"b"]


def test_a_byte_order_mark_begins_no_line_but_the_first() -> None:
    mark = b"\xef\xbb\xbf"

    assert list(read_lines(BytesIO(mark + b"a\n" + mark + b"b"))) == [b"a\n", mark + b"b"]
    assert list(read_lines(BytesIO(mark + b"\nb"))) == [b"b"]
    assert len(next(read_lines(BytesIO(mark + b"x" * MAX_LINE_BYTES)))) == MAX_LINE_BYTES + 1


def test_a_line_that_is_too_long_is_read_to_its_end() -> None:
    long = b"x" * (3 * MAX_LINE_BYTES)

    lines = list(read_lines(BytesIO(b"a\n" + long + b"\nb\n" + long)))

    assert [len(line) for line in lines] == [2, MAX_LINE_BYTES + 1, 2, MAX_LINE_BYTES + 1]

import pytest

from fivehundred.ratings.values import Estimate
from fivehundred.report.text import (
    chance_text,
    count_text,
    harmless,
    interval_text,
    number_text,
    percent_text,
    probability_text,
    rank_text,
    time_text,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("careful@1", "careful@1"),
        ("zoë Привет 中", "zoë Привет 中"),
        ("a\x1b[31m\x00\x7f", "a\\x1b[31m\\x00\\x7f"),
        ("a\u202eb\u200b\u2028\ufeff", "a\\u202eb\\u200b\\u2028\\ufeff"),
        ("\ud800", "\\ud800"),
        ("tab\tline\n", "tab\\tline\\n"),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, shown: str) -> None:
    assert harmless(text) == shown


@pytest.mark.parametrize(
    ("number", "form", "text"),
    [
        (12.34, "+.1f", "+12.3"),
        (-12.34, "+.1f", "−12.3"),
        (-0.04, "+.1f", "0.0"),
        (0.0, "+.1f", "0.0"),
        (1512.4, ".0f", "1512"),
        (None, "+.1f", "–"),
    ],
)
def test_numbers_have_a_sign_unless_they_are_nothing(
    number: float | None, form: str, text: str
) -> None:
    assert number_text(number, form) == text


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(1.0, 0.5, 0.0, 2.0), "0.0 … +2.0"),
        (Estimate(low=3.0), "+3.0 … ∞"),
        (Estimate(high=3.0), "−∞ … +3.0"),
        (Estimate(1.0), "no interval"),
        (Estimate(), ""),
    ],
)
def test_an_interval_without_an_end_is_unbounded(estimate: Estimate, text: str) -> None:
    assert interval_text(estimate, "+.1f") == text


def test_only_what_is_certain_is_all_or_nothing() -> None:
    assert [percent_text(share) for share in (0, 0.001, 0.5, 0.999, 1, None)] == [
        *("0%", "<1%", "50%", ">99%", "100%", "–")
    ]
    assert [chance_text(chance) for chance in (0, 1)] == ["<1%", ">99%"]
    assert [probability_text(p) for p in (0.0, 0.04, None)] == ["<0.001", "0.040", "–"]


def test_counts_ranks_and_times() -> None:
    assert [count_text(count) for count in (0, 12345, 0.5)] == ["0", "12,345", "0.5"]
    assert [rank_text(1, 1), rank_text(2, 4)] == ["1", "2–4"]
    assert [time_text(us) for us in (0, 7, 1500, 23_400, 345_000, 1_000_000, 61_000_000)] == [
        *("0 µs", "7 µs", "1.50 ms", "23.4 ms", "345 ms", "1.00 s", "61.0 s")
    ]

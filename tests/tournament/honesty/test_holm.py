import pytest

from fivehundred.tournament.honesty.holm import holm


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_no_adjusted_chance_is_above_one_or_below_one_before_it() -> None:
    assert holm([0.9, 0.8, 0.7]) == [1.0, 1.0, 1.0]


def test_what_is_no_test_is_not_counted() -> None:
    assert holm([None, 0.02, None, 0.5]) == [None, 0.04, None, 0.5]
    assert holm([]) == []

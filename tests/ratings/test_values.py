import math

import pytest

from fivehundred.ratings.values import Estimate, chance_positive, interval, quantile, rounded


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_an_estimate_refuses_what_is_not_finite(number: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Estimate(value=number)


def test_an_interval_of_many_boards_is_normal() -> None:
    assert interval(10.0, 1.0, math.inf) == Estimate(10.0, 1.0, 8.040036015, 11.959963985)


def test_an_interval_of_few_boards_is_wider() -> None:
    assert quantile(0.975, 1) == pytest.approx(12.7062047)


def test_a_value_without_an_error_has_no_ends() -> None:
    assert interval(10.0, None, 1) == Estimate(10.0, remark="too few boards for an error")


def test_an_exact_difference_is_certain_and_an_exact_tie_is_even() -> None:
    assert [chance_positive(value, 0.0, 5) for value in (-1.0, 0.0, 1.0)] == [0.0, 0.5, 1.0]


def test_rounding_leaves_no_negative_zero() -> None:
    assert str(rounded(-1e-12)) == "0.0"

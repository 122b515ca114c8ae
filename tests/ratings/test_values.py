import math

import pytest

from fivehundred.ratings.values import (
    ALIKE,
    Estimate,
    Strengths,
    chance_positive,
    interval,
    quantile,
    rounded,
)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_an_estimate_refuses_what_is_not_finite(number: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Estimate(value=number)


def test_an_interval_of_many_boards_is_normal() -> None:
    assert interval(10.0, 1.0, math.inf) == Estimate(10.0, 1.0, 8.040036015, 11.959963985)


def test_an_interval_of_few_boards_is_wider() -> None:
    assert quantile(0.975, 1) == pytest.approx(12.7062047)


def test_a_value_without_an_error_has_no_ends() -> None:
    assert interval(10.0, None, 1) == Estimate(10.0, remark="there are too few boards for an error")


def test_six_boards_that_say_the_same_give_the_chance_of_an_even_prior() -> None:
    chances = [chance_positive(value, 0.0, 5) for value in (-1.0, 0.0, 1.0)]

    assert chances == [1 / 128, 0.5, 127 / 128]


@pytest.mark.parametrize("error", [0.0, 1e-12])
def test_an_error_of_nothing_is_none(error: float) -> None:
    alike = interval(10.0, error, 5, "this is why")

    assert alike == Estimate(10.0, remark=f"this is why; {ALIKE}")


def test_only_the_anchor_is_exact() -> None:
    strengths = Strengths(
        groups=((0, 1),),
        values=(1500.0, 1500.0),
        covariance=((0.0, 0.0), (0.0, 0.0)),
        correction=(1.0, 1.0),
        freedom=(math.inf, 5.0),
        remarks=("", ""),
        anchor=0,
    )

    assert strengths.estimate(0) == Estimate(1500.0, 0.0, 1500.0, 1500.0)
    assert strengths.estimate(1) == Estimate(1500.0, remark=ALIKE)
    assert strengths.chance_better(0, 1) == 0.5


def test_rounding_leaves_no_negative_zero() -> None:
    assert str(rounded(-1e-12)) == "0.0"

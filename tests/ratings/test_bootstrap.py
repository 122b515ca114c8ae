import random

import pytest

from fivehundred.ratings import bootstrap


def test_equal_seeds_give_equal_results_in_any_order_of_the_deals() -> None:
    draw = random.Random(1)
    values = [draw.gauss(5, 40) for _ in range(100)]

    once = bootstrap.mean(values, seed=7, resamples=500)

    assert bootstrap.mean(values[::-1], seed=7, resamples=500) == once
    assert bootstrap.mean(values, seed=8, resamples=500) != once


def test_the_estimate_is_the_sample_s_mean_not_the_resamples() -> None:
    assert bootstrap.mean([0.0, 0.0, 0.0, 100.0], seed=1, resamples=300).mean == 25


def test_a_sample_that_does_not_vary_has_no_interval() -> None:
    found = bootstrap.mean([3.0] * 10, seed=1, resamples=50)

    assert (found.mean, found.standard_error, found.percentile) == (3, None, None)
    assert found.degenerate == 50


def test_resamples_of_one_deal_alone_are_told() -> None:
    found = bootstrap.mean([0.0, 1.0], seed=1, resamples=1000)

    assert found.degenerate == pytest.approx(500, abs=60)


def test_nothing_has_no_mean() -> None:
    with pytest.raises(ValueError, match="at least one"):
        bootstrap.mean([], seed=1)

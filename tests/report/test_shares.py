"""Shares of boards, held against formulas by hand."""

import numpy as np
import pytest

from fivehundred.report.shares import share


def test_with_boards_of_one_trial_it_is_wilsons_interval() -> None:
    won = np.array([1.0] * 6 + [0.0] * 4)

    told = share(won, np.ones(10, np.int64), np.arange(10))

    reach, worth = 2.262157, 9.0
    middle = (0.6 + reach**2 / (2 * worth)) / (1 + reach**2 / worth)
    assert told.value == pytest.approx(0.6)
    assert ((told.low or 0) + (told.high or 0)) / 2 == pytest.approx(middle, abs=1e-6)
    assert told.standard_error == pytest.approx((0.24 / worth) ** 0.5)


def test_trials_of_one_board_that_go_together_are_worth_one() -> None:
    won = np.array([1.0] * 6 + [0.0] * 4)

    alone = share(won, np.ones(10, np.int64), np.arange(10))
    fourfold = share(np.repeat(won, 4), np.ones(40, np.int64), np.repeat(np.arange(10), 4))

    assert (fourfold.low, fourfold.high) == (alone.low, alone.high)


def test_all_won_has_a_lower_end_by_boards() -> None:
    told = share(np.ones(40), np.ones(40, np.int64), np.repeat(np.arange(10), 4))

    assert (told.value, told.standard_error, told.high) == (1.0, None, 1.0)
    assert told.low == pytest.approx(1 / (1 + 2.262157**2 / 10), abs=1e-6)


def test_a_row_counts_with_its_trials() -> None:
    told = share(np.array([3.0, 0.0, 1.0]), np.array([4, 0, 1]), np.array([0, 1, 2]))

    assert told.value == pytest.approx(0.8)


def test_without_boards_there_is_no_share_and_of_one_no_interval() -> None:
    nothing = share(np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))
    alone = share(np.ones(3), np.ones(3, np.int64), np.zeros(3, np.int64))

    assert (nothing.value, nothing.remark) == (None, "there was none")
    assert (alone.value, alone.low) == (1.0, None)
    assert alone.remark == "there are too few boards for an error"

import random

import numpy as np
import pytest
from scipy import sparse, stats

from fivehundred.tournament.honesty.effects import (
    ABSORBED,
    ALWAYS_THE_SAME,
    NO_BOARDS,
    ONE_LEVEL,
    TOO_FEW,
    Rows,
    joint_effects,
    single_effects,
)
from fivehundred.tournament.lines import Floats


def rows_of(table: Floats) -> Rows:
    """A row for each board and level, each against its board's mean; nothing else is taken out."""
    boards, levels = table.shape
    gap = table - table.mean(axis=1, keepdims=True)
    return Rows(
        gap.ravel(),
        sparse.csr_array((boards * levels, 1)),
        np.repeat(np.arange(boards), levels),
    )


def levels_of(boards: int, levels: int) -> Floats:
    return np.tile(np.eye(levels) - 1 / levels, (boards, 1))


def random_table(seed: int, boards: int, levels: int) -> Floats:
    draw = random.Random(seed)
    return np.array([[draw.gauss(0, 50) for _ in range(levels)] for _ in range(boards)])


def test_two_levels_are_tested_as_by_a_paired_t_test() -> None:
    table = random_table(1, 12, 2)

    found = joint_effects(rows_of(table), levels_of(12, 2), ["a", "b"], [12, 12])

    paired = stats.ttest_rel(table[:, 0], table[:, 1])
    assert found.p_value == pytest.approx(paired.pvalue, abs=1e-8)
    assert found.f == pytest.approx(paired.statistic**2)
    assert (found.freedom, found.error_freedom) == (1, 11)
    half = (table[:, 0] - table[:, 1]) / 2
    estimate = found.levels[0].estimate
    assert estimate.value == pytest.approx(half.mean())
    assert estimate.standard_error == pytest.approx(half.std(ddof=1) / np.sqrt(12))


def test_several_levels_are_tested_as_by_hotelling() -> None:
    table = random_table(2, 15, 4)

    found = joint_effects(rows_of(table), levels_of(15, 4), list("abcd"), [15] * 4)

    gaps = table[:, :3] - table[:, 3:]
    spread = np.cov(gaps, rowvar=False)
    square = 15 * gaps.mean(axis=0) @ np.linalg.solve(spread, gaps.mean(axis=0))
    assert found.chi_squared == pytest.approx(square)
    ratio = square * 12 / (3 * 14)
    assert found.f == pytest.approx(ratio)
    assert found.p_value == pytest.approx(stats.f.sf(ratio, 3, 12))
    assert (found.freedom, found.error_freedom) == (3, 12)


def test_what_else_explains_a_level_wholly_absorbs_it() -> None:
    levels = levels_of(6, 2)
    rows = Rows(np.arange(12.0), sparse.csr_array(levels[:, :1]), np.repeat(np.arange(6), 2))

    found = joint_effects(rows, levels, ["a", "b"], [6, 6])

    assert (found.p_value, found.freedom, found.remark) == (None, 0, ABSORBED)
    assert [level.estimate.value for level in found.levels] == [None, None]


def test_a_level_that_can_be_told_is_told_beside_one_that_cannot() -> None:
    levels = levels_of(9, 3)
    gap = levels[:, [0]] - levels[:, [1]]
    rows = Rows(random_table(3, 9, 3).ravel(), sparse.csr_array(gap), np.repeat(np.arange(9), 3))

    found = joint_effects(rows, levels, ["a", "b", "c"], [9, 9, 9])

    assert [level.estimate.value is None for level in found.levels] == [True, True, False]
    assert found.freedom == 1
    assert found.p_value is not None


def test_extremes_have_no_test_and_say_why() -> None:
    one_board = joint_effects(rows_of(random_table(4, 1, 2)), levels_of(1, 2), ["a", "b"], [1, 1])
    flat = joint_effects(rows_of(np.zeros((5, 2))), levels_of(5, 2), ["a", "b"], [5, 5])
    constant = joint_effects(
        rows_of(np.tile([[30.0, 10.0]], (5, 1))), levels_of(5, 2), ["a", "b"], [5, 5]
    )
    single = joint_effects(rows_of(random_table(4, 5, 1)), levels_of(5, 1), ["a"], [5])
    nothing = joint_effects(rows_of(np.zeros((0, 2))), levels_of(0, 2), ["a", "b"], [0, 0])

    assert [each.remark for each in (one_board, flat, constant, single, nothing)] == [
        TOO_FEW,
        ALWAYS_THE_SAME,
        ALWAYS_THE_SAME,
        ONE_LEVEL,
        NO_BOARDS,
    ]
    assert {each.p_value for each in (one_board, flat, constant, single, nothing)} == {None}
    assert one_board.levels[0].estimate.standard_error is None
    assert constant.levels[0].estimate.value == 10
    assert constant.levels[0].estimate.standard_error is None


def test_a_single_effect_is_the_difference_to_all_the_rest() -> None:
    draw = random.Random(5)
    results = np.array([draw.gauss(0, 1) for _ in range(30)])
    part = np.repeat([0, 1, 2], 10)
    everybody = sparse.csr_array(np.ones((30, 1)))
    columns = sparse.csc_array((part[:, None] == np.arange(3)).astype(np.float64))

    found = single_effects(Rows(results, everybody, np.arange(30)), columns)

    assert found[0].estimate.value == pytest.approx(results[:10].mean() - results[10:].mean())
    assert all(0 < effect.p_value < 1 for effect in found if effect.p_value is not None)


def test_a_single_effect_of_one_board_has_no_error() -> None:
    results = np.array([9.0, 1.0, 2.0, 3.0, 1.5])
    column = sparse.csc_array(np.eye(5)[:, :1])

    (found,) = single_effects(
        Rows(results, sparse.csr_array(np.ones((5, 1))), np.arange(5)), column
    )

    assert found.estimate.value == pytest.approx(9 - 7.5 / 4)
    assert (found.estimate.standard_error, found.p_value) == (None, None)

"""What is asked of a row: when it is met, and by how much."""

import pytest

from bench.rows import Asked, least, most
from bench.table import ROWS


@pytest.mark.parametrize(
    ("asked", "reached", "ratio", "is_met"),
    [
        (least(500), 500, 1, True),
        (least(500), 250, 0.5, False),
        (least(0.5), 0.75, 1.5, True),
        (most(100), 100, 1, True),
        (most(100), 200, 0.5, False),
        (most(100), 50, 2, True),
        (most(0), 0, 1, True),
        (most(0), 3, 0, False),
    ],
)
def test_a_ratio_is_1_where_the_bound_is_met_exactly_and_more_where_better(
    asked: Asked, reached: float, ratio: float, is_met: bool
) -> None:
    assert asked.ratio(reached) == ratio
    assert asked.is_met(reached) == is_met


def test_nothing_reached_is_far_below_a_most() -> None:
    assert most(100).ratio(0) == float("inf")


def test_bounds_are_written_with_their_side() -> None:
    assert [str(least(0.5)), str(most(1000))] == ["≥ 0.5", "≤ 1000"]


def test_every_row_has_its_own_name() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)

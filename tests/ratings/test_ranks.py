import numpy as np
import pytest

from fivehundred.ratings import bradley_terry
from fivehundred.ratings.bradley_terry import Game
from fivehundred.ratings.ranks import RankRange, ranges_of, tier_of
from fivehundred.ratings.values import Estimate


def test_ranks_are_ranges_where_the_intervals_leave_them_open() -> None:
    certain = {(0, 2), (0, 3), (1, 3)}
    is_better = np.array([[(one, two) in certain for two in range(4)] for one in range(4)])

    ranges = ranges_of(is_better)

    assert ranges == (RankRange(1, 2), RankRange(1, 3), RankRange(2, 4), RankRange(3, 4))


def test_a_strict_order_gives_single_ranks() -> None:
    ranges = ranges_of(np.array([[False, False], [True, False]]))

    assert ranges == (RankRange(2, 2), RankRange(1, 1))


def test_nobody_has_no_ranks() -> None:
    assert ranges_of(np.zeros((0, 0), dtype=np.bool_)) == ()


def test_who_has_not_played_widens_no_range_and_comes_after() -> None:
    is_better = np.zeros((4, 4), dtype=np.bool_)
    is_better[2, 0] = True

    ranges = ranges_of(is_better, np.array([True, False, True, False]))

    assert ranges == (RankRange(2, 2), RankRange(3, 4), RankRange(1, 1), RankRange(3, 4))


def test_where_nobody_has_played_all_share_every_rank() -> None:
    none = np.zeros((2, 2), dtype=np.bool_)

    assert ranges_of(none, np.zeros(2, dtype=np.bool_)) == (RankRange(1, 2),) * 2


@pytest.mark.parametrize("seed", range(6))
def test_all_comparisons_at_once_say_the_same_as_two_by_two(seed: int) -> None:
    """Over groups, bounds, an anchor and those without results."""
    draw = np.random.default_rng(seed)
    games = [
        Game(one, two, float(draw.integers(0, 3)) / 2 if two < 4 else 1.0, board)
        for board in range(40)
        for one, two in [tuple(sorted(draw.permutation(6)[:2].tolist()))]
    ]
    ratings = bradley_terry.fit(games, "ABCDEFG", anchor=0 if seed % 2 else None)

    told = ratings.comparisons()

    for first in range(7):
        for second in range(7):
            chance = ratings.chance_better(first, second)
            found = told.chances[first, second]
            assert np.isnan(found) if chance is None else found == pytest.approx(chance, abs=1e-7)
            assert told.is_better[first, second] == ratings.is_better(first, second)


def test_a_list_has_the_unbounded_first_and_the_unknown_last() -> None:
    bounded_below, rated, bounded_above = Estimate(low=1.0), Estimate(5.0), Estimate(high=2.0)

    tiers = [tier_of(each) for each in (bounded_below, rated, bounded_above, Estimate())]

    assert tiers == [(0, 1.0), (1, 5.0), (2, 2.0), (3, 0.0)]

import numpy as np
import pytest

from fivehundred.ratings import bradley_terry
from fivehundred.ratings.bradley_terry import Game
from fivehundred.ratings.ranks import RankRange, chances, ranges_of, rank_ranges


def test_ranks_are_ranges_where_the_intervals_leave_them_open() -> None:
    certain = {(0, 2), (0, 3), (1, 3)}

    ranges = rank_ranges(range(4), lambda first, second: (first, second) in certain)

    assert [str(rank) for rank in ranges] == ["1-2", "1-3", "2-4", "3-4"]


def test_a_strict_order_gives_single_ranks() -> None:
    assert rank_ranges(range(2), lambda first, second: first > second) == (
        RankRange(2, 2),
        RankRange(1, 1),
    )


def test_nobody_has_no_ranks() -> None:
    assert rank_ranges([], lambda first, second: True) == ()


def test_the_matrix_of_chances_asks_for_each_pair_and_keeps_what_nobody_can_say() -> None:
    table = chances((0, 1), lambda first, second: None if first == second else 0.75)

    assert table == ((None, 0.75), (0.75, None))


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
    everybody = range(7)
    assert ranges_of(told.is_better) == rank_ranges(everybody, ratings.is_better)

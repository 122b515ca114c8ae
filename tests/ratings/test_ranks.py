from fivehundred.ratings.ranks import RankRange, rank_ranges


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

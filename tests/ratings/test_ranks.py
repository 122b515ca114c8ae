from fivehundred.ratings.ranks import RankRange, chances, rank_ranges


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

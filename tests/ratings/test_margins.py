import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from fivehundred.ratings.margins import (
    BoardColumns,
    BoardPoints,
    fit,
    fit_columns,
)
from fivehundred.ratings.values import ALIKE, Estimate


def random_boards(seed: int, boards: int = 40) -> list[BoardPoints]:
    draw = random.Random(seed)
    return [
        BoardPoints(
            board,
            tuple(sorted(draw.sample(range(5), 3))),
            tuple(draw.gauss(0, 50) for _ in range(3)),
            draw.choice((3, 6)),
        )
        for board in range(boards)
    ]


def test_order_and_names_change_nothing() -> None:
    boards = random_boards(1)
    order = (3, 1, 4, 0, 2)
    renamed = [
        replace(board, entrants=tuple(order[entrant] for entrant in board.entrants))
        for board in boards
    ]

    strengths, other = fit(boards, "ABCDE"), fit(renamed, "ABCDE")

    assert fit(reversed(boards), "ABCDE") == strengths
    for entrant in range(5):
        assert other.estimate(order[entrant]) == strengths.estimate(entrant)


def test_the_mean_of_all_is_nothing() -> None:
    assert sum(value or 0 for value in fit(random_boards(2), "ABCDE").values) == pytest.approx(
        0, abs=1e-6
    )


def test_luck_common_to_a_board_cancels() -> None:
    boards = random_boards(3)
    lucky = [
        replace(board, points=tuple(points + 100 * board.board for points in board.points))
        for board in boards
    ]

    assert fit(lucky, "ABCDE").values == pytest.approx(fit(boards, "ABCDE").values)


def test_boards_of_different_lengths_count_by_their_hands() -> None:
    boards = [BoardPoints(0, (0, 1), (30.0, 0.0), 2), BoardPoints(1, (0, 1), (0.0, 30.0), 4)]

    assert fit(boards, "AB").difference(0, 1).value == -10


def test_without_boards_there_is_no_number() -> None:
    estimate = fit([], "AB").estimate(0)

    assert (estimate.value, estimate.remark) == (None, "there are no boards")


def test_one_board_gives_a_number_without_an_error() -> None:
    estimate = fit([BoardPoints(0, (0, 1), (30.0, 0.0))], "AB").estimate(0)

    assert (estimate.value, estimate.standard_error) == (15, None)
    assert (estimate.low, estimate.high) == (None, None)
    assert estimate.remark == "there are too few boards for an error"


def test_identical_bots_are_equal_and_no_error_makes_them_look_certain() -> None:
    boards = [BoardPoints(board, (0, 1), (10.0, 10.0)) for board in range(10)]

    strengths = fit(boards, "AB")

    assert (strengths.values, strengths.covariance[0][0]) == ((0, 0), 0)
    for told in (strengths.estimate(0), strengths.difference(0, 1)):
        assert told == Estimate(0, remark=ALIKE)
    assert not strengths.is_better(0, 1)
    assert strengths.chance_better(0, 1) == 0.5


def test_boards_that_all_say_the_same_are_no_certainty() -> None:
    """As where one bot forfeits everything: the chance is from an even prior on the boards."""
    few, many = (
        fit([BoardPoints(board, (0, 1), (10.0, 0.0)) for board in range(count)], "AB")
        for count in (3, 10)
    )

    assert (few.chance_better(0, 1), few.is_better(0, 1)) == (1 - 0.5**4, False)
    assert (many.chance_better(1, 0), many.is_better(0, 1)) == (0.5**11, True)
    for strengths in (few, many):
        told = strengths.comparisons()
        assert told.chances[0, 1] == strengths.chance_better(0, 1)
        assert told.is_better[0, 1] == strengths.is_better(0, 1)


def test_groups_that_never_met_are_not_compared() -> None:
    boards = [
        BoardPoints(board, pair, (10.0 + board, 0.0))
        for board, pair in enumerate([(0, 1), (0, 1), (0, 1), (2, 3), (2, 3)])
    ]

    strengths = fit(boards, "ABCD")

    assert strengths.groups == ((0, 1), (2, 3))
    assert strengths.difference(0, 2).value is None
    assert strengths.estimate(2).remark == (
        "C is not comparable with A: no boards link the two; boards of C against A would link them"
    )


def test_boards_of_self_play_are_left_out() -> None:
    boards = random_boards(4)

    assert fit([*boards, BoardPoints(99, (0,), (5.0,))], "ABCDE") == fit(boards, "ABCDE")


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    truth, draw = (6.0, 0.0, -6.0), random.Random(500)
    hits = trials = 0
    for _ in range(300):
        boards = [
            BoardPoints(
                10 * pair + board,
                (one, two),
                (truth[one] + draw.gauss(0, 40), truth[two] + draw.gauss(0, 40)),
            )
            for pair, (one, two) in enumerate(combinations(range(3), 2))
            for board in range(10)
        ]
        strengths = fit(boards, "ABC")
        for one, two in combinations(range(3), 2):
            gap = strengths.difference(one, two)
            assert gap.low is not None
            assert gap.high is not None
            hits += gap.low <= truth[one] - truth[two] <= gap.high
            trials += 1

    assert 0.93 <= hits / trials <= 0.97


def test_common_boards_of_all_pairings_are_one_cluster() -> None:
    bias = (30.0, -30.0, 10.0, -10.0, 50.0, -50.0)
    boards = [
        BoardPoints(board, pair, (error if pair[0] == 0 else 0.0, 0.0))
        for board, error in enumerate(bias)
        for pair in ((0, 1), (0, 2), (0, 3))
    ]
    fresh = [replace(board, board=at) for at, board in enumerate(boards)]

    common, apart = fit(boards, "ABCD"), fit(fresh, "ABCD")

    assert common.values == apart.values
    assert common.covariance[0][0] == pytest.approx(3 * apart.covariance[0][0])
    assert common.freedom[0] == 5


def test_very_many_boards_as_columns_give_the_same() -> None:
    boards = random_boards(5)
    table = BoardColumns(
        board=np.array([board.board for board in boards]),
        entrants=np.array([board.entrants for board in boards]),
        points=np.array([board.points for board in boards]),
        hands=np.array([float(board.hands) for board in boards]),
    )

    assert fit_columns([table], "ABCDE") == fit(boards, "ABCDE")

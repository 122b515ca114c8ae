import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from fivehundred.ratings.margins import BoardPoints, HandPoints, board_points, fit
from fivehundred.ratings.ranks import is_clearly_better

GOLDEN = Path(__file__).parents[1] / "golden" / "ratings"
DUPLICATE = sorted(path.stem for path in GOLDEN.glob("margin_duplicate_*.json"))


def load(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text())


def duplicate_hands(vector: Any) -> Iterator[HandPoints]:
    rows = vector["input"]["rows"]
    for board, (there, back) in enumerate(rows["rows_full"] if isinstance(rows, dict) else rows):
        yield HandPoints(board, (0, 1), (there, 0.0))
        yield HandPoints(board, (1, 0), (back, 0.0))


@pytest.mark.parametrize("name", DUPLICATE)
def test_duplicate_boards_give_the_reference_margin_and_error(name: str) -> None:
    vector = load(name)
    expected = vector["expected"]

    strengths = fit(board_points(duplicate_hands(vector)), "AB")
    margin = strengths.difference(0, 1)

    assert margin.value == pytest.approx(expected["mean_margin_per_hand"], rel=1e-9)
    assert margin.standard_error == pytest.approx(expected["se_paired"], rel=1e-9)
    if "ci95_t" in expected:
        assert [margin.low, margin.high] == pytest.approx(expected["ci95_t"], rel=1e-9)
        assert strengths.chance_better(0, 1) == pytest.approx(expected["los_t"], rel=1e-9)


def test_deterministic_self_play_is_exactly_nothing() -> None:
    vector = load("margin_duplicate_deterministic_selfplay")

    margin = fit(board_points(duplicate_hands(vector)), "AB").difference(0, 1)

    assert (margin.value, margin.standard_error, margin.low, margin.high) == (0, 0, 0, 0)


def test_a_round_robin_gives_the_reference_strengths_and_errors() -> None:
    vector = load("margin_least_squares")
    names, expected = vector["input"]["players"], vector["expected"]
    place = {name: at for at, name in enumerate(names)}
    hands = [
        HandPoints(deal, (place[one], place[two]), (margin / 2, -margin / 2))
        for one, two, deal, margin in vector["input"]["rows"]
    ]

    strengths = fit(board_points(hands), names)

    assert strengths.values == pytest.approx([expected["ratings_ols"][bot] for bot in names])
    variances = [strengths.covariance[at][at] for at in range(len(names))]
    assert [variance**0.5 for variance in variances] == pytest.approx(
        [expected["se_cluster_by_deal"][bot] for bot in names], rel=1e-8
    )


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


def test_an_entrant_in_several_seats_counts_with_the_mean() -> None:
    hands = [
        HandPoints(0, (0, 1, 1), (60.0, 10.0, 20.0)),
        HandPoints(0, (1, 0, 1), (6.0, 0.0, 0.0)),
    ]

    assert board_points(hands) == [BoardPoints(0, (0, 1), (30.0, 9.0), 2)]


def test_without_boards_there_is_no_number() -> None:
    estimate = fit([], "AB").estimate(0)

    assert (estimate.value, estimate.remark) == (None, "no boards")


def test_one_board_gives_a_number_without_an_error() -> None:
    estimate = fit([BoardPoints(0, (0, 1), (30.0, 0.0))], "AB").estimate(0)

    assert (estimate.value, estimate.standard_error) == (15, None)
    assert (estimate.low, estimate.high) == (None, None)
    assert estimate.remark == "too few boards for an error"


def test_identical_bots_are_equal_without_doubt() -> None:
    boards = [BoardPoints(board, (0, 1), (10.0, 10.0)) for board in range(10)]

    strengths = fit(boards, "AB")

    assert (strengths.values, strengths.difference(0, 1).standard_error) == ((0, 0), 0)
    assert not is_clearly_better(strengths, 0, 1)
    assert strengths.chance_better(0, 1) == 0.5


def test_groups_that_never_met_are_not_compared() -> None:
    boards = [
        BoardPoints(board, pair, (10.0 + board, 0.0))
        for board, pair in enumerate([(0, 1), (0, 1), (0, 1), (2, 3), (2, 3)])
    ]

    strengths = fit(boards, "ABCD")

    assert strengths.groups == ((0, 1), (2, 3))
    assert strengths.difference(0, 2).value is None
    assert strengths.estimate(2).remark == (
        "not comparable with A: no boards link the two; boards of C against A would"
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

"""Points per hand of members of teams."""

from collections.abc import Sequence

import numpy as np
import pytest

from fivehundred.ratings import margins, team_margins
from fivehundred.ratings.margins import BoardColumns
from fivehundred.ratings.team_margins import TeamColumns
from fivehundred.ratings.values import ALIKE

PARTNERS = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
"""The three ways in which four make two teams."""


def columns(
    teams: Sequence[Sequence[Sequence[int]]],
    points: Sequence[Sequence[float]],
    board: Sequence[int] | None = None,
) -> TeamColumns:
    numbers = range(len(teams)) if board is None else board
    return TeamColumns(
        board=np.array(numbers, dtype=np.int64),
        teams=np.array(teams, dtype=np.int64),
        points=np.array(points, dtype=np.float64),
        hands=np.full(len(teams), 4.0),
    )


def test_a_team_is_as_strong_as_the_mean_of_its_members() -> None:
    strength = (30.0, 10.0, -10.0, -30.0)
    points = [tuple(sum(strength[e] for e in team) / 2 for team in teams) for teams in PARTNERS * 4]

    told = team_margins.fit([columns(PARTNERS * 4, points)], "ABCD")

    assert told.units == ((0,), (1,), (2,), (3,))
    assert told.strengths.values == pytest.approx(strength)
    assert [told.strengths.estimate(at).remark for at in range(4)] == [ALIKE] * 4


def test_teams_of_one_are_as_without_teams() -> None:
    draw = np.random.default_rng(1)
    seats = np.array([draw.permutation(5)[:3] for _ in range(60)])
    points, board = draw.normal(0, 50, (60, 3)), np.arange(60) // 2

    told = team_margins.fit([TeamColumns(board, seats[:, :, None], points, np.ones(60))], "ABCDE")
    plain = margins.fit_columns([BoardColumns(board, seats, points, np.ones(60))], "ABCDE")

    assert told.strengths.values == pytest.approx(plain.values)
    assert np.allclose(told.strengths.covariance, plain.covariance)
    assert told.strengths.correction == plain.correction
    assert told.strengths.freedom == plain.freedom


def test_errors_are_clustered_by_board() -> None:
    draw = np.random.default_rng(2)
    points = [tuple(draw.normal(0, 40, 2).tolist()) for _ in range(30)]
    teams, board = PARTNERS * 10, list(range(30))

    once = team_margins.fit([columns(teams, points)], "ABCD").strengths
    twice = team_margins.fit([columns(teams * 2, points * 2, board * 2)], "ABCD").strengths

    assert twice.values == once.values
    assert twice.estimate(0).standard_error == once.estimate(0).standard_error


def test_partners_who_are_never_apart_are_rated_as_one() -> None:
    draw = np.random.default_rng(3)
    teams = [((0, 1), (2, 3)), ((0, 1), (2, 4)), ((0, 1), (3, 4))] * 5
    points = [tuple(draw.normal(0, 40, 2).tolist()) for _ in teams]

    told = team_margins.fit([columns(teams, points)], ["ann", "bob", "cid", "dan", "eve"])

    assert told.units == ((0, 1), (2,), (3,), (4,))
    pair = told.strengths.estimate(0)
    assert pair.value is not None
    assert pair.remark == "ann and bob always played together: this is the rating of both"
    others = [value or 0 for value in told.strengths.values[1:]]
    assert 2 * pair.value + sum(others) == pytest.approx(0, abs=1e-6)


def test_what_the_boards_leave_open_has_no_number() -> None:
    """Two tables that never meet, and one bot that has not played."""
    others = [[[entrant + 4 for entrant in team] for team in pair] for pair in PARTNERS]
    teams = [*PARTNERS * 3, *others]

    told = team_margins.fit([columns(teams, [(10.0, 0.0)] * 12)], "ABCDEFGHI")

    assert told.strengths.groups == ((0, 1, 2, 3), (4, 5, 6, 7), (8,))
    assert told.strengths.difference(0, 4).remark == "the two are not comparable"
    assert told.strengths.estimate(8).remark == "there are no boards"
    assert told.strengths.remarks[4].startswith("E is not comparable with A")


def test_one_arrangement_alone_rates_two_pairs() -> None:
    told = team_margins.fit([columns([PARTNERS[0]] * 3, [(12.0, 0.0)] * 3)], "ABCD")

    assert told.units == ((0, 1), (2, 3))
    assert told.strengths.values == (6.0, -6.0)


def test_the_order_of_boards_does_not_matter() -> None:
    draw = np.random.default_rng(4)
    points = [tuple(draw.normal(0, 40, 2).tolist()) for _ in range(30)]
    order = draw.permutation(30).tolist()
    teams = PARTNERS * 10

    told = team_margins.fit([columns(teams, points)], "ABCD")
    moved = columns([teams[at] for at in order], [points[at] for at in order], order)

    assert team_margins.fit([moved], "ABCD") == told

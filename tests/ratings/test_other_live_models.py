"""The models of the live display that reference vectors pin down; here what they refuse."""

import pytest

from fivehundred.ratings import factor_graph, glicko, whole_history
from fivehundred.ratings.factor_graph import Belief
from fivehundred.ratings.glicko import Form
from fivehundred.ratings.whole_history import DatedGame


def test_a_period_without_results_only_makes_less_sure() -> None:
    rested = glicko.after_period(Form(1600, 50, 0.06), [])

    assert (rested.rating, rested.volatility) == (1600, 0.06)
    assert rested.deviation == pytest.approx(51.0742, abs=1e-3)


def test_a_surprise_makes_more_volatile() -> None:
    results = [(Form(1400, 30), 0.0)] * 20

    assert glicko.after_period(Form(1700, 60, 0.06), results).volatility > 0.06


def test_level_teams_are_refused_where_there_are_no_draws() -> None:
    with pytest.raises(ValueError, match="level"):
        factor_graph.updated([[Belief()], [Belief()]], [1, 1])


def test_the_order_of_sides_does_not_matter() -> None:
    table = [[Belief(25, 8)], [Belief(30, 4)], [Belief(20, 2)]]

    there = factor_graph.updated(table, [2, 1, 3])
    back = factor_graph.updated(table[::-1], [3, 1, 2])[::-1]

    assert [one.mu for (one,) in there] == pytest.approx([one.mu for (one,) in back])


def test_an_even_table_is_of_the_best_quality() -> None:
    even = factor_graph.quality([[Belief(25, 1)], [Belief(25, 1)]])

    assert even > factor_graph.quality([[Belief(25, 1)], [Belief(30, 1)]])


def test_a_bot_that_learns_has_a_rising_curve() -> None:
    games = [DatedGame(day, 0, 1, float(at < day)) for day in range(1, 10) for at in range(10)]

    curve = whole_history.fit(games, variance=900)[0]

    assert [point.elo for point in curve] == sorted(point.elo for point in curve)
    assert all(point.standard_error > 0 for point in curve)


def test_the_order_of_dated_games_does_not_matter() -> None:
    games = [DatedGame(day, 0, 1, float(day % 2)) for day in range(1, 9)]

    assert whole_history.fit(games[::-1], 14) == whole_history.fit(games, 14)

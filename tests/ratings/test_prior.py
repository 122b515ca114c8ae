import pytest

from fivehundred.ratings.bradley_terry import Game, fit
from fivehundred.ratings.prior import fit_teams_with_virtual_draws, fit_with_virtual_draws
from fivehundred.ratings.teams import TeamGame

GAMES = [Game(0, 1, 1.0, weight=10), Game(2, 3, 1.0, weight=3), Game(2, 3, 0.0, weight=2)]


def test_virtual_draws_give_everybody_a_number_and_say_so() -> None:
    strengths = fit_with_virtual_draws(GAMES, "ABCDE", 2)

    assert None not in strengths.values
    assert strengths.estimate(0).remark == "this is a rating with a prior of 2 virtual draws"
    assert strengths.values[4] == 1500
    assert strengths.difference(0, 2).value is not None


def test_the_reference_fit_has_no_prior() -> None:
    assert fit(GAMES, "ABCDE").strengths.values[0] is None


def test_a_stronger_prior_pulls_more() -> None:
    weak, strong = (fit_with_virtual_draws(GAMES, "ABCDE", draws) for draws in (1, 10))

    assert strong.difference(0, 1).value == pytest.approx(262.768178224)
    assert (weak.difference(0, 1).value or 0) > 500


def test_teams_of_one_are_rated_as_entrants_are() -> None:
    games = [
        TeamGame((each.first,), (each.second,), each.score, weight=each.weight) for each in GAMES
    ]

    values = fit_teams_with_virtual_draws(games, "ABCDE", 2).values

    assert values == pytest.approx(fit_with_virtual_draws(GAMES, "ABCDE", 2).values, abs=1e-5)


def test_partners_who_never_part_have_a_number_each() -> None:
    games = [TeamGame((0, 1), (2, 3), 1.0)]

    values = fit_teams_with_virtual_draws(games, "ABCD", 2).values

    assert values[0] == values[1] == pytest.approx(3000 - (values[2] or 0.0))

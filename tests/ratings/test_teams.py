from itertools import permutations

import pytest

from fivehundred.ratings import teams
from fivehundred.ratings.teams import TeamGame

NAMES = "ABCD"


def mixed() -> list[TeamGame]:
    return [
        TeamGame((one, two), (three, four), float(at % 3 > 0), at)
        for at, (one, two, three, four) in enumerate(permutations(range(4)))
    ]


def test_partners_that_were_never_apart_are_rated_as_one() -> None:
    games = [TeamGame((0, 1), (2, 3), score) for score in (1.0, 1.0, 0.0)]

    found = teams.fit(games, NAMES)

    assert found.units == ((0, 1), (2, 3))
    assert found.estimate(0) == found.estimate(1)
    gap = found.strengths.difference(0, 1).value
    assert gap == pytest.approx(120.411998266)


def test_partners_who_hold_unequal_shares_are_one_as_well() -> None:
    games = [TeamGame((0, 0, 1), (2, 2, 2), score) for score in (1.0, 0.0)]

    assert teams.fit(games, "ABC").units == ((0, 1), (2,))


def test_the_anchor_carries_its_unit() -> None:
    games = [TeamGame((0, 1), (2, 3), score) for score in (1.0, 1.0, 0.0)]

    found = teams.fit(games, NAMES, anchor=3)

    assert found.estimate(2).value == 1500
    assert found.estimate(0).value == pytest.approx(1620.411998266)


def test_a_team_that_won_everything_has_a_lower_bound() -> None:
    games = [*mixed(), *(TeamGame((4, 4), (bot, bot), 1.0, weight=20) for bot in range(4))]

    found = teams.fit(games, "ABCDE")

    best = found.estimate(4)
    assert (best.value, best.high) == (None, None)
    assert best.low is not None
    assert best.low > 1500
    assert found.strengths.values[:4] == teams.fit(mixed(), NAMES).strengths.values


def test_teams_that_never_met_are_not_compared() -> None:
    games = [
        TeamGame(pair, other, score)
        for pair, other in (((0, 0), (1, 1)), ((2, 2), (3, 3)))
        for score in (1.0, 0.0)
    ]

    found = teams.fit(games, NAMES)

    assert found.strengths.groups == ((0, 1), (2, 3))
    assert "not comparable with A" in found.estimate(2).remark


def test_a_team_against_its_own_members_says_nothing() -> None:
    games = [TeamGame((0, 1), (1, 0), 1.0, 5)]

    assert teams.fit([*mixed(), *games], NAMES) == teams.fit(mixed(), NAMES)


def test_without_games_there_is_no_number() -> None:
    assert teams.fit([], "AB").estimate(0).remark == "there are no results"

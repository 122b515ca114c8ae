"""Widths of intervals against least squares by brute force, and against the fits themselves."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from fivehundred.ratings import bradley_terry, margins
from fivehundred.ratings.bradley_terry import SCALE, Game
from fivehundred.ratings.margins import BoardPoints
from fivehundred.ratings.values import Strengths, quantile
from fivehundred.tournament.formats import (
    Fixed,
    gauntlet,
    mixed_teams,
    round_robin,
    single_elimination,
    solo_tables,
    swiss,
)
from fivehundred.tournament.formats.fixed import Pairings
from fivehundred.tournament.planning.courses import Course, courses
from fivehundred.tournament.planning.design import Setting, teams_of
from fivehundred.tournament.planning.evidence import Evidence, Table, Unit, Variances, alike
from fivehundred.tournament.planning.resolution import (
    Resolution,
    resolve,
)

Floats = NDArray[np.float64]

NAMES = tuple("abcdefghijkl")
DEVIATION = 60.0


def _course(pairings: Pairings, entrants: int, *, by_round: bool = False) -> Course:
    def make() -> Fixed:
        return Fixed(pairings, entrants)

    (only,) = courses(make, entrants, 16, by_round=by_round, teams=2)
    return only


def _resolved(
    course: Course,
    entrants: int,
    boards: int = 50,
    *,
    teams: int = 2,
    common: bool = False,
    anchor: int | None = None,
) -> Resolution:
    setting = Setting(NAMES[:entrants], boards, teams, common, anchor)
    variances = Variances(Unit.POINTS, "given", {teams: alike(teams, DEVIATION, 2.0)})
    return resolve(setting, [course], variances)


def _by_brute_force(
    tables: Sequence[tuple[tuple[int, ...], ...]], entrants: int, boards: int
) -> tuple[Floats, Floats]:
    """The errors of strengths and of differences, from a row for each board and pair of teams.

    Of a table of several only the differences to its first team are rows; they are correlated.
    """
    information = np.zeros((entrants, entrants))
    for table in tables:
        rows = []
        for team in table[1:]:
            row = np.zeros(entrants)
            row[list(table[0])] += 1 / len(table[0])
            row[list(team)] -= 1 / len(team)
            rows.append(row)
        design = np.array(rows)
        noise = DEVIATION**2 / 2 * (np.eye(len(rows)) + 1)
        information += boards * design.T @ np.linalg.inv(noise) @ design
    covariance = np.linalg.pinv(information)
    clusters = len(tables) * boards
    covariance *= clusters / (clusters - entrants + 1)
    one, two = np.triu_indices(entrants, 1)
    apart = covariance[one, one] + covariance[two, two] - 2 * covariance[one, two]
    return np.sqrt(covariance.diagonal()), np.sqrt(apart)


DESIGNS = [
    ("round robin", round_robin(5, 2, 2), 5, 2),
    ("gauntlet", gauntlet(5, (0, 3)), 5, 2),
    ("solo tables", solo_tables(7, 3), 7, 3),
    ("tables of three", round_robin(5, 1, 3), 5, 3),
    ("mixed teams", mixed_teams(5, 4, 2), 5, 2),
]


@pytest.mark.parametrize(
    ("pairings", "entrants", "sides"), [each[1:] for each in DESIGNS], ids=[d[0] for d in DESIGNS]
)
def test_widths_are_those_of_least_squares(pairings: Pairings, entrants: int, sides: int) -> None:
    boards = 50
    tables = [teams_of(pairings[at].entrants, sides) for at in range(len(pairings))]
    played = Counter(entrant for table in tables for team in table for entrant in team)
    freedom = [played[at] * boards - 1 for at in range(entrants)]

    found = _resolved(_course(pairings, entrants), entrants, boards, teams=sides)

    errors, apart = _by_brute_force(tables, entrants, boards)
    widths = [quantile(0.975, each) * error for each, error in zip(freedom, errors, strict=True)]
    both = [min(freedom[one], freedom[two]) for one, two in combinations(range(entrants), 2)]
    gaps = [
        (quantile(0.975, each) + quantile(0.8, each)) * error
        for each, error in zip(both, apart, strict=True)
    ]
    assert found.half_width is not None
    assert found.difference is not None
    assert found.mean_half_width == pytest.approx(np.mean(widths))
    assert found.half_width.most == pytest.approx(max(widths))
    assert found.difference.least == pytest.approx(min(gaps))
    assert found.difference.most == pytest.approx(max(gaps))


def test_two_find_what_the_textbook_says() -> None:
    """n = 7.85 (SD / X)²: 7.85 x 36 boards find a sixth of the deviation."""
    found = _resolved(_course(round_robin(2, 1, 2), 2), 2, 283)

    assert found.difference is not None
    assert found.difference.median == pytest.approx(DEVIATION / 6, rel=0.01)
    assert found.pairing_difference is not None
    assert found.pairing_difference.median == pytest.approx(found.difference.median)


def test_four_times_the_boards_halve_the_width() -> None:
    course = _course(round_robin(4, 1, 2), 4)

    few, many = _resolved(course, 4, 400), _resolved(course, 4, 1_600)

    assert few.mean_half_width is not None
    assert many.mean_half_width == pytest.approx(few.mean_half_width / 2, rel=0.01)


def test_more_entrants_mean_more_boards_each_and_narrower_intervals() -> None:
    widths = [
        _resolved(_course(round_robin(size, 1, 2), size), size).mean_half_width or 0.0
        for size in (3, 5, 8, 12)
    ]

    assert widths == sorted(widths, reverse=True)


def test_a_challenger_is_known_better_than_the_field() -> None:
    found = _resolved(_course(gauntlet(5, (0,)), 5), 5)

    assert found.half_width is not None
    assert found.half_width.least < 0.7 * found.half_width.most


def test_common_boards_tell_less() -> None:
    fresh = _resolved(_course(round_robin(6, 4, 2), 6), 6)
    common = _resolved(_course(round_robin(6, 4, 2), 6, by_round=True), 6, common=True)

    assert fresh.mean_half_width is not None
    assert common.mean_half_width is not None
    assert 1.2 < common.mean_half_width / fresh.mean_half_width < 1.9


def test_of_two_common_boards_tell_the_same() -> None:
    fresh = _resolved(_course(round_robin(2, 4, 2), 2), 2)
    common = _resolved(_course(round_robin(2, 4, 2), 2, by_round=True), 2, common=True)

    assert common.mean_half_width == pytest.approx(fresh.mean_half_width)


def test_intervals_to_an_anchor_are_wider_and_leave_it_out() -> None:
    course = _course(round_robin(4, 1, 2), 4)

    free, anchored = _resolved(course, 4), _resolved(course, 4, anchor=1)

    assert free.half_width is not None
    assert anchored.half_width is not None
    assert anchored.half_width.least > free.half_width.most
    assert free.difference is not None
    assert anchored.difference is not None
    assert anchored.difference.median == pytest.approx(free.difference.median)


def test_one_board_each_has_no_interval() -> None:
    found = _resolved(_course(round_robin(2, 1, 2), 2), 2, 1)

    assert found.half_width is None
    assert found.difference is None
    assert found.without == 1.0


def test_entrants_that_never_meet_are_not_compared() -> None:
    apart = Course(Counter({(0, (0, 1)): 3, (0, (2, 3)): 3}), 6, 1)

    found = _resolved(apart, 4)

    assert found.difference is not None
    assert found.difference.most == pytest.approx(found.difference.least)
    assert found.without == 0.0


def test_partners_that_are_never_apart_have_no_number_of_their_own() -> None:
    together = Course(Counter({(0, (0, 1, 2, 3)): 10}), 10, 1)

    found = _resolved(together, 4)

    assert found.half_width is None
    assert found.without == 1.0


def test_who_is_out_early_has_the_wider_interval() -> None:
    ways = courses(lambda: single_elimination(8, extra=0), 8, 8, by_round=False)
    setting = Setting(NAMES[:8], 20, 2, common=False)
    variances = Variances(Unit.POINTS, "given", {2: alike(2, DEVIATION)})

    found = resolve(setting, ways, variances)

    assert found.half_width is not None
    assert found.half_width.most > 1.5 * found.half_width.least


def test_a_swiss_with_as_many_rounds_as_opponents_is_nearly_a_round_robin() -> None:
    ways = courses(lambda: swiss(6, 5), 6, 8, by_round=False)
    setting = Setting(NAMES[:6], 20, 2, common=False)
    variances = Variances(Unit.POINTS, "given", {2: alike(2, DEVIATION)})

    found = resolve(setting, ways, variances)

    everybody = _resolved(_course(round_robin(6, 1, 2), 6), 6, 20)
    assert found.mean_half_width == pytest.approx(everybody.mean_half_width, rel=0.02)


def test_a_pairing_measured_by_itself_counts_with_its_own_luck() -> None:
    course = _course(round_robin(3, 1, 2), 3)
    wild: Table = (("a",), ("b",))
    setting = Setting(NAMES[:3], 50, 2, common=False)
    own: dict[Table, Evidence] = {wild: alike(2, 4 * DEVIATION, 2.0)}
    variances = Variances(Unit.POINTS, "given", {2: alike(2, DEVIATION, 2.0)}, own)

    found = resolve(setting, [course], variances)

    assert found.known_tables == 1
    assert found.tables == 3
    assert found.half_width is not None
    assert found.half_width.most > 1.3 * found.half_width.least
    assert found.pairing_half_width is not None
    assert found.pairing_half_width.most == pytest.approx(4 * found.pairing_half_width.least)


def test_points_become_as_wide_as_foretold() -> None:
    course = _course(round_robin(4, 1, 2), 4)
    draw, boards = np.random.default_rng(3), []
    for number, (one, two) in enumerate(combinations(range(4), 2)):
        for at, margin in enumerate(draw.normal(10.0, DEVIATION, 200).tolist()):
            points = margin / 2, -margin / 2
            boards.append(BoardPoints(number * 200 + at, (one, two), points, 2.0))

    strengths = margins.fit(boards, NAMES[:4])

    found = _resolved(course, 4, 200)
    assert _reached(strengths, 4) == pytest.approx(found.mean_half_width, rel=0.05)


def test_elo_becomes_as_wide_as_foretold() -> None:
    course = _course(round_robin(4, 1, 2), 4)
    coins = np.random.default_rng(4).integers(0, 2, (6, 300, 2)).tolist()
    games = [
        Game(one, two, float(score), 300 * number + board)
        for number, (one, two) in enumerate(combinations(range(4), 2))
        for board, scores in enumerate(coins[number])
        for score in scores
    ]
    setting = Setting(NAMES[:4], 300, 2, common=False)
    evidence = alike(2, 2 * SCALE / np.sqrt(2), 1 / SCALE**2)

    strengths = bradley_terry.fit(games, NAMES[:4]).strengths

    found = resolve(setting, [course], Variances(Unit.ELO, "given", {2: evidence}))
    assert _reached(strengths, 4) == pytest.approx(found.mean_half_width, rel=0.05)


def _reached(strengths: Strengths, entrants: int) -> float:
    told = [strengths.estimate(entrant) for entrant in range(entrants)]
    return float(np.mean([(each.high or 0.0) - (each.low or 0.0) for each in told]) / 2)

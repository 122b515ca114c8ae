"""What boards tell, measured and assumed."""

import numpy as np
import pytest

from fivehundred.ratings.bradley_terry import SCALE
from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.planning.assumed import KINDS, assumed
from fivehundred.tournament.planning.evidence import (
    BoardResult,
    BoardWins,
    Table,
    Unit,
    alike,
    measured_elo,
    measured_points,
    table_of,
)

PAIR: Table = (("a",), ("b",))
OTHERS: Table = (("a",), ("c",))


def _boards(table: Table, deviation: float, count: int, seed: int = 1) -> list[BoardResult]:
    margins = np.random.default_rng(seed).normal(30.0, deviation, count).tolist()
    return [BoardResult(table, (margin / 2, -margin / 2), 2.0) for margin in margins]


def test_the_deviation_of_a_difference_is_measured() -> None:
    found = measured_points(_boards(PAIR, 80.0, 2_000), ["cup"])

    assert found is not None
    assert found.of(PAIR).deviation == pytest.approx(80.0, rel=0.05)
    assert found.sources == ("cup",)
    assert found.kind == "measured"


def test_a_table_of_thirty_boards_has_evidence_of_its_own_and_others_the_mean() -> None:
    boards = _boards(PAIR, 100.0, 300) + _boards(OTHERS, 20.0, 20)

    found = measured_points(boards, [])

    assert found is not None
    assert set(found.by_table) == {PAIR}
    assert found.of(OTHERS) is found.of((("x",), ("y",)))
    assert found.of(OTHERS).deviation < found.of(PAIR).deviation


def test_too_few_boards_measure_nothing() -> None:
    assert measured_points(_boards(PAIR, 80.0, 29), []) is None
    assert measured_points([], []) is None


def test_boards_that_never_differ_leave_no_luck() -> None:
    found = measured_points([BoardResult(PAIR, (5.0, -5.0), 2.0)] * 40, [])

    assert found is not None
    assert found.of(PAIR).deviation == 0.0


def test_tables_are_equal_whatever_the_order_of_teams_and_members() -> None:
    assert table_of([["d", "c"], ["b", "a"]]) == table_of([["a", "b"], ["c", "d"]])


def test_independent_games_between_equals_tell_what_a_coin_tells() -> None:
    coins = np.random.default_rng(2).integers(0, 2, (4_000, 2)).tolist()
    boards = [BoardWins(PAIR, ((0.0, a + b), (2.0 - a - b, 0.0))) for a, b in coins]

    found = measured_elo(boards, [])

    assert found is not None
    assert found.of(PAIR).deviation == pytest.approx(2 * SCALE / np.sqrt(2), rel=0.05)


def test_games_that_one_always_wins_tell_nothing() -> None:
    found = measured_elo([BoardWins(PAIR, ((0.0, 2.0), (0.0, 0.0)))] * 40, [])

    assert found is not None
    assert found.of(PAIR).deviation == 0.0


def test_alike_has_the_deviation_that_it_is_given_at_tables_of_any_size() -> None:
    for teams in (2, 3, 5):
        assert alike(teams, 45.0, weight=6.0).deviation == pytest.approx(45.0)


@pytest.mark.parametrize("unit", Unit)
def test_what_is_assumed_grows_from_near_identical_to_unlike_bots(unit: Unit) -> None:
    found = assumed(RuleSet(), unit, [2])

    spreads = [each.of(PAIR).deviation for each in found]
    assert [each.kind for each in found] == list(KINDS)
    assert spreads == sorted(spreads)


def test_a_solo_table_is_assumed_to_leave_less_luck() -> None:
    rules = RuleSet(players=3, side_model=SideModel.SOLO)
    table: Table = (("a",), ("b",), ("c",))

    similar = assumed(rules, Unit.POINTS, [2, 3])[1]

    assert similar.of(table).deviation == pytest.approx(12.0)

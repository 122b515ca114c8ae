import pytest

from fivehundred.ratings.match import PairRecord, Record, of_games, of_pairs, pair_record
from fivehundred.ratings.values import Estimate


def test_pairs_are_counted_by_the_sum_of_their_games() -> None:
    scores = [(1.0, 1.0), (1.0, 0.0), (0.5, 0.5), (0.5, 1.0), (0.0, 0.0), (0.0, 0.5)]

    assert pair_record(scores) == PairRecord((1, 1, 2, 1, 1))


def test_pairs_that_the_deal_decides_have_a_smaller_error_than_their_games() -> None:
    pairs, games = of_pairs(PairRecord((5, 0, 80, 0, 15))), of_games(Record(110, 0, 90))

    assert pairs.elo.value == games.elo.value
    assert pairs.elo.standard_error is not None
    assert games.elo.standard_error is not None
    assert pairs.elo.standard_error < 0.7 * games.elo.standard_error


def test_draws_are_half_a_point() -> None:
    assert of_games(Record(10, 20, 10)).score == 0.5
    assert of_games(Record(10, 20, 0)).score == pytest.approx(2 / 3)


def test_without_results_there_is_no_number() -> None:
    nothing = of_games(Record(0, 0, 0))

    assert (nothing.elo.value, nothing.elo.remark) == (None, "there are no results")
    assert nothing.chance_better == 0.5


def test_who_lost_everything_has_an_upper_bound() -> None:
    lost = of_games(Record(0, 0, 10))

    assert (lost.elo.value, lost.elo.low) == (None, None)
    assert lost.elo.high == pytest.approx(-140.217161608)
    assert lost.chance_better == pytest.approx(0.5**11)
    assert lost.elo.remark == "all was lost: there is no lower bound"


def test_a_score_that_never_varies_has_no_error() -> None:
    alike = of_pairs(PairRecord((0, 0, 0, 30, 0)))

    assert alike.elo.value == pytest.approx(190.848501888)
    assert (alike.elo.low, alike.elo.high) == (None, None)
    assert alike.elo.remark == "the results do not vary"
    assert alike.chance_better > 0.99


def test_identical_bots_are_level_and_the_chance_is_even() -> None:
    level = of_pairs(PairRecord((0, 0, 50, 0, 0)))

    assert level.elo == Estimate(0, remark="the results do not vary")
    assert level.chance_better == 0.5

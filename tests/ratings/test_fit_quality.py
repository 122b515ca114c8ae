import pytest

from fivehundred.ratings import bradley_terry
from fivehundred.ratings.bradley_terry import Game
from fivehundred.ratings.fit_quality import quality


def round_robin(wins: dict[tuple[int, int], int]) -> list[Game]:
    return [
        game
        for (first, second), won in wins.items()
        for game in (
            Game(first, second, 1.0, weight=won),
            Game(first, second, 0.0, weight=100 - won),
        )
    ]


def test_a_pool_that_goes_round_in_a_circle_fits_badly() -> None:
    circle = bradley_terry.fit(round_robin({(0, 1): 80, (1, 2): 80, (2, 0): 80}), "ABC")

    found = quality(circle)

    assert circle.strengths.values == pytest.approx((1500, 1500, 1500))
    assert found.freedom == 1
    assert found.chi_square == pytest.approx(108)
    assert found.probability is not None
    assert found.probability < 1e-9
    assert [(pair.score, pair.expected) for pair in found.pairs] == [
        (0.8, 0.5),
        (0.2, 0.5),
        (0.8, 0.5),
    ]


def test_a_pool_in_line_fits_well() -> None:
    line = bradley_terry.fit(round_robin({(0, 1): 60, (1, 2): 60, (0, 2): 69}), "ABC")

    found = quality(line)

    assert found.probability is not None
    assert found.probability > 0.8
    assert max(abs(pair.surprise) for pair in found.pairs) < 0.3


def test_of_two_there_is_nothing_left_to_check() -> None:
    assert quality(bradley_terry.fit(round_robin({(0, 1): 70}), "AB")).probability is None


def test_a_single_number_s_table_of_pairs_leaves_out_who_never_met() -> None:
    found = quality(bradley_terry.fit(round_robin({(0, 1): 60, (1, 2): 60}), "ABC"))

    assert [(pair.first, pair.second, pair.units) for pair in found.pairs] == [
        (0, 1, 100),
        (1, 2, 100),
    ]

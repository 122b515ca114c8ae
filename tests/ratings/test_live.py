import random

import pytest

from fivehundred.ratings.live import Result, moved_pair, replay, updated, usual_factor

WIN = Result(((0,), (1,)), (1, 2))


def random_results(seed: int, size: int) -> list[Result]:
    draw = random.Random(seed)
    return [
        Result(
            tuple((bot,) for bot in draw.sample(range(8), size)),
            tuple(draw.choices(range(1, size + 1), k=size)),
        )
        for _ in range(60)
    ]


def test_the_first_win_of_two_new_bots_moves_half_of_k() -> None:
    assert replay([WIN]) == {0: 1516, 1: 1484}


def test_all_at_the_table_have_one_factor() -> None:
    assert usual_factor(WIN, {0: 100, 1: 29}) == 32
    assert usual_factor(WIN, {0: 100, 1: 30}) == 16
    assert usual_factor(WIN, {0: 100}) == 32


@pytest.mark.parametrize("size", [2, 3, 5, 6])
def test_the_sum_of_the_ratings_stands(size: int) -> None:
    found = replay(random_results(size, size))

    assert sum(found.values()) == pytest.approx(1500 * len(found))


def test_factors_that_differ_let_the_sum_drift() -> None:
    assert sum(moved_pair(1500, 1500, 1.0, (40, 10))) == 3015


def test_the_order_of_results_matters_which_is_why_it_does_not_rank() -> None:
    results = random_results(1, 2)

    assert replay(results) != pytest.approx(replay(results[::-1]), abs=1)


def test_a_team_moves_as_the_mean_of_its_members() -> None:
    found = updated({0: 1600, 1: 1400, 2: 1500, 3: 1500}, Result(((0, 1), (2, 3)), (1, 2)), 20)

    assert found == {0: 1610, 1: 1410, 2: 1490, 3: 1490}


def test_a_bot_in_several_seats_moves_once_and_against_itself_not_at_all() -> None:
    ratings = {0: 1500.0, 1: 1500.0, 2: 1500.0}

    assert updated(ratings, Result(((0, 0), (1, 1)), (1, 2)), 20) == {0: 1510, 1: 1490}
    mixed = updated(ratings, Result(((0, 1), (1, 2)), (1, 2)), 20)
    assert mixed == {0: 1510, 1: 1500, 2: 1490}


def test_a_cap_limits_the_difference_that_counts() -> None:
    far = {0: 2500.0, 1: 1500.0}

    assert updated(far, WIN, 11, cap=400)[0] == pytest.approx(2501)
    assert updated(far, WIN, 11)[0] == pytest.approx(2500.03, abs=0.01)

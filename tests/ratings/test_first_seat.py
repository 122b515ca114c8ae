import pytest

from fivehundred.ratings import bradley_terry, first_seat
from fivehundred.ratings.bradley_terry import Game, expected_score

NAMES = "ABC"


def unbalanced() -> list[Game]:
    """Exact expectations of equal bots where the first seat is worth 80 Elo; A sits first."""
    chance = expected_score(80)
    games = []
    for first, second, count in (
        (0, 1, 300),
        (1, 0, 100),
        (0, 2, 300),
        (2, 0, 100),
        (1, 2, 200),
        (2, 1, 200),
    ):
        games += [
            Game(first, second, 1.0, weight=count * chance),
            Game(first, second, 0.0, weight=count * (1 - chance)),
        ]
    return games


def test_unbalanced_seats_bias_the_ratings_unless_there_is_a_term_for_them() -> None:
    plain, seated = bradley_terry.fit(unbalanced(), NAMES), first_seat.fit(unbalanced(), NAMES)

    assert (plain.estimate(0).value or 0) > 1515
    assert seated.strengths.values == pytest.approx((1500, 1500, 1500))
    assert seated.first_seat.value == pytest.approx(80)


def test_a_seat_that_one_entrant_always_has_cannot_be_told_from_it() -> None:
    games = [Game(0, 1, 1.0, weight=6), Game(0, 1, 0.0, weight=4)]

    found = first_seat.fit(games, "AB")

    assert found.first_seat.value is None
    assert found.first_seat.remark == "the results do not tell the seat from the strengths"
    assert found.strengths.difference(0, 1).value is None


def test_who_won_everything_has_a_bound_above_the_rated() -> None:
    games = [*unbalanced(), *(Game(3, other, 1.0, weight=5) for other in range(3))]
    games += [Game(other, 3, 0.0, weight=5) for other in range(3)]

    found = first_seat.fit(games, "ABCD")

    best = found.estimate(3)
    assert (best.value, best.high) == (None, None)
    assert best.low is not None
    assert best.low > 1700
    assert found.strengths.values[:3] == pytest.approx((1500, 1500, 1500))


def test_groups_that_never_met_are_not_compared() -> None:
    games = [
        Game(first, second, score, weight=3)
        for first, second in ((0, 1), (1, 0), (2, 3), (3, 2))
        for score in (1.0, 0.0)
    ]

    found = first_seat.fit(games, "ABCD")

    assert found.strengths.groups == ((0, 1), (2, 3))
    assert found.strengths.difference(0, 2).value is None
    assert "not comparable with A" in found.estimate(2).remark
    assert found.first_seat.value == pytest.approx(0)


def test_without_results_there_is_no_number() -> None:
    found = first_seat.fit([], "AB")

    assert [found.estimate(0).value, found.estimate(0).remark] == [None, "there are no results"]
    assert found.first_seat.value is None

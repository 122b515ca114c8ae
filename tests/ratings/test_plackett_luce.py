import pytest

from fivehundred.ratings import bradley_terry, plackett_luce
from fivehundred.ratings.bradley_terry import Game, expected_score
from fivehundred.ratings.finishing_orders import Order, columns
from fivehundred.ratings.order_likelihood import Ties

FIRST, LEVEL = Order(((0,), (1,))), Order(((0, 1),))


@pytest.mark.parametrize(
    ("ties", "points"), [(Ties.SHARED, 2.5), (Ties.BRESLOW, 3), (Ties.DROPPED, 2)]
)
def test_how_a_tie_of_two_counts(ties: Ties, points: float) -> None:
    """Half a point each; a win and a loss; nothing."""
    orders = [FIRST, FIRST, Order(((1,), (0,))), LEVEL]
    total = {Ties.SHARED: 4, Ties.BRESLOW: 5, Ties.DROPPED: 3}[ties]

    gap = plackett_luce.fit(orders, "AB", ties=ties).strengths.difference(0, 1).value

    assert gap is not None
    assert expected_score(gap) == pytest.approx(points / total)


def test_a_tie_of_all_makes_all_equal() -> None:
    found = plackett_luce.fit([Order(((0, 1, 2),)), Order(((2, 1, 0),))], "ABC")

    assert found.strengths.values == pytest.approx((1500, 1500, 1500))


def test_who_was_always_first_has_a_lower_bound_only() -> None:
    orders = [Order(((0,), (1,), (2,))), Order(((0,), (2,), (1,)))]

    found = plackett_luce.fit(orders, "ABC")

    best = found.estimate(0)
    assert (best.value, best.high) == (None, None)
    assert best.low is not None
    chance = 1 / (1 + 2 * 10 ** (-(best.low - 1500) / 400))
    assert chance**2 == pytest.approx(0.025)
    assert found.strengths.values[1:] == pytest.approx((1500, 1500))


def test_who_was_always_last_has_an_upper_bound_only() -> None:
    orders = [Order(((1,), (2,), (0,))), Order(((2,), (1,), (0,)))]

    worst = plackett_luce.fit(orders, "ABC").estimate(0)

    assert (worst.value, worst.low) == (None, None)
    assert worst.high is not None
    assert worst.remark == (
        "there is no lower bound: it finished below all those with a rating (B and C)"
    )


def test_the_rest_is_rated_as_if_the_unbeaten_were_not_there() -> None:
    orders = [Order(((0,), (1,), (2,))), Order(((0,), (2,), (1,))), Order(((0,), (2,), (1,)))]
    rest = [Order(order.levels[1:]) for order in orders]

    there, without = plackett_luce.fit(orders, "ABC"), plackett_luce.fit(rest, "ABC")

    assert there.strengths.values[1:] == without.strengths.values[1:]


def test_tables_that_never_met_are_not_compared() -> None:
    orders = [FIRST, Order(((1,), (0,))), Order(((2,), (3,))), Order(((3,), (2,)))]

    found = plackett_luce.fit(orders, "ABCD")

    assert found.strengths.groups == ((0, 1), (2, 3))
    assert found.strengths.difference(0, 2).value is None
    assert "further tables of C with A may link them" in found.estimate(2).remark


def test_a_bot_in_several_seats_counts_with_its_best() -> None:
    double = Order(((0,), (1,), (0,)))

    assert plackett_luce.fit([double, Order(((1,), (0,)))], "AB") == plackett_luce.fit(
        [FIRST, Order(((1,), (0,)))], "AB"
    )


def test_a_prior_gives_everybody_a_number_and_says_so() -> None:
    strengths = plackett_luce.fit_with_prior([FIRST], "ABC", deviation=200)

    assert None not in strengths.values
    assert strengths.estimate(0).remark == "this is a rating with a prior of 1500 ± 200"
    assert strengths.values[2] == 1500


def test_without_tables_there_is_no_number() -> None:
    assert plackett_luce.fit([], "AB").estimate(0).remark == "there are no results"


def test_a_table_of_several_says_more_than_its_pairs_apart() -> None:
    """All pairs of a table as games of one board give another fit, with its own errors."""
    orders = [Order(((0,), (1,), (2,)), at) for at in range(4)] + [Order(((2,), (0,), (1,)), 9)]
    orders += [Order(((1,), (2,), (0,)), 10), Order(((2,), (1,), (0,)), 11)]
    pairs = [
        Game(order.levels[one][0], order.levels[two][0], 1.0, order.cluster)
        for order in orders
        for one, two in ((0, 1), (0, 2), (1, 2))
    ]

    ranked = plackett_luce.fit(orders, "ABC").strengths
    rated = bradley_terry.fit(pairs, "ABC").strengths

    assert ranked.values != pytest.approx(rated.values, abs=1)
    assert ranked.estimate(0).standard_error is not None


def test_losers_of_an_open_order_are_not_compared() -> None:
    """One winner a table: his chance among three, whoever lost beside whom."""
    won = [Order(((winner,), tuple({0, 1, 2} - {winner})), is_open=True) for winner in (0, 1, 2, 0)]

    found = plackett_luce.fit(won, "ABC")

    gap = found.strengths.difference(0, 1).value
    assert gap == pytest.approx(400 * 0.301029996, abs=1e-5)
    assert found.strengths.values[1] == found.strengths.values[2]


def test_an_open_order_of_two_is_a_game() -> None:
    orders = [Order(((0,), (1,)), 0, is_open=True), Order(((1,), (0,)), 1), Order(((0, 1),), 2)]
    games = [Game(0, 1, 1.0, 0), Game(0, 1, 0.0, 1), Game(0, 1, 0.5, 2)]

    assert plackett_luce.fit(orders, "AB").strengths == bradley_terry.fit(games, "AB").strengths


def test_a_board_that_was_a_tie_counts_for_the_error() -> None:
    """With as few boards as three its widening is 3/2, as of three games."""
    orders = [Order(((0,), (1,)), 0), Order(((1,), (0,)), 1), Order(((0, 1),), 2)]

    assert plackett_luce.fit(orders, "AB").strengths.correction == (1.5, 1.5)


def test_columns_of_tables_of_two_sizes_give_the_same() -> None:
    orders = [
        Order(((0,), (1, 2)), 5),
        Order(((2,), (0,), (1,)), 5),
        Order(((1,), (0,)), 6),
        Order(((1,), (2,), (0,))),
        Order(((2,), (1,)), weight=2),
    ]

    tables = columns(orders)

    assert [table.entrants.shape for table in tables] == [(2, 2), (3, 3)]
    assert plackett_luce.fit_columns(tables[::-1], "ABC").estimate(0).value == pytest.approx(
        plackett_luce.fit(orders, "ABC").estimate(0).value
    )
    assert plackett_luce.fit(orders[::-1], "ABC") == plackett_luce.fit(orders, "ABC")

from collections import Counter

import pytest

from fivehundred.tournament.formats.orders import imbalance, orders


@pytest.mark.parametrize(("players", "length"), [(2, 1), (3, 2), (4, 6), (5, 4), (6, 20)])
def test_over_a_cycle_everybody_sits_at_each_distance_to_everybody_equally_often(
    players: int, length: int
) -> None:
    cycle = orders(players)

    distances = Counter(
        (one, other, (order.index(other) - order.index(one)) % players)
        for order in cycle
        for one in range(players)
        for other in range(players)
        if one != other
    )
    assert len(cycle) == len(set(cycle)) == length
    assert len(distances) == players * (players - 1) ** 2
    assert len(set(distances.values())) == 1
    assert imbalance(players, cycle) == 0


def test_part_of_a_cycle_is_out_of_balance_by_a_number() -> None:
    assert [imbalance(5, orders(5)[:length]) for length in (1, 2, 3, 4)] == [1, 1, 1, 0]
    assert imbalance(4, orders(4)[:1]) == 1


def test_a_table_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no table seats 7: 2 to 6"):
        orders(7)

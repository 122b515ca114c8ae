"""Running ratings of pools, for live display only."""

from random import Random

import pytest

from fivehundred.tournament.pool_live import live_ratings
from fivehundred.tournament.pools import pools
from pool_hands import FIELD, THREE, boards, event, margins, played


def test_the_first_results_move_by_half_of_32_on_both_sides() -> None:
    cup = event()
    (pool,) = pools(boards(cup, margins(cup, FIELD, [(0, 1, 50)])))

    rows = live_ratings(pool)

    assert [(row.player, row.elo) for row in rows] == [("ann@1", 1516), ("bob@1", 1484)]


@pytest.mark.parametrize("slots", [2, 4])
def test_they_follow_the_log_whatever_the_order_in_which_it_is_read(slots: int) -> None:
    first, second = event("first", at=1), event("second", at=2)
    found = boards(first, played(first, FIELD, slots)) + boards(
        second, played(second, FIELD, slots)
    )
    (pool,) = pools(found)

    (again,) = pools(Random(3).sample(found, len(found)))

    assert live_ratings(again) == live_ratings(pool)


def test_a_log_in_another_order_gives_other_numbers() -> None:
    straight = [event("first", at=1), event("second", at=2)]
    turned = [event("first", at=2), event("second", at=1)]

    one, other = (
        live_ratings(
            pools([board for cup in cups for board in boards(cup, played(cup, FIELD[:3]))])[0]
        )
        for cups in (straight, turned)
    )

    assert one != other


def test_skills_leave_out_tables_with_one_bot_on_several_sides() -> None:
    cup = event(rules=THREE)
    (pool,) = pools(boards(cup, played(cup, ("ann@1", "ann@1", "bob@1"), 3)))

    rows = live_ratings(pool)

    assert {row.mu for row in rows} == {None}
    assert sum(row.elo for row in rows) == pytest.approx(3000, abs=200)

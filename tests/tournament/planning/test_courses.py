"""How the matches of an event may go."""

from functools import partial

from fivehundred.tournament.formats import (
    Fixed,
    Format,
    gauntlet,
    mixed_teams,
    round_robin,
    single_elimination,
    swiss,
)
from fivehundred.tournament.planning.courses import beside, courses, longest


def _round_robin() -> Format:
    return Fixed(round_robin(4, 3, 2), 4)


def test_a_fixed_format_has_one_course() -> None:
    (only,) = courses(_round_robin, 4, 4, by_round=False)

    assert only.matches == 18
    assert only.waves == 5
    assert set(only.tables.values()) == {3}
    assert sorted(table for _, table in only.tables) == [
        *((0, 1), (0, 2), (0, 3)),
        *((1, 2), (1, 3), (2, 3)),
    ]


def test_rounds_are_told_apart_where_they_share_boards() -> None:
    (only,) = courses(_round_robin, 4, 4, by_round=True)

    assert {turn for turn, _ in only.tables} == {0, 1, 2}


def test_partners_are_kept_together() -> None:
    def make() -> Format:
        return Fixed(mixed_teams(4, 4, 2), 4)

    (only,) = courses(make, 4, 1, by_round=False, teams=2)

    partners = {frozenset(map(frozenset, (t[0::2], t[1::2]))) for _, t in only.tables}
    assert len(partners) == 3


def test_a_bracket_is_played_by_chance_and_the_same_each_time() -> None:
    make = partial(single_elimination, 8, best_of=1, extra=0)

    ways = courses(make, 8, 16, by_round=False)

    again = courses(make, 8, 16, by_round=False)
    assert {way.matches for way in ways} == {7}
    assert {way.waves for way in ways} == {3}
    assert [way.tables for way in ways] == [way.tables for way in again]
    assert len({frozenset(way.tables) for way in ways}) > 10


def test_the_longest_course_of_a_bracket_plays_all_extra_matches() -> None:
    make = partial(single_elimination, 2, best_of=3, extra=4)
    ways = courses(make, 2, 16, by_round=False)

    assert longest(make, 1, ways) == 7
    assert longest(make, 16, ways) == 4


def test_a_fixed_format_is_as_long_as_its_matches_need() -> None:
    ways = courses(_round_robin, 4, 5, by_round=False)

    assert longest(_round_robin, 5, ways) == 4


def test_a_swiss_keeps_no_more_tables_busy_than_a_round_has() -> None:
    assert beside(swiss(6, 3), 16) == 3.0
    assert beside(_round_robin(), 6) == 6.0
    assert beside(Fixed(gauntlet(4, (0,)), 4), 16) == 3.0

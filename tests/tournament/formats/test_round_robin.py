from collections import Counter
from itertools import combinations

import pytest

from fivehundred.rules.ruleset import CallRules, RuleSet, SideModel
from fivehundred.tournament.formats import Pairing, round_robin, table_size
from fivehundred.tournament.formats.round_robin import tables_with_rest

THREE = RuleSet(players=3, side_model=SideModel.SOLO)
CALLED = RuleSet(players=5, side_model=SideModel.CALLED, call=CallRules())


@pytest.mark.parametrize(
    ("rules", "entrants", "size"),
    [
        (RuleSet(), 9, 2),
        (THREE, 2, 2),
        (THREE, 3, 3),
        (THREE, 9, 3),
        (CALLED, 4, 2),
        (CALLED, 5, 5),
        (RuleSet(players=6, side_model=SideModel.TEAMS_3), 4, 3),
    ],
)
def test_a_table_takes_one_entrant_a_side_or_two(rules: RuleSet, entrants: int, size: int) -> None:
    assert table_size(rules, entrants) == size


@pytest.mark.parametrize("size", [2, 3])
def test_everybody_meets_everybody_in_every_round(size: int) -> None:
    pairings = list(round_robin(6, 3, size))

    met = Counter((pairing.round, tuple(sorted(pairing.entrants))) for pairing in pairings)
    tables = combinations(range(6), size)
    assert met == {(turn, table): 1 for table in tables for turn in range(3)}


def test_pairings_are_numbered_in_order() -> None:
    pairings = round_robin(4, 2, 2)

    assert len(pairings) == 12
    assert [pairing.number for pairing in pairings] == list(range(12))
    assert [pairing.round for pairing in pairings] == [0] * 6 + [1] * 6


def test_a_pairing_depends_on_its_number_alone() -> None:
    assert round_robin(4, 2, 2)[7] == list(round_robin(4, 5, 2))[7]
    assert round_robin(2, 2, 2)[1] == Pairing(1, 1, (0, 1))


def test_a_number_out_of_range_is_refused() -> None:
    with pytest.raises(IndexError, match="6 pairings, no number 6"):
        round_robin(4, 1, 2)[6]


@pytest.mark.parametrize("entrants", [2, 3, 5, 8])
def test_everybody_is_named_first_equally_often_over_two_rounds(entrants: int) -> None:
    first = Counter(pairing.entrants[0] for pairing in round_robin(entrants, 2, 2))

    assert first == dict.fromkeys(range(entrants), entrants - 1)


def test_a_field_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="1 entrant cannot fill tables of 2"):
        round_robin(1, 1, 2)


def test_pairings_are_counted_without_being_made() -> None:
    assert len(round_robin(1000, 3, 5)) == 3 * 8_250_291_250_200


@pytest.mark.parametrize("size", range(2, 7))
@pytest.mark.parametrize("entrants", [6, 7, 8, 9, 12])
def test_tables_come_by_the_rest_of_their_sums(entrants: int, size: int) -> None:
    tables = sorted(
        combinations(range(entrants), size), key=lambda table: (sum(table) % entrants, table)
    )
    rests = Counter(sum(table) % entrants for table in tables)

    assert [tuple(sorted(each.entrants)) for each in round_robin(entrants, 1, size)] == tables
    assert [tables_with_rest(entrants, size, rest) for rest in range(entrants)] == [
        rests[rest] for rest in range(entrants)
    ]

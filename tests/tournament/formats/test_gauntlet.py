from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from fivehundred.tournament.formats import gauntlet
from fivehundred.tournament.formats.gauntlet import choice


def test_challengers_meet_the_field_and_nobody_else_meets() -> None:
    met = Counter(frozenset(pairing.entrants) for pairing in gauntlet(6, [4, 0], rounds=3))

    assert met == {frozenset((one, other)): 3 for one in (0, 4) for other in (1, 2, 3, 5)}


def test_at_tables_of_three_a_challenger_meets_every_two_of_the_field() -> None:
    pairings = list(gauntlet(4, [3], table_size=3))

    assert {frozenset(pairing.entrants) for pairing in pairings} == {
        frozenset((3, 0, 1)),
        frozenset((3, 0, 2)),
        frozenset((3, 1, 2)),
    }


@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_challenger_sits_in_each_slot_once_in_so_many_rounds(size: int) -> None:
    slots = Counter(
        pairing.entrants.index(challenger)
        for pairing in gauntlet(8, [2, 5], rounds=size, table_size=size)
        for challenger in (2, 5)
        if challenger in pairing.entrants
    )

    assert len(slots) == size
    assert len(set(slots.values())) == 1


def test_a_pairing_depends_on_its_number_alone() -> None:
    assert gauntlet(5, [0], rounds=9)[6] == list(gauntlet(5, [0], rounds=2))[6]


def test_a_number_out_of_range_is_refused() -> None:
    with pytest.raises(IndexError, match="4 pairings, no number 4"):
        gauntlet(5, [0])[4]


@pytest.mark.parametrize(
    ("entrants", "challengers", "rounds", "size", "words"),
    [
        (4, [], 1, 2, "needs a challenger"),
        (4, [0, 0], 1, 2, "each is named once"),
        (4, [4], 1, 2, "none of the 4 entrants"),
        (2, [0, 1], 1, 2, "0 entrants beside the challengers .* 1 or more"),
        (4, [0, 1], 1, 4, "2 entrants beside the challengers .* 3 or more"),
        (4, [0], 0, 2, "0 rounds has no match"),
    ],
)
def test_nonsense_is_refused(
    entrants: int, challengers: Sequence[int], rounds: int, size: int, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        gauntlet(entrants, challengers, rounds=rounds, table_size=size)


@pytest.mark.parametrize(("size", "chosen"), [(5, 1), (6, 2), (7, 3), (6, 6)])
def test_choices_are_numbered_in_their_order(size: int, chosen: int) -> None:
    every = list(combinations(range(size), chosen))

    assert [choice(size, chosen, number) for number in range(len(every))] == every

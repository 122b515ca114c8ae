from collections import Counter
from itertools import permutations

import pytest

from fivehundred.rules.ruleset import CallRules, RuleSet, SideModel
from fivehundred.tournament.seatings import full_seatings, relative_imbalance, seatings

FOUR = RuleSet()
SIX_IN_TWO = RuleSet(players=6)
SIX_IN_THREE = RuleSet(players=6, side_model=SideModel.TEAMS_3)
THREE = RuleSet(players=3, side_model=SideModel.SOLO)
FOUR_SOLO = RuleSet(players=4, side_model=SideModel.SOLO)
CALLED = RuleSet(players=5, side_model=SideModel.CALLED, call=CallRules())


def test_two_sides_change_places() -> None:
    assert seatings(FOUR, 2) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert seatings(SIX_IN_TWO, 2) == ((0, 1, 0, 1, 0, 1), (1, 0, 1, 0, 1, 0))


def test_two_players_change_places() -> None:
    assert seatings(RuleSet(players=2, side_model=SideModel.SOLO), 2) == ((0, 1), (1, 0))


def test_three_pairs_sit_in_every_order() -> None:
    orders = seatings(SIX_IN_THREE, 3)

    assert len(set(orders)) == 6
    assert all(order[:3] == order[3:] and set(order) == {0, 1, 2} for order in orders)


def test_three_players_sit_in_every_order() -> None:
    assert len(set(seatings(THREE, 3))) == 6


def test_more_players_go_round() -> None:
    assert seatings(FOUR_SOLO, 4) == ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))


def test_of_two_at_a_table_of_three_each_sits_alone_in_each_seat() -> None:
    assert seatings(THREE, 2) == (
        (0, 1, 1),
        (1, 0, 0),
        (1, 0, 1),
        (0, 1, 0),
        (1, 1, 0),
        (0, 0, 1),
    )


@pytest.mark.parametrize(
    ("rules", "slots"),
    [
        (FOUR, 2),
        (SIX_IN_TWO, 2),
        (SIX_IN_THREE, 3),
        (SIX_IN_THREE, 2),
        (THREE, 3),
        (THREE, 2),
        (FOUR_SOLO, 4),
        (FOUR_SOLO, 2),
        (CALLED, 5),
        (CALLED, 2),
        (FOUR, 4),
        (SIX_IN_TWO, 6),
        (SIX_IN_THREE, 6),
    ],
)
def test_every_slot_sits_equally_often_in_every_seat(rules: RuleSet, slots: int) -> None:
    for seat in range(rules.players):
        sitting = Counter(seating[seat] for seating in seatings(rules, slots))
        assert len(sitting) == slots
        assert len(set(sitting.values())) == 1


def test_a_number_of_entrants_that_cannot_be_seated_is_refused() -> None:
    with pytest.raises(ValueError, match="4 sides seats 4 or 2 entrants, not 3"):
        seatings(FOUR_SOLO, 3)
    with pytest.raises(ValueError, match="2 sides seats 6 or 2 entrants, not 3"):
        seatings(SIX_IN_TWO, 3)


@pytest.mark.parametrize("rules", [FOUR, SIX_IN_TWO, SIX_IN_THREE])
def test_of_as_many_entrants_as_players_the_partners_stay_partners(rules: RuleSet) -> None:
    for seating in seatings(rules, rules.players):
        sides = [
            {seating[seat] for seat in range(side, rules.players, rules.sides)}
            for side in range(rules.sides)
        ]
        teams = [set(range(side, rules.players, rules.sides)) for side in range(rules.sides)]
        assert sorted(sides, key=min) == teams


@pytest.mark.parametrize(("rules", "imbalance"), [(FOUR, 0), (SIX_IN_TWO, 0), (SIX_IN_THREE, 1)])
def test_of_as_many_entrants_as_players_each_sits_at_each_distance(
    rules: RuleSet, imbalance: int
) -> None:
    mixed = seatings(rules, rules.players)

    assert len(mixed) == rules.players
    assert relative_imbalance(rules.sides, mixed) == imbalance


@pytest.mark.parametrize("players", [2, 3, 5])
def test_in_full_seatings_each_two_have_each_two_seats_once(players: int) -> None:
    full = full_seatings(players)

    pairs = Counter(
        (one, other, seating.index(one), seating.index(other))
        for seating in full
        for one, other in permutations(range(players), 2)
    )
    assert set(pairs.values()) == {1}
    assert len(pairs) == (players * (players - 1)) ** 2
    assert relative_imbalance(players, full) == 0


def test_rotations_never_change_who_sits_to_whose_left() -> None:
    assert relative_imbalance(5, seatings(CALLED, 5)) == 5


def test_full_seatings_that_are_not_known_are_refused() -> None:
    with pytest.raises(ValueError, match="4 players: 2, 3 or 5 are right"):
        full_seatings(4)

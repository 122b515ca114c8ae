from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.formats import Pairing, mixed_teams, solo_tables
from fivehundred.tournament.seatings import seatings

FIVE = RuleSet(players=5, side_model=SideModel.SOLO)


def _spread(counts: Counter[tuple[int, ...]], keys: Iterable[tuple[int, ...]]) -> int:
    times = [counts[key] for key in keys]
    return max(times) - min(times)


def _met(pairings: Iterable[Pairing]) -> Counter[tuple[int, ...]]:
    return Counter(pair for at in pairings for pair in combinations(sorted(at.entrants), 2))


def _partners(pairings: Iterable[Pairing], sides: int) -> Counter[tuple[int, ...]]:
    teams = (team for pairing in pairings for team in pairing.teams(sides))
    return Counter(pair for team in teams for pair in combinations(sorted(team), 2))


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([2, 3, 5]), st.integers(0, 7), st.integers(1, 3))
def test_at_solo_tables_meetings_are_as_unequal_as_is_said(
    size: int, more: int, cycles: int
) -> None:
    tables = solo_tables(size + more, size, cycles=cycles)

    spread = _spread(_met(tables), combinations(range(size + more), 2))

    assert spread == tables.opponent_imbalance()


@pytest.mark.parametrize(
    ("entrants", "size", "tables"),
    [
        *((9, 2, 36), (5, 3, 10), (6, 3, 10), (7, 3, 7), (9, 3, 36), (13, 3, 26), (16, 3, 80)),
        *((5, 5, 1), (6, 5, 6), (9, 5, 18), (11, 5, 11), (13, 5, 39), (21, 5, 21)),
    ],
)
def test_these_solo_tables_are_perfect(entrants: int, size: int, tables: int) -> None:
    design = solo_tables(entrants, size)

    times = set(_met(design).values())
    assert len(design) == tables
    assert len(times) == 1
    assert len(_met(design)) == entrants * (entrants - 1) // 2


@settings(max_examples=10, deadline=None)
@given(st.sampled_from([(4, 2), (6, 2), (6, 3)]), st.integers(0, 6), st.integers(1, 2))
def test_partners_and_opponents_are_as_unequal_as_is_said(
    shape: tuple[int, int], more: int, cycles: int
) -> None:
    players, sides = shape
    tables = mixed_teams(players + more, players, sides, cycles=cycles)
    pairs = list(combinations(range(players + more), 2))

    partners = _partners(tables, sides)

    assert _spread(partners, pairs) == tables.partner_imbalance()
    assert _spread(_met(tables) - partners, pairs) == tables.opponent_imbalance()


@pytest.mark.parametrize(
    ("entrants", "players", "sides", "tables"),
    [
        *((4, 4, 2, 3), (5, 4, 2, 5), (6, 4, 2, 15), (7, 4, 2, 21), (8, 4, 2, 14), (12, 4, 2, 33)),
        *((7, 6, 2, 7), (8, 6, 2, 28), (6, 6, 3, 5), (7, 6, 3, 7), (12, 6, 3, 22)),
    ],
)
def test_these_mixed_teams_are_perfect(
    entrants: int, players: int, sides: int, tables: int
) -> None:
    design = mixed_teams(entrants, players, sides)

    partners = _partners(design, sides)
    assert len(design) == tables
    assert len(partners) == entrants * (entrants - 1) // 2
    assert len(set(partners.values())) == 1
    assert len(set((_met(design) - partners).values())) == 1


@pytest.mark.parametrize("entrants", range(4, 17))
def test_everybody_has_everybody_as_a_partner_equally_often(entrants: int) -> None:
    assert mixed_teams(entrants, 4, 2, cycles=1).partner_imbalance() == 0


def test_six_in_two_teams_of_three_are_balanced_after_two_cycles() -> None:
    assert mixed_teams(6, 6, 2).partner_imbalance() == 2
    assert mixed_teams(6, 6, 2, cycles=2).partner_imbalance() == 0


@settings(max_examples=6, deadline=None)
@given(st.integers(5, 12), st.integers(1, 4))
def test_distances_of_seats_are_as_unequal_as_is_said(entrants: int, cycles: int) -> None:
    tables = solo_tables(entrants, 5, cycles=cycles)

    distances: Counter[tuple[int, ...]] = Counter()
    for pairing, seating in product(tables, seatings(FIVE, 5)):
        seated = [pairing.entrants[slot] for slot in seating]
        for seat, away in product(range(5), range(1, 5)):
            distances[seated[seat], seated[(seat + away) % 5], away] += 1

    keys = [
        (one, other, away)
        for one, other, away in product(range(entrants), range(entrants), range(1, 5))
        if one != other
    ]
    assert _spread(distances, keys) == tables.seat_imbalance() * 5


def test_one_table_changes_its_order_from_cycle_to_cycle() -> None:
    tables = solo_tables(5, 5, cycles=4)

    assert [pairing.entrants for pairing in tables] == [
        (0, 1, 2, 3, 4),
        (0, 2, 4, 1, 3),
        (0, 3, 1, 4, 2),
        (0, 4, 3, 2, 1),
    ]
    assert tables.seat_imbalance() == 0


@pytest.mark.parametrize("entrants", [5, 8])
def test_to_add_cycles_changes_none_before(entrants: int) -> None:
    short, long = mixed_teams(entrants, 4, 2), mixed_teams(entrants, 4, 2, cycles=3)

    assert list(long)[: len(short)] == list(short)
    assert long[len(short)] == list(long)[len(short)]


def test_another_seed_gives_other_tables() -> None:
    assert list(solo_tables(9, 3, seed=1)) != list(solo_tables(9, 3, seed=2))
    assert list(solo_tables(9, 3, seed=1)) == list(solo_tables(9, 3, seed=1))


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="2 entrants cannot fill tables of 3"):
        solo_tables(2, 3)
    with pytest.raises(ValueError, match="0 cycles have no match"):
        solo_tables(4, 3, cycles=0)
    with pytest.raises(ValueError, match=r"3 entrants cannot fill a table of 4 .* 4 or more"):
        mixed_teams(3, 4, 2)
    with pytest.raises(ValueError, match="5 players cannot be 2 teams"):
        mixed_teams(9, 5, 2)
    with pytest.raises(ValueError, match="4 players cannot be 4 teams of two or more"):
        mixed_teams(9, 4, 4)
    with pytest.raises(IndexError, match="3 pairings, no number 3"):
        mixed_teams(4, 4, 2)[3]


def test_cycles_come_again_after_sixteen_and_stay_balanced() -> None:
    tables = mixed_teams(5, 4, 2, cycles=40, seed=3)
    length = len(tables) // 40

    assert [tables[at].entrants for at in range(length)] == [
        tables[16 * length + at].entrants for at in range(length)
    ]
    partners = Counter(frozenset(team) for each in tables for team in each.teams(2))
    assert tables.partner_imbalance() == max(partners.values()) - min(partners.values())


def test_what_is_found_beforehand_is_what_is_found_on_the_way() -> None:
    early, late = (solo_tables(10, 4, cycles=2, seed=1) for _ in range(2))

    early.find()  # type: ignore[union-attr]

    assert list(early) == list(late)

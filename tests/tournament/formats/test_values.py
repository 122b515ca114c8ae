import pytest

from fivehundred.tournament.formats import Outcome, Pairing, Size, outcome


def test_a_match_between_two_is_won_tied_or_lost() -> None:
    assert outcome(0, (10, -20)) == Outcome(0, (1, 0), (10, -20))
    assert outcome(0, (5, 5)).scores == (0.5, 0.5)


def test_at_a_table_of_three_the_score_is_the_share_of_the_others_beaten() -> None:
    assert outcome(7, (0, 30, 0)).scores == (0.25, 1, 0.25)


def test_an_outcome_needs_a_score_and_points_for_each_slot() -> None:
    with pytest.raises(ValueError, match="match 3 has 2 scores and 3 points"):
        Outcome(3, (1, 0), (1, 2, 3))
    with pytest.raises(ValueError, match="two or more"):
        outcome(3, [1])


def test_the_slots_of_teams_count_round_the_table() -> None:
    assert Pairing(0, 0, (4, 5, 6, 7)).teams(2) == ((4, 6), (5, 7))
    assert Pairing(0, 0, (1, 2, 3, 4, 5, 6)).teams(3) == ((1, 4), (2, 5), (3, 6))


def test_sizes_are_added() -> None:
    elimination, endless = Size(7, 8, 10), Size(0, None, None)

    assert elimination.then(elimination) == Size(14, 16, 20)
    assert elimination.then(endless) == Size(7, None, None)

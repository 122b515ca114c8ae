import pytest

from fivehundred.tournament.formats import Fixed, Size, outcome, round_robin


def test_a_round_robin_is_handed_out_in_its_order() -> None:
    pairings = round_robin(4, 2, 2)
    tournament = Fixed(pairings, 4)

    handed_out = [tournament.next() for _ in range(13)]

    assert handed_out == [*pairings, None]
    assert tournament.size == Size(12, 12, 12)


def test_the_ranking_is_by_score_a_match_then_points_a_match() -> None:
    tournament = Fixed(round_robin(3, 1, 2), 3)
    for pairing in round_robin(3, 1, 2):
        tournament.record(
            outcome(pairing.number, [{0: 5, 1: 7, 2: 7}[at] for at in pairing.entrants])
        )

    assert tournament.ranking() == (1, 2, 0)
    assert tournament.is_over


def test_who_has_played_less_is_not_behind_for_that() -> None:
    tournament = Fixed(round_robin(3, 1, 2), 3)
    once = next(pairing for pairing in round_robin(3, 1, 2) if 2 not in pairing.entrants)
    tournament.record(outcome(once.number, list(once.entrants)))

    assert tournament.ranking() == (1, 0, 2)


def test_millions_of_matches_are_not_made_beforehand() -> None:
    assert Fixed(round_robin(1000, 3, 5), 1000).total == 3 * 8_250_291_250_200


def test_a_number_beyond_the_last_is_refused() -> None:
    with pytest.raises(ValueError, match="3 matches, no number 3"):
        Fixed(round_robin(3, 1, 2), 3).record(outcome(3, [1, 0]))

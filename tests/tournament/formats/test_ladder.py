from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.tournament.formats import Size, Stay, ladder, outcome
from played_formats import by_chance, by_seed, played


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 12), st.integers(0, 10**6), st.integers(1, 20))
def test_everybody_plays_about_equally_often(entrants: int, seed: int, ahead: int) -> None:
    log = played(ladder(entrants, matches=20 * entrants, ahead=ahead), by_chance(seed))

    times = Counter(at for pairing, _ in log.values() for at in pairing.entrants)
    assert min(times.values()) >= 20
    assert sum(times.values()) == 40 * entrants


def test_the_likest_meet_most() -> None:
    ratings = [1900.0, 1850.0, 1200.0, 1150.0]

    log = played(ladder(4, matches=60, ratings=ratings), by_seed)

    met = Counter(frozenset(pairing.entrants) for pairing, _ in log.values())
    far = max(met[frozenset((one, other))] for one in (0, 1) for other in (2, 3))
    assert min(met[frozenset((0, 1))], met[frozenset((2, 3))]) > 2 * far


def test_the_better_end_above() -> None:
    tournament = ladder(6, matches=300)

    played(tournament, by_seed)

    assert tournament.ranking() == (0, 1, 2, 3, 4, 5)


def test_what_one_gains_the_other_loses() -> None:
    tournament = ladder(5, matches=80)

    played(tournament, by_chance(1))

    assert sum(tournament.rating(at) for at in range(5)) == pytest.approx(5 * 1500, abs=0.1)


def test_the_first_win_between_equals_is_half_the_greater_pace() -> None:
    tournament = ladder(2)
    first = tournament.next()
    assert first is not None

    tournament.record(outcome(0, [1, 0]))

    assert [tournament.rating(at) for at in first.entrants] == [1516, 1484]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_entrants_come_and_go_at_their_numbers(seed: int) -> None:
    stays = [Stay(0), Stay(1), Stay(2, 0, 15), Stay(3, 10), Stay(2, 30, 35)]

    log = played(ladder(4, matches=60, stays=stays), by_chance(seed))

    seen = {at: {n for n in log if at in log[n][0].entrants} for at in range(4)}
    assert seen[2] <= {*range(15), *range(30, 35)}
    assert min(seen[3]) >= 10
    assert seen[2] & set(range(15))
    assert seen[2] & set(range(30, 35))


def test_who_comes_late_catches_up() -> None:
    log = played(ladder(4, matches=60, ahead=1, stays=[*map(Stay, range(3)), Stay(3, 30)]), by_seed)

    assert all(3 in log[number][0].entrants for number in range(30, 45))


def test_match_k_waits_for_the_outcome_of_k_less_those_under_way() -> None:
    tournament = ladder(4, ahead=3)
    handed_out = [tournament.next() for _ in range(4)]

    tournament.record(outcome(2, [1, 0]))
    still = tournament.next()
    tournament.record(outcome(0, [1, 0]))

    assert [pairing and pairing.number for pairing in handed_out] == [0, 1, 2, None]
    assert still is None
    assert tournament.next() is not None
    assert tournament.next() is None


def test_an_open_ended_ladder_goes_on_until_it_is_stopped() -> None:
    tournament = ladder(3, ahead=2)
    for number in range(40):
        assert not tournament.is_over
        tournament.record(outcome(number, [1, 0]))

    matches = tournament.stop()

    assert matches == 42
    for number in (40, 41):
        tournament.record(outcome(number, [1, 0]))
    assert tournament.is_over
    assert tournament.total == 42


def test_a_stopped_ladder_is_resumed_with_its_number_of_matches() -> None:
    stopped, again = ladder(5, ahead=4), ladder(5, ahead=4, matches=24)
    for number in range(20):
        pairing = stopped.next()
        assert pairing is not None
        assert pairing == again.next()
        stopped.record(by_chance(4)(pairing))
        again.record(by_chance(4)(pairing))
        assert pairing.number == number

    assert stopped.stop() == 24
    assert [stopped.next() for _ in range(5)] == [again.next() for _ in range(5)]


def test_who_leaves_and_comes_at_one_match_is_there_once() -> None:
    stays = [Stay(0), Stay(1, 0, 7), Stay(1, 7), Stay(1, 3, 9)]

    assert len(played(ladder(2, matches=20, stays=stays), by_seed)) == 20


def test_to_say_the_size_pairs_nobody() -> None:
    tournament = ladder(1000, ahead=4096)

    assert tournament.size == Size(0, None, None)
    assert not tournament.is_over


def test_an_open_ended_ladder_ends_where_too_few_are_left() -> None:
    tournament = ladder(2, ahead=2, stays=[Stay(0), Stay(1, 0, 7)])

    assert len(played(tournament, by_seed)) == 7


def test_the_size_is_known_where_the_number_is() -> None:
    assert ladder(4, matches=50).size == Size(50, 50, 50)
    assert ladder(4).size == Size(0, None, None)


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="1 entrant cannot fill tables of 2"):
        ladder(1)
    with pytest.raises(ValueError, match="3 ratings for 2 entrants"):
        ladder(2, ratings=[1, 2, 3])
    with pytest.raises(ValueError, match="0 matches, 16 at once"):
        ladder(2, matches=0)
    with pytest.raises(ValueError, match="entrant 2 stays, who is none of the 2"):
        ladder(2, stays=[Stay(0), Stay(1), Stay(2)])
    with pytest.raises(ValueError, match="entrant 1 stays from match 5 to 4"):
        ladder(2, stays=[Stay(0), Stay(1, 5, 4)])
    with pytest.raises(ValueError, match="too few are there at match 0: 1, and a table has 2"):
        ladder(2, stays=[Stay(0), Stay(1, 5)])
    with pytest.raises(ValueError, match="too few are there at match 7: 1"):
        ladder(2, matches=9, stays=[Stay(0), Stay(1, 0, 7)])

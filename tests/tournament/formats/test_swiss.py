from collections import Counter, defaultdict
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.tournament.formats import Outcome, Pairing, Size, outcome, swiss
from played_formats import Log, by_chance, by_seed, played


def _rounds(log: Log) -> dict[int, list[tuple[int, ...]]]:
    """The pairs of each round, in order."""
    rounds: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for number in sorted(log):
        rounds[log[number][0].round].append(log[number][0].entrants)
    return rounds


@settings(max_examples=60, deadline=None)
@given(entrants=st.integers(2, 24), seed=st.integers(0, 10**6), data=st.data())
def test_everybody_plays_once_a_round_or_has_the_bye_once_at_most(
    entrants: int, seed: int, data: st.DataObject
) -> None:
    rounds = data.draw(st.integers(1, entrants - 1 + entrants % 2))
    tournament = swiss(entrants, rounds)

    log = played(tournament, by_chance(seed))

    assert len(_rounds(log)) == rounds
    for pairs in _rounds(log).values():
        playing = Counter(entrant for pair in pairs for entrant in pair)
        assert set(playing.values()) == {1}
        assert len(playing) == entrants - entrants % 2
    byes = [tournament.byes(entrant) for entrant in range(entrants)]
    assert sum(byes) == rounds * (entrants % 2)
    assert max(byes) <= 1


@settings(max_examples=60, deadline=None)
@given(entrants=st.integers(2, 30), seed=st.integers(0, 10**6))
def test_nobody_meets_twice_in_half_as_many_rounds_as_entrants(entrants: int, seed: int) -> None:
    log = played(swiss(entrants, (entrants + 1) // 2), by_chance(seed))

    met = Counter(frozenset(pairing.entrants) for pairing, _ in log.values())
    assert set(met.values()) == {1}


@settings(max_examples=60, deadline=None)
@given(entrants=st.integers(3, 10), seed=st.integers(0, 10**6))
def test_a_rematch_comes_only_where_no_pairing_is_without(entrants: int, seed: int) -> None:
    log = played(swiss(entrants, entrants - 1 + entrants % 2), by_chance(seed))

    met: set[frozenset[int]] = set()
    had_bye: set[int] = set()
    for pairs in _rounds(log).values():
        now = {frozenset(pair) for pair in pairs}
        if now & met:
            assert not _can_be_paired(frozenset(range(entrants)), met, had_bye)
        met |= now
        had_bye |= set(range(entrants)).difference(*now)


def _can_be_paired(left: frozenset[int], met: set[frozenset[int]], had_bye: set[int]) -> bool:
    """Whether there is a pairing without a rematch and a second bye, by trying everything."""
    if len(left) % 2:
        return any(_can_be_paired(left - {one}, met, had_bye) for one in left - had_bye)
    if not left:
        return True
    one = min(left)
    return any(
        frozenset((one, other)) not in met and _can_be_paired(left - {one, other}, met, had_bye)
        for other in left - {one}
    )


def test_the_first_round_pairs_the_upper_half_with_the_lower() -> None:
    log = played(swiss(8, 1), by_seed)

    assert _rounds(log)[0] == [(0, 4), (1, 5), (2, 6), (3, 7)]


def test_winners_meet_winners() -> None:
    log = played(swiss(8, 2), by_seed)

    assert [set(pair) for pair in _rounds(log)[1]] == [{0, 2}, {1, 3}, {4, 6}, {5, 7}]


def test_the_lowest_has_the_bye_first_and_it_counts_as_a_win() -> None:
    tournament = swiss(5, 1)

    played(tournament, by_seed)

    assert [tournament.byes(entrant) for entrant in range(5)] == [0, 0, 0, 0, 1]
    assert [tournament.score(entrant) for entrant in range(5)] == [1, 1, 0, 0, 1]


def test_the_lowest_of_an_odd_group_who_has_floated_least_floats_down() -> None:
    log = played(swiss(6, 3), by_seed)

    assert [set(pair) for pair in _rounds(log)[0]] == [{0, 3}, {1, 4}, {2, 5}]
    assert [set(pair) for pair in _rounds(log)[1]] == [{0, 1}, {2, 3}, {4, 5}]


@pytest.mark.parametrize("seed", range(6))
def test_floats_are_shared_out(seed: int) -> None:
    log = played(swiss(31, 9), by_chance(seed, levels=1000))

    assert max(_floats_down(log, 31).values()) <= 4


def _floats_down(log: Log, entrants: int) -> Counter[int]:
    """How often each has met one with a lower score."""
    scores = [0.0] * entrants
    floats: Counter[int] = Counter()
    for pairs in _rounds(log).values():
        known = {pairing.entrants: ended for pairing, ended in log.values()}
        floats.update(
            max(pair, key=lambda at: scores[at])
            for pair in pairs
            if scores[pair[0]] != scores[pair[1]]
        )
        for pair in pairs:
            for slot, entrant in enumerate(pair):
                scores[entrant] += known[pair].scores[slot]
        for entrant in set(range(entrants)).difference(*map(set, pairs)):
            scores[entrant] += 1
    return floats


def test_everybody_is_named_first_in_about_half_the_matches() -> None:
    log = played(swiss(16, 8), by_chance(3))

    first = Counter(pairing.entrants[0] for pairing, _ in log.values())
    assert all(2 <= first[entrant] <= 6 for entrant in range(16))


def test_equal_scores_are_ranked_by_buchholz() -> None:
    tournament = swiss(4, 2)

    def rule(pairing: Pairing) -> Outcome:
        winner = min(pairing.entrants) if pairing.round == 0 else max(pairing.entrants)
        return outcome(pairing.number, [at == winner for at in pairing.entrants])

    played(tournament, rule)

    assert [tournament.score(entrant) for entrant in range(4)] == [1, 2, 0, 1]
    assert [tournament.buchholz(entrant) for entrant in range(4)] == [2, 2, 2, 2]
    assert tournament.ranking() == (1, 0, 3, 2)


def test_the_better_of_two_wins() -> None:
    tournament = swiss(16, 4)

    played(tournament, by_seed)

    assert tournament.ranking()[0] == 0
    assert tournament.ranking()[-1] == 15


def test_two_hundred_are_paired_in_time() -> None:
    start = process_time()

    played(swiss(200, 6), by_chance(1))

    assert process_time() - start < 10


def test_the_size_is_known() -> None:
    assert swiss(9, 5).size == Size(20, 20, 20)
    assert swiss(9, 5).total == 20


@pytest.mark.parametrize(
    ("entrants", "rounds", "words"),
    [
        (1, 1, "1 entrant cannot meet anybody: 2 or more"),
        (8, 8, "8 entrants cannot play 8 rounds .* 1 to 7 are right"),
        (9, 10, "9 entrants cannot play 10 rounds .* 1 to 9 are right"),
        (8, 0, "8 entrants cannot play 0 rounds"),
    ],
)
def test_nonsense_is_refused(entrants: int, rounds: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        swiss(entrants, rounds)


def test_the_bye_of_each_round_is_told() -> None:
    tournament = swiss(5, 3)

    log = played(tournament, by_seed)

    for number, bye in enumerate(tournament.bye_of_round):
        playing = {entrant for pair in _rounds(log)[number] for entrant in pair}
        assert {bye} == set(range(5)) - playing
    assert len(tournament.bye_of_round) == 3
    assert swiss(4, 2).bye_of_round == (None,)

from collections import Counter
from collections.abc import Callable
from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.tournament.formats import (
    Bracket,
    Branch,
    Decided,
    Outcome,
    Pairing,
    Size,
    double_elimination,
    outcome,
    single_elimination,
)
from played_formats import Log, Rule, by_chance, by_seed, played

Make = Callable[..., Bracket]
both = pytest.mark.parametrize("make", [single_elimination, double_elimination])


def _series(log: Log) -> dict[tuple[int, frozenset[int]], list[Outcome]]:
    """The matches of each series, in order, from the lower number's side."""
    series: dict[tuple[int, frozenset[int]], list[Outcome]] = {}
    for number in sorted(log):
        pairing, ended = log[number]
        turned = pairing.entrants[0] > pairing.entrants[1]
        seen = Outcome(number, ended.scores[::-1], ended.points[::-1]) if turned else ended
        series.setdefault((pairing.round, frozenset(pairing.entrants)), []).append(seen)
    return series


def _lost(log: Log) -> Counter[int]:
    """How many series each has lost."""
    lost: Counter[int] = Counter()
    for (_, entrants), matches in _series(log).items():
        wins = [sum(at.scores[slot] == 1 for at in matches) for slot in (0, 1)]
        points = [sum(at.points[slot] for at in matches) for slot in (0, 1)]
        low_wins = (wins[0], points[0]) >= (wins[1], points[1])
        lost[max(entrants) if low_wins else min(entrants)] += 1
    return lost


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.sampled_from([1, 3, 5]), st.integers(0, 10**6))
def test_in_single_elimination_everybody_but_one_loses_once(
    entrants: int, best_of: int, seed: int
) -> None:
    bracket = single_elimination(entrants, best_of=best_of, extra=2)

    lost = _lost(played(bracket, by_chance(seed)))

    champion, *others = bracket.ranking()
    assert lost == dict.fromkeys(others, 1)
    assert lost[champion] == 0


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.sampled_from([1, 3]), st.integers(0, 10**6))
def test_in_double_elimination_everybody_but_one_loses_twice(
    entrants: int, best_of: int, seed: int
) -> None:
    bracket = double_elimination(entrants, best_of=best_of, extra=2)

    lost = _lost(played(bracket, by_chance(seed)))

    champion, *others = bracket.ranking()
    assert {at: lost[at] for at in others} == dict.fromkeys(others, 2)
    assert lost[champion] <= 1


@both
@pytest.mark.parametrize("entrants", range(2, 34))
def test_if_the_better_seed_always_wins_the_two_best_meet_last(make: Make, entrants: int) -> None:
    bracket = make(entrants)

    log = played(bracket, by_seed)

    assert set(log[max(log)][0].entrants) == {0, 1}
    assert bracket.ranking()[:2] == (0, 1)


@pytest.mark.parametrize("entrants", [3, 5, 6, 7, 9, 12, 15])
def test_the_best_have_the_byes(entrants: int) -> None:
    log = played(single_elimination(entrants), by_seed)

    in_first = {at for pairing, _ in log.values() if pairing.round == 0 for at in pairing.entrants}
    byes = 2 ** ceil(log2(entrants)) - entrants
    assert in_first == set(range(byes, entrants))


def test_the_best_meets_the_worst_first() -> None:
    log = played(single_elimination(8), by_seed)

    first = [set(pairing.entrants) for pairing, _ in log.values() if pairing.round == 0]
    assert first == [{0, 7}, {3, 4}, {1, 6}, {2, 5}]


def test_matches_that_are_needed_anyway_are_handed_out_at_once() -> None:
    bracket = single_elimination(2, best_of=5)

    handed_out = [bracket.next() for _ in range(4)]

    assert [pairing and pairing.entrants for pairing in handed_out] == [
        (0, 1),
        (1, 0),
        (0, 1),
        None,
    ]


def test_a_series_is_over_when_it_is_won() -> None:
    bracket = single_elimination(2, best_of=5)

    assert len(played(bracket, by_seed)) == 3


def test_a_tie_is_played_on() -> None:
    bracket = single_elimination(2, best_of=1)

    def rule(pairing: Pairing) -> Outcome:
        points = {0: 0, 1: int(pairing.number == 3)}
        return outcome(pairing.number, [points[at] for at in pairing.entrants])

    assert len(played(bracket, rule)) == 4
    assert bracket.ranking() == (1, 0)


def _tied(pairing: Pairing) -> Outcome:
    return outcome(pairing.number, [0, 0])


@both
def test_copies_of_one_bot_do_not_play_for_ever(make: Make) -> None:
    bracket = make(4, best_of=3, extra=5)

    matches = _series(played(bracket, _tied)).values()

    assert {len(series) for series in matches} == {8}
    assert bracket.ranking()[0] == 0


def test_points_decide_a_series_of_ties_before_seeds_do() -> None:
    def rule(pairing: Pairing) -> Outcome:
        ahead = {0: 3, 1: 4}
        return Outcome(pairing.number, (0.5, 0.5), tuple(ahead[at] for at in pairing.entrants))

    bracket = single_elimination(2, extra=1)
    played(bracket, rule)

    assert bracket.ranking() == (1, 0)


def _upset_in_final(pairing: Pairing) -> Outcome:
    """The lower number wins, but 1 beats 0 once both have met before."""
    won = min(pairing.entrants)
    if set(pairing.entrants) == {0, 1} and pairing.round > 1:
        won = 1
    return outcome(pairing.number, [at == won for at in pairing.entrants])


def test_who_comes_from_the_losers_has_to_win_the_final_twice() -> None:
    straight, upset = double_elimination(4), double_elimination(4)

    assert len(played(straight, by_seed)) == 6
    assert len(played(upset, _upset_in_final)) == 7
    assert upset.ranking() == (1, 0, 2, 3)


@pytest.mark.parametrize(("entrants", "rounds"), [(8, 2), (16, 3), (32, 4)])
@pytest.mark.parametrize("seed", range(5))
def test_nobody_meets_again_in_the_first_rounds_of_the_losers(
    entrants: int, rounds: int, seed: int
) -> None:
    log = played(double_elimination(entrants), by_chance(seed))

    last = log2(entrants) + rounds
    met = Counter(pair for turn, pair in _series(log) if turn < last)
    assert set(met.values()) == {1}


def test_the_ranking_is_by_the_round_of_the_last_loss() -> None:
    bracket = single_elimination(8)

    played(bracket, by_seed)

    assert bracket.ranking() == (0, 1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize("rule", [by_chance(1), by_chance(2), by_seed])
def test_a_bracket_under_way_ranks_everybody(rule: Rule) -> None:
    bracket = double_elimination(6)

    while (pairing := bracket.next()) is not None:
        bracket.record(rule(pairing))
        assert sorted(bracket.ranking()) == list(range(6))


def test_the_size_is_given_beforehand() -> None:
    assert single_elimination(8, extra=0).size == Size(7, 7, 7)
    assert single_elimination(8, best_of=3, extra=4).size == Size(14, 18, 49)
    assert double_elimination(8, extra=0).size == Size(14, 15, 15)
    assert single_elimination(8, extra=0).total == 7
    assert double_elimination(8, extra=0).total is None


@both
@pytest.mark.parametrize(
    ("entrants", "best_of", "extra", "words"),
    [
        (1, 1, 0, "1 entrant cannot meet anybody: 2 or more"),
        (4, 2, 0, "best of 2 may have no winner: an odd number has"),
        (4, -1, 0, "best of -1"),
        (4, 1, -1, "-1 matches cannot be played on: 0 or more"),
    ],
)
def test_nonsense_is_refused(
    make: Make, entrants: int, best_of: int, extra: int, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        make(entrants, best_of=best_of, extra=extra)


def _views(bracket: Bracket) -> list[tuple[Branch, tuple[int, ...], int | None, Decided | None]]:
    return [(each.branch, each.entrants, each.winner, each.decided) for each in bracket.series]


def test_the_series_say_who_met_and_what_decided() -> None:
    bracket = single_elimination(3, best_of=3, extra=1)
    before = _views(bracket)

    log = played(bracket, by_seed)

    winners = Branch.WINNERS
    assert before == [
        (winners, (0,), 0, Decided.BYE),
        (winners, (1, 2), None, None),
        (winners, (), None, None),
    ]
    assert _views(bracket)[1:] == [
        (winners, (1, 2), 1, Decided.WINS),
        (winners, (0, 1), 0, Decided.WINS),
    ]
    assert [each.matches for each in bracket.series] == [(), (0, 1), (2, 3)]
    assert [each.wins for each in bracket.series] == [(0, 0), (2, 0), (2, 0)]
    assert sorted(log) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("points", "decided", "winner"),
    [
        ([(0, 0), (1, 0)], Decided.PLAYED_ON, 0),
        ([(0, 0), (0, 0)], Decided.SEED, 0),
        ([(0, 0), (0, 1)], Decided.PLAYED_ON, 1),
    ],
)
def test_a_tied_series_says_what_decided_it(
    points: list[tuple[int, int]], decided: Decided, winner: int
) -> None:
    bracket = single_elimination(2, best_of=1, extra=1)

    for number, each in enumerate(points):
        told = each[::-1] if number % 2 else each
        bracket.record(outcome(number, told))

    assert _views(bracket) == [(Branch.WINNERS, (0, 1), winner, decided)]


def test_ties_with_more_points_are_decided_by_them() -> None:
    bracket = single_elimination(2, best_of=1, extra=0)

    bracket.record(Outcome(0, (0.5, 0.5), (1.0, 2.0)))

    assert _views(bracket) == [(Branch.WINNERS, (0, 1), 1, Decided.POINTS)]


@pytest.mark.parametrize("entrants", [2, 3, 4, 7])
def test_double_elimination_has_two_branches_and_their_final(entrants: int) -> None:
    bracket = double_elimination(entrants)

    played(bracket, by_seed)

    branches = [each.branch for each in bracket.series]
    assert branches.count(Branch.FINAL) == 2
    assert branches[-2:] == [Branch.FINAL, Branch.FINAL]
    assert (Branch.LOSERS in branches) == (entrants > 2)
    assert bracket.series[-1].entrants == ()
    assert bracket.series[-1].decided is None
    assert bracket.series[-2].winner == 0

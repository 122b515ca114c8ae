from collections.abc import Sequence
from random import Random

import pytest

from fivehundred.tournament.formats import Outcome, Sequential, Size, outcome, sequential
from played_formats import by_chance, by_seed, played, played_on


def _never(_: Sequence[Outcome]) -> None:
    return None


def _after(matches: int) -> "Sequential[str]":
    """Has a verdict on so many matches, and on no more."""

    def verdict(outcomes: Sequence[Outcome]) -> str | None:
        return "better" if len(outcomes) == matches else None

    return sequential(verdict, most=50, least=2, ahead=4)


def test_without_a_verdict_it_ends_at_the_cap() -> None:
    tournament: Sequential[str] = sequential(_never, most=30, least=20)

    assert len(played(tournament, by_seed)) == 30
    assert tournament.result is None
    assert tournament.judged is None
    assert tournament.is_over


@pytest.mark.parametrize("at_once", [1, 3, 9])
def test_what_may_be_under_way_at_the_verdict_is_played_in_any_case(at_once: int) -> None:
    tournament = _after(10)

    log = played_on(tournament, by_chance(1), Random(1), at_once=at_once)

    assert sorted(log) == list(range(13))
    assert tournament.judged == 10


def test_a_verdict_stands() -> None:
    tournament = _after(10)
    played(tournament, by_seed)

    assert tournament.result == "better"


def test_the_verdict_is_asked_on_prefixes_alone_from_the_least_on() -> None:
    asked: list[list[int]] = []

    def verdict(outcomes: Sequence[Outcome]) -> None:
        asked.append([known.number for known in outcomes])

    tournament: Sequential[str] = sequential(verdict, most=6, least=3, ahead=6)
    for number in (5, 1, 3, 0, 2, 4):
        tournament.record(outcome(number, [1, 0]))

    assert asked == [list(range(3)), list(range(4)), list(range(5)), list(range(6))]


def test_slot_0_is_entrant_0_for_the_verdict() -> None:
    seen: list[tuple[float, ...]] = []

    def verdict(outcomes: Sequence[Outcome]) -> None:
        seen.append(outcomes[-1].scores)

    log = played(sequential(verdict, most=4, least=1), by_seed)

    assert seen == [(1, 0)] * 4
    assert [log[number][0].entrants for number in range(4)] == [(0, 1), (1, 0), (0, 1), (1, 0)]


def test_the_ranking_leaves_out_what_came_after_the_verdict() -> None:
    tournament = _after(2)

    for number in range(5):
        winner = 1 if number < 2 else 0
        order = (1, 0) if number % 2 else (0, 1)
        tournament.record(outcome(number, [at == winner for at in order]))

    assert tournament.ranking() == (1, 0)


def test_the_size_is_between_the_first_look_and_the_cap() -> None:
    assert sequential(_never, most=400, least=20, ahead=16).size == Size(35, None, 400)
    assert sequential(_never, most=20, least=20).size == Size(20, 20, 20)


@pytest.mark.parametrize(
    ("most", "least", "ahead", "words"),
    [
        (0, 1, 1, "a cap of 0 leaves no match"),
        (10, 20, 1, "a first look after 20 of 10 matches: 1 to 10 are right"),
        (10, 0, 1, "a first look after 0"),
        (10, 1, 0, "0 matches at once play nothing"),
    ],
)
def test_nonsense_is_refused(most: int, least: int, ahead: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sequential(_never, most=most, least=least, ahead=ahead)

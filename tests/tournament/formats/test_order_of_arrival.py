"""What every format promises: outcomes may arrive in any order, and a kill changes nothing."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.tournament.formats import (
    Fixed,
    Format,
    Outcome,
    Pairing,
    Stage,
    Stay,
    double_elimination,
    gauntlet,
    ladder,
    mixed_teams,
    outcome,
    round_robin,
    sequential,
    single_elimination,
    solo_tables,
    stages,
    swiss,
)
from played_formats import by_chance, by_seed, played, played_on, resumed


def _three_ahead(outcomes: Sequence[Outcome]) -> str | None:
    ahead = sum(known.scores[0] - known.scores[1] for known in outcomes)
    return ("first" if ahead > 0 else "second") if abs(ahead) >= 3 else None


def _by_number(pairing: Pairing) -> Outcome:
    """Who wins depends on the match in a way that is the same everywhere."""
    return outcome(pairing.number, [(3 * at + 5 * pairing.number) % 7 for at in pairing.entrants])


def _three_stages() -> Format:
    return stages(
        [
            Stage(lambda entrants: Fixed(round_robin(entrants, 1, 2), entrants), 8),
            Stage(lambda entrants: swiss(entrants, 3), 6),
            Stage(lambda entrants: double_elimination(entrants, best_of=3, extra=2), 4),
        ]
    )


STAYS = [Stay(at) for at in range(5)] + [Stay(5, 10, 30), Stay(6, 20), Stay(5, 40)]
FORMATS: dict[str, Callable[[], Format]] = {
    "round robin": lambda: Fixed(round_robin(5, 2, 3), 5),
    "gauntlet": lambda: Fixed(gauntlet(6, [1, 4], rounds=2), 6),
    "solo tables": lambda: Fixed(solo_tables(5, 3), 5),
    "mixed teams": lambda: Fixed(mixed_teams(5, 4, 2), 5),
    "swiss": lambda: swiss(11, 6),
    "swiss to the last round": lambda: swiss(6, 5),
    "single elimination": lambda: single_elimination(11, best_of=3, extra=2),
    "double elimination": lambda: double_elimination(11, best_of=3, extra=2),
    "ladder": lambda: ladder(7, matches=60, ahead=6, stays=STAYS),
    "ladder of threes": lambda: ladder(6, matches=30, ahead=4, table_size=3),
    "sequential": lambda: sequential(_three_ahead, most=60, least=5, ahead=4),
    "stages": _three_stages,
}
PINNED = {
    "round robin": "c29d432e0aa78b80",
    "gauntlet": "1a522462e49a55d2",
    "solo tables": "c09d37cb83aa16bd",
    "mixed teams": "8cae48c20dcad2ea",
    "swiss": "906cceb26a5e1559",
    "swiss to the last round": "c26017e13a36ccc3",
    "single elimination": "61dcdd82c5ea4cf4",
    "double elimination": "482f248a84c0dd2b",
    "ladder": "7bb9ed852d48308a",
    "ladder of threes": "74b2c786cb215d5c",
    "sequential": "cbda7fde1cc3b9d4",
    "stages": "de853f6f70087453",
}
every_format = pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS.keys())


@every_format
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), at_once=st.integers(2, 20))
def test_the_order_of_arrival_changes_no_pairing(
    make: Callable[[], Format], seed: int, at_once: int
) -> None:
    one_by_one, at_random = make(), make()

    log = played(one_by_one, by_chance(seed))

    assert played_on(at_random, by_chance(seed), Random(seed), at_once=at_once) == log
    assert at_random.ranking() == one_by_one.ranking()
    assert at_random.total == len(log)


@every_format
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), killed_after=st.integers(0, 60))
def test_a_killed_format_is_resumed_by_recording_the_log(
    make: Callable[[], Format], seed: int, killed_after: int
) -> None:
    log = played(make(), by_chance(seed))

    assert resumed(make, by_chance(seed), Random(seed), killed_after=killed_after) == log


@every_format
def test_matches_are_numbered_without_gaps(make: Callable[[], Format]) -> None:
    log = played(make(), by_chance(1))

    assert sorted(log) == list(range(len(log)))
    assert all(pairing.number == number for number, (pairing, _) in log.items())
    assert all(len(set(pairing.entrants)) == len(pairing.entrants) for pairing, _ in log.values())


@every_format
@pytest.mark.parametrize("seed", range(5))
def test_there_are_as_many_matches_as_the_size_says(make: Callable[[], Format], seed: int) -> None:
    size = make().size

    matches = len(played(make(), by_chance(seed)))

    assert size.least <= matches
    assert size.most is not None
    assert matches <= size.most
    assert size.expected is None or size.least <= size.expected <= size.most


@every_format
def test_a_match_is_known_by_its_number_once_it_is_made(make: Callable[[], Format]) -> None:
    tournament = make()
    first = tournament.next()

    assert first is not None
    assert tournament.pairing(0) == first
    log = played(make(), by_chance(1))
    for number in sorted(log)[::-1]:
        tournament.record(log[number][1])
    assert [tournament.pairing(number) for number in sorted(log)] == [
        log[number][0] for number in sorted(log)
    ]
    assert tournament.pairing(len(log)) is None
    assert tournament.pairing(-1) is None


@pytest.mark.parametrize(("name", "pinned"), PINNED.items())
def test_the_matches_of_a_log_stay_what_they_were(name: str, pinned: str) -> None:
    log = played(FORMATS[name](), _by_number)

    lines = [f"{number} {log[number][0].round} {log[number][0].entrants}" for number in log]
    assert sha256("\n".join(lines).encode()).hexdigest()[:16] == pinned


@every_format
def test_an_outcome_counts_once(make: Callable[[], Format]) -> None:
    tournament = make()
    first = tournament.next()
    assert first is not None
    ended = outcome(first.number, range(len(first.entrants)))
    tournament.record(ended)

    tournament.record(ended)

    assert tournament.next() != first
    with pytest.raises(ValueError, match="match 0 has ended before, and otherwise"):
        tournament.record(outcome(0, range(len(first.entrants), 0, -1)))


@every_format
def test_an_outcome_with_too_many_slots_is_refused(make: Callable[[], Format]) -> None:
    with pytest.raises(ValueError, match=r"match 0 has [23456] slots, not 7"):
        make().record(outcome(0, range(7)))


@every_format
def test_a_number_that_cannot_be_is_refused(make: Callable[[], Format]) -> None:
    with pytest.raises(ValueError, match="no match -1: numbers count from 0"):
        make().record(Outcome(-1, (1, 0), (1, 0)))


@every_format
def test_a_refused_outcome_leaves_no_trace(make: Callable[[], Format]) -> None:
    tournament, untouched = make(), make()

    with pytest.raises(ValueError, match="slots"):
        tournament.record(outcome(0, range(7)))

    assert played(tournament, by_seed) == played(untouched, by_seed)

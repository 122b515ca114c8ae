import pytest

from fivehundred.tournament.formats import (
    Fixed,
    Format,
    Size,
    Stage,
    Stages,
    ladder,
    round_robin,
    single_elimination,
    stages,
    swiss,
)
from played_formats import by_chance, by_seed, played


def _group(entrants: int) -> Format:
    return Fixed(round_robin(entrants, 1, 2), entrants)


def _knockout(entrants: int) -> Format:
    return single_elimination(entrants, extra=0)


def _group_then_knockout() -> Stages:
    return stages([Stage(_group, 6), Stage(_knockout, 4)])


def test_the_best_of_a_stage_come_into_the_next_as_its_seeds() -> None:
    tournament = _group_then_knockout()

    log = played(tournament, by_chance(5, levels=1000))

    group = Fixed(round_robin(6, 1, 2), 6)
    for number in range(15):
        group.record(log[number][1])
    best = group.ranking()
    assert set(log[15][0].entrants) == {best[0], best[3]}
    assert set(log[16][0].entrants) == {best[1], best[2]}
    assert tournament.ranking()[4:] == best[4:]


def test_matches_are_numbered_through_and_a_stage_waits_for_the_one_before() -> None:
    tournament = _group_then_knockout()
    group = [tournament.next() for _ in range(15)]

    nothing = tournament.next()
    for pairing in group:
        assert pairing is not None
        tournament.record(by_seed(pairing))
    semifinal = tournament.next()

    assert nothing is None
    assert semifinal is not None
    assert (semifinal.number, semifinal.round, semifinal.entrants) == (15, 0, (0, 3))
    assert len(tournament.begun) == 2


def test_everybody_is_ranked_once() -> None:
    tournament = stages([Stage(_group, 7), Stage(lambda n: swiss(n, 2), 5), Stage(_knockout, 2)])

    played(tournament, by_chance(2))

    assert sorted(tournament.ranking()) == list(range(7))
    assert tournament.is_over


def test_the_sizes_of_stages_add_up() -> None:
    assert _group_then_knockout().size == Size(18, 18, 18)
    assert _group_then_knockout().total == 18
    endless = stages([Stage(_knockout, 4), Stage(ladder, 4)])
    assert endless.size == Size(3, None, None)
    assert endless.total is None


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="no stages play nothing"):
        stages([])
    with pytest.raises(ValueError, match="6 entrants cannot come out of a stage of 4: 2 to 4"):
        stages([Stage(_group, 4), Stage(_knockout, 6)])
    with pytest.raises(ValueError, match="1 entrant cannot come out of a stage of 4"):
        stages([Stage(_group, 4), Stage(_knockout, 1)])
    with pytest.raises(ValueError, match="stage 0 has no end"):
        stages([Stage(ladder, 4), Stage(_knockout, 4)])


def test_a_stage_that_has_begun_tells_its_entrants_by_seed() -> None:
    tournament = _group_then_knockout()
    (group,) = tournament.begun

    log = played(tournament, by_chance(5, levels=1000))

    again, knockout = tournament.begun
    assert again == group
    assert (group.first, group.entrants) == (0, tuple(range(6)))
    assert (knockout.first, knockout.entrants) == (15, group.format.ranking()[:4])
    for number in (15, 16):
        inner = knockout.format.pairing(number - 15)
        assert inner is not None
        assert log[number][0].entrants == tuple(knockout.entrants[at] for at in inner.entrants)

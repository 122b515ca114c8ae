"""What earlier tournaments of a database teach the planning of another."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.store import Store
from fivehundred.storage.values import NewTournament
from fivehundred.storage.variances import event_of, known_from
from fivehundred.tournament.formats.forms import RoundRobinForm
from fivehundred.tournament.planning import Known, forecast
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.spec import Plan, check_spec

BOARDS = 40


@pytest.fixture
def plan(make_tournament: Callable[..., NewTournament]) -> Plan:
    """A tournament to be planned."""
    spec = tournament_pb2.TournamentSpec.FromString(make_tournament("next").spec)
    return check_spec(spec)


@pytest.fixture
def play(
    store: Store,
    make_tournament: Callable[..., NewTournament],
    play_match: Callable[..., None],
) -> Callable[..., None]:
    """Plays a tournament into the database."""

    def played(name: str, boards: int = BOARDS, **fields: Any) -> None:
        store.create_tournament(make_tournament(name, boards=boards, **fields))
        play_match(store, name)

    return played


def test_an_empty_database_teaches_nothing(store: Store, plan: Plan) -> None:
    remark = "no tournament in it has hands of the same rules, table size and play"

    assert known_from(store, plan) == Known(remark=remark)


def test_an_earlier_tournament_teaches_luck_decisions_pace_and_room(
    store: Store, plan: Plan, play: Callable[..., None]
) -> None:
    play("pilot")
    seen: list[tuple[int, int]] = []

    known = known_from(store, plan, on_progress=lambda done, total: seen.append((done, total)))

    assert known.sources == ("pilot (80 hands)",)
    assert known.points is not None
    assert known.points.by_table.keys() == {(("left",), ("right",))}
    assert known.points.pooled[2].boards == BOARDS
    assert known.elo is not None
    assert known.decisions is not None
    assert known.decisions.plays <= 40
    assert known.pace is not None
    assert known.pace.answers_s < 0.1
    assert known.bytes_a_hand is not None
    assert 500 < known.bytes_a_hand < 5_000
    assert known.hands_a_game is None
    assert seen[0] == (1, 80)
    assert seen[-1] == (80, 80)


def test_the_forecast_rests_on_it(store: Store, plan: Plan, play: Callable[..., None]) -> None:
    play("pilot")

    found = forecast(replace(event_of(plan), form=RoundRobinForm(20)), known_from(store, plan))

    assert [each.kind for each in found.resolutions] == ["measured"]
    assert [each.unit for each in found.other_resolutions] == ["Elo"]
    assert (found.resolution.known_tables, found.resolution.tables) == (1, 1)


def test_too_few_boards_teach_no_luck_but_the_rest(
    store: Store, plan: Plan, play: Callable[..., None]
) -> None:
    play("pilot", 5)

    known = known_from(store, plan)

    assert known.points is None
    assert known.decisions is not None


def test_only_tournaments_alike_count_that_were_before_the_planned_one(
    store: Store, plan: Plan, play: Callable[..., None]
) -> None:
    play("games", 2, games=True)
    play("other-rules", 2, rules=RuleSet(slam_minimum=0))
    play("pilot", 2)
    play("next", 2, at=2)
    play("later", 2, at=3)

    assert known_from(store, plan).sources == ("pilot (4 hands)",)


def test_the_newest_come_first_as_far_as_a_number_of_hands_goes(
    store: Store, plan: Plan, play: Callable[..., None]
) -> None:
    play("old", 3, at=1)
    play("new", 3, at=2)

    assert known_from(store, plan, most_hands=8).sources == ("new (6 hands)", "old (2 hands)")
    assert known_from(store, plan, most_hands=6).sources == ("new (6 hands)",)


def test_games_teach_how_long_they_are(store: Store, plan: Plan, play: Callable[..., None]) -> None:
    play("pilot", 4, games=True)

    known = known_from(store, replace(plan, games=True, max_deals=3))

    assert known.hands_a_game == 3.0

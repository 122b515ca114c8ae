"""What is foretold, refused and warned of."""

from dataclasses import replace

import pytest

from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.formats.forms import (
    Compared,
    EliminationForm,
    Form,
    LadderForm,
    RoundRobinForm,
    SequentialForm,
    SoloTablesForm,
    StagesForm,
    SwissForm,
)
from fivehundred.tournament.planning import Amount, Event, Known, Nonsense, forecast, span
from fivehundred.tournament.planning.costs import Decisions, Limits, Pace
from fivehundred.tournament.planning.evidence import Unit, Variances, alike

EVENT = Event(
    rules=RuleSet(),
    names=("a", "b", "c", "d"),
    form=RoundRobinForm(rounds=5),
    boards_per_match=8,
    games=False,
    max_deals=1,
    common=False,
    tables=16,
    limits=Limits(),
)
GAMES = replace(EVENT, games=True, boards_per_match=4, max_deals=100)


def test_a_round_robin_is_counted_exactly() -> None:
    found = forecast(EVENT)

    assert found.matches == Amount(30, 30, 30)
    assert found.boards == Amount(240, 240, 240)
    assert found.hands == Amount(480, 480, 480)
    assert found.decisions.plays == 480 * 40
    assert found.worst_s == 20 + 2 * (16 * 72 + 8 * 2)
    assert found.warnings == ()


def test_without_a_database_each_likeness_of_bots_has_a_resolution() -> None:
    found = forecast(EVENT)

    widths = [each.mean_half_width or 0.0 for each in found.resolutions]
    assert [each.kind for each in found.resolutions] == [
        *("near-identical bots", "similar bots", "unlike bots")
    ]
    assert widths == sorted(widths)
    assert found.resolution.kind == "similar bots"
    assert any("luck" in each for each in found.assumptions)


def test_what_is_known_is_not_assumed() -> None:
    known = Known(
        points=Variances(Unit.POINTS, "measured", {2: alike(2, 77.0, 2.0)}),
        decisions=Decisions(5, 1, 38),
        pace=Pace(0.1, 16),
        bytes_a_hand=1_000,
        sources=("pilot (400 hands)",),
    )

    found = forecast(EVENT, known)

    assert [each.kind for each in found.resolutions] == ["measured"]
    assert found.resolution.deviation == pytest.approx(77.0)
    assert found.decisions.total == 480 * 44
    assert found.bytes == 480_000
    assert found.expected_s == pytest.approx(480 * (0.1 / 15 + 44 * 0.000_15))
    assert found.assumptions == ("0.15 ms of the daemon's own for a decision",)


def test_games_are_foretold_in_elo_and_hands_by_their_length() -> None:
    found = forecast(GAMES, Known(hands_a_game=9.5))

    assert found.hands == Amount(240, 240 * 9.5, 24_000)
    assert {each.unit for each in found.resolutions} == {"Elo"}


def test_stages_count_the_seatings_of_each() -> None:
    rules = RuleSet(players=3, side_model=SideModel.SOLO)
    form = StagesForm(((SoloTablesForm(), 0), (RoundRobinForm(), 3)))

    found = forecast(replace(EVENT, rules=rules, names=tuple("abcdefg"), form=form))

    assert found.hands.expected == found.matches.expected * 8 * 6


def test_stages_may_have_tables_of_different_sizes() -> None:
    rules = RuleSet(players=3, side_model=SideModel.SOLO)
    form = StagesForm(((SoloTablesForm(), 0), (SwissForm(2), 4)))

    found = forecast(replace(EVENT, rules=rules, names=tuple("abcdefg"), form=form))

    assert found.resolution.mean_half_width is not None


def test_a_ladder_without_an_end_is_looked_at_so_far() -> None:
    found = forecast(replace(EVENT, form=LadderForm()))

    assert found.matches.most is None
    assert found.worst_s is None
    assert any("first 1,000 matches" in each for each in found.assumptions)


@pytest.mark.parametrize(
    "form",
    [SwissForm(2), EliminationForm(2), EliminationForm(1, best_of=3), LadderForm(50)],
    ids=["swiss", "double elimination", "best of three", "ladder"],
)
def test_formats_that_follow_outcomes_are_foretold_alike_each_time(form: Form) -> None:
    event = replace(EVENT, form=form)

    found = forecast(event)

    assert found == forecast(event)
    assert found.resolution.mean_half_width is not None
    assert found.matches.least <= found.matches.expected <= (found.matches.most or 0)


@pytest.mark.parametrize(
    ("event", "right"),
    [
        (replace(EVENT, names=("a",)), "name 2 or more"),
        (replace(EVENT, names=("a", "b"), form=RoundRobinForm(), boards_per_match=1), "one board"),
        (replace(EVENT, limits=Limits(play=0.000_5)), "allow 0.02 s or more"),
        (replace(EVENT, limits=Limits(connect=0.05)), "allow 2 s or more"),
        (replace(GAMES, form=RoundRobinForm(500), limits=Limits(play=600)), "shorter limits"),
        (replace(EVENT, form=SoloTablesForm()), "partners"),
        (replace(EVENT, form=SwissForm(9)), "are right"),
    ],
    ids=[
        *("one entrant", "one board", "no time to answer", "no time to connect"),
        *("years", "solo partners", "too many rounds"),
    ],
)
def test_nonsense_is_refused_with_what_would_be_right(event: Event, right: str) -> None:
    with pytest.raises(Nonsense, match=right):
        forecast(event)


def test_a_knockout_of_one_board_a_match_is_refused_an_interval_for_nobody() -> None:
    event = replace(EVENT, form=EliminationForm(extra=0), boards_per_match=1)

    with pytest.raises(Nonsense, match="leave no entrant an interval"):
        forecast(event)


def test_few_boards_are_doubtful() -> None:
    found = forecast(replace(EVENT, form=RoundRobinForm(), boards_per_match=2))

    assert found.warnings == (
        "an entrant may have no more than 6 boards: its interval is wide and rough, or one-sided",
    )


def test_tight_limits_are_doubtful() -> None:
    event = replace(EVENT, limits=Limits(play=0.01, connect=1), is_launched=True)

    found = forecast(event)

    assert len(found.warnings) == 2
    assert "the daemon's own lag" in found.warnings[0]
    assert "started" in found.warnings[1]


def test_a_bank_makes_a_short_limit_long_enough() -> None:
    assert forecast(replace(EVENT, limits=Limits(play=0.000_5, bank=10))).warnings == ()


@pytest.mark.parametrize(
    ("within_s", "words"),
    [(1.0, "is expected to take"), (600.0, "at worst"), (86_400.0, "")],
    ids=["too long", "perhaps too long", "in time"],
)
def test_an_event_that_takes_too_long_is_doubtful(within_s: float, words: str) -> None:
    found = forecast(EVENT, within_s=within_s)

    assert len(found.warnings) == bool(words)
    assert words in "".join(found.warnings)


def test_a_cap_before_the_verdict_is_doubtful() -> None:
    form = SequentialForm(Compared.MARGINS, (0.0, 2.0), most=50)

    found = forecast(replace(EVENT, names=("a", "b"), form=form))

    assert any("the cap of 50 matches" in each for each in found.warnings)
    assert [each.kind for each in found.stoppings][1] == "similar bots"


def test_a_test_of_shares_is_resolved_in_elo_and_in_points_that_rank() -> None:
    form = SequentialForm(Compared.PAIR_SCORES, (0.0, 60.0), most=90)
    event = replace(EVENT, names=("a", "b"), form=form, boards_per_match=1)

    found = forecast(event)
    measured = forecast(
        event, Known(elo=Variances(Unit.ELO, "measured", {2: alike(2, 300.0, 1e-5)}))
    )

    assert {each.unit for each in found.resolutions} == {"Elo"}
    assert [each.unit for each in found.other_resolutions] == ["points per hand"] * 3
    assert any("unlike bots as the reference bots" in each for each in found.assumptions)
    assert [each.kind for each in measured.stoppings] == ["measured"]
    assert measured.stoppings[0].deviation == pytest.approx(0.05625**0.5)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.32, "0.32 s"),
        (12.4, "12 s"),
        (60, "1 min"),
        (61.2, "1 min 2 s"),
        (3_601, "1 h 1 min"),
        (200_000, "2 days 8 h"),
        (3 * 365 * 86_400, "3 years"),
    ],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert span(seconds) == words

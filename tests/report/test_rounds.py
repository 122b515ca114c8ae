"""Results by match as a page shows them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.report.matches import (
    Match,
    Played,
    SeriesResult,
    Side,
    StageResult,
    stage_results,
)
from fivehundred.report.page import page
from fivehundred.report.rounds import MOST_LISTED, ShownStage, shown_stages
from fivehundred.report.values import Report
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats import (
    Fixed,
    double_elimination,
    mixed_teams,
    outcome,
    single_elimination,
    swiss,
)
from fivehundred.tournament.formats.forms import EliminationForm, MixedTeamsForm, SwissForm
from played_formats import Rule, by_chance, by_seed, played

ReportOf = Callable[[str], Report]

NAMES = ("ann", "bob", "cid", "dan", "eve")
FOUR = RuleSet()


def knockout(rule: Rule, entrants: int, *, losses: int = 1) -> StageResult:
    """An elimination, played out."""
    make = single_elimination if losses == 1 else double_elimination
    bracket = make(entrants, extra=0)
    log = played(bracket, rule)
    known = {number: Played(ended, 2) for number, (_, ended) in log.items()}
    form, names = EliminationForm(losses), NAMES[:entrants]
    (stage,) = stage_results(bracket, form, names, FOUR, known)
    return stage


def shown(report: Report, stage: StageResult) -> ShownStage:
    (told,) = shown_stages(replace(report, stages=(stage,)))
    return told


def test_a_round_names_who_has_the_bye(report_of: ReportOf) -> None:
    tournament = swiss(5, 2)
    log = played(tournament, by_chance(3))
    known = {number: Played(ended, 2) for number, (_, ended) in log.items()}
    (stage,) = stage_results(tournament, SwissForm(2), NAMES, FOUR, known)

    told = shown(report_of("cup"), stage)

    assert [each.title for each in told.rounds] == ["Round 1", "Round 2"]
    for number, each in enumerate(told.rounds):
        met = {side.name for match in each.series[0].matches for side in match.sides}
        assert each.note == f"{stage.byes[number]} has the bye."
        assert {stage.byes[number]} == set(NAMES) - met


def test_the_rounds_of_a_knockout_have_their_names(report_of: ReportOf) -> None:
    told = shown(report_of("cup"), knockout(by_seed, 5))

    assert [each.title for each in told.rounds] == ["Quarter-finals", "Semi-finals", "Final"]
    assert told.rounds[0].note == "ann, bob and cid have byes."
    assert [series.headline for each in told.rounds for series in each.series] == [
        "dan beats eve, 1 : 0 in matches",
        "ann beats dan, 1 : 0 in matches",
        "bob beats cid, 1 : 0 in matches",
        "ann beats bob, 1 : 0 in matches",
    ]
    assert [side.has_won for side in told.rounds[2].series[0].matches[0].sides] == [True, False]


def test_double_elimination_has_rounds_of_winners_and_of_losers(report_of: ReportOf) -> None:
    told = shown(report_of("cup"), knockout(by_seed, 4, losses=2))

    assert [each.title for each in told.rounds] == [
        *("Winners’ round 1", "Winners’ round 2", "Losers’ round 1", "Losers’ round 2", "Final"),
    ]


@pytest.mark.parametrize(
    ("wins", "winner", "decided", "words"),
    [
        ((2, 1), "ann", "wins", "ann beats bob, 2 : 1 in matches"),
        ((0, 2), "bob", "wins", "bob beats ann, 2 : 0 in matches"),
        ((2, 1), "ann", "played on", "ann beats bob, 2 : 1 in matches after playing on"),
        ((1, 1), "bob", "points", "bob beats ann, 1 : 1 in matches, and by more points"),
        ((0, 0), "ann", "seed", "ann – bob: level, 0 : 0 in matches and in points; ann is better"),
        ((0, 1), "", "", "ann – bob: 0 : 1 in matches so far"),
    ],
)
def test_a_series_says_what_decided_it(
    report_of: ReportOf, wins: tuple[int, int], winner: str, decided: str, words: str
) -> None:
    stage = knockout(by_seed, 2)
    series = SeriesResult(1, 1, "winners", ("ann", "bob"), (0,), wins, winner, decided)

    told = shown(report_of("cup"), replace(stage, series=(series,)))

    (final,) = told.rounds
    assert final.series[0].headline.startswith(words)
    first = final.series[0].matches[0].sides[0].name
    assert first == (winner or "ann")


def match(number: int, *, is_over: bool = True) -> Match:
    sides = (Side(("ann",), 10.0, 2.0, 1.0), Side(("bob",), -10.0, 0.0, 0.0))
    if is_over:
        return Match(number, 1, None, sides, 2)
    return Match(number, 1, None, (Side(("ann",)), Side(("bob",))), 0)


def test_a_match_that_is_not_over_has_no_numbers(report_of: ReportOf) -> None:
    report = report_of("cup")
    stage = replace(report.stages[0], kind="ladder", is_fixed=False)
    matches = (match(0), match(1, is_over=False))

    told = shown(report, replace(stage, matches=matches))

    over, open_ = told.rounds[0].series[0].matches
    assert (over.result, open_.result) == ("ann", "not over")
    assert [side.points for side in open_.sides] == ["–", "–"]
    text = page(replace(report, stages=(replace(stage, matches=matches),)))
    assert "not over" in text


def test_of_many_fixed_matches_none_are_listed_and_of_others_the_last(report_of: ReportOf) -> None:
    report = report_of("cup")
    stage = report.stages[0]
    many = tuple(map(match, range(MOST_LISTED + 20)))

    fixed = shown(report, replace(stage, matches=many))
    ladder = shown(report, replace(stage, matches=many, kind="ladder", is_fixed=False))

    assert fixed.rounds == ()
    assert fixed.texts[0].startswith("420 matches, known before play; too many to list here")
    assert ladder.rounds[0].series[0].matches[0].number == 20
    assert ladder.summary == "The 420 matches"
    assert "the last 400 are listed" in ladder.texts[0]


def test_a_ladder_is_a_list(report_of: ReportOf) -> None:
    report = report_of("cup")

    told = shown(report, replace(report.stages[0], kind="ladder", is_fixed=False))

    assert [each.title for each in told.rounds] == [""]


def test_the_matches_of_stages_are_apart(report_of: ReportOf) -> None:
    report = report_of("stages")

    first, second = shown_stages(report)

    assert (first.title, second.title) == (
        "Stage 1: Swiss tournament of 3",
        "Stage 2: elimination of 2",
    )
    assert first.rounds[0].note == "cid has the bye."
    numbers = [
        each.number
        for stage in (first, second)
        for r in stage.rounds
        for s in r.series
        for each in s.matches
    ]
    assert sorted(numbers) == list(range(report.facts.matches))
    assert "Stage 2: elimination of 2" in page(report)


def test_points_and_hands_are_those_of_the_hands(report_of: ReportOf) -> None:
    report = report_of("lone")

    (match,) = report.stages[0].matches
    standing = {row.entrant: row for row in report.standings.rows}

    names = [side.entrants[0] for side in match.sides]
    assert sorted(names) == ["ann", "bob"]
    assert match.of == standing["ann"].hands == 2
    margin = report.crosstable[names[0], names[1]].margin.value
    first, second = (side.points or 0.0 for side in match.sides)
    assert first - second == pytest.approx(margin)


def test_teams_stand_together() -> None:
    made = Fixed(mixed_teams(4, 4, 2), 4)
    pairing = made.pairing(0)
    assert pairing is not None
    won = outcome(0, [10.0, -10.0, 10.0, -10.0])
    known = {0: Played(replace(won, shares=(0.5, 0.0, 0.5, 0.0)), 4)}

    (stage,) = stage_results(made, MixedTeamsForm(), NAMES[:4], FOUR, known)

    (told,) = stage.matches
    assert [len(side.entrants) for side in told.sides] == [2, 2]
    assert [(side.points, side.won) for side in told.sides] == [(10.0, 4.0), (-10.0, 0.0)]
    assert told.winners == told.sides[:1]

"""Why what ranks does, for every format."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.report.method import reason_for_ranking
from fivehundred.report.values import Report
from fivehundred.tournament.formats.forms import (
    Compared,
    Form,
    GauntletForm,
    LadderForm,
    MixedTeamsForm,
    RoundRobinForm,
    SequentialForm,
    SoloTablesForm,
)

ReportOf = Callable[[str], Report]

FIXED = "Ranked by points per hand, because a fixed number of boards was played."
TEST = SequentialForm(Compared.MARGINS, (0.0, 10.0), most=100)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (RoundRobinForm(), FIXED),
        (GauntletForm((0,)), FIXED),
        (SoloTablesForm(), FIXED),
        (MixedTeamsForm(), FIXED),
        (MixedTeamsForm(), "a team being as strong as the mean of its members"),
        (LadderForm(), "A ladder pairs likes, so that everybody has played others"),
        (TEST, "how many these are was not fixed"),
        (TEST, "The verdict of the test is the result."),
    ],
)
def test_points_rank_for_the_reason_that_the_format_gives(
    report_of: ReportOf, form: Form, words: str
) -> None:
    reason = reason_for_ranking(replace(report_of("cup"), form=form))

    assert words in reason
    assert ("fixed number of boards" in reason) is not isinstance(form, LadderForm | SequentialForm)
    assert "from who did better on each board" in reason


def test_games_rank_by_elo_and_a_test_of_games_is_a_test(report_of: ReportOf) -> None:
    games = reason_for_ranking(report_of("games"))
    test = reason_for_ranking(replace(report_of("games"), form=TEST))

    assert games.startswith("Ranked by Elo, from games won, because games to the target")
    assert "The two are listed by Elo over all matches" in test
    assert "because" not in test


def test_at_tables_of_three_elo_is_by_the_finishing_order(report_of: ReportOf) -> None:
    reason = reason_for_ranking(report_of("solo"))

    assert "Elo, from the finishing order of all at the table, winning or not, on each" in reason
    teams = reason_for_ranking(replace(report_of("solo"), form=MixedTeamsForm()))
    assert "the finishing order of the teams at the table" in teams


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("swiss", "by score (a match won is 1, a tie ½, a bye 1), then by the sum of the opp"),
        ("knockout", "first the winner of the last series, then the later somebody was put out"),
        ("stages", "who came into the last stage by how that ended, the others behind them"),
        ("stages", "The last stage ranks first the winner of the last series"),
    ],
)
def test_places_are_those_of_the_format(report_of: ReportOf, name: str, words: str) -> None:
    reason = reason_for_ranking(report_of(name))

    assert reason.startswith("Ranked by the format itself: ")
    assert words in reason
    assert reason.endswith(
        "say what the hands tell of strength, with their errors, and do not rank."
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("swiss", "The last stage ranks by score (a match"),
        ("round_robin", "The last stage ranks by score a match"),
        ("gauntlet", "The last stage ranks by score a match"),
        ("ladder", "The last stage ranks by the ladder’s own rating"),
    ],
)
def test_the_last_stage_says_how_it_ranks(report_of: ReportOf, kind: str, words: str) -> None:
    report = report_of("stages")
    *others, last = report.stages

    told = replace(report, stages=(*others, replace(last, kind=kind)))

    assert words in reason_for_ranking(told)

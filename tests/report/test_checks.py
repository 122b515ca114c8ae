from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.ratings.values import Estimate
from fivehundred.report.checks import MOST_RESIDUALS, Section, check_sections
from fivehundred.report.values import Report
from fivehundred.tournament.bias import BiasReport
from fivehundred.tournament.honesty.determinism import SelfPlay
from fivehundred.tournament.honesty.residuals import POINTS, TIME, Residual

ReportOf = Callable[[str], Report]


def found_by(report: Report) -> BiasReport:
    assert report.bias is not None
    return report.bias


def section(report: Report, id: str) -> Section:  # noqa: A002  # as in the page
    return next(each for each in check_sections(report) if each.id == id)


def residual(measure: str, adjusted: float) -> Residual:
    estimate = Estimate(1.0, 0.1, 0.8, 1.2)
    return Residual(measure, "stretch", "3 of 8", "ann", 9, estimate, adjusted / 2, adjusted, True)


def test_every_test_has_its_verdict(report_of: ReportOf) -> None:
    report = report_of("cup")
    test = replace(found_by(report).tests[0], p_value=0.001, p_adjusted=0.01, is_flagged=True)
    blank = replace(test, p_value=None, remark="no boards", levels=())

    shown = replace(report, bias=replace(found_by(report), tests=(test, blank)))

    told, untold = section(shown, "seats").blocks
    assert told.texts[0].startswith("An effect beyond chance: F(1, ")
    assert told.texts[0].endswith("p = 0.001, adjusted 0.010.")
    assert told.forest is not None
    assert untold.texts == ("Not tested: no boards.",)
    assert untold.forest is None


def test_the_numbers_of_the_seats_are_those_of_the_check(report_of: ReportOf) -> None:
    report = report_of("cup")

    block = section(report, "seats").blocks[0]

    assert block.forest is not None
    told = [row.estimate for row in block.forest.rows]
    assert told == [level.estimate for level in found_by(report).tests[0].levels]


def test_the_parts_sum_to_the_margin_and_are_listed_best_first(report_of: ReportOf) -> None:
    report = report_of("cup")

    table = section(report, "parts").blocks[0].table

    assert table is not None
    assert [row[0].text for row in table.rows] == list(report.names)
    for _, margin, luck, bidding, play, *_ in table.rows:
        parts = (luck.number or 0) + (bidding.number or 0) + (play.number or 0)
        assert abs((margin.number or 0) - parts) < 1e-6


def test_points_come_before_time_and_the_clearest_first(report_of: ReportOf) -> None:
    report = report_of("cup")
    found = (residual(TIME, 0.001), residual(POINTS, 0.04), residual(POINTS, 0.02))

    block = section(
        replace(report, bias=replace(found_by(report), residuals=found)), "checks"
    ).blocks[1]

    assert "Differences beyond chance: 1 of ms per decision, 2 of points per hand." in block.texts
    assert block.table is not None
    assert [(row[1].text, row[6].text) for row in block.table.rows] == [
        (POINTS, "0.020"),
        (POINTS, "0.040"),
        (TIME, "0.001"),
    ]


def test_of_very_many_differences_the_clearest_are_shown(report_of: ReportOf) -> None:
    report = report_of("cup")
    found = tuple(residual(TIME, at / 10_000) for at in range(MOST_RESIDUALS + 9))

    table = (
        section(replace(report, bias=replace(found_by(report), residuals=found)), "checks")
        .blocks[1]
        .table
    )

    assert table is not None
    assert len(table.rows) == MOST_RESIDUALS
    assert table.caption == "Differences beyond chance; the 20 clearest of 29"


def test_the_divisions_of_the_boards_are_named(report_of: ReportOf) -> None:
    report = report_of("cup")
    slow = replace(residual(TIME, 0.001), by="process", part="here/1")
    found = (residual(POINTS, 0.02), replace(slow, by="hour of day", part="13 UTC"), slow)

    block = section(
        replace(report, bias=replace(found_by(report), residuals=found)), "checks"
    ).blocks[1]

    assert (
        "Parts of the boards are by the order in which they were stored, the hour of the day, "
        "and the worker process that played them."
    ) in block.texts
    assert block.table is not None
    assert {row[2].text for row in block.table.rows} == {
        "stretch 3 of 8",
        "hour of day 13 UTC",
        "process here/1",
    }


def test_what_the_log_does_not_keep_is_said(report_of: ReportOf) -> None:
    report = report_of("cup")
    older = replace(found_by(report), not_kept=("the log keeps no time of day: so there",))

    kept = section(report, "checks").blocks[1].texts
    told = section(replace(report, bias=older), "checks").blocks[1].texts

    assert not any("keeps no" in text for text in kept)
    assert told[-1] == "The log keeps no time of day: so there."


def test_self_play_says_on_how_many_boards_it_was_two_ways(report_of: ReportOf) -> None:
    report = report_of("cup")
    same = found_by(report).determinism
    twice = replace(same, boards=8, by_bot=(SelfPlay("ann@1", 8, 3, 2),))

    nothing = section(report, "checks").blocks[0]
    shown = replace(report, bias=replace(found_by(report), determinism=twice))

    assert nothing.texts[0].startswith("No bot has played itself")
    table = section(shown, "checks").blocks[0].table
    assert table is not None
    assert [cell.text for cell in table.rows[0]] == ["ann@1", "8", "3", "2"]


def test_without_hands_there_is_nothing_to_check(report_of: ReportOf) -> None:
    assert check_sections(report_of("empty")) == ()


def test_what_is_not_known_of_games_has_a_column(report_of: ReportOf) -> None:
    report = report_of("games")

    found = section(report, "parts")

    table = found.blocks[0].table
    assert table is not None
    assert table.columns[1:6] == ("Margin a hand", "Luck", "Bidding", "Play", "Not known")
    for _, margin, *parts in (row[:6] for row in table.rows):
        assert sum(cell.number or 0 for cell in parts) == pytest.approx(margin.number or 0)
    assert any("is not known" in text for text in found.texts)
    boards = section(report_of("cup"), "parts").blocks[0].table
    assert boards is not None
    assert "Not known" not in boards.columns

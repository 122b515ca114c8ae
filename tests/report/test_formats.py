"""What formats other than round robins add to a report."""

from collections.abc import Callable

from fivehundred.report.as_json import as_json
from fivehundred.report.page import page
from fivehundred.report.values import Report

ReportOf = Callable[[str], Report]


def test_a_swiss_tournament_has_its_places_and_scores(report_of: ReportOf) -> None:
    rows = report_of("swiss").standings.rows

    assert [row.place for row in rows] == [1, 2, 3, 4]
    assert [row.score for row in rows] == sorted((row.score or 0 for row in rows), reverse=True)
    assert sum(row.score or 0 for row in rows) == 4
    assert all(row.buchholz is not None for row in rows)
    text = page(report_of("swiss"))
    assert "Ranked by the format itself" in text
    assert "Buchholz" in text


def test_a_sequential_test_has_its_verdict(report_of: ReportOf) -> None:
    test = report_of("test").test

    assert test is not None
    assert test.decision in ("h0", "h1", "undecided")
    assert 2 <= test.matches <= 6
    assert (test.first, test.second) == ("H0 (+0 points per hand)", "H1 (+20 points per hand)")
    assert test.tested == "the points per hand of ann less those of bob, match by match"
    assert as_json(report_of("test"))["test"]["decision"] == test.decision
    assert "Sequential test" in page(report_of("test"))


def test_a_round_robin_has_neither(report_of: ReportOf) -> None:
    report = report_of("cup")

    assert report.test is None
    assert {row.place for row in report.standings.rows} == {None}
    assert "Sequential test" not in page(report)

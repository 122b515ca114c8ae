from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.ratings.values import Estimate
from fivehundred.report.page import page
from fivehundred.report.values import Report, SequentialTest
from fivehundred.report.view import MOST_SHOWN, view
from fivehundred.tournament.standings import Standings

ReportOf = Callable[[str], Report]

TEST = SequentialTest("h1", 240, 2.98, -2.944, 2.944, 12.5, "", "H0 (+0)", "H1 (+10)")


def with_rows(report: Report, **changes: object) -> Report:
    """The report with something changed in each row of the standings."""
    rows = tuple(
        replace(row, **changes)  # type: ignore[arg-type]  # fields by name
        for row in report.standings.rows
    )
    return replace(report, standings=replace(report.standings, rows=rows))


def test_places_and_scores_are_shown_where_the_format_gives_them(report_of: ReportOf) -> None:
    plain, placed = report_of("cup"), with_rows(report_of("cup"), place=2, score=3.5, buchholz=11.0)

    assert [name for name, _ in view(placed).columns if name not in dict(view(plain).columns)] == [
        *("Place", "Score", "Buchholz")
    ]
    assert '<data value="3.5">3.5</data>' in page(placed)
    assert page(placed).count('<th scope="col"') == page(plain).count('<th scope="col"') + 3


def test_a_table_that_the_format_ranks_says_so(report_of: ReportOf) -> None:
    report = report_of("cup")

    shown = view(replace(report, standings=replace(report.standings, ranked_by="place")))

    assert shown.why.startswith("Ranked by the format itself")


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        ("h0", "H0 (+0) is taken, not H1 (+10), after 240 matches"),
        ("h1", "H1 (+10) is taken, not H0 (+0), after 240 matches"),
        ("undecided", "Undecided between H0 (+0) and H1 (+10)"),
        ("open", "Still open between H0 (+0) and H1 (+10)"),
    ],
)
def test_a_sequential_test_says_what_it_has_come_to(
    report_of: ReportOf, decision: str, words: str
) -> None:
    report = replace(report_of("cup"), test=replace(TEST, decision=decision))

    assert words in page(report)
    assert "biased after it" in page(report)


def test_the_anchor_has_no_interval_but_its_name(report_of: ReportOf) -> None:
    shown = {row.name: row.is_anchor for row in view(report_of("cup")).rows}

    assert shown == {"ann": False, "bob": True, "cid": False}
    assert "the anchor" in page(report_of("cup"))


def test_a_remark_is_made_once_for_all_it_is_made_on(report_of: ReportOf) -> None:
    report = with_rows(report_of("cup"), points_per_hand=Estimate(remark="no boards"))

    remarks = [each for each in view(report).remarks if "no boards" in each]
    assert remarks == [f"{', '.join(report.names)}: points per hand: no boards"]


def test_a_field_that_is_too_large_is_cut_and_says_so(report_of: ReportOf) -> None:
    report = report_of("cup")
    row = report.standings.rows[0]
    many = tuple(replace(row, entrant=f"bot{at:03}") for at in range(MOST_SHOWN + 5))
    table = Standings(many, "points_per_hand", 0.95, 10)

    text = page(replace(report, standings=table, progress=(), parts=None))

    assert "Only the first 40 of" in text
    assert "bot044" in text

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.ratings.values import Estimate
from fivehundred.report.page import page
from fivehundred.report.values import Report, SequentialTest
from fivehundred.report.view import MOST_SHOWN, view
from fivehundred.tournament.standings import Standings

ReportOf = Callable[[str], Report]

TEST = SequentialTest(
    decision="h1",
    matches=240,
    ratio=2.98,
    lower=-2.944,
    upper=2.944,
    mean=Estimate(12.5, 3.0, 6.6, 18.4),
    remark="",
    first="H0 (+0)",
    second="H1 (+10)",
    tested="the points per hand of ann less those of bob, match by match",
    unit="points per hand",
    hypotheses=(0.0, 10.0),
    hypotheses_unit="points per hand",
)


def with_rows(report: Report, **changes: object) -> Report:
    """The report with something changed in each row of the standings."""
    rows = tuple(
        replace(row, **changes)  # type: ignore[arg-type]  # fields by name
        for row in report.standings.rows
    )
    return replace(report, standings=replace(report.standings, rows=rows))


def test_places_and_scores_are_shown_where_the_format_gives_them(report_of: ReportOf) -> None:
    plain, placed = report_of("cup"), with_rows(report_of("cup"), place=2, score=3.5, buchholz=11.0)

    columns = {name for name, _ in view(placed).columns}
    assert columns - {name for name, _ in view(plain).columns} == {"Place", "Score"}
    assert '<data value="3.5">3.5</data><small>Buchholz <data value="11.0">11</data>' in page(
        placed
    )
    assert page(placed).count('<th scope="col"') == page(plain).count('<th scope="col"') + 1


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

    text = page(report)
    assert words in text
    assert "+12.50 points per hand; plain 95% interval +6.60 … +18.40, not corrected" in text
    is_early = decision in ("h0", "h1")
    assert ("therefore biased after it" in text) is is_early
    assert text.index(words) < text.index("Standings, best first")


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


def test_shares_have_intervals_below_their_counts(report_of: ReportOf) -> None:
    shown = view(report_of("cup")).rows[0]
    row = report_of("cup").standings.rows[0]

    assert shown.won.count == f"{row.wins:g} of {row.games}"
    assert re.fullmatch(r"\d+% \(\d+–\d+%\)", shown.won.share)
    assert shown.made.count == f"{row.contracts_made} of {row.contracts}"


def test_a_panel_without_a_line_says_why(report_of: ReportOf) -> None:
    report = report_of("cup")
    name = report.names[0]
    lost = Estimate(high=1400.0, remark="there is no lower bound: all was lost")
    progress = tuple(
        replace(
            moment,
            estimates=tuple(
                (each, lost if each == name else known) for each, known in moment.estimates
            ),
        )
        for moment in report.progress
    )

    text = page(replace(report, progress=progress))

    assert "No estimate: there is no lower bound: all was lost." in text
    assert "<span>&lt; +1400.0</span>" in text
    assert "No estimate" not in page(report)

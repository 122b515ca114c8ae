import csv
import io
from collections.abc import Callable

import pytest

from fivehundred.report.tables import Table, tables
from fivehundred.report.values import Report

ReportOf = Callable[[str], Report]

NAMES = (
    *("standings", "crosstable", "chances", "matches", "test", "progress", "seats"),
    *("residuals", "parts", "contracts", "times", "faults"),
)


def read(report: Report, name: str) -> list[dict[str, str]]:
    """A table as a spreadsheet reads it."""
    (table,) = (each for each in tables(report) if each.name == name)
    return list(csv.DictReader(io.StringIO(table.csv(), newline="")))


@pytest.mark.parametrize("name", ["cup", "empty", "lone", "games", "open", "solo", "test"])
def test_the_files_and_their_columns_are_always_the_same(report_of: ReportOf, name: str) -> None:
    found = {table.name: table.columns for table in tables(report_of(name))}

    assert tuple(found) == NAMES
    assert found == {table.name: table.columns for table in tables(report_of("cup"))}
    assert found["standings"][:5] == ("place", "rank_best", "rank_worst", "entrant", "bot")
    assert found["times"][:4] == ("entrant", "kind", "decisions", "p50_us")
    assert found["crosstable"][4:8] == (
        *("margin", "margin_standard_error", "margin_low", "margin_high"),
    )


@pytest.mark.parametrize("name", ["cup", "games", "solo"])
def test_the_numbers_are_those_of_the_standings_to_the_last_digit(
    report_of: ReportOf, name: str
) -> None:
    report = report_of(name)

    rows = read(report, "standings")

    for row, standing in zip(rows, report.standings.rows, strict=True):
        assert row["entrant"] == standing.entrant
        assert float(row["points_per_hand"]) == standing.points_per_hand.value
        assert float(row["elo"] or "nan") == pytest.approx(standing.elo.value, nan_ok=True, abs=0)
        assert int(row["hands"]) == standing.hands
    faults = sum(int(row["count"]) for row in read(report, "faults") if row["kind"] == "illegal")
    assert faults == sum(dict(row.faults)["ILLEGAL"] for row in report.standings.rows) > 0


def test_everybody_is_in_the_table_of_pairs_twice(report_of: ReportOf) -> None:
    rows = read(report_of("cup"), "crosstable")

    pairs = {(row["entrant"], row["opponent"]): float(row["margin"]) for row in rows}
    assert len(rows) == len(pairs) == 6
    assert all(pairs[second, first] == -margin for (first, second), margin in pairs.items())


def test_a_tournament_without_hands_has_standings_without_numbers(report_of: ReportOf) -> None:
    rows = read(report_of("empty"), "standings")

    assert [row["points_per_hand"] for row in rows] == ["", "", ""]
    assert read(report_of("empty"), "progress") == []


def test_no_name_is_a_formula_or_breaks_a_row(report_of: ReportOf) -> None:
    bots = {row["bot"] for row in read(report_of("games"), "standings")}

    assert "'=cmd|'/c calc'!A0\\x1b[31m\\u202egnp@</style>" in bots
    assert "<script>alert(1)</script>@1" in bots
    assert len(bots) == 3


def test_rows_end_as_the_standard_says() -> None:
    text = Table("x", ("a", "b"), (("1,2", None), (0.1, "@q"))).csv()

    assert text == 'a,b\r\n"1,2",\r\n0.1,\'@q\r\n'


def test_the_matches_have_a_row_for_each_entrant(report_of: ReportOf) -> None:
    for name, slots in (("cup", 2), ("solo", 3), ("knockout", 2)):
        report = report_of(name)

        rows = read(report, "matches")

        assert len(rows) == slots * report.facts.matches
        assert {row["is_over"] for row in rows} == {"1"}
        by_match: dict[str, float] = {}
        for row in rows:
            by_match[row["match"]] = by_match.get(row["match"], 0.0) + float(row["won"])
            assert by_match[row["match"]] <= float(row["of"]) + 1e-6
        assert sum(by_match.values()) == pytest.approx(
            sum(float(row["of"]) for row in rows) / slots
        )


def test_the_verdict_is_a_table_of_its_own(report_of: ReportOf) -> None:
    (row,) = read(report_of("test"), "test")
    test = report_of("test").test

    assert test is not None
    assert (row["decision"], row["unit"], row["h1"]) == (test.decision, "points per hand", "20.0")
    assert float(row["mean_low"]) == test.mean.low
    assert row["remark"].startswith("plain 95% interval, not corrected")
    assert read(report_of("cup"), "test") == []

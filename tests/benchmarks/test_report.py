"""The report: a table, a JSON document that is a baseline for the next run."""

import json
from pathlib import Path

from bench.report import Machine, Reached, as_json, lines, read_baseline
from bench.rows import Figures, Row, Terms, least

MACHINE = Machine("2026-11-30", 2, 0.5, "3.11.7", "1.76.0", "Linux x86_64", "pure")


async def _nothing(_: Terms) -> Figures:
    return {}


ROW = Row("stream", "one process", {"hands/s": least(500)}, _nothing)
FIGURES = {"bytes": 225.0, "hands/s": 600.0}


def test_what_is_asked_comes_first_with_its_ratio_and_change() -> None:
    first, second = lines(ROW, Reached(FIGURES), {"hands/s": 500.0})

    assert first.split() == ["stream", "hands/s", "≥", "500", "600", "1.20", "+20%"]
    assert second.split() == ["bytes", "225"]


def test_a_row_that_failed_says_why() -> None:
    assert list(lines(ROW, Reached(failed="no bot"), {})) == ["stream        no bot"]


def test_a_run_is_the_baseline_of_the_next(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(as_json(MACHINE, {ROW: Reached(FIGURES, 12.34)}))

    assert read_baseline(path) == {"stream": FIGURES}
    row = json.loads(path.read_text())["rows"]["stream"]
    assert row["figures"]["hands/s"] == {
        "reached": 600.0,
        "asked": "≥ 500",
        "ratio": 1.2,
        "met": True,
    }

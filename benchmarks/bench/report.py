"""What a run of the suite has found: as lines of a table, as JSON, and beside an earlier run."""

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc

from bench.rows import Figures, Row
from fivehundred.rules import hand

WIDTHS = (12, 38, 8, 11, 7, 9)
HEAD = ("row", "figure", "asked", "reached", "ratio", "change")


@dataclass(frozen=True, slots=True)
class Reached:
    """What one row has reached, or why it has not been measured."""

    figures: Figures = field(default_factory=dict)
    seconds: float = 0.0
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where and when it was measured, and how busy it was there beside."""

    date: str
    processors: int
    load_before: float
    python: str
    grpc: str
    system: str
    build: str
    """``pure`` or ``compiled``."""


def this_machine() -> Machine:
    """This machine now."""
    return Machine(
        date=datetime.now(UTC).date().isoformat(),
        processors=len(os.sched_getaffinity(0)),
        load_before=os.getloadavg()[0],
        python=platform.python_version(),
        grpc=grpc.__version__,
        system=f"{platform.system()} {platform.machine()}",
        build="pure" if str(hand.__file__).endswith(".py") else "compiled",
    )


def lines(row: Row, reached: Reached, before: Figures) -> Iterator[str]:
    """A row's lines: a figure each, those first of which something is asked."""
    if reached.failed:
        yield line(row.name, reached.failed)
    asked_first = sorted(reached.figures.items(), key=lambda each: each[0] not in row.asked)
    for number, (name, value) in enumerate(asked_first):
        asked = row.asked.get(name)
        ratio = f"{asked.ratio(value):.2f}" if asked else ""
        change = _change(value, before.get(name))
        title = row.name if number == 0 else ""
        yield line(title, name, str(asked or ""), short(value), ratio, change)


def line(*cells: str) -> str:
    """A line of the table: names to the left, numbers to the right."""
    pairs = enumerate(zip(cells, WIDTHS, strict=False))
    return "  ".join(
        f"{cell:<{width}}" if at < 2 else f"{cell:>{width}}" for at, (cell, width) in pairs
    ).rstrip()


def short(value: float) -> str:
    """A number with three digits, or all before its point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _change(value: float, before: float | None) -> str:
    """How much it is more or less than before; empty where that says nothing."""
    return f"{value / before - 1:+.0%}" if before else ""


def as_json(machine: Machine, found: dict[Row, Reached]) -> str:
    """A run as a JSON document."""
    rows = {row.name: _row_json(row, reached) for row, reached in found.items()}
    return json.dumps({"machine": asdict(machine), "rows": rows}, ensure_ascii=False, indent=2)


def _row_json(row: Row, reached: Reached) -> dict[str, Any]:
    figures = {name: _figure_json(row, name, value) for name, value in reached.figures.items()}
    told: dict[str, Any] = {"measures": row.text, "seconds": round(reached.seconds, 1)}
    if reached.failed:
        told["failed"] = reached.failed
    return told | {"figures": figures}


def _figure_json(row: Row, name: str, value: float) -> dict[str, Any]:
    asked = row.asked.get(name)
    told: dict[str, Any] = {"reached": float(f"{value:.4g}")}
    if asked is None:
        return told
    ratio = asked.ratio(value)
    return told | {
        "asked": str(asked),
        "ratio": float(f"{ratio:.4g}") if ratio < float("inf") else None,
        "met": asked.is_met(value),
    }


def read_baseline(path: Path) -> dict[str, Figures]:
    """The figures of an earlier run by row."""
    told = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: {figure: each["reached"] for figure, each in row["figures"].items()}
        for name, row in told["rows"].items()
    }

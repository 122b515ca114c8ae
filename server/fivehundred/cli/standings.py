"""The table of results."""

from collections.abc import Iterable

from rich.console import Console

from fivehundred.cli.output import plain_table
from fivehundred.v1.tournament_pb2 import (
    ELO_SCALE_NORMALISED,
    Estimate,
    FaultCounts,
    Sequential,
    Standing,
    Standings,
    TestResult,
)

NOTHING = "–"
BY_FORMAT = ("place", "score", "Buchholz")
"""Columns of what the format itself makes of the matches, shown where any row has it."""
COLUMNS = (
    "rank",
    "entrant",
    "bot",
    "hands",
    "points/hand",
    "Elo",
    "won",
    "made",
    "faults",
    "voids",
)
NUMBERS = (*BY_FORMAT, "hands", "points/hand", "Elo", "won", "made", "voids")
RANKED_BY = {
    "points_per_hand": "points per hand",
    "elo": "Elo",
    "place": "place, as the format decides; a rank is what the intervals leave open",
}


def print_standings(console: Console, standings: Standings, test: Sequential | None = None) -> None:
    """Print the table, what ranks, what a test says, and why a number is missing.

    ``test`` is the definition of the sequential test, whose hypotheses are then named.
    """
    by_format = [_by_format(row) for row in standings.rows]
    shown = [title for title in BY_FORMAT if any(title in cells for cells in by_format)]
    table = plain_table(*shown, *COLUMNS, numbers=NUMBERS)
    for row, cells in zip(standings.rows, by_format, strict=True):
        table.add_row(*(cells.get(title, NOTHING) for title in shown), *_cells(row))
    console.print(table)
    ranking = RANKED_BY.get(standings.ranked_by, standings.ranked_by)
    interval = f"{standings.confidence:.0%} intervals"
    console.print(f"ranked by {ranking}; {interval}; {standings.hands} hands")
    if standings.HasField("test"):
        console.print(verdict_text(standings.test, test))
    for remark in _remarks(standings.rows):
        console.print(remark)


def verdict_text(result: TestResult, test: Sequential | None = None) -> str:
    """The verdict of a sequential test in one sentence."""
    first, second = _hypotheses(test)
    decided = {
        "h0": f"{first} is taken, not {second}",
        "h1": f"{second} is taken, not {first}",
        "undecided": f"undecided between {first} and {second}: the most matches came first",
    }
    told = decided.get(result.decision, f"open between {first} and {second}")
    matches = f"{result.matches} match" if result.matches == 1 else f"{result.matches} matches"
    parts = [f"test: {told}, after {matches}"]
    bounds = f"(bounds {result.lower:+.2f} and {result.upper:+.2f})"
    ratio = f"{result.ratio:+.2f}" if result.HasField("ratio") else "not defined yet"
    parts.append(f"log-likelihood ratio {ratio} {bounds}")
    if result.HasField("mean"):
        parts.append(f"mean {result.mean:+.3g}")
    if result.remark:
        parts.append(result.remark)
    return "; ".join(parts)


def _hypotheses(test: Sequential | None) -> tuple[str, str]:
    if test is None or test.WhichOneof("test") is None:
        return "H0", "H1"
    if test.HasField("margins"):
        margins = test.margins
        return (
            f"H0 ({margins.margin0:+g} points per hand)",
            f"H1 ({margins.margin1:+g} points per hand)",
        )
    scores = test.pair_scores
    kind = "normalised Elo" if scores.scale == ELO_SCALE_NORMALISED else "Elo"
    return f"H0 ({scores.elo0:+g} {kind})", f"H1 ({scores.elo1:+g} {kind})"


def _by_format(row: Standing) -> dict[str, str]:
    """What the format says of a row, by title."""
    numbers = (
        ("place", row.HasField("place"), row.place),
        ("score", row.HasField("score"), row.score),
        ("Buchholz", row.HasField("buchholz"), row.buchholz),
    )
    return {title: f"{number:g}" for title, is_told, number in numbers if is_told}


def _cells(row: Standing) -> tuple[str, ...]:
    return (
        _ranks(row),
        row.entrant,
        row.bot or NOTHING,
        str(row.hands),
        estimate_text(row.points_per_hand, "+.1f"),
        estimate_text(row.elo, ".0f"),
        f"{row.wins:.1f}/{row.games}",
        f"{row.contracts_made}/{row.contracts}",
        faults_text(row.faults, row.forfeits),
        str(row.voids),
    )


def _ranks(row: Standing) -> str:
    if row.rank_best == row.rank_worst:
        return str(row.rank_best)
    return f"{row.rank_best}–{row.rank_worst}"


def estimate_text(estimate: Estimate, form: str) -> str:
    """``+12.3 ±4.5``, or the bounds where they lie unevenly or one is missing."""
    has_low, has_high = estimate.HasField("low"), estimate.HasField("high")
    if not estimate.HasField("value"):
        bounds = [f"> {estimate.low:{form}}"] if has_low else []
        bounds += [f"< {estimate.high:{form}}"] if has_high else []
        return ", ".join(bounds) or NOTHING
    value = estimate.value
    text = format(value, form)
    if not has_low and not has_high:
        return f"{text} (no interval)"
    below, above = value - estimate.low, estimate.high - value
    plain = form.lstrip("+")
    if has_low and has_high and format(below, plain) == format(above, plain):
        return f"{text} ±{format(below, plain)}"
    low = format(estimate.low, form) if has_low else "-∞"
    high = format(estimate.high, form) if has_high else "∞"
    return f"{text} ({low} … {high})"


def faults_text(faults: FaultCounts, forfeits: int = 0) -> str:
    """``3 timeout, 1 illegal``; a dash where there are none."""
    counts = [(field.name, getattr(faults, field.name)) for field in FaultCounts.DESCRIPTOR.fields]
    parts = [f"{count} {name}" for name, count in (*counts, ("forfeited", forfeits)) if count]
    return ", ".join(parts) or NOTHING


def _remarks(rows: Iterable[Standing]) -> list[str]:
    """Each remark once for all the entrants it is made on."""
    entrants: dict[str, list[str]] = {}
    for row in rows:
        for name, estimate in (("points/hand", row.points_per_hand), ("Elo", row.elo)):
            if estimate.remark:
                entrants.setdefault(f"{name}: {estimate.remark}", []).append(row.entrant)
    return [f"{', '.join(names)}: {remark}" for remark, names in entrants.items()]

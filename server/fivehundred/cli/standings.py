"""The table of results."""

import math
from collections.abc import Iterable

from rich.console import Console

from fivehundred.cli.output import plain_table, print_table
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
LEAST_TOLD = 1e-6
"""Where the hypotheses are as likely by less than so much, rounding hides how margins vary."""
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
    print_table(console, table, keys=("entrant",))
    ranking = RANKED_BY.get(standings.ranked_by, standings.ranked_by)
    interval = f"{standings.confidence:.0%} intervals"
    console.print(f"ranked by {ranking}; {interval}; {standings.hands} hands")
    if standings.HasField("test"):
        units = "games" if standings.ranked_by == "elo" else "boards"
        console.print(verdict_text(standings.test, test, units))
    for remark in _remarks(standings.rows):
        console.print(remark)


def verdict_text(result: TestResult, test: Sequential | None = None, units: str = "boards") -> str:
    """The verdict of a sequential test in one sentence.

    ``units`` are what pair scores are shares of: boards or games.
    """
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
        parts.append(_mean_text(result, test, units))
    if result.remark:
        parts.append(result.remark)
    return "; ".join(parts)


def _mean_text(result: TestResult, test: Sequential | None, units: str) -> str:
    """The mean in its unit, with an interval where what is known of the test gives one."""
    kind = None if test is None else test.WhichOneof("test")
    if test is None or kind is None:
        return f"mean {result.mean:+.3g} in the unit of the test"
    if kind == "pair_scores":
        return f"share of {units} won {result.mean:.2f}"
    reach = _reach(result, test)
    interval = "" if reach is None else f" ±{reach:.1f}"
    return f"mean margin {result.mean:+.1f}{interval} points per hand"


def _reach(result: TestResult, test: Sequential) -> float | None:
    """Half the interval of the mean margin; None where the ratio does not tell how margins vary.

    The ratio of ``n`` margins with mean ``m`` and variance ``v`` is
    ``n/2 ln((v + (m - m0)²) / (v + (m - m1)²))``, which is solved for ``v``.
    """
    from fivehundred.ratings.values import CONFIDENCE, quantile

    if not result.HasField("ratio") or result.matches < 2 or result.ratio == 0:
        return None
    margins, odds = test.margins, math.exp(-2 * result.ratio / result.matches)
    squares = [(result.mean - margin) ** 2 for margin in (margins.margin0, margins.margin1)]
    variance = (squares[1] - odds * squares[0]) / (odds - 1)
    if variance <= 0 or abs(squares[0] - squares[1]) < LEAST_TOLD * variance:
        return None
    error = math.sqrt(variance / (result.matches - 1))
    return quantile((1 + CONFIDENCE) / 2, result.matches - 1) * error


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
        ranks_text(row.rank_best, row.rank_worst),
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


def ranks_text(best: int, worst: int) -> str:
    """``2`` or ``2–4``."""
    return str(best) if best == worst else f"{best}–{worst}"


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

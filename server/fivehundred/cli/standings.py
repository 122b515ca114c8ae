"""The table of results."""

from collections.abc import Iterable

from rich.console import Console

from fivehundred.cli.output import plain_table
from fivehundred.v1.tournament_pb2 import Estimate, FaultCounts, Standing, Standings

NOTHING = "–"
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
NUMBERS = ("hands", "points/hand", "Elo", "won", "made", "voids")
RANKED_BY = {"points_per_hand": "points per hand", "elo": "Elo"}


def print_standings(console: Console, standings: Standings) -> None:
    """Print the table, what ranks, and why a number is missing."""
    table = plain_table(*COLUMNS, numbers=NUMBERS)
    for row in standings.rows:
        table.add_row(*_cells(row))
    console.print(table)
    ranking = RANKED_BY.get(standings.ranked_by, standings.ranked_by)
    interval = f"{standings.confidence:.0%} intervals"
    console.print(f"ranked by {ranking}; {interval}; {standings.hands} hands")
    for remark in _remarks(standings.rows):
        console.print(remark)


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

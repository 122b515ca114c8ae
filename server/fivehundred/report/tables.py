"""The report's numbers as tables, each a CSV file, at full precision."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields

from fivehundred.ratings.values import Estimate
from fivehundred.report.text import harmless
from fivehundred.report.times import TimesUsed
from fivehundred.report.values import Report, SequentialTest
from fivehundred.report.verdict import NAIVE
from fivehundred.report.view import FAULT_KINDS
from fivehundred.tournament.parts import ContractWorth, EntrantParts
from fivehundred.tournament.standings import Standing

Cell = str | int | float | None
ENDS = ("", "_standard_error", "_low", "_high")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula's start."""


@dataclass(frozen=True, slots=True)
class Table:
    """One file: its name without an ending, and its rows."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def csv(self) -> str:
        """The table as CSV (RFC 4180); an empty cell where there is no number.

        A text that a spreadsheet would take for a formula has an apostrophe before it.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(self.columns)
        writer.writerows([_cell(each) for each in row] for row in self.rows)
        return out.getvalue()


def _cell(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    return f"'{harmless(cell)}" if cell.startswith(FORMULA) else harmless(cell)


def tables(report: Report) -> tuple[Table, ...]:
    """All tables of a report; those without rows too, so that the files are always the same."""
    return (
        _standings(report),
        _crosstable(report),
        _chances(report),
        _matches(report),
        _test(report),
        _progress(report),
        _seats(report),
        _residuals(report),
        _parts(report),
        _contracts(report),
        _times(report.times),
        _faults(report),
    )


def _standings(report: Report) -> Table:
    columns = (
        *("place", "rank_best", "rank_worst", "entrant", "bot", "score", "buchholz"),
        *("hands", "boards", *(f"points_per_hand{end}" for end in ENDS)),
        *(f"elo{end}" for end in ENDS),
        *("wins", "games", "contracts", "contracts_made", "faults", "forfeits", "voids"),
        *(f"share_won{end}" for end in ENDS),
        *(f"share_made{end}" for end in ENDS),
    )
    rows = tuple(_standing(report, row) for row in report.standings.rows)
    return Table("standings", columns, rows)


def _standing(report: Report, row: Standing) -> tuple[Cell, ...]:
    told = report.shares_of(row.entrant)
    return (
        *(row.place, row.rank_best, row.rank_worst, row.entrant),
        *(report.facts.bot_of(row.entrant), row.score, row.buchholz, row.hands, row.boards),
        *_estimate(row.points_per_hand),
        *_estimate(row.elo),
        *(row.wins, row.games, row.contracts, row.contracts_made),
        *(sum(count for _, count in row.faults), row.forfeits, row.voids),
        *_estimate(told.won),
        *_estimate(told.made),
    )


def _estimate(estimate: Estimate) -> tuple[Cell, ...]:
    return estimate.value, estimate.standard_error, estimate.low, estimate.high


def _crosstable(report: Report) -> Table:
    columns = (
        *("entrant", "opponent", "boards", "hands", *(f"margin{end}" for end in ENDS)),
        *("wins", "games", *(f"share{end}" for end in ENDS)),
    )
    rows = [
        (
            *(*names, met.boards, met.hands, *_estimate(met.margin), met.wins, met.games),
            *_estimate(met.won),
        )
        for names, met in report.crosstable.items()
    ]
    return Table("crosstable", columns, tuple(rows))


def _chances(report: Report) -> Table:
    rows = tuple((*names, chance) for names, chance in report.chances.items())
    return Table("chances", ("entrant", "opponent", "chance_better"), rows)


def _matches(report: Report) -> Table:
    """A row for each entrant of each match."""
    columns = (
        *("match", "stage", "format", "round", "series", "is_over", "side", "entrant"),
        *("points_per_hand", "won", "of", "score", "has_won"),
    )
    return Table("matches", columns, tuple(_match_rows(report)))


def _match_rows(report: Report) -> Iterator[tuple[Cell, ...]]:
    for stage in report.stages:
        for match in stage.matches:
            winners, is_over = match.winners, int(match.is_over)
            place = match.number, stage.number, stage.kind, match.round, match.series, is_over
            for at, side in enumerate(match.sides, start=1):
                has_won = int(side in winners) if match.is_over else None
                numbers = side.points, side.won, match.of, side.score, has_won
                yield from ((*place, at, name, *numbers) for name in side.entrants)


def _test(report: Report) -> Table:
    """One row, or none where the format is no sequential test."""
    columns = (
        *("decision", "matches", "ratio", "lower", "upper", "tested", "unit"),
        *(f"mean{end}" for end in ENDS),
        *("h0", "h1", "hypotheses_unit", "remark"),
    )
    return Table("test", columns, () if report.test is None else (_verdict(report.test),))


def _verdict(test: SequentialTest) -> tuple[Cell, ...]:
    return (
        *(test.decision, test.matches, test.ratio, test.lower, test.upper),
        *(test.tested, test.unit, *_estimate(test.mean)),
        *(*test.hypotheses, test.hypotheses_unit, NAIVE),
    )


def _progress(report: Report) -> Table:
    rows = [
        (moment.boards, moment.hands, entrant, report.number, *_estimate(estimate))
        for moment in report.progress
        for entrant, estimate in moment.estimates
    ]
    ends = (f"estimate{end}" for end in ENDS)
    return Table("progress", ("boards", "hands", "entrant", "number", *ends), tuple(rows))


def _seats(report: Report) -> Table:
    columns = ("test", "level", "hands", *(f"points_per_hand{end}" for end in ENDS))
    tests = () if report.bias is None else report.bias.tests
    rows = [
        (
            test.name,
            level.name,
            level.hands,
            *_estimate(level.estimate),
            test.p_value,
            test.p_adjusted,
        )
        for test in tests
        for level in test.levels
    ]
    return Table("seats", (*columns, "p_value", "p_adjusted"), tuple(rows))


def _residuals(report: Report) -> Table:
    columns = (
        *("measure", "by", "part", "entrant", "boards", *(f"difference{end}" for end in ENDS)),
        *("p_value", "p_adjusted", "is_flagged"),
    )
    found = () if report.bias is None else report.bias.residuals
    rows = [
        (
            each.measure,
            each.by,
            each.part,
            each.entrant,
            each.boards,
            *_estimate(each.estimate),
            each.p_value,
            each.p_adjusted,
            int(each.is_flagged),
        )
        for each in found
    ]
    return Table("residuals", columns, tuple(rows))


def _parts(report: Report) -> Table:
    columns = tuple(each.name for each in fields(EntrantParts) if each.name != "parts")
    found = () if report.parts is None else report.parts.entrants
    rows = [tuple(getattr(each, name) for name in columns) for each in found]
    return Table("parts", columns, tuple(rows))


def _contracts(report: Report) -> Table:
    columns = tuple(each.name for each in fields(ContractWorth))
    found = () if report.parts is None else report.parts.contracts
    return Table("contracts", columns, tuple(astuple(each) for each in found))


def _times(times: Sequence[TimesUsed]) -> Table:
    columns = tuple(each.name for each in fields(TimesUsed))
    return Table("times", columns, tuple(astuple(each) for each in times))


def _faults(report: Report) -> Table:
    return Table("faults", ("entrant", "kind", "count"), tuple(_fault_rows(report)))


def _fault_rows(report: Report) -> Iterator[tuple[Cell, ...]]:
    for row in report.standings.rows:
        counts = dict(row.faults)
        for kind in FAULT_KINDS:
            yield row.entrant, kind.lower(), counts.get(kind, 0)
        yield row.entrant, "hand forfeited", row.forfeits
        yield row.entrant, "void", row.voids

"""What a page shows of a report, in words and places."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fivehundred.ratings.values import Estimate
from fivehundred.report.charts import (
    CountBar,
    Forest,
    Panels,
    TimeBars,
    count_bars,
    forest,
    panels,
    time_bars,
)
from fivehundred.report.checks import Section, check_sections, section_links
from fivehundred.report.heat import Heat, chances, meetings
from fivehundred.report.method import method, reason_for_ranking
from fivehundred.report.text import NOTHING, count_text, number_text, rank_text
from fivehundred.report.values import Parameters, Report, SequentialTest
from fivehundred.tournament.standings import Standing

MOST_SHOWN = 40
"""Entrants in the tables of pairs; a page of more than that is slow and cannot be read."""
MOST_PANELS = 24
"""Entrants whose progress is drawn."""

FORMS = {"points_per_hand": "+.1f", "elo": ".0f"}
UNITS = {"points_per_hand": "points per hand", "elo": "Elo"}
EARLY = (
    "A test that stops when it has its verdict stops at a high or a low: the plain estimates above "
    "are biased after it."
)
FAULT_KINDS = ("TIMEOUT", "ILLEGAL", "MALFORMED", "DISCONNECTED", "UNREACHABLE")


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """A row of the table of the progress."""

    boards: int
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of the standings."""

    ranks: str
    name: str
    bot: str
    points: Estimate
    place: str
    score: float | None
    buchholz: float | None
    elo: Estimate
    is_anchor: bool
    won: str
    boards: int
    hands: int
    made: str
    faults: int


@dataclass(frozen=True, slots=True)
class ShownTest:
    """A sequential test in words."""

    verdict: str
    rows: Parameters


@dataclass(frozen=True, slots=True)
class View:
    """What the template needs beside the facts."""

    figures: Parameters
    sections: Parameters
    why: str
    unit: str
    form: str
    forest: Forest
    forest_caption: str
    columns: tuple[tuple[str, bool], ...]
    rows: tuple[ShownRow, ...]
    remarks: tuple[str, ...]
    heat: Heat | None
    heat_text: str
    chances: Heat | None
    is_cut: bool
    shown: int
    panels: Panels | None
    moments: tuple[ShownMoment, ...]
    times: TimeBars
    faults: tuple[CountBar, ...]
    fault_columns: tuple[str, ...]
    fault_rows: tuple[tuple[str, tuple[int, ...]], ...]
    method: tuple[str, ...]
    identity: Parameters
    has_entropy: bool
    has_places: bool
    has_scores: bool
    test: ShownTest | None
    checks: tuple[Section, ...]


def view(report: Report) -> View:
    """The view of a report."""
    names, checks = report.names, check_sections(report)
    shown = names[:MOST_SHOWN]
    unit, form = UNITS[report.number], FORMS[report.number]
    return View(
        figures=tuple(_figures(report)),
        sections=tuple(_sections(checks)),
        why=reason_for_ranking(report),
        unit=unit,
        form=form,
        forest=_forest(report, form),
        forest_caption=_forest_caption(report, unit),
        columns=tuple(_columns(report)),
        rows=tuple(_row(report, row) for row in report.standings.rows),
        remarks=tuple(_remarks(report.standings.rows)),
        heat=meetings(report, shown) if report.crosstable else None,
        heat_text=_heat_text(report),
        chances=chances(report, shown),
        is_cut=len(names) > len(shown),
        shown=len(shown),
        panels=_panels(report, form),
        moments=tuple(_moments(report)),
        times=time_bars(report.times),
        faults=count_bars(_fault_counts(report)),
        fault_columns=(*(kind.capitalize() for kind in FAULT_KINDS), "Hands forfeited", "Voids"),
        fault_rows=tuple(map(_fault_row, report.standings.rows)),
        method=method(report),
        identity=tuple(_identity(report)),
        checks=checks,
        has_places=has_places(report),
        has_scores=has_scores(report),
        test=None if report.test is None else _test(report.test),
        has_entropy=any(each.entropy for each in report.facts.entrants),
    )


def _figures(report: Report) -> Iterator[tuple[str, str]]:
    table, facts = report.standings, report.facts
    boards = report.progress[-1].boards if report.progress else 0
    yield "Entrants", count_text(len(table.rows))
    yield "Matches", count_text(facts.matches)
    yield "Boards", count_text(boards)
    yield "Hands counted", count_text(table.hands)
    yield "Hands in the log", count_text(facts.hands_stored)
    yield "Faults", count_text(sum(_faults(row) for row in table.rows))


def _sections(checks: tuple[Section, ...]) -> Iterator[tuple[str, str]]:
    yield "standings", "Standings"
    yield "pairs", "Pairs"
    yield "progress", "Progress"
    yield from section_links(checks)
    yield "times", "Time"
    yield "faults", "Faults"
    yield "method", "Method"
    yield "parameters", "Parameters"


def _forest(report: Report, form: str) -> Forest:
    rows = [
        (row.entrant, f"rank {rank_text(row.rank_best, row.rank_worst)}", _shown(report, row))
        for row in report.standings.rows
    ]
    return forest(rows, form, 0.0 if report.number == "points_per_hand" else 1500.0)


def _shown(report: Report, row: Standing) -> Estimate:
    return row.elo if report.number == "elo" else row.points_per_hand


def _forest_caption(report: Report, unit: str) -> str:
    middle = "1500 is " + ("the anchor" if report.anchor else "the mean of all")
    if report.number == "points_per_hand":
        middle = "0 is the mean of all"
    anchor = f"; the anchor is {report.anchor}" if report.anchor and report.number == "elo" else ""
    return (
        f"{unit[0].upper()}{unit[1:]} with 95% intervals; {middle}{anchor}. "
        "A range of ranks is what the intervals of the differences leave open."
    )


def _columns(report: Report) -> Iterator[tuple[str, bool]]:
    won = "Games won" if report.games else "Boards won"
    yield "Rank", False
    yield "Entrant and bot", False
    if has_places(report):
        yield "Place", True
    if has_scores(report):
        yield "Score", True
        yield "Buchholz", True
    for name in ("Points per hand", "Elo", won, "Boards", "Hands", "Contracts made", "Faults"):
        yield name, True


def has_places(report: Report) -> bool:
    """Whether the format itself places anybody."""
    return any(row.place is not None for row in report.standings.rows)


def has_scores(report: Report) -> bool:
    """Whether the format itself counts anything."""
    return any(row.score is not None for row in report.standings.rows)


def _test(test: SequentialTest) -> ShownTest:
    decided = {
        "h0": f"{test.first} is taken, not {test.second}",
        "h1": f"{test.second} is taken, not {test.first}",
        "undecided": f"Undecided between {test.first} and {test.second}: the cap came first",
    }
    told = decided.get(test.decision, f"Still open between {test.first} and {test.second}")
    rows = (
        ("Log-likelihood ratio", number_text(test.ratio, "+.3f")),
        ("Bounds", f"{number_text(test.lower, '+.3f')} and {number_text(test.upper, '+.3f')}"),
        ("Mean of what is tested", number_text(test.mean, "+.3f")),
        ("Matches", count_text(test.matches)),
    )
    parts = (
        f"{told}, after {count_text(test.matches)} matches in the schedule’s order",
        test.remark,
    )
    return ShownTest(f"{'; '.join(filter(None, parts))}. {EARLY}", rows)


def _row(report: Report, row: Standing) -> ShownRow:
    return ShownRow(
        ranks=rank_text(row.rank_best, row.rank_worst),
        name=row.entrant,
        bot=report.facts.bot_of(row.entrant),
        place=NOTHING if row.place is None else str(row.place),
        score=row.score,
        buchholz=row.buchholz,
        points=row.points_per_hand,
        elo=row.elo,
        is_anchor=row.entrant == report.anchor,
        won=f"{count_text(row.wins)} of {count_text(row.games)}",
        boards=row.boards,
        hands=row.hands,
        made=f"{count_text(row.contracts_made)} of {count_text(row.contracts)}",
        faults=_faults(row),
    )


def _faults(row: Standing) -> int:
    return sum(count for _, count in row.faults)


def _remarks(rows: tuple[Standing, ...]) -> Iterator[str]:
    """Each remark once for all the entrants it is made on."""
    entrants: dict[str, list[str]] = {}
    for row in rows:
        for name, estimate in (("points per hand", row.points_per_hand), ("Elo", row.elo)):
            if estimate.remark:
                entrants.setdefault(f"{name}: {estimate.remark}", []).append(row.entrant)
    return (f"{', '.join(names)}: {remark}" for remark, names in entrants.items())


def _heat_text(report: Report) -> str:
    what = "the part of their games that the row’s entrant has won"
    if report.number == "points_per_hand":
        what = "by how many points per hand the row’s entrant was ahead, on average"
    return (
        f"Of each two entrants that met, {what}. Blue is ahead, orange behind. If the table is not "
        "ordered as the standings are, one number for each entrant hides something: A beats B, B "
        "beats C, and yet C beats A."
    )


def _panels(report: Report, form: str) -> Panels | None:
    if len(report.progress) < 2:
        return None
    return panels(report.progress, report.names[:MOST_PANELS], form)


def _moments(report: Report) -> Iterator[ShownMoment]:
    for moment in report.progress:
        known = dict(moment.estimates)
        names = report.names[:MOST_PANELS]
        yield ShownMoment(moment.boards, tuple(known[name] for name in names))


def _fault_counts(report: Report) -> Iterator[tuple[str, str, int]]:
    for row in report.standings.rows:
        for kind, count in row.faults:
            yield row.entrant, kind.lower(), count


def _fault_row(row: Standing) -> tuple[str, tuple[int, ...]]:
    counts = Counter(dict(row.faults))
    return row.entrant, (*(counts[kind] for kind in FAULT_KINDS), row.forfeits, row.voids)


def _identity(report: Report) -> Iterator[tuple[str, str]]:
    facts = report.facts
    yield "Name", facts.tournament
    yield "State", f"{facts.state}{f': {facts.reason}' if facts.reason else ''}"
    yield "Created", facts.created
    yield "Rules", facts.rules
    yield "Rules hash", facts.rules_hash
    yield "Seed commitment (SHA-256)", facts.seed_commitment
    yield "Seed", facts.seed or "not revealed before the end"
    yield _digest_name(facts.is_digest_final), facts.log_digest
    yield "Hands in the log", count_text(facts.hands_stored)
    yield "Report written by", f"fivehundred {facts.software}"


def _digest_name(is_final: bool) -> str:
    return "Log digest (SHA-256)" if is_final else "Log digest (SHA-256), so far"

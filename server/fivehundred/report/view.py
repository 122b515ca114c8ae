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
from fivehundred.report.rounds import ShownStage, shown_stages
from fivehundred.report.text import (
    NOTHING,
    count_text,
    percent_interval_text,
    percent_text,
    rank_text,
)
from fivehundred.report.values import Parameters, Report
from fivehundred.report.verdict import ShownTest, shown_test
from fivehundred.tournament.standings import Standing

MOST_SHOWN = 40
"""Entrants in the tables of pairs; a page of more than that is slow and cannot be read."""
MOST_PANELS = 24
"""Entrants whose progress is drawn."""

FORMS = {"points_per_hand": "+.1f", "elo": ".0f"}
UNITS = {"points_per_hand": "points per hand", "elo": "Elo"}
FAULT_KINDS = ("TIMEOUT", "ILLEGAL", "MALFORMED", "DISCONNECTED", "UNREACHABLE")


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """A row of the table of the progress."""

    boards: int
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class ShownShare:
    """A count with its share and its interval."""

    count: str
    share: str


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
    won: ShownShare
    boards: int
    hands: int
    made: ShownShare
    faults: int


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
    standings_caption: str
    stages: tuple[ShownStage, ...]
    matches_text: str
    won_column: str
    test: ShownTest | None
    checks: tuple[Section, ...]


def view(report: Report) -> View:
    """The view of a report."""
    names, checks = report.names, check_sections(report)
    shown, stages = names[:MOST_SHOWN], shown_stages(report)
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
        standings_caption=_standings_caption(report),
        stages=stages,
        matches_text=_matches_text(report) if any(each.rounds for each in stages) else "",
        won_column="Games won" if report.games else "Hands won",
        test=None if report.test is None else shown_test(report.test),
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
    yield "matches", "Matches"
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
    yield "Place" if has_places(report) else "Rank", False
    yield "Entrant and bot", False
    if has_scores(report):
        yield "Score", True
    won = "Games won" if report.games else "Boards won"
    for name in ("Points per hand", "Elo", won, "Contracts made", "Boards", "Faults"):
        yield name, True


def _standings_caption(report: Report) -> str:
    won = "games" if report.games else "boards"
    by_place = "; below each place the range of ranks that the intervals leave open"
    is_early = report.test is not None and report.test.decision in ("h0", "h1")
    early = " that are not corrected for the early stop of the test" if is_early else ""
    return (
        "Standings, best first, with 95% intervals"
        f"{early}{by_place if has_places(report) else ''}. "
        f"The shares of {won} won, a tie shared, and of contracts made have theirs by board; they "
        "depend on the opponents met and do not rank."
    )


def _matches_text(report: Report) -> str:
    won = "by the games won" if report.games else "by points per hand"
    hands = "" if report.games else " A hand is won by the side with the most points on it."
    return (
        f"A match is won {won}. Numbers stand in the order of the entrants, the winner in bold."
        f"{hands} Matches have the numbers of the log, which start at 0."
    )


def has_places(report: Report) -> bool:
    """Whether the format itself places anybody."""
    return any(row.place is not None for row in report.standings.rows)


def has_scores(report: Report) -> bool:
    """Whether the format itself counts anything."""
    return any(row.score is not None for row in report.standings.rows)


def _row(report: Report, row: Standing) -> ShownRow:
    shares = report.shares_of(row.entrant)
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
        won=_share(row.wins, row.games, shares.won),
        boards=row.boards,
        hands=row.hands,
        made=_share(row.contracts_made, row.contracts, shares.made),
        faults=_faults(row),
    )


def _share(count: float, of: int, share: Estimate) -> ShownShare:
    ends = percent_interval_text(share)
    told = f"{percent_text(share.value)} ({ends or 'no interval'})" if of else ""
    return ShownShare(f"{count_text(count)} of {count_text(of)}", told)


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

"""What a page shows of the results by match: rounds, series, stages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from fivehundred.report.matches import Match, SeriesResult, Side, StageResult
from fivehundred.report.text import NOTHING, count_text, number_text
from fivehundred.report.values import Report

MOST_OPEN = 60
"""Matches of a table that is not folded."""
MOST_FIXED = 60
"""Matches of a fixed format that are listed."""
MOST_LISTED = 400
"""Matches of any format that are listed: the last ones."""

TOO_MANY = "too many to list here: the JSON and the CSV file have each one’s result."
FORMATS = {
    "round_robin": "round robin",
    "gauntlet": "gauntlet",
    "solo_tables": "solo tables",
    "mixed_teams": "mixed teams",
    "swiss": "Swiss tournament",
    "elimination": "elimination",
    "ladder": "ladder",
    "sequential": "sequential test",
}
_LAST = ("Final", "Semi-finals", "Quarter-finals")


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side in the list of those who met."""

    name: str
    has_won: bool
    points: str
    points_number: float | None
    won: str
    won_number: float | None


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A row."""

    number: int
    round: str
    sides: tuple[ShownSide, ...]
    result: str


@dataclass(frozen=True, slots=True)
class ShownSeries:
    """A series and its matches; without a headline a plain list."""

    headline: str
    matches: tuple[ShownMatch, ...]


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round; without a title what has no rounds."""

    title: str
    series: tuple[ShownSeries, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage's table; without rounds there is none."""

    title: str
    texts: tuple[str, ...]
    caption: str
    has_round_column: bool
    rounds: tuple[ShownRound, ...]
    summary: str
    """What the table is folded under; empty where it is not."""


def shown_stages(report: Report) -> tuple[ShownStage, ...]:
    """The tables of the results by match."""
    return tuple(_stage(report, stage) for stage in report.stages if stage.matches)


def _stage(report: Report, stage: StageResult) -> ShownStage:
    count, is_long = len(stage.matches), len(stage.matches) > MOST_OPEN
    is_list = stage.is_fixed or stage.kind in ("ladder", "sequential")
    what = FORMATS.get(stage.kind, stage.kind)
    title = f"Stage {stage.number}: {what} of {len(stage.entrants)}"
    matches = "1 match" if count == 1 else f"{count_text(count)} matches"
    texts, rounds = [], _rounds(stage)
    if stage.is_fixed and count > MOST_FIXED:
        texts, rounds = [f"{matches}, known before play; {TOO_MANY}"], []
    elif count > MOST_LISTED:
        texts = [
            f"Of {matches} the last {MOST_LISTED} are listed; the JSON and CSV files have all."
        ]
    name = f"{what[0].upper()}{what[1:]}"
    return ShownStage(
        title=title if len(report.stages) > 1 else "",
        texts=tuple(texts),
        caption=f"{name}: {matches}",
        has_round_column=is_list and any(each.round is not None for each in stage.matches),
        rounds=tuple(rounds),
        summary=f"The {matches}" if is_long and rounds else "",
    )


def _rounds(stage: StageResult) -> list[ShownRound]:
    matches = stage.matches[-MOST_LISTED:]
    if stage.series:
        return list(_series_rounds(stage, {each.number: each for each in matches}))
    if stage.is_fixed or stage.kind in ("ladder", "sequential"):
        return [ShownRound("", (_plain(matches),))]
    return [
        ShownRound(f"Round {number}", (_plain(list(group)),), _bye(stage, number or 0))
        for number, group in groupby(matches, lambda match: match.round)
    ]


def _plain(matches: Iterable[Match]) -> ShownSeries:
    return ShownSeries("", tuple(map(_match, matches)))


def _bye(stage: StageResult, number: int) -> str:
    bye = stage.byes[number - 1] if 0 < number <= len(stage.byes) else ""
    return f"{bye} has the bye." if bye else ""


def _series_rounds(stage: StageResult, matches: dict[int, Match]) -> Iterator[ShownRound]:
    """Rounds of which any series is known and listed."""
    titles = _titles(stage.series)
    for number, group in groupby(stage.series, lambda series: series.round):
        series = list(group)
        shown = [
            ShownSeries(
                _headline(each), tuple(_of_series(each, matches[at]) for at in each.matches)
            )
            for each in series
            if len(each.entrants) == 2 and all(at in matches for at in each.matches)
        ]
        byes = [each.entrants[0] for each in series if len(each.entrants) == 1]
        if shown:
            has = "have byes" if len(byes) > 1 else "has a bye"
            note = f"{_and(byes)} {has}." if byes else ""
            yield ShownRound(titles[number], tuple(shown), note)


def _titles(series: Sequence[SeriesResult]) -> dict[int, str]:
    """What each round is called."""
    is_double = any(each.branch == "final" for each in series)
    branch = {each.round: each.branch for each in series}
    if not is_double:
        last = max(branch)
        return {at: _LAST[last - at] if last - at < 3 else f"Round {at}" for at in branch}
    found, seen = {}, Counter[str]()
    for at, of in sorted(branch.items()):
        seen[of] += 1
        name = "Winners’ round" if of == "winners" else "Losers’ round"
        found[at] = (
            f"{name} {seen[of]}" if of != "final" else ("Final", "Deciding series")[seen[of] - 1]
        )
    return found


def _headline(series: SeriesResult) -> str:
    """The winner comes first."""
    first, second = _in_order(series)
    wins = " : ".join(map(count_text, sorted(series.wins, reverse=True)))
    if not series.winner:
        return f"{first} – {second}: {' : '.join(map(count_text, series.wins))} in matches so far"
    if series.decided == "seed":
        return (
            f"{first} – {second}: level, {wins} in matches and in points; {first} is better seeded"
        )
    how = {"played on": " after playing on", "points": ", and by more points"}
    return f"{first} beats {second}, {wins} in matches{how.get(series.decided, '')}"


def _in_order(series: SeriesResult) -> Sequence[str]:
    """The two of a series, its winner first."""
    return sorted(series.entrants, key=lambda name: name != series.winner)


def _of_series(series: SeriesResult, match: Match) -> ShownMatch:
    """A match, its sides in the order in which the headline names them."""
    order = list(_in_order(series))
    return _match(
        replace(
            match, sides=tuple(sorted(match.sides, key=lambda side: order.index(side.entrants[0])))
        )
    )


def _match(match: Match) -> ShownMatch:
    winners = match.winners
    sides = tuple(_side(side, has_won=side in winners) for side in match.sides)
    names = [each.name for each in sides if each.has_won]
    return ShownMatch(
        number=match.number,
        round="" if match.round is None else str(match.round),
        sides=sides,
        result=(_and(names) or "tie") if match.is_over else "not over",
    )


def _side(side: Side, *, has_won: bool) -> ShownSide:
    return ShownSide(
        name=" & ".join(side.entrants),
        has_won=has_won,
        points=number_text(side.points, "+.1f"),
        points_number=side.points,
        won=NOTHING if side.won is None else _part(side.won),
        won_number=side.won,
    )


def _part(won: float) -> str:
    """Whole numbers, halves, or thirds of ties as decimals."""
    return count_text(won) if abs(2 * won - round(2 * won)) < 1e-6 else number_text(won, ".2f")


def _and(names: Sequence[str]) -> str:
    """Names in a sentence."""
    *others, last = names or ("",)
    return f"{', '.join(others)} and {last}" if others else last

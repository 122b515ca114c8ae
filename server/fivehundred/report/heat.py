"""The tables of pairs, shaded: who is ahead of whom, and how likely it is the stronger."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fivehundred.report.charts import shade
from fivehundred.report.crosstable import Meeting
from fivehundred.report.text import (
    chance_text,
    count_text,
    interval_text,
    number_text,
    percent_text,
)
from fivehundred.report.values import Report


@dataclass(frozen=True, slots=True)
class Cell:
    """The row's entrant against the column's."""

    text: str
    number: float | None
    note: str
    title: str
    shade: str
    """The class of its ground: ``p1`` to ``p5`` ahead, ``n1`` to ``n5`` behind; empty: even."""


@dataclass(frozen=True, slots=True)
class HeatRow:
    """An entrant against each; None on the diagonal."""

    name: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Heat:
    """A shaded table of pairs."""

    caption: str
    names: tuple[str, ...]
    rows: tuple[HeatRow, ...]


def meetings(report: Report, names: Sequence[str]) -> Heat:
    """The mean margins or, where games are played, the shares won, of some entrants."""
    by_share = report.number == "elo"
    met = report.crosstable
    widest = max(
        (abs(each.margin.value or 0.0) for each in met.values()),
        default=0.0,
    )

    def cell(first: str, second: str) -> Cell:
        meeting = met.get((first, second))
        if meeting is None:
            return Cell("", None, "", f"{first} and {second} have not met", "")
        title = _title(first, second, meeting)
        share, margin = percent_text(meeting.share), meeting.margin.value
        boards = f"{count_text(meeting.boards)} b."
        if by_share:
            part = 0.0 if meeting.share is None else 2 * meeting.share - 1
            games = f"{count_text(meeting.games)} g."
            return Cell(share, meeting.share, games, title, _class(part))
        part = (margin or 0.0) / widest if widest else 0.0
        return Cell(number_text(margin, "+.1f"), margin, boards, title, _class(part))

    what = "Part of the games won" if by_share else "Mean margin in points per hand"
    unit = "games (g.)" if by_share else "boards (b.)"
    return _heat(
        f"{what} of the row’s entrant against the column’s, and over how many {unit}", names, cell
    )


def chances(report: Report, names: Sequence[str]) -> Heat | None:
    """The chances of being the stronger; None where there are none."""
    known = report.chances
    if not known:
        return None

    def cell(first: str, second: str) -> Cell:
        chance = known.get((first, second))
        if chance is None:
            return Cell("?", None, "", f"{first} and {second} cannot be compared", "")
        title = f"{first} is stronger than {second} with a chance of {chance_text(chance)}"
        return Cell(chance_text(chance), chance, "", title, _class(2 * chance - 1))

    return _heat("Chance that the row’s entrant is the stronger, in per cent", names, cell)


def _heat(caption: str, names: Sequence[str], cell: Callable[[str, str], Cell]) -> Heat:
    rows = tuple(
        HeatRow(name, tuple(None if name == other else cell(name, other) for other in names))
        for name in names
    )
    return Heat(caption, tuple(names), rows)


def _title(first: str, second: str, met: Meeting) -> str:
    margin = number_text(met.margin.value, "+.2f")
    ends = interval_text(met.margin, "+.2f")
    boards, hands = count_text(met.boards), count_text(met.hands)
    won = f"{count_text(met.wins)} of {count_text(met.games)} won"
    played = f"{won}; {boards} boards, {hands} hands"
    return f"{first} against {second}: {margin} points per hand ({ends}); {played}"


def _class(part: float) -> str:
    step = shade(part)
    return "" if not step else f"p{step}" if step > 0 else f"n{-step}"

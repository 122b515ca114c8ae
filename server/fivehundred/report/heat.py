"""The tables of pairs, shaded: who is ahead of whom, and how likely it is the stronger."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fivehundred.ratings.values import ALIKE
from fivehundred.report.charts import shade
from fivehundred.report.crosstable import Meeting
from fivehundred.report.text import (
    chance_text,
    count_text,
    interval_text,
    number_text,
    percent_interval_text,
    percent_text,
    reach_text,
)
from fivehundred.report.values import Report


@dataclass(frozen=True, slots=True)
class Cell:
    """The row's entrant against the column's."""

    text: str
    number: float | None
    notes: tuple[str, ...]
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
    by_share, met = report.number == "elo", report.crosstable
    widest = max((abs(each.margin.value or 0.0) for each in met.values()), default=0.0)
    counts = {each.games if by_share else each.boards for each in met.values()}
    count = counts.pop() if len(counts) == 1 else None

    is_same = not by_share and any(each.margin.remark == ALIKE for each in met.values())

    def cell(first: str, second: str) -> Cell:
        meeting = met.get((first, second))
        if meeting is None:
            return Cell("", None, (), f"{first} and {second} have not met", "")
        title = _title(first, second, meeting)
        if by_share:
            return _share_cell(meeting, title, is_counted=count is None)
        return _margin_cell(meeting, widest, title, is_counted=count is None)

    return _heat(_caption(count, by_share=by_share, is_same=is_same), names, cell)


def _caption(count: int | None, *, by_share: bool, is_same: bool) -> str:
    what = "Part of the games won" if by_share else "Mean margin in points per hand"
    told = f"{what} of the row’s entrant against the column’s, with its 95% interval"
    plural, short = ("games", "g.") if by_share else ("boards", "b.")
    if is_same:
        told += " (alike: the same on every board, which tells no error)"
    if count is None:
        return f"{told}, and over how many {plural} ({short})"
    return f"{told}; each over {count_text(count)} {plural if count != 1 else plural[:-1]}"


def _share_cell(met: Meeting, title: str, *, is_counted: bool) -> Cell:
    part = 0.0 if met.share is None else 2 * met.share - 1
    notes = [percent_interval_text(met.won)] if met.won.low is not None else []
    notes += [f"{count_text(met.games)} g."] if is_counted else []
    return Cell(percent_text(met.share), met.share, tuple(notes), title, _class(part))


def _margin_cell(met: Meeting, widest: float, title: str, *, is_counted: bool) -> Cell:
    margin = met.margin
    part = (margin.value or 0.0) / widest if widest else 0.0
    notes = [reach_text(margin, ".1f")]
    notes += [f"{count_text(met.boards)} b."] if is_counted else []
    return Cell(number_text(margin.value, "+.1f"), margin.value, tuple(notes), title, _class(part))


def chances(report: Report, names: Sequence[str]) -> Heat | None:
    """The chances of being the stronger; None where there are none."""
    known = report.chances
    if not known:
        return None

    def cell(first: str, second: str) -> Cell:
        chance = known.get((first, second))
        if chance is None:
            return Cell("?", None, (), f"{first} and {second} cannot be compared", "")
        title = f"{first} is stronger than {second} with a chance of {chance_text(chance)}"
        return Cell(chance_text(chance), chance, (), title, _class(2 * chance - 1))

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

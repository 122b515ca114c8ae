"""What an event resolves: the widths of its intervals, from its schedule and what a board tells.

The information of all boards is summed up over who meets whom, as the fit of the standings does it,
and so is the pull of the residuals; the covariance of the strengths follows from the two. No rule
of thumb is in it: a bot that meets few others has the wider interval.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fivehundred.tournament.lines import Floats
from fivehundred.tournament.planning.courses import Course
from fivehundred.tournament.planning.design import Design, Setting, names_of
from fivehundred.tournament.planning.evidence import Variances


@dataclass(frozen=True, slots=True)
class Span:
    """The least, the median and the greatest of several numbers."""

    least: float
    median: float
    most: float


@dataclass(frozen=True, slots=True)
class Resolution:
    """What an event resolves, in the unit of its variances; None where it has no interval."""

    unit: str
    kind: str
    """Of the variances: "measured", or the likeness of the bots that is assumed."""
    deviation: float
    """Of the difference of two entrants on one board."""
    half_width: Span | None
    """Of an entrant's interval at 95 percent, over the entrants, by the fit of all boards."""
    mean_half_width: float | None
    difference: Span | None
    """The smallest difference that is found in four of five events, over all pairs."""
    pairing_half_width: Span | None
    """Of the difference of two, by the boards between them alone."""
    pairing_difference: Span | None
    """The smallest difference that these find."""
    without: float
    """The share of entrants that get no interval."""
    tables: int
    """How many different tables meet."""
    known_tables: int
    """Of how many the luck was measured on boards of their own; that of the others is a mean."""


def resolve(setting: Setting, ways: Sequence[Course], variances: Variances) -> Resolution:
    """What an event resolves, on the average of the ways that it may go."""
    solved = [Design(setting, course, variances).solved() for course in ways]
    widths = [each.half_widths for each in solved]
    known = np.concatenate([row[np.isfinite(row)] for row in widths])
    share = 1 - len(known) / sum(len(row) for row in widths)
    tables = {slots for _, slots in ways[0].tables}
    own = {names_of(setting, slots) for slots in tables} if variances.by_table else set()
    return Resolution(
        unit=variances.unit.value,
        kind=variances.kind,
        deviation=math.sqrt(solved[0].square),
        half_width=_mean_span(widths),
        mean_half_width=float(known.mean()) if len(known) else None,
        difference=_mean_span([each.differences for each in solved]),
        pairing_half_width=_mean_span([each.pairing_half_widths for each in solved]),
        pairing_difference=_mean_span([each.pairing_differences for each in solved]),
        without=share,
        tables=len(tables),
        known_tables=len(own & variances.by_table.keys()),
    )


def _mean_span(rows: Sequence[Floats]) -> Span | None:
    """The mean over the courses of the least, the median and the greatest."""
    finite = [row[np.isfinite(row)] for row in rows]
    spans = [(row.min(), float(np.median(row)), row.max()) for row in finite if len(row)]
    if not spans:
        return None
    least, median, most = (float(number) for number in np.mean(spans, axis=0))
    return Span(least, median, most)

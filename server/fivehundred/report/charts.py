"""The geometry of charts: places in per cent of the width, so that they fit any screen."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from fivehundred.ratings.values import Estimate
from fivehundred.report.progress import Moment
from fivehundred.report.scale import Scale, Tick, linear, powers_of_ten
from fivehundred.report.text import count_text, interval_text, number_text, time_text
from fivehundred.report.times import TimesUsed

TIMES = {0: "1 µs", 1: "10", 2: "100", 3: "1 ms", 4: "10", 5: "100", 6: "1 s", 7: "10", 8: "100"}
"""What the axis of times says at each power of ten of microseconds."""
STEPS = 5
"""Shades of the heat map on either side of the middle."""
SETTLED = 0.1
"""The part of the boards after which the bands of a progress chart have to fit into it."""

_Y = TypeVar("_Y")


@dataclass(frozen=True, slots=True)
class Interval:
    """A row of a forest plot: where an estimate and the ends of its interval stand."""

    name: str
    note: str
    estimate: Estimate
    form: str
    at: float | None
    low: float
    high: float

    @property
    def value(self) -> str:
        """The estimate in words."""
        return number_text(self.estimate.value, self.form)

    @property
    def ends(self) -> str:
        """The interval in words."""
        return interval_text(self.estimate, self.form)

    @property
    def is_open_low(self) -> bool:
        """Whether it has no lower end."""
        return self.estimate.low is None and self.estimate.high is not None

    @property
    def is_open_high(self) -> bool:
        """Whether it has no upper end."""
        return self.estimate.high is None and self.estimate.low is not None


@dataclass(frozen=True, slots=True)
class Forest:
    """Estimates with their intervals, one below the other on one scale."""

    rows: tuple[Interval, ...]
    ticks: tuple[Tick, ...]
    middle: float | None
    """Where the number stands that everything is compared with; None where it is off the scale."""


def forest(
    rows: Iterable[tuple[str, str, Estimate]], form: str, middle: float | None = 0.0
) -> Forest:
    """The plot of named and annotated estimates."""
    told = list(rows)
    known = [number for _, _, estimate in told for number in _numbers(estimate)]
    scale = linear([*known, middle] if middle is not None else known)
    return Forest(
        rows=tuple(
            Interval(name, note, estimate, form, *_places(scale, estimate))
            for name, note, estimate in told
        ),
        ticks=scale.ticks,
        middle=None if middle is None else scale.at(middle),
    )


def _numbers(estimate: Estimate) -> list[float]:
    numbers = (estimate.value, estimate.low, estimate.high)
    return [number for number in numbers if number is not None]


def _places(scale: Scale, estimate: Estimate) -> tuple[float | None, float, float]:
    value, low, high = estimate.value, estimate.low, estimate.high
    at = None if value is None else scale.at(value)
    bare = 50.0 if at is None else at
    if low is None and high is None:
        return at, bare, bare
    return at, 0.0 if low is None else scale.at(low), 100.0 if high is None else scale.at(high)


@dataclass(frozen=True, slots=True)
class Panel:
    """How one entrant's estimate came to be: paths in a square of 100 by 100."""

    name: str
    value: str
    band: tuple[str, ...]
    """Closed, one for each run of moments that have an interval."""
    line: tuple[str, ...]
    others: tuple[str, ...]
    """The lines of the other entrants."""
    why: str
    """Why there is no line; empty where there is one."""


@dataclass(frozen=True, slots=True)
class Panels:
    """The same frame for every entrant."""

    panels: tuple[Panel, ...]
    ticks: tuple[Tick, ...]
    """Of the number shown, in per cent from the top."""
    boards: int


def panels(moments: Sequence[Moment], names: Sequence[str], form: str) -> Panels:
    """The progress of some entrants; ``moments`` are at least two."""
    boards = moments[-1].boards
    courses = {name: [dict(each.estimates)[name] for each in moments] for name in names}
    settled = [k for k, each in enumerate(moments) if each.boards >= SETTLED * boards]
    seen = [n for course in courses.values() for k in settled for n in _numbers(course[k])]
    scale = linear(seen, margin=0.0, steps=3)
    across = [round(100 * each.boards / boards, 3) for each in moments]
    lines = {name: _lines(across, course, scale) for name, course in courses.items()}
    return Panels(
        panels=tuple(
            Panel(
                name=name,
                value=_reached(course[-1], form),
                band=_bands(across, course, scale),
                line=lines[name],
                others=tuple(path for other in names if other != name for path in lines[other]),
                why="" if lines[name] else _why(course[-1]),
            )
            for name, course in courses.items()
        ),
        ticks=tuple(Tick(round(100 - each.at, 3), each.label) for each in scale.ticks),
        boards=boards,
    )


def _reached(last: Estimate, form: str) -> str:
    """The number at the end, or its bound."""
    if last.value is None and last.low is not None:
        return f"> {number_text(last.low, form)}"
    if last.value is None and last.high is not None:
        return f"< {number_text(last.high, form)}"
    return number_text(last.value, form)


def _why(last: Estimate) -> str:
    told = last.remark or "the results so far cannot tell"
    return f"No estimate: {told}."


def _height(scale: Scale, number: float) -> float:
    """From the top; what is outside stays outside, and is cut off there."""
    return round(100 * (scale.high - number) / (scale.high - scale.low), 3)


def _lines(across: Sequence[float], course: Sequence[Estimate], scale: Scale) -> tuple[str, ...]:
    heights = [None if each.value is None else _height(scale, each.value) for each in course]
    return tuple(map(_path, _runs(zip(across, heights, strict=True))))


def _bands(across: Sequence[float], course: Sequence[Estimate], scale: Scale) -> tuple[str, ...]:
    ends = [
        None
        if each.low is None or each.high is None
        else (_height(scale, each.low), _height(scale, each.high))
        for each in course
    ]
    return tuple(map(_closed, _runs(zip(across, ends, strict=True))))


def _closed(run: Sequence[tuple[float, tuple[float, float]]]) -> str:
    there = [(x, low) for x, (low, _) in run]
    back = [(x, high) for x, (_, high) in reversed(run)]
    return _path([*there, *back]) + "Z"


def _runs(points: Iterable[tuple[float, _Y | None]]) -> Iterator[list[tuple[float, _Y]]]:
    """The points between those that are not known."""
    run: list[tuple[float, _Y]] = []
    for x, y in points:
        if y is not None:
            run.append((x, y))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


@dataclass(frozen=True, slots=True)
class TimeBar:
    """A row of the chart of times."""

    used: TimesUsed
    p50: float
    p95: float
    most: float
    limit: float

    @property
    def text(self) -> str:
        """The times in words."""
        used = self.used
        times = (used.p50_us, used.p95_us, used.most_us)
        return " · ".join(time_text(each) for each in times)


@dataclass(frozen=True, slots=True)
class TimeBars:
    """The chart of times, by powers of ten."""

    rows: tuple[TimeBar, ...]
    ticks: tuple[Tick, ...]


def time_bars(times: Sequence[TimesUsed]) -> TimeBars:
    """The chart of the times used."""
    ends = [each.limit_us for each in times] + [each.most_us for each in times]
    scale = powers_of_ten([*ends, *(each.p50_us for each in times)], TIMES)
    return TimeBars(
        rows=tuple(
            TimeBar(
                each,
                *map(scale.at, (each.p50_us, each.p95_us, each.most_us, each.limit_us)),
            )
            for each in times
        ),
        ticks=scale.ticks,
    )


@dataclass(frozen=True, slots=True)
class CountBar:
    """A row of a chart of counts; ``to`` is in per cent."""

    name: str
    note: str
    count: int
    to: float

    @property
    def text(self) -> str:
        """The count in words."""
        return count_text(self.count)


def count_bars(counts: Iterable[tuple[str, str, int]]) -> tuple[CountBar, ...]:
    """The chart of named and annotated counts, the largest reaching the end."""
    told = list(counts)
    most = max((count for _, _, count in told), default=1)
    return tuple(
        CountBar(name, note, count, round(100 * count / most, 3)) for name, note, count in told
    )


def shade(part: float) -> int:
    """The step of the heat map, -5 to 5, for a number from -1 to 1."""
    return max(-STEPS, min(STEPS, round(part * STEPS)))

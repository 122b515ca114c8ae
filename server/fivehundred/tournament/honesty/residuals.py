"""Residuals: whether a bot, or the whole table, was another one for a while.

The fit goes through each entrant's mean, so an entrant's residuals over all its boards are nothing.
They are looked at by parts of the boards (`fivehundred.tournament.honesty.divisions`): when they
were stored, who played them, and how late the daemon's own machine was in them. Each figure is how
far the entrant, or the table, was there from where it was in all other boards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from fivehundred.ratings.values import Estimate, rounded
from fivehundred.tournament.honesty.designs import BoardRows, board_rows
from fivehundred.tournament.honesty.divisions import Division, divisions
from fivehundred.tournament.honesty.effects import Effect, Rows, single_effects
from fivehundred.tournament.honesty.facts import FactRows
from fivehundred.tournament.lines import Flags, Floats, Numbers

POINTS = "points per hand"
TIME = "ms per decision"
FAULTS = "faults per hand"


@dataclass(frozen=True, slots=True)
class Residual:
    """How far an entrant, or the whole table, was from its mean in one part of the boards."""

    measure: str
    """`POINTS`, `TIME` or `FAULTS`."""
    by: str
    """The name of the division, such as "stretch" or "hour"."""
    part: str
    """Such as "3 of 8", or "2026-05-01 13:00 UTC"."""
    entrant: str | None
    """None: the whole table."""
    boards: int
    estimate: Estimate
    p_value: float | None
    p_adjusted: float | None = None
    """By Holm's method over all tests of the report."""
    is_flagged: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """What a bot has used, and its faults: facts to compare, not tests."""

    entrant: str
    bot: str
    hands: int
    decisions: int
    ms_per_decision: float | None
    """None where it has made no decision."""
    faults: int
    faults_per_hand: float | None


@dataclass(frozen=True, slots=True, eq=False)
class _Measure:
    """What is measured: on which rows, with what taken out."""

    name: str
    rows: Rows
    board: Numbers
    """Of each row."""
    entrant: Numbers | None
    """Of each row; None where a row is a whole table."""
    weight: Floats
    """The root of the weight that the rows have been multiplied by."""


def residuals(facts: FactRows, names: list[str], players: Sequence[str]) -> list[Residual]:
    """All residuals, not yet held against a bound; ``players``: the names of those of the facts."""
    if not len(facts):
        return []
    boards = board_rows(facts, len(names))
    parts = divisions(facts, boards, players)
    return [
        each
        for measure in _measures(facts, boards, len(names))
        for part in parts
        for each in _of_part(measure, part, names)
    ]


def uses(facts: FactRows, names: list[str], bots: list[str]) -> list[Use]:
    """What each entrant's bot has used; ``bots`` by entrant."""
    if not len(facts):
        return [Use(name, bot, 0, 0, None, 0, None) for name, bot in zip(names, bots, strict=True)]
    rows = board_rows(facts, len(names))
    sums = [
        np.bincount(rows.entrant, column.astype(np.float64), len(names))
        for column in (rows.hands, rows.decisions, rows.charged_us, rows.faults)
    ]
    told = (np.rint(column).astype(np.int64).tolist() for column in sums)
    return [
        _use(name, bot, *numbers) for name, bot, *numbers in zip(names, bots, *told, strict=True)
    ]


def _use(name: str, bot: str, hands: int, decisions: int, charged_us: int, faults: int) -> Use:
    return Use(
        entrant=name,
        bot=bot,
        hands=hands,
        decisions=decisions,
        ms_per_decision=rounded(charged_us / decisions / 1000) if decisions else None,
        faults=faults,
        faults_per_hand=rounded(faults / hands) if hands else None,
    )


def _measures(facts: FactRows, rows: BoardRows, entrants: int) -> Iterator[_Measure]:
    weight = np.sqrt(rows.hands.astype(np.float64))
    yield _measure(POINTS, rows, rows.gap, rows.strengths, weight)
    yield _table_points(facts, rows, entrants)
    itself = sparse.coo_array(
        (np.ones(len(rows.entrant)), (np.arange(len(rows.entrant)), rows.entrant)),
        shape=(len(rows.entrant), entrants),
    ).tocsr()
    has_decided = rows.decisions > 0
    ms = rows.charged_us / np.maximum(rows.decisions, 1) / 1000
    weight_of_time = np.sqrt(rows.decisions.astype(np.float64))
    yield _measure(TIME, rows, ms, itself, weight_of_time, has_decided)
    yield _measure(FAULTS, rows, rows.faults / rows.hands, itself, weight)


def _measure(
    name: str,
    rows: BoardRows,
    result: Floats,
    taken_out: sparse.csr_array,
    weight: Floats,
    chosen: Flags | None = None,
) -> _Measure:
    at = np.arange(len(result)) if chosen is None else np.flatnonzero(chosen)
    weight = weight[at]
    told = Rows(
        result[at] * weight,
        sparse.csr_array(sparse.diags_array(weight) @ taken_out[at]),
        rows.cluster[at],
    )
    return _Measure(name, told, rows.board[at], rows.entrant[at], weight)


def _table_points(facts: FactRows, rows: BoardRows, entrants: int) -> _Measure:
    """The mean points of a side: a row for each board."""
    count = np.bincount(rows.of_hand)
    mean = np.bincount(rows.of_hand, facts.hands.change.mean(axis=1)) / count
    weight = np.sqrt(count.astype(np.float64))
    seats = facts.hands.entrants.shape[1]
    place = np.repeat(rows.of_hand, seats), facts.hands.entrants.ravel()
    cells = weight[place[0]] / (seats * count[place[0]])
    seated = sparse.coo_array((cells, place), shape=(len(count), entrants)).tocsr()
    told = Rows(mean * weight, seated, facts.hands.board[rows.first])
    return _Measure(POINTS, told, np.arange(len(count)), None, weight)


def _of_part(measure: _Measure, part: Division, names: list[str]) -> Iterator[Residual]:
    level = part.of_board[measure.board]
    if measure.entrant is None:
        yield from _cells(measure, part, [None], level)
        return
    of_entrant = np.where(level < 0, level, measure.entrant * len(part.names) + level)
    yield from _cells(measure, part, names, of_entrant)
    if measure.name != POINTS:
        yield from _cells(measure, part, [None], level)


def _cells(
    measure: _Measure, part: Division, names: list[str] | list[None], cell: Numbers
) -> Iterator[Residual]:
    count = len(part.names)
    size = len(names) * count
    told = np.flatnonzero(cell >= 0)
    place = told, cell[told]
    columns = sparse.coo_array((measure.weight[told], place), shape=(len(cell), size)).tocsc()
    boards = _boards(measure.board[told], cell[told], size)
    for at, effect in enumerate(single_effects(measure.rows, columns)):
        if boards[at]:
            yield _residual(measure.name, part, names[at // count], at % count, boards[at], effect)


def _boards(board: Numbers, cell: Numbers, size: int) -> list[int]:
    """How many boards there are in each cell."""
    most = int(board.max(initial=0)) + 1
    seen = np.unique(cell * most + board) // most
    return [int(number) for number in np.bincount(seen, minlength=size)]


def _residual(
    measure: str, part: Division, entrant: str | None, level: int, boards: int, effect: Effect
) -> Residual:
    name = part.names[level]
    return Residual(measure, part.by, name, entrant, boards, effect.estimate, effect.p_value)


def held(residual: Residual, adjusted: float | None, level: float) -> Residual:
    """The residual with its adjusted p-value, flagged where that is below the level."""
    return replace(
        residual, p_adjusted=adjusted, is_flagged=adjusted is not None and adjusted < level
    )

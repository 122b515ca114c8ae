"""Strengths of entrants on one scale, whatever the model: points per hand, or Elo."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fivehundred.ratings import bradley_terry, margins, plackett_luce, team_margins, teams
from fivehundred.ratings.bradley_terry import GameColumns, Ratings
from fivehundred.ratings.finishing_orders import OrderColumns
from fivehundred.ratings.margins import BoardColumns
from fivehundred.ratings.team_margins import TeamColumns
from fivehundred.ratings.teams import TeamGameColumns
from fivehundred.ratings.values import Comparisons, Estimate, Strengths
from fivehundred.tournament.board_results import Finishes, Points
from fivehundred.tournament.lines import Flags, Floats

BY_WINS = "Elo is by boards or games won, two by two (Bradley–Terry)"
BY_ORDER = "Elo is by the finishing order of each table, not by wins alone (Plackett–Luce)"
BY_TEAMS = "Elo is by boards or games won, a team being the mean of its members (Bradley–Terry)"


@dataclass(frozen=True, slots=True)
class Scale:
    """Ratings of units: an entrant, or several that were never apart."""

    unit_of: tuple[int, ...]
    """By entrant."""
    ratings: Ratings
    """By unit."""
    model: str = ""
    """What the numbers are by, as a sentence; empty where they are points per hand."""

    def group_of(self) -> list[int]:
        """The place of each entrant's group of comparable ones; 0 for the main group."""
        group = self.ratings.strengths.group_of()
        return [int(group[unit]) for unit in self.unit_of]

    def estimate(self, entrant: int) -> Estimate:
        """The strength of an entrant, or its bound."""
        return self.ratings.estimate(self.unit_of[entrant])

    def comparisons(self) -> Comparisons:
        """Everybody against everybody; of a unit nothing is known among its own."""
        told, unit = self.ratings.comparisons(), np.array(self.unit_of, dtype=np.int64)
        is_same = (unit[:, None] == unit) & ~np.eye(len(unit), dtype=np.bool_)
        at = np.ix_(unit, unit)
        return Comparisons(
            told.is_better[at] & ~is_same, np.where(is_same, np.nan, told.chances[at])
        )


def of_points(tables: Sequence[Points], names: Sequence[str]) -> Scale:
    """Points per hand by least squares; a team is as strong as the mean of its members."""
    if all(table.teams.shape[2] == 1 for table in tables):
        plain = [
            BoardColumns(table.board, table.teams[:, :, 0], table.points, table.hands)
            for table in tables
        ]
        return _alone(_unbounded(margins.fit_columns(plain, names)))
    told = team_margins.fit(
        [TeamColumns(table.board, table.teams, table.points, table.hands) for table in tables],
        names,
    )
    return _by_unit(told.units, _unbounded(told.strengths))


def of_results(tables: Sequence[Finishes], names: Sequence[str], anchor: int | None) -> Scale:
    """Elo from who did better than whom, all in one model.

    Bradley–Terry of teams where partners are different bots; else Plackett–Luce where a table has
    more than two slots; else Bradley–Terry. Each contains those after it.
    """
    if any(table.teams.shape[2] > 1 for table in tables):
        return _of_teams(tables, names, anchor)
    if any(table.teams.shape[1] > 2 for table in tables):
        return _of_orders(tables, names, anchor)
    return _alone(bradley_terry.fit_columns(_games(tables), names, anchor), BY_WINS)


def _of_teams(tables: Sequence[Finishes], names: Sequence[str], anchor: int | None) -> Scale:
    told = teams.fit_columns(_team_games(tables), names, anchor)
    return _by_unit(told.units, Ratings(told.strengths, told.bounds, {}), BY_TEAMS)


def _of_orders(tables: Sequence[Finishes], names: Sequence[str], anchor: int | None) -> Scale:
    told = plackett_luce.fit_columns([_orders(table) for table in tables], names, anchor)
    records = bradley_terry.records(_games(tables), len(names))
    return _alone(Ratings(told.strengths, told.bounds, records), BY_ORDER)


def _orders(table: Finishes) -> OrderColumns:
    size = len(table.board)
    return OrderColumns(
        entrants=table.teams[:, :, 0],
        level=table.level,
        cluster=table.board,
        is_alone=np.zeros(size, dtype=np.bool_),
        weight=np.ones(size),
        is_open=table.is_open,
    )


def _games(tables: Sequence[Finishes]) -> GameColumns:
    """Who did better than whom, two by two."""
    pairs = [
        (table.board[rows], table.teams[rows, one, 0], table.teams[rows, two, 0], score)
        for table in tables
        for one, two, rows, score in _compared(table)
    ]
    none = np.zeros(0, dtype=np.int64)
    board, first, second = (np.concatenate([none, *(pair[k] for pair in pairs)]) for k in range(3))
    return GameColumns(
        first=first,
        second=second,
        score=np.concatenate([np.zeros(0), *(pair[3] for pair in pairs)]),
        cluster=board,
        is_alone=np.zeros(len(board), dtype=np.bool_),
        weight=np.ones(len(board)),
    )


def _team_games(tables: Sequence[Finishes]) -> Iterator[TeamGameColumns]:
    for table in tables:
        for one, two, rows, score in _compared(table):
            yield TeamGameColumns(
                first=table.teams[rows, one],
                second=table.teams[rows, two],
                score=score,
                cluster=table.board[rows],
                is_alone=np.zeros(len(score), dtype=np.bool_),
                weight=np.ones(len(score)),
            )


Compared = tuple[int, int, Flags, Floats]


def _compared(table: Finishes) -> Iterator[Compared]:
    """Pairs of places at a table, the rows in which they compare, and the scores of the first."""
    last = np.where(table.is_open, table.level.max(axis=1, initial=0), -1)
    for one, two in combinations(range(table.level.shape[1]), 2):
        first, second = table.level[:, one], table.level[:, two]
        rows = (first != second) | (first != last)
        gap = np.sign(second - first)[rows]
        yield one, two, rows, 0.5 + 0.5 * gap


def _unbounded(strengths: Strengths) -> Ratings:
    return Ratings(strengths, (None,) * len(strengths.values), {})


def _alone(ratings: Ratings, model: str = "") -> Scale:
    return Scale(tuple(range(len(ratings.bounds))), ratings, model)


def _by_unit(units: Sequence[Sequence[int]], ratings: Ratings, model: str = "") -> Scale:
    unit_of = {entrant: at for at, unit in enumerate(units) for entrant in unit}
    return Scale(tuple(unit_of[entrant] for entrant in sorted(unit_of)), ratings, model)

"""What one board tells of those who play it: measured on boards played before, or assumed.

A board adds to two sums of a fit: the information on the strengths, and the square of the pull that
its residuals exert, which is what errors clustered by board are made of. Their means are all that
the width of an interval depends on, so they are measured by table, that is by who plays whom. Of a
table that has not been seen the mean of all tables of so many teams is taken.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from fivehundred.ratings.bradley_terry import SCALE
from fivehundred.tournament.lines import Floats

Team = tuple[str, ...]
"""The entrants of a side, by name, sorted; mostly one."""
Table = tuple[Team, ...]
"""The teams of a table, sorted."""

LEAST_BOARDS = 30
"""Of fewer boards a table's own evidence is not told from chance."""
DEAL_SHARE = 0.4
"""The correlation of a bot's results on one deal against two opponents (measured: 0.35 to 0.47)."""


class Unit(Enum):
    """What strengths are measured in."""

    POINTS = "points per hand"
    ELO = "Elo"


@dataclass(frozen=True, slots=True)
class BoardResult:
    """A whole board: its teams and the mean points per hand of each, over so many hands."""

    teams: Table
    points: tuple[float, ...]
    hands: float


@dataclass(frozen=True, slots=True)
class BoardWins:
    """A whole board of games: by team, how often it has beaten each other one, ties half."""

    teams: Table
    wins: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What a board tells of the teams of its table, on average."""

    information: Floats
    """By team and team."""
    pull: Floats
    """The mean square of the residuals' pull, by team and team."""
    boards: int = 0
    """On how many it was measured; 0 for what is assumed."""

    @property
    def teams(self) -> int:
        """How many teams sit at the table."""
        return len(self.information)

    @property
    def deviation(self) -> float:
        """The standard deviation of the difference of two teams that one board shows."""
        return math.sqrt(2 * self.luck)

    @property
    def luck(self) -> float:
        """The variance of one team's residual, in units of its strength."""
        spent = self.teams - 1
        information = float(np.trace(self.information)) / spent
        return float(np.trace(self.pull)) / spent / information**2


@dataclass(frozen=True, slots=True)
class Variances:
    """What the boards of an event are expected to tell, and how that is known."""

    unit: Unit
    kind: str
    """Such as "measured" or "similar bots"."""
    pooled: Mapping[int, Evidence]
    """By the number of teams at a table."""
    by_table: Mapping[Table, Evidence] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    """The tournaments that it was measured on."""

    def of(self, table: Table) -> Evidence:
        """What a board of a table tells."""
        return self.by_table.get(table) or self.pooled[len(table)]

    def knows(self, teams: int) -> bool:
        """Whether there is anything on tables of so many teams."""
        return teams in self.pooled


def table_of(teams: Iterable[Iterable[str]]) -> Table:
    """The table of teams given by names in any order."""
    return tuple(sorted(tuple(sorted(team)) for team in teams))


def alike(teams: int, deviation: float, weight: float = 1.0) -> Evidence:
    """The evidence of a board whose teams are all alike, from the deviation of a difference."""
    shape = np.eye(teams) - 1 / teams
    return Evidence(weight * shape, weight**2 * deviation**2 / 2 * shape)


def measured_points(boards: Iterable[BoardResult], sources: Sequence[str]) -> Variances | None:
    """The evidence on points per hand of boards played before; None where they are too few."""
    tables: dict[Table, list[BoardResult]] = defaultdict(list)
    for board in boards:
        if len(board.teams) > 1:
            tables[board.teams].append(board)
    parts = {table: _of_points(results) for table, results in tables.items() if len(results) > 1}
    return _variances(Unit.POINTS, parts, sources)


def measured_elo(boards: Iterable[BoardWins], sources: Sequence[str]) -> Variances | None:
    """The evidence on Elo of games played before; None where they are too few."""
    tables: dict[Table, list[BoardWins]] = defaultdict(list)
    for board in boards:
        if len(board.teams) > 1:
            tables[board.teams].append(board)
    parts = {table: _of_wins(results) for table, results in tables.items() if len(results) > 1}
    return _variances(Unit.ELO, parts, sources)


def _variances(
    unit: Unit, parts: Mapping[Table, Evidence], sources: Sequence[str]
) -> Variances | None:
    sizes = sorted({len(table) for table in parts})
    pooled = {
        size: _pooled([part for table, part in parts.items() if len(table) == size])
        for size in sizes
    }
    known = {size: each for size, each in pooled.items() if _is_usable(each)}
    if not known:
        return None
    own = {table: part for table, part in parts.items() if part.boards >= LEAST_BOARDS}
    usable = {table: part for table, part in own.items() if _is_usable(part)}
    return Variances(unit, "measured", known, usable, tuple(sources))


def _is_usable(part: Evidence) -> bool:
    return part.boards >= LEAST_BOARDS and float(np.trace(part.information)) > 0


def _of_points(boards: Sequence[BoardResult]) -> Evidence:
    """About the mean of the table's own boards, since strengths are not known."""
    teams = len(boards[0].teams)
    points = np.array([board.points for board in boards])
    hands = np.array([board.hands for board in boards])
    gaps = points - points.mean(axis=1, keepdims=True)
    residual = gaps - (hands @ gaps) / hands.sum()
    shape = np.eye(teams) - 1 / teams
    return Evidence(float(hands.mean()) * shape, _square(hands[:, None] * residual), len(boards))


def _of_wins(boards: Sequence[BoardWins]) -> Evidence:
    """At the table's own share of wins, drawn towards a half where it was lopsided by chance."""
    wins = np.array([board.wins for board in boards])
    met = wins + wins.transpose(0, 2, 1)
    won, total = wins.sum(axis=0), met.sum(axis=0)
    chance = (won + 0.5) / (total + 1)
    weight = met.mean(axis=0) * chance * (1 - chance)
    information = np.diag(weight.sum(axis=1)) - weight
    residual = (wins - met * chance).sum(axis=2)
    residual -= residual.mean(axis=0)
    return Evidence(information / SCALE**2, _square(residual) / SCALE**2, len(boards))


def _square(pulls: Floats) -> Floats:
    return np.asarray(pulls.T @ pulls / (len(pulls) - 1))


def _pooled(parts: Sequence[Evidence]) -> Evidence:
    """The mean over all boards, the same for every team."""
    teams, boards = parts[0].teams, sum(part.boards for part in parts)
    shape = (np.eye(teams) - 1 / teams) / (teams - 1) / boards
    information = sum(part.boards * float(np.trace(part.information)) for part in parts)
    pull = sum(part.boards * float(np.trace(part.pull)) for part in parts)
    return Evidence(information * shape, pull * shape, boards)

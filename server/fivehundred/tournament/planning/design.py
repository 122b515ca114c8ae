"""The information of an event's schedule, solved for the covariance of the strengths."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from scipy.sparse import csgraph

from fivehundred.ratings.values import CONFIDENCE, quantile
from fivehundred.tournament.lines import Floats, Numbers
from fivehundred.tournament.planning.courses import Course
from fivehundred.tournament.planning.evidence import (
    DEAL_SHARE,
    Evidence,
    Table,
    Variances,
    table_of,
)

SMALL = 1e-9
POWER = 0.8
"""The chance to find a difference that is called resolved."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What the solution depends on besides courses and variances."""

    names: tuple[str, ...]
    boards_per_match: int
    sides: int
    """Of the rules: slots beyond them are partners."""
    common: bool
    """Whether the matches of a round share their boards."""
    anchor: int | None = None
    """Whom the intervals are relative to; None for the mean of all."""


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """One course solved; what is not known is not finite."""

    half_widths: Floats
    differences: Floats
    pairing_half_widths: Floats
    pairing_differences: Floats
    square: float
    """The variance of the difference of two on a board, the mean over all boards."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Tables that share one evidence."""

    evidence: Evidence
    seats: Numbers
    """By table, the entrants team by team."""
    boards: Floats
    rounds: Numbers


class Design:
    """The sums of a course."""

    def __init__(self, setting: Setting, course: Course, variances: Variances) -> None:
        self._setting = setting
        self._course = course
        self._variances = variances
        self._size = len(setting.names)
        self._rows = self._grouped()

    def solved(self) -> Solved:
        """The widths that follow."""
        information = self._sum([(rows, rows.evidence.information) for rows in self._rows])
        pull = self._sum([(rows, rows.evidence.pull) for rows in self._rows])
        if self._setting.common:
            pull = self._with_shared_deals(pull)
        covariance = np.full((self._size, self._size), np.nan)
        clusters = self._clusters()
        for group in _linked(information):
            if len(group) < 2 or clusters <= len(group) - 1:
                continue
            at = np.ix_(group, group)
            inverse = _inverse(information[at])
            widening = clusters / (clusters - (len(group) - 1))
            covariance[at] = widening * self._gauged(group, inverse @ pull[at] @ inverse)
        return self._told(covariance)

    def _told(self, covariance: Floats) -> Solved:
        freedom = self._boards() - 1
        variances = covariance.diagonal()
        reach = _quantiles((1 + CONFIDENCE) / 2, freedom)
        one, two = np.triu_indices(self._size, 1)
        apart = variances[one] + variances[two] - 2 * covariance[one, two]
        both = np.minimum(freedom[one], freedom[two])
        pairs, widths = self._pairings()
        return Solved(
            half_widths=self._without_anchor(reach * np.sqrt(np.maximum(variances, 0.0))),
            differences=_resolved(np.sqrt(np.maximum(apart, 0.0)), both),
            pairing_half_widths=_quantiles((1 + CONFIDENCE) / 2, pairs - 1) * widths,
            pairing_differences=_resolved(widths, pairs - 1),
            square=self._square(),
        )

    def _without_anchor(self, widths: Floats) -> Floats:
        """The anchor's own interval is nothing that could be resolved."""
        anchor = self._setting.anchor
        return widths if anchor is None else np.delete(widths, anchor)

    def _gauged(self, group: Numbers, covariance: Floats) -> Floats:
        anchor = self._setting.anchor
        if anchor is None or anchor not in group:
            return covariance
        shift = np.eye(len(group))
        shift[:, int(np.flatnonzero(group == anchor)[0])] -= 1
        return np.asarray(shift @ covariance @ shift.T)

    def _grouped(self) -> list[_Rows]:
        """The tables by their evidence."""
        found: dict[int, list[tuple[int, tuple[int, ...], int]]] = defaultdict(list)
        evidence: dict[int, Evidence] = {}
        for (turn, slots), matches in self._course.tables.items():
            each, seats = self._seated(slots)
            evidence[id(each)] = each
            found[id(each)].append((turn, seats, matches))
        return [self._as_rows(evidence[key], rows) for key, rows in found.items()]

    def _as_rows(
        self, evidence: Evidence, rows: Sequence[tuple[int, tuple[int, ...], int]]
    ) -> _Rows:
        turns, seats, matches = zip(*rows, strict=True)
        boards = np.array(matches, dtype=np.float64) * self._setting.boards_per_match
        return _Rows(evidence, np.array(seats), boards, np.array(turns))

    def _seated(self, slots: tuple[int, ...]) -> tuple[Evidence, tuple[int, ...]]:
        """What a table tells, and its entrants, team by team as its evidence has them."""
        names, teams = self._setting.names, teams_of(slots, self._setting.sides)
        if not self._variances.by_table:
            return self._variances.pooled[len(teams)], tuple(chain.from_iterable(teams))
        ordered = sorted(teams, key=lambda team: tuple(sorted(names[at] for at in team)))
        each = self._variances.of(names_of(self._setting, slots))
        return each, tuple(chain.from_iterable(ordered))

    def _sum(self, parts: Iterable[tuple[_Rows, Floats]]) -> Floats:
        total = np.zeros((self._size, self._size))
        for rows, matrix in parts:
            self._add(total, rows, matrix, rows.boards)
        return total

    def _add(self, total: Floats, rows: _Rows, matrix: Floats, boards: Floats) -> None:
        """Adds a matrix by team and team at each table; a member is a share of the team."""
        members = rows.seats.shape[1] // len(matrix)
        spread = np.kron(matrix, np.ones((members, members))) / members**2
        at = rows.seats[:, :, None], rows.seats[:, None, :]
        np.add.at(total, at, boards[:, None, None] * spread)

    def _with_shared_deals(self, pull: Floats) -> Floats:
        """What a bot does with a deal it does against everybody in the round."""
        shared = np.zeros_like(pull)
        for turn in np.unique(np.concatenate([rows.rounds for rows in self._rows])):
            design, luck = np.zeros_like(pull), []
            for rows in self._rows:
                inside = rows.rounds == turn
                chosen = _Rows(rows.evidence, rows.seats[inside], rows.boards[inside], rows.rounds)
                once = chosen.boards / self._setting.boards_per_match
                self._add(design, chosen, rows.evidence.information, once)
                luck += [rows.evidence.luck] * int(inside.sum())
            shared += self._setting.boards_per_match * float(np.mean(luck)) * design @ design
        return DEAL_SHARE * shared + (1 - DEAL_SHARE) * pull

    def _clusters(self) -> float:
        if self._setting.common:
            turns = {turn for turn, _ in self._course.tables}
            return float(len(turns) * self._setting.boards_per_match)
        return float(self._course.matches * self._setting.boards_per_match)

    def _boards(self) -> Floats:
        """How many boards each entrant has, equal deals counting once."""
        boards = np.zeros(self._size)
        for rows in self._rows:
            np.add.at(boards, rows.seats, rows.boards[:, None])
        if not self._setting.common:
            return boards
        seen = {
            (turn, entrant)
            for rows in self._rows
            for turn, seats in zip(rows.rounds.tolist(), rows.seats.tolist(), strict=True)
            for entrant in seats
        }
        rounds = np.bincount([entrant for _, entrant in seen], minlength=self._size)
        return np.asarray(rounds * float(self._setting.boards_per_match))

    def _square(self) -> float:
        boards = sum(float(rows.boards.sum()) for rows in self._rows)
        squares = (float(rows.boards.sum()) * rows.evidence.deviation**2 for rows in self._rows)
        return sum(squares) / boards if boards else 0.0

    def _pairings(self) -> tuple[Floats, Floats]:
        """By pair that meets, on how many boards, and the error of its difference from these.

        Partners are left out, and those who have them: their tables compare teams.
        """
        keys, boards, squares = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], [np.zeros(0)]
        for rows in self._rows:
            if rows.seats.shape[1] != rows.evidence.teams:
                continue
            for one, two in combinations(rows.seats.T, 2):
                keys.append(np.minimum(one, two) * self._size + np.maximum(one, two))
                boards.append(rows.boards)
                squares.append(rows.boards * rows.evidence.deviation**2)
        at = np.unique(np.concatenate(keys), return_inverse=True)[1]
        count = np.bincount(at, np.concatenate(boards))
        total = np.bincount(at, np.concatenate(squares))[count > 1]
        count = count[count > 1]
        errors = np.sqrt(total / count / (count - 1))
        return np.asarray(count, dtype=np.float64), np.asarray(errors, dtype=np.float64)


def teams_of(slots: Sequence[int], sides: int) -> tuple[tuple[int, ...], ...]:
    """The teams of a table: of a member each, or of several where there are more than sides."""
    if len(slots) <= sides:
        return tuple((slot,) for slot in slots)
    return tuple(tuple(slots[side::sides]) for side in range(sides))


def names_of(setting: Setting, slots: tuple[int, ...]) -> Table:
    """The table of some slots, by the names of their entrants."""
    teams = teams_of(slots, setting.sides)
    return table_of([[setting.names[at] for at in team] for team in teams])


def _inverse(information: Floats) -> Floats:
    """The inverse but for what is left open: the mean of all, and who is never apart.

    Who cannot be told from a partner has no number.
    """
    values, vectors = np.linalg.eigh(information)
    is_open = values <= SMALL * values.max()
    told, left = vectors[:, ~is_open], vectors[:, is_open]
    inverse = told / values[~is_open] @ told.T
    alone = left - left.mean(axis=0)
    inverse[(alone**2).sum(axis=1) > SMALL] = np.nan
    return np.asarray(inverse, dtype=np.float64)


def _linked(information: Floats) -> list[Numbers]:
    """The groups of entrants that boards link."""
    count, labels = csgraph.connected_components(information != 0, directed=False)
    return [np.flatnonzero(labels == label) for label in range(count)]


def _quantiles(probability: float, freedom: Floats) -> Floats:
    """Of Student's t by freedom; not a number where there is none."""
    known = {each: quantile(probability, each) for each in set(freedom.tolist()) if each > 0}
    return np.array([known.get(each, math.nan) for each in freedom.tolist()])


def _resolved(errors: Floats, freedom: Floats) -> Floats:
    return (_quantiles((1 + CONFIDENCE) / 2, freedom) + _quantiles(POWER, freedom)) * errors

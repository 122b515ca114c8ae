"""Ratings of members of teams: a team is as strong as the mean of its seats.

Bradley–Terry by logistic regression: each seat adds ``1/size`` of its entrant's strength (Huang,
Weng & Lin 2006, with means in place of sums). Entrants that only ever sat together cannot be told
apart; they are rated as one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from fivehundred.ratings import clusters, logistic
from fivehundred.ratings.logistic import Fit, Flags, Floats, Numbers, Rows
from fivehundred.ratings.team_margins import belonging, together
from fivehundred.ratings.values import Estimate, Strengths


@dataclass(frozen=True, slots=True, order=True)
class TeamGame:
    """One result of two teams, given by their seats; ``score`` is 1, ½ or 0 for the first."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    score: float
    cluster: int | None = None
    """Results of one board share it; None: independent of all others."""
    weight: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class TeamGameColumns:
    """Very many games of teams of like sizes, a column for each field of `TeamGame`."""

    first: Numbers
    """By game and seat."""
    second: Numbers
    score: Floats
    cluster: Numbers
    is_alone: Flags
    """Whether the result has no cluster."""
    weight: Floats


@dataclass(frozen=True, slots=True)
class TeamRatings:
    """Ratings of units: an entrant, or several that were never apart."""

    units: tuple[tuple[int, ...], ...]
    strengths: Strengths
    """By unit."""
    bounds: tuple[Estimate | None, ...]
    """One-sided bounds of units that won or lost everything; None for those with a rating."""

    def unit_of(self, entrant: int) -> int:
        """The place of the unit that an entrant belongs to."""
        return next(at for at, unit in enumerate(self.units) if entrant in unit)

    def estimate(self, entrant: int) -> Estimate:
        """The rating of an entrant's unit, or its bound."""
        unit = self.unit_of(entrant)
        return self.bounds[unit] or self.strengths.estimate(unit)


def fit(games: Iterable[TeamGame], names: Sequence[str], anchor: int | None = None) -> TeamRatings:
    """Fit the ratings; errors by board. The anchor is an entrant, fixed with its unit at 1500."""
    return fit_columns(columns(games), names, anchor)


def fit_columns(
    tables: Iterable[TeamGameColumns], names: Sequence[str], anchor: int | None = None
) -> TeamRatings:
    """Fit the ratings of very many games, given by the sizes of the teams; the same as `fit`."""
    units, found = _fitted(tables, len(names))
    return _told(units, found, names, anchor, found.clustered)


def fit_with_model_errors(
    games: Iterable[TeamGame], names: Sequence[str], anchor: int | None = None
) -> TeamRatings:
    """The same; errors as if every game were independent and won or lost."""
    units, found = _fitted(columns(games), len(names))
    return _told(units, found, names, anchor, found.model)


def columns(games: Iterable[TeamGame]) -> list[TeamGameColumns]:
    """The games as columns."""
    sizes: dict[tuple[int, int], list[TeamGame]] = defaultdict(list)
    for game in games:
        sizes[len(game.first), len(game.second)].append(game)
    return [_columns(sizes[size]) for size in sorted(sizes)]


def _columns(games: Sequence[TeamGame]) -> TeamGameColumns:
    return TeamGameColumns(
        first=np.array([game.first for game in games], dtype=np.int64),
        second=np.array([game.second for game in games], dtype=np.int64),
        score=np.array([game.score for game in games], dtype=np.float64),
        cluster=np.array([game.cluster or 0 for game in games], dtype=np.int64),
        is_alone=np.array([game.cluster is None for game in games], dtype=np.bool_),
        weight=np.array([game.weight for game in games], dtype=np.float64),
    )


def _fitted(
    tables: Iterable[TeamGameColumns], size: int
) -> tuple[tuple[tuple[int, ...], ...], Fit]:
    games = [_ordered(table) for table in tables]
    shares = _shares(games, size)
    units = _units(shares)
    is_alone = np.concatenate([np.zeros(0, np.bool_), *(table.is_alone for table in games)])
    ids = np.concatenate([np.zeros(0, np.int64), *(table.cluster for table in games)])
    rows = Rows(
        design=sparse.csr_array(shares @ belonging(units, size)),
        score=np.concatenate([np.zeros(0), *(table.score for table in games)]),
        weight=np.concatenate([np.zeros(0), *(table.weight for table in games)]),
        cluster=clusters.numbered(is_alone, ids),
        is_alone=is_alone,
    )
    met = np.diff(shares.indptr) > 0
    return units, logistic.fit(logistic.only(rows, met))


def _ordered(table: TeamGameColumns) -> TeamGameColumns:
    """Sorted, so that the order of sums does not show."""
    first, second = np.sort(table.first, axis=1), np.sort(table.second, axis=1)
    cluster = np.where(table.is_alone, 0, table.cluster)
    teams = *second.T[::-1], *first.T[::-1]
    order = np.lexsort((table.weight, table.score, *teams, cluster, table.is_alone))
    return TeamGameColumns(
        first[order],
        second[order],
        table.score[order],
        cluster[order],
        table.is_alone[order],
        table.weight[order],
    )


def _shares(games: Sequence[TeamGameColumns], size: int) -> sparse.csr_array:
    """By game, how much of the difference of the two teams each entrant is."""
    parts, rows, seats, seen = [np.zeros(0)], [np.zeros(0, int)], [np.zeros(0, int)], 0
    for table in games:
        numbers = seen + np.arange(len(table.score))
        seen += len(numbers)
        for team, sign in ((table.first, 1.0), (table.second, -1.0)):
            parts.append(np.full(team.size, sign / team.shape[1]))
            rows.append(np.repeat(numbers, team.shape[1]))
            seats.append(team.ravel())
    places = np.concatenate(rows), np.concatenate(seats)
    shares = sparse.coo_array((np.concatenate(parts), places), shape=(seen, size)).tocsr()
    shares.data = np.round(shares.data, 12)
    shares.eliminate_zeros()
    return shares


def _units(shares: sparse.csr_array) -> tuple[tuple[int, ...], ...]:
    """Entrants whose shares are in one proportion in every game, in order of the first of each."""
    by_entrant = shares.tocsc()
    told: dict[tuple[bytes, bytes] | int, list[int]] = {}
    for entrant in range(shares.shape[1]):
        part = slice(by_entrant.indptr[entrant], by_entrant.indptr[entrant + 1])
        column, rows = by_entrant.data[part], by_entrant.indices[part]
        key = (
            (np.round(column / np.abs(column).max(), 9).tobytes(), rows.tobytes())
            if len(rows)
            else entrant
        )
        told.setdefault(key, []).append(entrant)
    return tuple(tuple(unit) for unit in told.values())


def _told(
    units: tuple[tuple[int, ...], ...],
    found: Fit,
    names: Sequence[str],
    anchor: int | None,
    covariance: Floats,
) -> TeamRatings:
    titles = ["+".join(names[entrant] for entrant in unit) for unit in units]
    fixed = next((at for at, unit in enumerate(units) if anchor in unit), None)
    strengths = logistic.strengths(found, titles, fixed, covariance)
    remarks = tuple(
        remark or together(unit, names)
        for unit, remark in zip(units, strengths.remarks, strict=True)
    )
    strengths = replace(strengths, remarks=remarks)
    bounds = tuple(logistic.bound(found, strengths, unit, titles) for unit in range(len(units)))
    return TeamRatings(units, strengths, bounds)

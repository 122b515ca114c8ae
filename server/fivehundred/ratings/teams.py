"""Ratings of members of teams: a team is as strong as the mean of its seats.

Bradley–Terry by logistic regression: each seat adds ``1/size`` of its entrant's strength (Huang,
Weng & Lin 2006, with means in place of sums). Entrants that only ever sat together cannot be told
apart; they are rated as one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fivehundred.ratings import logistic
from fivehundred.ratings.logistic import Fit, Floats, Rows
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
    units, found = _fitted(games, len(names))
    return _told(units, found, names, anchor, found.clustered)


def fit_with_model_errors(
    games: Iterable[TeamGame], names: Sequence[str], anchor: int | None = None
) -> TeamRatings:
    """The same; errors as if every game were independent and won or lost."""
    units, found = _fitted(games, len(names))
    return _told(units, found, names, anchor, found.model)


def _fitted(games: Iterable[TeamGame], size: int) -> tuple[tuple[tuple[int, ...], ...], Fit]:
    ordered = sorted(games, key=_order)
    shares = np.zeros((len(ordered), size))
    for at, game in enumerate(ordered):
        for team, sign in ((game.first, 1.0), (game.second, -1.0)):
            for entrant, seats in Counter(team).items():
                shares[at, entrant] += sign * seats / len(team)
    met = (np.abs(shares) > 0).any(axis=1)
    units = _units(shares)
    design = np.column_stack([shares[:, unit].sum(axis=1) for unit in units])
    cluster, is_alone = logistic.clusters([game.cluster for game in ordered])
    rows = Rows(
        design=design[met],
        score=np.array([game.score for game in ordered], dtype=np.float64)[met],
        weight=np.array([game.weight for game in ordered], dtype=np.float64)[met],
        cluster=cluster[met],
        is_alone=is_alone[met],
    )
    return units, logistic.fit(rows)


def _order(game: TeamGame) -> tuple[bool, int, tuple[int, ...], tuple[int, ...], float, float]:
    return (
        game.cluster is None,
        game.cluster or 0,
        tuple(sorted(game.first)),
        tuple(sorted(game.second)),
        game.score,
        game.weight,
    )


def _units(shares: Floats) -> tuple[tuple[int, ...], ...]:
    """Entrants whose shares are in one proportion in every game, in order of the first of each."""
    told: dict[bytes | int, list[int]] = {}
    for entrant in range(shares.shape[1]):
        column = shares[:, entrant]
        scale = np.abs(column).max(initial=0.0)
        is_seen = scale > 0
        key = (np.round(column / scale, 9) + 0.0).tobytes() if is_seen else entrant
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
    bounds = tuple(logistic.bound(found, strengths, unit) for unit in range(len(units)))
    return TeamRatings(units, strengths, bounds)

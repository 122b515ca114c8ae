"""Bradley–Terry with a term for the first seat, for schedules that do not balance the seats.

The chance of the first is ``logistic(strength of first - strength of second + seat)``: one more
column of the logistic regression (Davidson & Beaver 1977). Without the term, unbalanced seats
bias the ratings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from fivehundred.ratings import clusters, logistic
from fivehundred.ratings.bradley_terry import SCALE, Game
from fivehundred.ratings.logistic import Fit, Floats, Rows
from fivehundred.ratings.values import Estimate, Strengths, interval, rounded


@dataclass(frozen=True, slots=True)
class SeatedRatings:
    """Ratings freed of the first seat's advantage, and that advantage in Elo."""

    strengths: Strengths
    bounds: tuple[Estimate | None, ...]
    """One-sided bounds of who won or lost everything; None for entrants that have a rating."""
    first_seat: Estimate

    def estimate(self, entrant: int) -> Estimate:
        """The rating of an entrant, or its bound."""
        return self.bounds[entrant] or self.strengths.estimate(entrant)


def fit(games: Iterable[Game], names: Sequence[str], anchor: int | None = None) -> SeatedRatings:
    """Fit ratings and the seat's advantage; ``Game.first`` is who sat first. Errors by board."""
    found = logistic.fit(_rows(games, len(names)))
    return _told(found, names, anchor, found.clustered)


def fit_with_model_errors(
    games: Iterable[Game], names: Sequence[str], anchor: int | None = None
) -> SeatedRatings:
    """The same; errors as if every game were independent and won or lost."""
    found = logistic.fit(_rows(games, len(names)))
    return _told(found, names, anchor, found.model)


def _rows(games: Iterable[Game], size: int) -> Rows:
    """One row for each game, sorted; games against oneself are left out, as everywhere."""
    ordered = sorted((game for game in games if game.first != game.second), key=_order)
    design = np.zeros((len(ordered), size + 1))
    for at, game in enumerate(ordered):
        design[at, game.first], design[at, game.second] = 1, -1
    design[:, size] = 1
    is_alone = np.array([game.cluster is None for game in ordered], dtype=np.bool_)
    ids = np.array([game.cluster or 0 for game in ordered], dtype=np.int64)
    return Rows(
        design=sparse.csr_array(design),
        score=np.array([game.score for game in ordered], dtype=np.float64),
        weight=np.array([game.weight for game in ordered], dtype=np.float64),
        cluster=clusters.numbered(is_alone, ids),
        is_alone=is_alone,
    )


def _order(game: Game) -> tuple[bool, int, int, int, float, float]:
    return (
        game.cluster is None,
        game.cluster or 0,
        game.first,
        game.second,
        game.score,
        game.weight,
    )


def _told(
    found: Fit, names: Sequence[str], anchor: int | None, covariance: Floats
) -> SeatedRatings:
    strengths = logistic.strengths(found, names, anchor, covariance)
    bounds = tuple(
        logistic.bound(found, strengths, entrant, names) for entrant in range(len(names))
    )
    return SeatedRatings(strengths, bounds, _seat(found, covariance))


def _seat(found: Fit, covariance: Floats) -> Estimate:
    column = np.zeros(len(found.theta))
    column[-1] = 1
    if not found.is_known(column):
        return Estimate(remark="the results do not tell the seat from the strengths")
    error = rounded(SCALE * float(np.sqrt(max(covariance[-1, -1], 0.0))))
    return interval(rounded(SCALE * found.theta[-1]), error, float("inf"))

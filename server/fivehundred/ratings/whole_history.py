"""Whole-history ratings, for bots that learn and keep their name; else a version is a new bot.

Formulas: Coulom, "Whole-History Rating" (2008): Bradley–Terry by day, a Wiener process between an
entrant's days, and one virtual draw against 0 on its first day. The most likely curves by Newton's
method, errors from the inverse curvature.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import linalg

from fivehundred.ratings.bradley_terry import SCALE

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, order=True)
class DatedGame:
    """One result: ``score`` is 1, ½ or 0 for the first."""

    day: int
    first: int
    second: int
    score: float


@dataclass(frozen=True, slots=True)
class Point:
    """A rating on a day, 0 being the virtual opponent's, with its standard error."""

    day: int
    elo: float
    standard_error: float


def fit(games: Iterable[DatedGame], variance: float) -> dict[int, tuple[Point, ...]]:
    """The curve of each entrant; ``variance``: the square of the Elo that may move in a day."""
    rows = sorted(game for game in games if game.first != game.second)
    places = _places(rows)
    at = {place: number for number, place in enumerate(places)}
    prior = _wiener(places, variance / SCALE**2)
    firsts = np.array([_is_first(places, number) for number in range(len(places))], dtype=float)
    one = np.array([at[game.first, game.day] for game in rows], dtype=np.int64)
    two = np.array([at[game.second, game.day] for game in rows], dtype=np.int64)
    score = np.array([game.score for game in rows])
    theta = np.zeros(len(places))
    for _ in range(100):
        slope, curve = _posterior(theta, one, two, score, firsts, prior)
        step = linalg.spsolve(curve.tocsc(), slope)
        theta = theta + step
        if float(np.abs(step).max(initial=0.0)) < 1e-12:
            break
    _, curve = _posterior(theta, one, two, score, firsts, prior)
    errors = np.sqrt(np.diag(np.linalg.inv(curve.toarray())))
    return _curves(places, theta, errors)


def _places(rows: Iterable[DatedGame]) -> list[tuple[int, int]]:
    """Entrant and day of each point of the curves."""
    return sorted({(one, game.day) for game in rows for one in (game.first, game.second)})


def _is_first(places: list[tuple[int, int]], number: int) -> bool:
    return number == 0 or places[number - 1][0] != places[number][0]


def _wiener(places: list[tuple[int, int]], variance: float) -> sparse.csr_matrix:
    """The precision of neighbouring days of one entrant."""
    size = len(places)
    precision = sparse.lil_matrix((size, size))
    for number in range(1, size):
        if _is_first(places, number):
            continue
        tie = 1 / (variance * (places[number][1] - places[number - 1][1]))
        precision[number, number] += tie
        precision[number - 1, number - 1] += tie
        precision[number, number - 1] -= tie
        precision[number - 1, number] -= tie
    return precision.tocsr()


def _posterior(
    theta: Floats,
    one: NDArray[np.int64],
    two: NDArray[np.int64],
    score: Floats,
    firsts: Floats,
    prior: sparse.csr_matrix,
) -> tuple[Floats, sparse.csr_matrix]:
    """The slope of the log-posterior and minus its curvature."""
    size = len(theta)
    chance = 1 / (1 + np.exp(theta[two] - theta[one]))
    lone = 1 / (1 + np.exp(-theta))
    slope = firsts * (0.5 - lone) - prior @ theta
    np.add.at(slope, one, score - chance)
    np.add.at(slope, two, chance - score)
    weight = chance * (1 - chance)
    own = sparse.diags(
        np.bincount(one, weight, size) + np.bincount(two, weight, size) + firsts * lone * (1 - lone)
    )
    cross = sparse.coo_matrix((weight, (one, two)), shape=(size, size))
    return slope, sparse.csr_matrix(prior + own - cross - cross.T)


def _curves(
    places: list[tuple[int, int]], theta: Floats, errors: Floats
) -> dict[int, tuple[Point, ...]]:
    curves: dict[int, list[Point]] = {}
    for (entrant, day), strength, error in zip(places, theta, errors, strict=True):
        curves.setdefault(entrant, []).append(
            Point(day, float(SCALE * strength), float(SCALE * error))
        )
    return {entrant: tuple(points) for entrant, points in curves.items()}

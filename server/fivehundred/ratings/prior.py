"""Ratings of sparse pools for display: everybody gets a number, at the price of a named prior.

Formula: Bradley–Terry with so many virtual draws of each entrant against a virtual one of average
strength (Hunter 2004 treats it as added data). The reference fit has no prior.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from fivehundred.ratings import bradley_terry, teams
from fivehundred.ratings.bradley_terry import Game
from fivehundred.ratings.teams import TeamGame
from fivehundred.ratings.values import Strengths, matrix, rounded


def fit_with_virtual_draws(games: Iterable[Game], names: Sequence[str], draws: float) -> Strengths:
    """The ratings around the virtual entrant's 1500, with model errors; all are comparable."""
    size = len(names)
    virtual = [Game(entrant, size, 0.5, weight=draws) for entrant in range(size)]
    everybody = [*games, *virtual]
    found = bradley_terry.fit_with_model_errors(everybody, [*names, "average"], anchor=size)
    return _told(found.strengths, range(size), draws)


def fit_teams_with_virtual_draws(
    games: Iterable[TeamGame], names: Sequence[str], draws: float
) -> Strengths:
    """The same of members of teams; each draws alone, so that all can be told apart."""
    size = len(names)
    virtual = [TeamGame((entrant,), (size,), 0.5, weight=draws) for entrant in range(size)]
    everybody = [*games, *virtual]
    found = teams.fit_with_model_errors(everybody, [*names, "average"], anchor=size)
    return _told(found.strengths, [found.unit_of(entrant) for entrant in range(size)], draws)


def _told(found: Strengths, places: Sequence[int], draws: float) -> Strengths:
    """Those at some places of a fit, by the errors of the model."""
    size = len(places)
    values = [value for value in (found.values[place] for place in places) if value is not None]
    covariance = np.array(found.covariance)[np.ix_(places, places)]
    return Strengths(
        groups=(tuple(range(size)),),
        values=tuple(rounded(value) for value in values),
        covariance=matrix(covariance.tolist()),
        correction=(1.0,) * size,
        freedom=(math.inf,) * size,
        remarks=(f"this is a rating with a prior of {draws:g} virtual draws",) * size,
    )

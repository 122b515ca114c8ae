"""How well one number an entrant tells a pool: each pair's score beside the one expected of it.

Formula: Pearson's chi-square of the pairs' scores, a board counting once, with as many degrees of
freedom as there are more pairs than differences of ratings. A pool in which A beats B beats C beats
A fits badly, and then the table of pairs says more than the ratings.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from scipy import special

from fivehundred.ratings.bradley_terry import Ratings, expected_score


@dataclass(frozen=True, slots=True)
class PairFit:
    """The score of the first against the second, and what the ratings expect."""

    first: int
    second: int
    units: float
    score: float
    expected: float

    @property
    def surprise(self) -> float:
        """By how many standard errors the score exceeds what is expected."""
        error = math.sqrt(self.expected * (1 - self.expected) / self.units)
        return (self.score - self.expected) / error


@dataclass(frozen=True, slots=True)
class Quality:
    """The pairs, and how rarely chance alone fits worse."""

    pairs: tuple[PairFit, ...]
    chi_square: float
    freedom: int
    probability: float | None
    """Of such a fit or a worse one if one number tells all; None where nothing is left to check.
    Draws make it too large: they vary less than wins and losses."""


def quality(ratings: Ratings) -> Quality:
    """The fit of all pairs that met and can be compared."""
    pairs = tuple(_pairs(ratings))
    chi_square = sum(pair.surprise**2 for pair in pairs)
    spent = sum(len(group) - 1 for group in ratings.strengths.groups)
    freedom = len(pairs) - spent
    if freedom <= 0:
        return Quality(pairs, chi_square, 0, None)
    return Quality(pairs, chi_square, freedom, float(special.chdtrc(freedom, chi_square)))


def _pairs(ratings: Ratings) -> Iterator[PairFit]:
    values = ratings.strengths.values
    for first, second in combinations(range(len(values)), 2):
        gap = ratings.strengths.difference(first, second).value
        won = ratings.records.get((first, second), 0.0)
        units = won + ratings.records.get((second, first), 0.0)
        if units > 0 and gap is not None:
            yield PairFit(first, second, units, won / units, expected_score(gap))

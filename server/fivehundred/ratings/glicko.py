"""Glicko-2 for live display: a rating, its deviation and its volatility, by period.

Formulas: Glickman, "Example of the Glicko-2 system" (2022), steps 2 to 8.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy import optimize

from fivehundred.ratings.bradley_terry import CENTRE

UNIT = 173.7178
"""Points per unit of the internal scale, as the paper has it."""


@dataclass(frozen=True, slots=True)
class Form:
    """How good an entrant is, how sure that is, and how much it is expected to change."""

    rating: float = CENTRE
    deviation: float = 350.0
    volatility: float = 0.06


def after_period(before: Form, results: Sequence[tuple[Form, float]], tau: float = 0.5) -> Form:
    """The form after a period of results against opponents as they were before it.

    Without results only the deviation grows. ``tau`` limits the change of the volatility.
    """
    own, deviation = (before.rating - CENTRE) / UNIT, before.deviation / UNIT
    if not results:
        grown = math.hypot(deviation, before.volatility)
        return Form(before.rating, UNIT * grown, before.volatility)
    information = pull = 0.0
    for opponent, score in results:
        damped = _damping(opponent.deviation / UNIT)
        expected = 1 / (1 + math.exp(-damped * (own - (opponent.rating - CENTRE) / UNIT)))
        information += damped**2 * expected * (1 - expected)
        pull += damped * (score - expected)
    volatility = _volatility(before.volatility, deviation, 1 / information, pull, tau)
    spread = 1 / (1 / (deviation**2 + volatility**2) + information)
    return Form(CENTRE + UNIT * (own + spread * pull), UNIT * math.sqrt(spread), volatility)


def _damping(deviation: float) -> float:
    return 1 / math.sqrt(1 + 3 * (deviation / math.pi) ** 2)


def _volatility(old: float, deviation: float, variance: float, pull: float, tau: float) -> float:
    """Step 5: where the slope of the volatility's posterior is 0."""
    start, square = math.log(old**2), (variance * pull) ** 2

    def slope(x: float) -> float:
        total = deviation**2 + variance + math.exp(x)
        return math.exp(x) * (square - total) / (2 * total**2) - (x - start) / tau**2

    low, high = start, start
    while slope(low) < 0:
        low -= tau
    while slope(high) > 0:
        high += tau
    if low == high:
        return old
    return math.exp(float(optimize.brentq(slope, low, high, xtol=1e-12)) / 2)

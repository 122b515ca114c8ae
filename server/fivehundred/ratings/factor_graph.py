"""TrueSkill for live display: Gaussian skills, updated from a table's finishing order.

Formulas: Herbrich, Minka & Graepel, "TrueSkill: a Bayesian skill rating system" (2006), without
draws. A team performs as the sum of its members; the order of neighbours is passed to and fro
until the messages stand.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

BETA = 25 / 6
"""The deviation of a performance from the skill."""
TAU = 25 / 300
"""How much a skill may change between two tables."""
STILL = 1e-10
MOST_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Belief:
    """A skill's mean and deviation."""

    mu: float = 25.0
    sigma: float = 25 / 3


Teams = Sequence[Sequence[Belief]]


def updated(teams: Teams, ranks: Sequence[int]) -> list[list[Belief]]:
    """The beliefs after a table; rank 1 is best. Raises ValueError for level teams."""
    if len(set(ranks)) < len(ranks):
        raise ValueError("level teams have no place in a model without draws")
    order = sorted(range(len(teams)), key=lambda team: ranks[team])
    mean = np.array([sum(one.mu for one in teams[at]) for at in order])
    spread = np.array([sum(one.sigma**2 + TAU**2 + BETA**2 for one in teams[at]) for at in order])
    found_mean, found_spread = _performances(mean, spread)
    told: list[list[Belief]] = [[] for _ in teams]
    for place, at in enumerate(order):
        shift = (found_mean[place] - mean[place]) / spread[place]
        shrink = (spread[place] - found_spread[place]) / spread[place] ** 2
        told[at] = [_moved(one, float(shift), float(shrink)) for one in teams[at]]
    return told


def quality(teams: Teams) -> float:
    """How even a table is: the likelihood of a draw of all, relative to the likeliest."""
    members = [one for team in teams for one in team]
    contrast = np.zeros((len(members), len(teams) - 1))
    start = 0
    for at, team in enumerate(teams):
        rows = slice(start, start + len(team))
        if at < len(teams) - 1:
            contrast[rows, at] = 1
        if at:
            contrast[rows, at - 1] = -1
        start += len(team)
    noise = BETA**2 * contrast.T @ contrast
    whole = noise + contrast.T @ (np.array([one.sigma**2 for one in members])[:, None] * contrast)
    gap = contrast.T @ np.array([one.mu for one in members])
    even = math.sqrt(float(np.linalg.det(noise) / np.linalg.det(whole)))
    return even * math.exp(-float(gap @ np.linalg.solve(whole, gap)) / 2)


def _performances(mean: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Means and variances of the teams' performances, given that they finished in this order.

    Each neighbouring pair keeps a message to both, as precision and precision times mean.
    """
    pairs = len(mean) - 1
    messages = np.zeros((pairs, 2, 2))
    precision, weighted = 1 / spread, mean / spread
    for _ in range(MOST_ROUNDS):
        before = messages.copy()
        for pair in [*range(pairs), *reversed(range(pairs))]:
            cavity = [_without(precision, weighted, messages, pair, side) for side in (0, 1)]
            messages[pair] = _messages(cavity)
        if float(np.abs(messages - before).max()) < STILL:
            break
    total = precision.copy()
    pulled = weighted.copy()
    for pair in range(pairs):
        for side in (0, 1):
            total[pair + side] += messages[pair, side, 0]
            pulled[pair + side] += messages[pair, side, 1]
    return pulled / total, 1 / total


def _without(
    precision: Floats, weighted: Floats, messages: Floats, pair: int, side: int
) -> tuple[float, float]:
    """Mean and variance of a team but for what this pair says of it."""
    team = pair + side
    total, pulled = precision[team], weighted[team]
    other = pair - 1 if side == 0 else pair + 1
    if 0 <= other < len(messages):
        total = total + messages[other, 1 - side, 0]
        pulled = pulled + messages[other, 1 - side, 1]
    return float(pulled / total), float(1 / total)


def _messages(cavity: Sequence[tuple[float, float]]) -> Floats:
    """What "the first is above the second" says to both."""
    (mean0, spread0), (mean1, spread1) = cavity
    gap, spread = mean0 - mean1, spread0 + spread1
    ratio = gap / math.sqrt(spread)
    lift = math.exp(-(ratio**2) / 2 - float(special.log_ndtr(ratio))) / math.sqrt(2 * math.pi)
    shrink = lift * (lift + ratio)
    told = np.zeros((2, 2))
    for side, (mean, own, sign) in enumerate(((mean0, spread0, 1), (mean1, spread1, -1))):
        moved = mean + sign * own / math.sqrt(spread) * lift
        left = own * (1 - own / spread * shrink)
        told[side] = 1 / left - 1 / own, moved / left - mean / own
    return told


def _moved(one: Belief, shift: float, shrink: float) -> Belief:
    own = one.sigma**2 + TAU**2
    return Belief(one.mu + own * shift, math.sqrt(own - own**2 * shrink))

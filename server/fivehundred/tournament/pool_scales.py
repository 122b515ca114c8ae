"""A pool's players on one scale: their estimates, who is better, and how sure that is."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from fivehundred.ratings import bradley_terry, margins, plackett_luce, team_margins, teams
from fivehundred.ratings.bradley_terry import CENTRE, SCALE, Ratings
from fivehundred.ratings.plackett_luce import Ranks
from fivehundred.ratings.prior import fit_teams_with_virtual_draws, fit_with_virtual_draws
from fivehundred.ratings.values import Estimate, Strengths, matrix, rounded
from fivehundred.tournament.lines import Flags, Floats
from fivehundred.tournament.pool_results import PoolResults
from fivehundred.tournament.pools import TeamForm


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Players by number."""

    estimates: tuple[Estimate, ...]
    groups: tuple[tuple[int, ...], ...]
    """Those who can be compared, the largest group first."""
    is_better: Flags
    """Whether the first is better than the second beyond the confidence of the intervals."""
    chances: Floats
    """The chance of it; NaN where the results cannot say."""


def points_scale(results: PoolResults, *, as_imps: bool = False) -> Scale:
    """Points per hand; or International Match Points of a pair of hands."""
    if results.pool.key.team is TeamForm.MIXED:
        fitted = team_margins.fit([results.team_points(as_imps=as_imps)], results.names)
        return _of_units(fitted.strengths, (), fitted.units, results.names)
    return _of_strengths(margins.fit(results.points(as_imps=as_imps), results.names))


def elo_scale(results: PoolResults, anchor: int | None, prior: float | None) -> Scale:
    """The Elo scale, by the pool's model; with a prior of so many virtual draws or without."""
    if prior is not None:
        strengths = _named(_with_prior(results, prior), prior)
        return _of_strengths(strengths if anchor is None else _anchored(strengths, anchor))
    if results.pool.key.team is TeamForm.MIXED:
        fitted = teams.fit(results.team_games(), results.names, anchor)
        return _of_units(fitted.strengths, fitted.bounds, fitted.units, results.names)
    paired = bradley_terry.fit(results.pairs(), results.names, anchor)
    if results.pool.key.slots == 2:
        return _of_found(paired, paired)
    return _of_found(plackett_luce.fit(results.orders(), results.names, anchor), paired)


def elo_model(results: PoolResults, prior: float | None) -> str:
    """What the Elo scale is fitted by."""
    if results.pool.key.team is TeamForm.MIXED:
        model = "Bradley–Terry of teams, a team being the mean of its members"
    elif results.pool.key.slots == 2:
        model = "Bradley–Terry"
    else:
        model = "Plackett–Luce"
    if prior is None:
        return model
    return f"{model}; with a prior of {prior:g} virtual draws, for display: not the reference fit"


def _with_prior(results: PoolResults, draws: float) -> Strengths:
    names = results.names
    if results.pool.key.team is TeamForm.MIXED:
        return fit_teams_with_virtual_draws(results.team_games(), names, draws)
    if results.pool.key.slots == 2:
        return fit_with_virtual_draws(results.pairs(), names, draws)
    # At the mean, so many draws say as much as a normal prior of this deviation.
    deviation = 2 * SCALE / math.sqrt(draws)
    return plackett_luce.fit_with_prior(results.orders(), names, deviation)


def _named(strengths: Strengths, draws: float) -> Strengths:
    """With the prior in every remark."""
    remark = f"with a prior of {draws:g} virtual draws, errors by the model"
    return replace(strengths, remarks=(remark,) * len(strengths.values))


def _anchored(strengths: Strengths, anchor: int) -> Strengths:
    """The same differences around a player's 1500; errors are of the difference to it."""
    size, own = len(strengths.values), strengths.values[anchor] or 0.0
    shift = np.eye(size)
    shift[:, anchor] -= 1
    covariance = shift @ np.array(strengths.covariance) @ shift.T
    return replace(
        strengths,
        values=tuple(
            None if value is None else rounded(CENTRE + value - own) for value in strengths.values
        ),
        covariance=matrix(covariance.tolist()),
        anchor=anchor,
    )


def _of_strengths(strengths: Strengths) -> Scale:
    compared = strengths.comparisons()
    return Scale(
        estimates=tuple(map(strengths.estimate, range(len(strengths.values)))),
        groups=strengths.groups,
        is_better=compared.is_better,
        chances=compared.chances,
    )


def _of_found(found: Ratings | Ranks, paired: Ratings) -> Scale:
    """With bounds; those who cannot be compared are by their results against each other."""
    scale = _of_strengths(found.strengths)
    is_better, chances = scale.is_better.copy(), scale.chances.copy()
    for first, second in _apart(scale.groups, len(scale.estimates)):
        chance = paired.chance_better(first, second)
        chances[first, second] = math.nan if chance is None else chance
        is_better[first, second] = paired.is_better(first, second)
    estimates = tuple(map(found.estimate, range(len(scale.estimates))))
    return Scale(estimates, scale.groups, is_better, chances)


def _apart(groups: Sequence[Sequence[int]], size: int) -> Iterator[tuple[int, int]]:
    group = {player: at for at, members in enumerate(groups) for player in members}
    for first, second in permutations(range(size), 2):
        if group[first] != group[second]:
            yield first, second


def _of_units(
    strengths: Strengths,
    bounds: Sequence[Estimate | None],
    units: Sequence[Sequence[int]],
    names: Sequence[str],
) -> Scale:
    """Of units, a unit being one player or several who were never apart."""
    unit_of = {player: at for at, unit in enumerate(units) for player in unit}
    place = [unit_of[player] for player in range(len(names))]
    scale = _of_strengths(strengths)
    estimates = [bound or scale.estimates[at] for at, bound in enumerate(bounds)]
    told = [
        replace(each, remark=each.remark or team_margins.together(unit, names))
        for each, unit in zip(estimates or scale.estimates, units, strict=True)
    ]
    same = np.equal.outer(place, place) & ~np.eye(len(place), dtype=np.bool_)
    chances = scale.chances[np.ix_(place, place)]
    chances[same] = math.nan
    return Scale(
        estimates=tuple(told[at] for at in place),
        groups=tuple(
            tuple(sorted(player for unit in group for player in units[unit]))
            for group in scale.groups
        ),
        is_better=scale.is_better[np.ix_(place, place)],
        chances=chances,
    )

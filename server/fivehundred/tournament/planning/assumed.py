"""What is assumed of bots that have not been measured: how much luck a board leaves.

It is the standard deviation of the difference of two bots that a board shows once it has been
played in all its seatings, and what playing one sequence of deals both ways saves of the variance
of games. Unlike bots are as the reference bots (docs/ratings.md, "What an event
will resolve"); the others are of a simulation of simple bots, or one of these to scale.
"""

import math
from collections.abc import Iterable

from fivehundred.ratings.bradley_terry import SCALE
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.planning.evidence import Evidence, Unit, Variances, alike
from fivehundred.tournament.seatings import seatings

KINDS = ("near-identical bots", "similar bots", "unlike bots")
SOURCE = "unlike bots as the reference bots were measured, the others as simulated"
"""Where the figures are from."""
SAVED = (0.61, 0.74, 4.0)
"""The variance of an Elo difference when both sides play the same deals, to that of other games.

Playing the same deals saves some of it. Between unlike bots it is greater all the same, since who
nearly always wins tells little: the reference bots have 3 to 6.
"""
SHARES = (0.1, 0.2, 0.3)
"""The standard deviation of a bot's share of the hands of a board."""

HANDS_A_GAME = 8.0
"""To 500 or its like: 7.3 to 8.4."""
BYTES_A_HAND = 1_500.0
"""At a table of four."""


def assumed(rules: RuleSet, unit: Unit, slots: Iterable[int]) -> tuple[Variances, ...]:
    """What boards of matches of so many entrants tell, for each of the kinds of bots."""
    found = {min(size, rules.sides): _evidence(rules, unit, size) for size in sorted(slots)}
    return tuple(
        Variances(unit, kind, {teams: each[at] for teams, each in found.items()})
        for at, kind in enumerate(KINDS)
    )


def _evidence(rules: RuleSet, unit: Unit, slots: int) -> tuple[Evidence, ...]:
    """By kind."""
    count = len(seatings(rules, slots))
    spreads = _points(rules, slots) if unit is Unit.POINTS else _elo(rules, count)
    weight = float(count) if unit is Unit.POINTS else _information(rules, count)
    return tuple(alike(min(slots, rules.sides), spread, weight) for spread in spreads)


def _points(rules: RuleSet, slots: int) -> tuple[float, float, float]:
    if rules.sides == 2:
        return (22.0, 50.0, 160.0) if rules.players > 4 else (20.0, 45.0, 140.0)
    if rules.sides < rules.players:
        return (8.0, 20.0, 95.0)
    return (6.0, 12.0, 45.0) if slots <= 3 else (8.0, 16.0, 60.0)


def _elo(rules: RuleSet, games: int) -> tuple[float, float, float]:
    """Of games of which the winner beats each of the others, and these are not compared."""
    alone = SCALE * math.sqrt(2 * rules.sides / games)
    near, similar, unlike = (alone * math.sqrt(saved) for saved in SAVED)
    return near, similar, unlike


def _information(rules: RuleSet, games: int) -> float:
    """Of the games of one board between equals."""
    return games / rules.sides / SCALE**2

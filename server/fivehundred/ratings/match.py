"""The result of two bots against each other: Elo, normalised Elo, interval, chance of being better.

Formulas: Elo from the score, ``400 log10(s / (1 - s))``, its error by the delta method, its
interval from the interval of the score; normalised Elo is the score's distance from ½ in standard
deviations of a game, times ``800 / ln 10`` (Van den Bergh, "Normalized Elo", 2020). From pairs the
variance is that of the pairs' scores: a pair is two games of one deal with the sides swapped, and
its two games are not independent.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy import special

from fivehundred.ratings.bradley_terry import NO_RESULTS, SCALE, elo_difference
from fivehundred.ratings.values import CONFIDENCE, Estimate, rounded

NORMALISED_SCALE = 2 * SCALE
"""Normalised Elo per standard deviation of a game's score."""

NO_SPREAD = "the results do not vary"


@dataclass(frozen=True, slots=True)
class Record:
    """Independent games: how many were won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many there are."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class PairRecord:
    """Whole pairs by their score in half points: how many made 0, 1, 2, 3 and 4 of them."""

    counts: tuple[int, int, int, int, int]

    @property
    def pairs(self) -> int:
        """How many there are."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class MatchElo:
    """What a match says of the first bot against the second."""

    units: int
    """Games, or pairs of games."""
    score: float
    """The mean score of a game; ½ without games."""
    score_error: float | None
    """Its standard error; None where the results do not vary and cannot tell."""
    elo: Estimate
    normalised_elo: Estimate
    chance_better: float
    """Always finite; from an even prior where the results do not vary."""


def of_games(record: Record) -> MatchElo:
    """The match from independent games."""
    return _match((1.0, 0.5, 0.0), (record.wins, record.draws, record.losses), 1)


def of_pairs(record: PairRecord) -> MatchElo:
    """The match from pairs of games, each pair one observation."""
    return _match((0.0, 0.25, 0.5, 0.75, 1.0), record.counts, 2)


def pair_record(scores: Sequence[tuple[float, float]]) -> PairRecord:
    """Count pairs by the scores (1, ½ or 0) of their two games."""
    counts = [0] * 5
    for one, other in scores:
        counts[round(2 * (one + other))] += 1
    return PairRecord((counts[0], counts[1], counts[2], counts[3], counts[4]))


def _match(scores: Sequence[float], counts: Sequence[int], games: int) -> MatchElo:
    units = sum(counts)
    if not units:
        nothing = Estimate(remark=NO_RESULTS)
        return MatchElo(0, 0.5, None, nothing, nothing, 0.5)
    score = sum(s * n for s, n in zip(scores, counts, strict=True)) / units
    variance = sum(n * (s - score) ** 2 for s, n in zip(scores, counts, strict=True)) / units
    chance = _beta_chance(score, units)
    if variance == 0:
        return MatchElo(units, score, None, *_all_alike(score, units), chance)
    error = math.sqrt(variance / units)
    chance = float(special.ndtr((score - 0.5) / error))
    normalised = _normalised(score, variance, units, games)
    return MatchElo(units, rounded(score), error, _elo(score, error), normalised, chance)


def _beta_chance(score: float, units: int) -> float:
    """The chance of a mean score above ½ under an even prior: ``Beta(won + 1, lost + 1)``."""
    won = score * units
    return float(special.betainc(units - won + 1, won + 1, 0.5))


def _elo(score: float, error: float) -> Estimate:
    """The interval is that of the score; an end outside (0, 1) is none."""
    reach = error * float(special.ndtri((1 + CONFIDENCE) / 2))
    low, high = score - reach, score + reach
    return Estimate(
        value=rounded(elo_difference(score)),
        standard_error=rounded(SCALE * error / (score * (1 - score))),
        low=rounded(elo_difference(low)) if low > 0 else None,
        high=rounded(elo_difference(high)) if high < 1 else None,
        remark="" if low > 0 and high < 1 else "there are too few results for both ends",
    )


def _normalised(score: float, variance: float, units: int, games: int) -> Estimate:
    value = NORMALISED_SCALE * (score - 0.5) / math.sqrt(games * variance)
    error = NORMALISED_SCALE / math.sqrt(games * units)
    reach = error * float(special.ndtri((1 + CONFIDENCE) / 2))
    return Estimate(rounded(value), rounded(error), rounded(value - reach), rounded(value + reach))


def _all_alike(score: float, units: int) -> tuple[Estimate, Estimate]:
    """A score without spread: bounds where everything was won or lost, else no error."""
    unknown = Estimate(remark=NO_SPREAD)
    if 0 < score < 1:
        return Estimate(rounded(elo_difference(score)), remark=NO_SPREAD), unknown
    edge = rounded(elo_difference(((1 - CONFIDENCE) / 2) ** (1 / units)))
    if score == 1:
        return Estimate(low=edge, remark="all was won: there is no upper bound"), unknown
    return Estimate(high=-edge, remark="all was lost: there is no lower bound"), unknown

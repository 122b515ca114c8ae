"""A running Elo for live display only: it depends on the order of the results, ranks do not use it.

Formula: ``new = old + K (score - expected)``, ``expected = 1 / (1 + 10^((other - own)/400))``, all
from the ratings before the result (Elo 1978). A team is rated as the mean of its members, each of
whom moves once, whatever the number of its seats. At a table of n, each pair counts ``1/(n - 1)``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fivehundred.ratings.bradley_terry import CENTRE, expected_score

K = 16.0
K_AT_FIRST = 32.0
FIRST_RESULTS = 30


@dataclass(frozen=True, slots=True)
class Result:
    """A result in the order of the log: the sides by their seats, and each side's rank, 1 best."""

    sides: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]


Factor = Callable[[Result, Mapping[int, int]], float]
"""Gives K, one for all at the table, from how many results each had before."""


def usual_factor(result: Result, played: Mapping[int, int]) -> float:
    """32 while anybody at the table is in its first 30 results, then 16; the same for all.

    With one K for all the sum of the ratings stays what it was.
    """
    entrants = {entrant for side in result.sides for entrant in side}
    is_early = any(played.get(entrant, 0) < FIRST_RESULTS for entrant in entrants)
    return K_AT_FIRST if is_early else K


def replay(
    results: Iterable[Result],
    factor: Factor = usual_factor,
    initial: float = CENTRE,
    cap: float | None = None,
) -> dict[int, float]:
    """The ratings after all results, in the order given."""
    ratings: dict[int, float] = {}
    played: Counter[int] = Counter()
    for result in results:
        entrants = {entrant for side in result.sides for entrant in side}
        for entrant in entrants:
            ratings.setdefault(entrant, initial)
        ratings.update(updated(ratings, result, factor(result, played), cap))
        played.update(entrants)
    return ratings


def updated(
    ratings: Mapping[int, float], result: Result, k: float, cap: float | None = None
) -> dict[int, float]:
    """The new ratings of those at the table; ``cap`` limits the difference that is reckoned with.

    An entrant on several sides does not move: it would play against itself.
    """
    strengths = [_mean(ratings, side) for side in result.sides]
    sides = Counter(entrant for side in result.sides for entrant in set(side))
    moved = {}
    for own, side in enumerate(result.sides):
        change = _change(strengths, result.ranks, own, k, cap)
        for entrant in sorted(set(side)):
            moved[entrant] = ratings[entrant] + (change if sides[entrant] == 1 else 0.0)
    return moved


def moved_pair(
    first: float, second: float, score: float, k: tuple[float, float], cap: float | None = None
) -> tuple[float, float]:
    """The two new ratings after a game, each with its own K; the sum drifts where they differ."""
    surprise = score - _expected(first - second, cap)
    return first + k[0] * surprise, second - k[1] * surprise


def _mean(ratings: Mapping[int, float], side: Sequence[int]) -> float:
    return sum(ratings[entrant] for entrant in side) / len(side)


def _change(
    strengths: Sequence[float], ranks: Sequence[int], own: int, k: float, cap: float | None
) -> float:
    total = 0.0
    for other, strength in enumerate(strengths):
        if other != own:
            score = 0.5 + 0.5 * ((ranks[own] < ranks[other]) - (ranks[own] > ranks[other]))
            total += score - _expected(strengths[own] - strength, cap)
    return k * total / (len(strengths) - 1)


def _expected(difference: float, cap: float | None) -> float:
    if cap is not None:
        difference = max(-cap, min(cap, difference))
    return expected_score(difference)

"""Many tests at once: Holm's step-down adjustment, valid whatever the tests have in common.

Formula: with the p-values sorted, ``adjusted_i = max over j <= i of min(1, (m - j) p_j)``, j from 0
(Holm 1979). The chance that any true null hypothesis is rejected is then at most the level.
"""

from collections.abc import Sequence

from fivehundred.ratings.values import rounded


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """The adjusted p-values; None stays None and does not count as a test."""
    tests = sorted((chance, at) for at, chance in enumerate(chances) if chance is not None)
    adjusted: list[float | None] = [None] * len(chances)
    least = 0.0
    for done, (chance, at) in enumerate(tests):
        least = max(least, min(1.0, (len(tests) - done) * chance))
        adjusted[at] = rounded(least)
    return adjusted

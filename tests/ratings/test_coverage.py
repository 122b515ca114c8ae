"""What the figures of benchmarks/ratings.py promise, with few replications and honest bounds."""

import pytest
from scipy import stats

from ratings import COVERAGE, TESTS, coverage, taken

RARE = 1e-4
"""The chance that a right figure misses its bound here."""


@pytest.mark.parametrize("name", COVERAGE)
def test_intervals_hold_the_truth_as_often_as_they_say(name: str, nightly: bool) -> None:
    """The intervals of one tournament depend on each other: it counts as one trial."""
    tournaments = 500 if nightly else 16

    hits, trials = coverage(COVERAGE[name], tournaments, seed=1)

    low = 0.93 if nightly else stats.binom.ppf(RARE, tournaments, 0.93) / tournaments
    high = 0.97 if nightly else stats.binom.ppf(1 - RARE, tournaments, 0.97) / tournaments
    assert low <= hits / trials <= high


@pytest.mark.parametrize("name", TESTS)
def test_a_sequential_test_errs_as_seldom_as_it_says(name: str, nightly: bool) -> None:
    statistic, null, better = TESTS[name]
    runs = 1_000 if nightly else 40

    wrong, _ = taken(statistic, null, runs, seed=1)
    right, _ = taken(statistic, better, runs, seed=1)

    most = 0.06 if nightly else stats.binom.ppf(1 - RARE, runs, 0.06) / runs
    least = 0.93 if nightly else stats.binom.ppf(RARE, runs, 0.93) / runs
    assert wrong <= most
    assert right >= least

"""When a sequential test is expected to stop: simulated with seeded chance, for several truths.

Margins are drawn from a normal distribution and tested as they will be. Of pair scores the ratio
is the usual approximation by mean and variance, ``n (m1 - m0) (2 m - m0 - m1) / (2 s²)``.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from fivehundred.ratings.bradley_terry import expected_score
from fivehundred.ratings.match import NORMALISED_SCALE
from fivehundred.tournament.formats.forms import Compared, SequentialForm
from fivehundred.tournament.lines import Floats, Numbers

RUNS = 1_000
DRAWN = 10_000_000
"""So many results are drawn at most; of very long tests there are fewer runs."""
BLOCK = 250
LEAST_RUNS = 50
LONGEST = 100_000
"""Longer tests are not looked for."""
APART = "take hypotheses that are further apart"
FIRST_LOOK = 20
"""Unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Stop:
    """What is expected of a test under one truth."""

    truth: str
    """Of the two hypotheses: "h0", "h1", or "midway" between them."""
    value: float
    """In points per hand, or in Elo."""
    matches: float
    """The mean; those under way at the verdict are not among it."""
    matches_90: float
    """Nine of ten tests need no more."""
    finds_h1: float
    """How often the second hypothesis is taken."""
    undecided: float


@dataclass(frozen=True, slots=True)
class Stopping:
    """What is expected of a test, for bots of one likeness."""

    kind: str
    deviation: float
    """Of what is tested, from match to match."""
    stops: tuple[Stop, ...]

    def of(self, truth: str) -> Stop:
        """What is expected under a truth."""
        return next(stop for stop in self.stops if stop.truth == truth)


def stopping(form: SequentialForm, kind: str, deviation: float) -> Stopping:
    """When a test stops where what it looks at varies so much from match to match."""
    low, high = form.hypotheses
    truths = {"h0": low, "h1": high, "midway": (low + high) / 2}
    stops = tuple(_stop(form, deviation, truth, value) for truth, value in truths.items())
    return Stopping(kind, deviation, stops)


def cap_doubts(form: SequentialForm, found: Stopping) -> Iterator[str]:
    """What is doubtful about the cap of a test, a sentence each, for bots of one likeness."""
    if form.least == form.most:
        yield (
            f"the cap of {form.most:,} matches is also the first look (after {FIRST_LOOK} unless"
            " told otherwise): no verdict comes earlier"
        )
    stop = found.of("h1")
    if form.most > stop.matches and stop.undecided <= form.beta:
        return
    bots = "" if found.kind == "measured" else f" of {found.kind}"
    yield (
        f"the cap of {form.most:,} matches comes before a verdict in {stop.undecided:.0%} of tests"
        f"{bots} where the second hypothesis is true: {_right_cap(form, found.deviation)}"
    )


def _right_cap(form: SequentialForm, deviation: float) -> str:
    """The cap that leaves no more tests undecided than may err."""
    longer = replace(form, most=LONGEST, least=max(form.least, FIRST_LOOK))
    if form.most >= LONGEST:
        return APART
    lengths, taken = _ends(longer, deviation, form.hypotheses[1])
    if (taken == 0).mean() > form.beta:
        return APART
    enough = float(np.quantile(lengths, 1 - form.beta))
    digit = 10 ** max(0, math.floor(math.log10(enough)) - 1)
    return f"allow {math.ceil(enough / digit) * digit:,} or more"


def _stop(form: SequentialForm, deviation: float, truth: str, value: float) -> Stop:
    lengths, taken = _ends(form, deviation, value)
    return Stop(
        truth=truth,
        value=value,
        matches=float(lengths.mean()),
        matches_90=float(np.quantile(lengths, 0.9)),
        finds_h1=float((taken > 0).mean()),
        undecided=float((taken == 0).mean()),
    )


def _ends(form: SequentialForm, deviation: float, value: float) -> tuple[Numbers, Numbers]:
    """After how many matches tests end, and for which hypothesis: 1 or -1, 0 for none."""
    runs = max(LEAST_RUNS, min(RUNS, DRAWN // form.most))
    draw = np.random.default_rng(500)
    tests = _Tests(form, deviation, _mean(form, deviation, value), draw)
    ends = np.array([tests.one() for _ in range(runs)])
    return ends[:, 0], ends[:, 1]


class _Tests:
    """Tests of results with one mean."""

    def __init__(
        self, form: SequentialForm, deviation: float, mean: float, draw: np.random.Generator
    ) -> None:
        self._form = form
        self._deviation = deviation
        self._mean = mean
        self._draw = draw
        self._means = [_mean(form, deviation, value) for value in form.hypotheses]

    def one(self) -> tuple[int, int]:
        """After how many matches a test ends, and for which hypothesis: 1 or -1, 0 for none."""
        count, total, square, edges = 0, 0.0, 0.0, self._form.bounds
        while count < self._form.most:
            size = min(BLOCK, self._form.most - count)
            results = self._draw.normal(self._mean, self._deviation, size)
            counts = np.arange(count + 1, count + size + 1)
            totals, squares = total + results.cumsum(), square + (results**2).cumsum()
            ratio = self._ratios(counts, totals, squares)
            is_out = (ratio <= edges.lower) | (ratio >= edges.upper)
            is_out &= counts >= self._form.least
            at = int(is_out.argmax())
            if is_out[at]:
                return count + at + 1, 1 if ratio[at] >= edges.upper else -1
            count, total, square = count + size, float(totals[-1]), float(squares[-1])
        return count, 0

    def _ratios(self, counts: Numbers, totals: Floats, squares: Floats) -> Floats:
        """The log-likelihood ratio after each match."""
        low, high = self._means
        if self._form.tested is Compared.MARGINS:
            spreads = [squares - 2 * mean * totals + counts * mean**2 for mean in (low, high)]
            return np.asarray(counts / 2 * np.log(spreads[0] / spreads[1]))
        drift = 2 * totals - counts * (low + high)
        return np.asarray((high - low) * drift / (2 * self._deviation**2))


def _mean(form: SequentialForm, deviation: float, value: float) -> float:
    """What is tested, on the average, where so many points or Elo are true."""
    if form.tested is Compared.MARGINS:
        return value
    if form.is_normalised:
        return 0.5 + value / NORMALISED_SCALE * math.sqrt(2) * deviation
    return expected_score(value)

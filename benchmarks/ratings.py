"""Whether the intervals hold what they promise, how often sequential tests err, and how fast it is.

Coverage: of so many synthetic tournaments, how often the 95 % interval of a difference holds the
truth; asked for are 93 to 97 %. Tests: how often the better hypothesis is taken where it is wrong
(at most 6 %) and where it is right (at least 93 %). Speed: from the hands, as the daemon keeps
them, to finished standings of a round robin of 200 entrants on a million boards (at most 10 s).
Leaves with 1 where one is missed.
With --quick the bounds of what is counted are wider by three standard errors.

Examples:
  python benchmarks/ratings.py
  python benchmarks/ratings.py --quick --json
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from fivehundred.ratings import (
    bradley_terry,
    control_variate,
    first_seat,
    margins,
    match,
    plackett_luce,
    sequential,
    team_margins,
    teams,
)
from fivehundred.ratings.bradley_terry import SCALE, Game, expected_score
from fivehundred.ratings.finishing_orders import Order
from fivehundred.ratings.margins import BoardPoints
from fivehundred.ratings.match import NORMALISED_SCALE
from fivehundred.ratings.sequential import Decision, Plan, Scale, Statistic
from fivehundred.ratings.team_margins import TeamColumns
from fivehundred.ratings.values import Estimate, Strengths
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.standings import standings_of

Floats = NDArray[np.float64]
Draw = np.random.Generator

TRUTH = (120.0, 60.0, 20.0, -20.0, -60.0, -120.0)
"""Elo of the synthetic entrants; in points per hand a tenth of it."""
NAMES = "ABCDEF"
TOURNAMENTS, RUNS = 500, 1_000
MOST_PAIRS = 4_000
SPREAD = 81.0
"""The deviation of a pair's mean margin per hand, as measured with unlike bots."""
MARGIN = 9.9
EVEN = 0.3
"""The share of pairs of games that the deal decides alone: each side wins once."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    name: str
    reached: float
    low: float
    high: float
    of: str

    @property
    def is_met(self) -> bool:
        """Whether the figure lies in its bounds."""
        return self.low <= self.reached <= self.high


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--seed", type=int, default=500)
    options = parser.parse_args()
    share = 10 if options.quick else 1
    reach = 3.0 if options.quick else 0.0
    load = os.getloadavg()[0]
    if not options.json:
        print(f"load {load:.1f} on {os.cpu_count()} processors; figures of a few runs scatter")
        print(f"{'':<44}{'reached':>10}{'asked for':>16}  of")
    rows = []
    for row in _rows(options.seed, share, reach):
        rows.append(row)
        if not options.json:
            print(_line(row), flush=True)
    if options.json:
        print(json.dumps({"load": load, "rows": [asdict(row) for row in rows]}))
    sys.exit(not all(row.is_met for row in rows))


def _line(row: Row) -> str:
    asked = f"{row.low:.2g} to {row.high:.2g}"
    mark = "" if row.is_met else "  missed"
    return f"{row.name:<44}{row.reached:>10.4f}{asked:>16}  {row.of}{mark}"


def _rows(seed: int, share: int, reach: float) -> Iterator[Row]:
    tournaments, runs = TOURNAMENTS // share, RUNS // share
    slack = reach * float(np.sqrt(0.05 * 0.95 / tournaments))
    leeway = reach * float(np.sqrt(0.06 * 0.94 / runs))
    for name, tournament in COVERAGE.items():
        hits, trials = coverage(tournament, tournaments, seed)
        of = f"{trials} intervals of {tournaments} tournaments"
        yield Row(f"coverage: {name}", hits / trials, 0.93 - slack, min(0.97 + slack, 1.0), of)
    for name, (statistic, null, better) in TESTS.items():
        wrong, length = taken(statistic, null, runs, seed)
        yield Row(f"false H1: {name}", wrong, 0.0, 0.06 + leeway, _told(runs, length))
        right, length = taken(statistic, better, runs, seed)
        yield Row(f"power: {name}", right, 0.93 - leeway, 1.0, _told(runs, length))
    yield from _speed(200, 1_000_000 // share, seed)


def _told(runs: int, length: float) -> str:
    return f"{runs} runs, {length:.0f} pairs a run"


Tournament = Callable[[Draw], Iterable[tuple[Estimate, float]]]
"""Plays a tournament; gives intervals, each with the truth that it should hold."""


def coverage(tournament: Tournament, tournaments: int, seed: int) -> tuple[int, int]:
    """How many intervals hold the truth, and how many there are."""
    draw = np.random.default_rng(seed)
    held = [
        _holds(estimate, truth) for _ in range(tournaments) for estimate, truth in tournament(draw)
    ]
    return sum(held), len(held)


def _holds(estimate: Estimate, truth: float) -> bool:
    low = -np.inf if estimate.low is None else estimate.low
    high = np.inf if estimate.high is None else estimate.high
    return bool(low <= truth <= high)


def _differences(strengths: Strengths, truth: Sequence[float]) -> Iterator[tuple[Estimate, float]]:
    for one, two in combinations(range(len(truth)), 2):
        gap = strengths.difference(one, two)
        if gap.value is not None:
            yield gap, truth[one] - truth[two]


def _points(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    """Thirty boards a pairing, four in ten of them ties; the rest of any size."""
    truth = [elo / 10 for elo in TRUTH]
    boards = []
    for pair, (one, two) in enumerate(combinations(range(6), 2)):
        margin = _margins(draw, 30, truth[one] - truth[two])
        boards += [
            BoardPoints(100 * pair + at, (one, two), (gain / 2, -gain / 2))
            for at, gain in enumerate(margin.tolist())
        ]
    return _differences(margins.fit(boards, NAMES), truth)


def _common_points(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    """One set of sixty boards for all; each bot errs on a board alike against everybody."""
    truth = [elo / 10 for elo in TRUTH]
    error = draw.normal(0, 40, (60, 6))
    boards = [
        BoardPoints(board, (one, two), (points[0], points[1]))
        for board in range(60)
        for one, two in combinations(range(6), 2)
        for points in [[truth[bot] + error[board, bot] + draw.normal(0, 30) for bot in (one, two)]]
    ]
    return _differences(margins.fit(boards, NAMES), truth)


def _member_points(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    """Two against two, drawn by lot; a team's points are those of the mean of its members."""
    truth = np.array(TRUTH) / 10
    seats = np.array([draw.permutation(6)[:4] for _ in range(200)]).reshape(-1, 2, 2)
    points = truth[seats].mean(axis=2) + draw.normal(0, 40, (200, 1)) * (1, -1)
    table = TeamColumns(np.arange(200), seats, points, np.full(200, 4.0))
    return _differences(team_margins.fit([table], NAMES).strengths, truth.tolist())


def _games(draw: Draw, boards: int) -> list[Game]:
    """Boards of two games with the sides swapped, not independent: the deal decides some."""
    games = []
    for pair, (one, two) in enumerate(combinations(range(6), 2)):
        wins = _pairs(draw, boards, expected_score(TRUTH[one] - TRUTH[two]))
        for board, won in enumerate(wins.tolist()):
            cluster = 1000 * pair + board
            games += [Game(one, two, float(at < won), cluster) for at in range(2)]
    return games


def _elo(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    ratings = bradley_terry.fit(_games(draw, 60), NAMES)
    return _differences(ratings.strengths, TRUTH)


def _anchored(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    ratings = bradley_terry.fit(_games(draw, 60), NAMES, anchor=2)
    for entrant, elo in enumerate(TRUTH):
        if entrant != 2:
            yield ratings.estimate(entrant), 1500 + elo - TRUTH[2]


def _match(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    for elo in (0.0, 20.0, 60.0, 150.0):
        counts = np.bincount(2 * _pairs(draw, 200, expected_score(elo)), minlength=5).tolist()
        yield match.of_pairs(match.PairRecord(tuple(counts))).elo, elo


def _seated(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    """The stronger sits first three times of four; the first seat is worth 60 Elo."""
    games = []
    for one, two in combinations(range(6), 2):
        for at in range(80):
            first, second = (two, one) if at % 4 == 3 else (one, two)
            chance = expected_score(TRUTH[first] - TRUTH[second] + 60)
            games.append(Game(first, second, float(draw.random() < chance)))
    ratings = first_seat.fit(games, NAMES)
    yield ratings.first_seat, 60.0
    yield from _differences(ratings.strengths, TRUTH)


def _members(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    """Two against two, drawn by lot."""
    games = []
    for _ in range(500):
        seats = draw.permutation(6)[:4].tolist()
        gap = (TRUTH[seats[0]] + TRUTH[seats[1]] - TRUTH[seats[2]] - TRUTH[seats[3]]) / 2
        score = float(draw.random() < expected_score(gap))
        games.append(teams.TeamGame(tuple(seats[:2]), tuple(seats[2:]), score))
    return _differences(teams.fit(games, NAMES).strengths, TRUTH)


def _finishes(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    """Tables of five."""
    orders = []
    for _ in range(120):
        seats = draw.permutation(6)[:5]
        luck = draw.gumbel(size=5) + np.array(TRUTH)[seats] / SCALE
        orders.append(Order(tuple((int(bot),) for bot in seats[np.argsort(-luck)])))
    return _differences(plackett_luce.fit(orders, NAMES).strengths, TRUTH)


def _adjusted(draw: Draw) -> Iterator[tuple[Estimate, float]]:
    for share in (0.0, 0.5, 1.0, 2.0):
        luck = draw.normal(0, 100, 100)
        gains = MARGIN + share * luck + draw.normal(0, 80, 100)
        found = control_variate.fitted(gains.tolist(), luck.tolist())
        if found is not None:
            yield found.adjusted, MARGIN


COVERAGE: dict[str, Tournament] = {
    "points per hand, fresh boards": _points,
    "points per hand, common boards": _common_points,
    "points per hand, members of teams": _member_points,
    "points per hand, freed of known luck": _adjusted,
    "Elo of a pool": _elo,
    "Elo against an anchor": _anchored,
    "Elo of a match of pairs": _match,
    "Elo with a first seat": _seated,
    "Elo of members of teams": _members,
    "Plackett-Luce": _finishes,
}


Sample = Callable[[Draw, int], Floats]


def taken(statistic: Statistic, sample: Sample, runs: int, seed: int) -> tuple[float, float]:
    """How often a test takes H1, and how many pairs it needs."""
    draw = np.random.default_rng(seed)
    plan = Plan(most=MOST_PAIRS, every=10)
    verdicts = [
        sequential.decide(plan, dict(enumerate(sample(draw, MOST_PAIRS).tolist())), statistic)
        for _ in range(runs)
    ]
    better = sum(verdict.decision is Decision.H1 for verdict in verdicts)
    return better / runs, sum(verdict.pairs for verdict in verdicts) / runs


def _margins(draw: Draw, count: int, mean: float) -> Floats:
    """Margins of pairs: four in ten are played alike, the others have a long tail."""
    differs = draw.random(count) < 0.6
    tail = draw.standard_t(5, count) * SPREAD * np.sqrt(0.6) / 0.6 * np.sqrt(3 / 5)
    return np.asarray(mean + np.where(differs, tail, 0.0))


def _pairs(draw: Draw, count: int, score: float) -> NDArray[np.int64]:
    """How many games of each pair are won, if so many are on average."""
    chance = (score - EVEN / 2) / (1 - EVEN)
    wins = draw.binomial(2, chance, count)
    return np.where(draw.random(count) < EVEN, 1, wins).astype(np.int64)


def _pair_scores(elo: float) -> Sample:
    return lambda draw, count: _pairs(draw, count, expected_score(elo)) / 2


def _normalised(elo: float) -> float:
    """The normalised Elo of pairs as `_pairs` makes them."""
    score = expected_score(elo)
    chance = (score - EVEN / 2) / (1 - EVEN)
    second = EVEN / 4 + (1 - EVEN) * (chance * (1 - chance) / 2 + chance**2)
    return float(NORMALISED_SCALE * (score - 0.5) / np.sqrt(2 * (second - score**2)))


TESTS: dict[str, tuple[Statistic, Sample, Sample]] = {
    "margins, 0 or 9.9 points": (
        sequential.of_margins(0.0, MARGIN),
        lambda draw, count: _margins(draw, count, 0.0),
        lambda draw, count: _margins(draw, count, MARGIN),
    ),
    "pair scores, 0 or 40 Elo": (
        sequential.of_pair_scores(0.0, 40.0, Scale.LOGISTIC),
        _pair_scores(0.0),
        _pair_scores(40.0),
    ),
    "pair scores, normalised": (
        sequential.of_pair_scores(0.0, _normalised(40.0), Scale.NORMALISED),
        _pair_scores(0.0),
        _pair_scores(40.0),
    ),
}


def _speed(entrants: int, boards: int, seed: int) -> Iterator[Row]:
    columns = _round_robin(entrants, boards, np.random.default_rng(seed))
    names = [f"bot {entrant}" for entrant in range(entrants)]
    start, used = perf_counter(), process_time()
    table = standings_of(columns, names, RuleSet(), games=False)
    seconds, used = perf_counter() - start, process_time() - used
    assert len(table.rows) == entrants
    of = f"{entrants} entrants, {table.hands:,} hands, {used:.1f} s of the processor"
    yield Row("seconds: from hands to finished standings", seconds, 0.0, 10.0, of)


def _round_robin(entrants: int, boards: int, draw: Draw) -> HandColumns:
    """Boards of two hands of all pairings in turn, as the daemon keeps them."""
    pairs = list(combinations(range(entrants), 2))
    truth = draw.normal(0, 10, entrants)
    luck = draw.normal(0, 50, (boards, 2)).round(-1).astype(int).tolist()
    columns = HandColumns()
    for board in range(boards):
        one, two = pairs[board % len(pairs)]
        for seating, (first, second) in enumerate(((one, two), (two, one))):
            gain = luck[board][seating] + round(truth[first] - truth[second])
            columns.append(_hand(board, seating, (first, second), gain))
    return columns


def _hand(board: int, seating: int, sides: tuple[int, int], gain: int) -> HandLine:
    return HandLine(
        match=board // 4,
        board=board,
        seating=seating,
        hand=0,
        attempt=0,
        entrants=sides * 2,
        change=(gain, -gain),
        contractor=board % 4,
        made=gain > 0,
    )


if __name__ == "__main__":
    main()

"""Few results, in which some have won everything and others never met: all stays finite.

Two ways to Bradley–Terry check each other: the fit of pools, which looks for groups in a graph, and
that of teams of one, which looks for separating directions by linear programming.
"""

import random

import pytest

from fivehundred.ratings import bradley_terry, first_seat, plackett_luce, teams
from fivehundred.ratings.bradley_terry import Game
from fivehundred.ratings.finishing_orders import Order
from fivehundred.ratings.order_likelihood import Ties
from fivehundred.ratings.teams import TeamGame

NAMES = "ABCDEFG"


@pytest.fixture
def seeds(nightly: bool) -> range:
    return range(1500 if nightly else 60)


def sparse_games(draw: random.Random, size: int) -> list[Game]:
    found = []
    for _ in range(draw.randint(0, 14)):
        first, second = draw.sample(range(size), 2)
        score, cluster = draw.choice((1.0, 1.0, 1.0, 0.0, 0.5)), draw.choice((None, 1, 2, 3))
        found.append(Game(first, second, score, cluster, draw.choice((1.0, 1.0, 3.0, 50.0))))
    return found


def sparse_team_games(draw: random.Random, size: int) -> list[TeamGame]:
    found = []
    for _ in range(draw.randint(0, 14)):
        seats = draw.choices(range(size), k=2 * draw.randint(1, 3))
        half = len(seats) // 2
        score, cluster = draw.choice((1.0, 1.0, 0.0, 0.5)), draw.choice((None, 1, 2))
        found.append(TeamGame(tuple(seats[:half]), tuple(seats[half:]), score, cluster))
    return found


def sparse_orders(draw: random.Random, size: int) -> list[Order]:
    found = []
    for _ in range(draw.randint(0, 14)):
        left, levels = draw.sample(range(size), draw.randint(1, size)), []
        while left:
            many = draw.choice((1, 1, 1, 2))
            levels.append(tuple(left[:many]))
            left = left[many:]
        found.append(Order(tuple(levels), draw.choice((None, 1, 2, 3))))
    return found


def test_both_ways_to_bradley_terry_agree(seeds: range) -> None:
    for seed in seeds:
        draw = random.Random(seed)
        size = draw.randint(3, 7)
        games, anchor = sparse_games(draw, size), draw.choice((None, 0))
        alone = [TeamGame((g.first,), (g.second,), g.score, g.cluster, g.weight) for g in games]

        pool = bradley_terry.fit(games, NAMES[:size], anchor)
        single = teams.fit(alone, NAMES[:size], anchor)

        if len(single.units) < size:
            continue
        assert single.strengths.groups == pool.strengths.groups, seed
        for entrant in range(size):
            one, other = single.estimate(entrant), pool.estimate(entrant)
            assert one.value == pytest.approx(other.value), seed
            assert one.low == pytest.approx(other.low), seed
            assert one.high == pytest.approx(other.high), seed
            assert one.remark == other.remark, seed


def test_sparse_results_give_finite_numbers_or_none(seeds: range) -> None:
    """An estimate that is not finite raises; so does a warning of a division."""
    for seed in seeds:
        draw = random.Random(seed)
        size = draw.randint(2, 7)
        names, anchor = NAMES[:size], draw.choice((None, 0))
        seated = first_seat.fit(sparse_games(draw, size), names, anchor)
        members = teams.fit(sparse_team_games(draw, size), names, anchor)
        ranked = plackett_luce.fit(
            sparse_orders(draw, size), names, anchor, draw.choice(list(Ties))
        )

        for entrant in range(size):
            for estimate in (
                seated.estimate(entrant),
                members.estimate(entrant),
                ranked.estimate(entrant),
            ):
                assert estimate.value is not None or estimate.remark, seed

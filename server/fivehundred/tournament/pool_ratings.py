"""Ratings of a pool: functions of its boards, whatever the order in which they are given.

Points per hand rank where boards are played, Elo where games are; both are shown, neither is
converted into the other. Tables of two are compared by Bradley–Terry, partners of different bots as
teams whose strength is their mean, tables of several by Plackett–Luce.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csgraph

from fivehundred.ratings import bradley_terry, fit_quality
from fivehundred.ratings.ranks import ranges_of, tier_of
from fivehundred.ratings.values import CONFIDENCE, DIGITS, Estimate
from fivehundred.tournament.lines import Floats
from fivehundred.tournament.pool_results import PoolResults
from fivehundred.tournament.pool_scales import Scale, elo_model, elo_scale, points_scale
from fivehundred.tournament.pools import EventForm, Pool, TeamForm
from fivehundred.tournament.standings import Chances

BADLY = 0.01
"""A fit that chance alone makes as bad as this more rarely is warned of."""
CLEARLY = 3.0
"""Standard errors by which a score has to be above a half to be a link of a cycle."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's row."""

    player: str
    rank_best: int
    rank_worst: int
    boards: int
    hands: int
    wins: float
    """Boards or games won, alone or with the team; a tie is shared."""
    results: int
    """Boards or games counted for ``wins``."""
    points_per_hand: Estimate
    elo: Estimate
    imps: Estimate | None
    """International Match Points of a pair of hands; None where games are played."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players' results against each other, beside what the ratings expect."""

    first: str
    second: str
    units: float
    """Boards, each counting once."""
    score: float
    expected: float
    surprise: float
    """In standard errors."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well one Elo a player tells the pool, or why that is not known."""

    pairings: tuple[Pairing, ...] = ()
    chi_square: float | None = None
    freedom: int = 0
    probability: float | None = None
    """How rarely chance alone fits worse."""
    cycles: tuple[tuple[str, ...], ...] = ()
    """Players of whom each is clearly beaten by another by a chain: no order tells them."""
    remark: str = ""

    @property
    def is_bad(self) -> bool:
        """Whether one number a player misleads: the pairings say more."""
        is_odd = self.probability is not None and self.probability < BADLY
        return is_odd or bool(self.cycles)


@dataclass(frozen=True, slots=True)
class PoolRatings:
    """The ratings of a pool, best first."""

    pool: Pool
    rows: tuple[Rating, ...]
    ranked_by: str
    """Either "points_per_hand" or "elo"."""
    elo_model: str
    anchor: str | None
    """The player whose Elo is 1500; None: the mean of each group is."""
    prior: float | None
    """Virtual draws of each player against an average one; None for the reference fit."""
    confidence: float
    hands: int
    deals: int
    """The clusters of the errors."""
    shared: int
    """Boards at which a player was its own opponent among others: they count for points alone."""
    groups: tuple[tuple[str, ...], ...]
    """Players whose points can be compared, the largest group first."""
    elo_groups: tuple[tuple[str, ...], ...]
    """Players whose Elo can be compared."""
    bridges: tuple[tuple[str, str], ...]
    """Pairings that would connect the other groups with the first."""
    fit: Fit
    points_chances: Chances
    elo_chances: Chances

    @property
    def chances(self) -> Chances:
        """Those by the number that ranks."""
        by_points = self.ranked_by == "points_per_hand"
        return self.points_chances if by_points else self.elo_chances


def rated(pool: Pool, *, anchor: str | None = None, prior: float | None = None) -> PoolRatings:
    """The ratings of a pool; an anchor that is not in it anchors nothing."""
    results = PoolResults(pool)
    fixed = results.number.get(anchor) if anchor is not None else None
    by_points = pool.key.event is EventForm.BOARDS
    points = points_scale(results) if pool.boards else _nothing()
    elo = elo_scale(results, fixed, prior) if pool.boards else _nothing()
    shown_imps = points_scale(results, as_imps=True) if pool.boards and by_points else None
    order = _order(results.names, points if by_points else elo)
    boards = _boards(results)
    return PoolRatings(
        pool=pool,
        rows=tuple(_rows(results, order, points, elo, shown_imps)),
        ranked_by="points_per_hand" if by_points else "elo",
        elo_model=elo_model(results, prior),
        anchor=None if fixed is None else anchor,
        prior=prior,
        confidence=CONFIDENCE,
        hands=sum(board.hands for board in pool.boards),
        deals=results.deals,
        shared=len(pool.boards) - len(results.fair),
        groups=_named(results.names, points.groups),
        elo_groups=_named(results.names, elo.groups),
        bridges=tuple(_bridges(results.names, points.groups, boards)),
        fit=_fit(results),
        points_chances=_arranged(points.chances, order),
        elo_chances=_arranged(elo.chances, order),
    )


def _nothing() -> Scale:
    return Scale((), (), np.zeros((0, 0), dtype=np.bool_), np.zeros((0, 0)))


def _rows(
    results: PoolResults, order: Sequence[int], points: Scale, elo: Scale, imps: Scale | None
) -> Iterator[Rating]:
    by_points = results.pool.key.event is EventForm.BOARDS
    ranges = ranges_of((points if by_points else elo).is_better)
    boards, hands = _boards(results), _hands(results)
    wins, counted = _wins(results)
    for player in order:
        name = results.names[player]
        yield Rating(
            player=name,
            rank_best=ranges[player].best,
            rank_worst=ranges[player].worst,
            boards=boards[name],
            hands=hands[name],
            wins=round(wins[name], DIGITS),
            results=counted[name],
            points_per_hand=points.estimates[player],
            elo=elo.estimates[player],
            imps=None if imps is None else imps.estimates[player],
        )


def _boards(results: PoolResults) -> Counter[str]:
    return Counter(player for board in results.pool.boards for player in board.players())


def _hands(results: PoolResults) -> Counter[str]:
    hands: Counter[str] = Counter()
    for board in results.pool.boards:
        for player in board.players():
            hands[player] += board.hands
    return hands


def _wins(results: PoolResults) -> tuple[dict[str, float], Counter[str]]:
    """What each has won, and of how many boards or games."""
    parts: dict[str, list[float]] = defaultdict(list)
    counted: Counter[str] = Counter()
    for board in results.fair:
        for finish in board.finishes:
            counted.update(board.players())
            best = finish.levels.count(0)
            for team, level in zip(board.teams, finish.levels, strict=True):
                for player in set(team) if level == 0 else ():
                    parts[player].append(1 / best)
    return defaultdict(float, {each: math.fsum(won) for each, won in parts.items()}), counted


def _order(names: Sequence[str], scale: Scale) -> list[int]:
    """Best first: group by group, those without an upper bound on top, without a lower last."""
    group = {player: at for at, members in enumerate(scale.groups) for player in members}

    def precedence(player: int) -> tuple[int, int, float, str]:
        estimate = scale.estimates[player]
        tier, number = tier_of(estimate)
        is_bound = tier in (0, 2)
        return 0 if is_bound else group[player], tier, -number, names[player]

    return sorted(range(len(names)), key=precedence)


def _named(names: Sequence[str], groups: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(names[player] for player in group) for group in groups)


def _bridges(
    names: Sequence[str], groups: Sequence[Sequence[int]], boards: Counter[str]
) -> Iterator[tuple[str, str]]:
    """Of each other group the player of the most boards with that of the first group."""
    best = [min(group, key=lambda player: (-boards[names[player]], player)) for group in groups]
    for other in best[1:]:
        yield names[other], names[best[0]]


def _arranged(chances: Floats, order: Sequence[int]) -> Chances:
    rows = chances[np.ix_(order, order)].tolist() if order else []
    return tuple(tuple(_told(chance) for chance in row) for row in rows)


def _told(chance: float) -> float | None:
    return None if math.isnan(chance) else round(chance, DIGITS)


def _fit(results: PoolResults) -> Fit:
    """Of the fit without a prior and without an anchor, which does not change it."""
    if not results.fair:
        return Fit(remark="no results")
    if results.pool.key.team is TeamForm.MIXED:
        return Fit(remark="not tested: partners change, so the results of two are not their own")
    paired = bradley_terry.fit(results.pairs(), results.names)
    quality = fit_quality.quality(paired)
    found = Fit(
        pairings=tuple(_pairing(results.names, pair) for pair in quality.pairs),
        cycles=_cycles(results.names, quality.pairs),
    )
    if results.pool.key.slots > 2:
        return replace(found, remark="not tested: the pairs of one table are not independent")
    if quality.probability is None:
        return replace(found, remark="not tested: no more pairings than differences of ratings")
    return replace(
        found,
        chi_square=round(quality.chi_square, DIGITS),
        freedom=quality.freedom,
        probability=round(quality.probability, DIGITS),
    )


def _cycles(
    names: Sequence[str], pairs: Sequence[fit_quality.PairFit]
) -> tuple[tuple[str, ...], ...]:
    """Groups of players linked by clear wins both ways."""
    beats = np.zeros((len(names), len(names)))
    for pair in pairs:
        surplus = (pair.score - 0.5) * 2 * math.sqrt(pair.units)
        beats[pair.first, pair.second] = surplus > CLEARLY
        beats[pair.second, pair.first] = surplus < -CLEARLY
    count, labels = csgraph.connected_components(beats, directed=True, connection="strong")
    groups = [np.flatnonzero(labels == label).tolist() for label in range(count)]
    return tuple(tuple(names[at] for at in group) for group in sorted(groups) if len(group) > 1)


def _pairing(names: Sequence[str], pair: fit_quality.PairFit) -> Pairing:
    return Pairing(
        first=names[pair.first],
        second=names[pair.second],
        units=round(pair.units, DIGITS),
        score=round(pair.score, DIGITS),
        expected=round(pair.expected, DIGITS),
        surprise=round(pair.surprise, DIGITS),
    )

"""Standings: a function of the hands played, whatever the order in which they are given.

Only whole boards count: every seating present, in its latest attempt. Points per hand are strengths
by least squares. Elo compares, where boards are played, the entrants' points on each whole board;
where games are played, each winner of a game with each loser. Both cluster their errors by board
number: boards that matches have in common are one deal, and a bot may repeat its error on it.

Matches at tables of different sizes may be in one log; `fivehundred.tournament.scale` says which
model then rates all of them.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fivehundred.ratings.ranks import ranges_of, tier_of
from fivehundred.ratings.values import CONFIDENCE, DIGITS, Comparisons, Estimate
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament import scale
from fivehundred.tournament.board_results import (
    Finishes,
    Points,
    board_finishes,
    game_finishes,
    points_of,
)
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import (
    NOBODY,
    FaultRows,
    Flags,
    HandColumns,
    HandRows,
    Numbers,
)
from fivehundred.tournament.scale import Scale
from fivehundred.tournament.whole_boards import latest, seated_once, whole_boards

BY_ORDER = "it is by the finishing order of each table, not by wins alone"
"""The remark on Elo at tables of three and more."""

Chances = tuple[tuple[float | None, ...], ...]
"""By row and row, the chance of the first to be the better; None where it cannot be said."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's row."""

    entrant: str
    rank_best: int
    """Ranks are over those who have played a whole board; who has not shares the ranks after."""
    rank_worst: int
    hands: int
    boards: int
    points_per_hand: Estimate
    elo: Estimate
    wins: float
    """Boards or games won; a tie is shared."""
    games: int
    """Boards or games counted for ``wins``."""
    faults: tuple[tuple[str, int], ...]
    """How often each kind, by name, over all hands of the latest attempts, counted or not."""
    forfeits: int
    contracts: int
    contracts_made: int
    voids: int = 0
    """Decisions over their limit by the daemon's own lag alone, over the same hands as faults."""
    place: int | None = None
    """From 1; None where the format does not place anybody."""
    score: float | None = None
    """What the format counts for it; None where it counts nothing."""
    buchholz: float | None = None
    """The sum of its opponents' scores; None where the format does not ask for it."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The table, best first, and what ranks: "points_per_hand", "elo" or "place".

    Where places rank, the ranks from the intervals are those of the number that would rank without.
    """

    rows: tuple[Standing, ...]
    ranked_by: str
    confidence: float
    hands: int
    chances: Chances = ()
    """By row and row, the chance that the first is the stronger; None where results cannot say."""
    elo_model: str = ""
    """What Elo is by, as a sentence for a caption."""


@dataclass(frozen=True, slots=True)
class FormatResult:
    """What a format itself makes of its matches; each part None where it has none."""

    places: tuple[int, ...] | None = None
    """The entrants, best first."""
    scores: tuple[float, ...] | None = None
    """By entrant."""
    buchholz: tuple[float, ...] | None = None
    """By entrant."""


def standings(
    lines: Iterable[HandLine],
    entrants: Sequence[str],
    rules: RuleSet,
    *,
    games: bool,
    anchor: int | None = None,
    result: FormatResult | None = None,
) -> Standings:
    """The standings of the hands so far; ``games``: games to the target, not boards of one hand.

    ``anchor`` is the entrant whose Elo is fixed at 1500.
    """
    columns = HandColumns(lines)
    return standings_of(columns, entrants, rules, games=games, anchor=anchor, result=result)


def standings_of(
    columns: HandColumns,
    entrants: Sequence[str],
    rules: RuleSet,
    *,
    games: bool,
    anchor: int | None = None,
    result: FormatResult | None = None,
) -> Standings:
    """The same from columns, which are fast where hands are very many."""
    rows = columns.rows()
    kept = latest(rows, games=games)
    boards = whole_boards(rows.chosen(kept), rules, games=games)
    points = [points_of(each, rules) for each in boards]
    finishes = (
        [game_finishes(each, rules) for each in boards]
        if games
        else [board_finishes(each) for each in points]
    )
    by_points = scale.of_points(points, entrants)
    by_elo = scale.of_results(finishes, entrants, anchor)
    tally = _Tally(len(entrants), BY_ORDER if by_elo.model == scale.BY_ORDER else "")
    tally.count_faults(columns, kept)
    for each, point, finish in zip(boards, points, finishes, strict=True):
        tally.count_hands(each.hands)
        tally.count_boards(point)
        tally.count_wins(finish)
    told = [
        tally.row(entrant, name, by_points.estimate(entrant), by_elo.estimate(entrant))
        for entrant, name in enumerate(entrants)
    ]
    ranking, ranked_by = (by_elo, "elo") if games else (by_points, "points_per_hand")
    hands = sum(len(each.hands.match) for each in boards)
    table = _ranked(told, ranking, ranked_by, hands, result or FormatResult())
    return replace(table, elo_model=by_elo.model)


class _Tally:
    """Counts by entrant; ``remark`` is one on every Elo."""

    def __init__(self, size: int, remark: str) -> None:
        self._size, self._remark = size, remark
        self._hands, self._boards, self._games = self._none(), self._none(), self._none()
        self._forfeits, self._contracts, self._made = self._none(), self._none(), self._none()
        self._voids = self._none()
        self._wins = np.zeros(size)
        self._faults: dict[str, Numbers] = {}

    def count_faults(self, columns: HandColumns, kept: Numbers) -> None:
        """Count the faults and voids of hands that were not played again, whole boards or not."""
        is_kept = np.zeros(len(columns), dtype=np.bool_)
        is_kept[kept] = True
        faults = _only(columns.faults(), is_kept)
        for at, kind in enumerate(columns.kinds):
            self._faults[kind] = self._by_entrant(faults.entrant[faults.kind == at])
        self._voids += self._by_entrant(_only(columns.voids(), is_kept).entrant)

    def count_hands(self, hands: HandRows) -> None:
        """Count hands of whole boards."""
        seated, is_first = seated_once(hands.entrants)
        self._hands += self._by_entrant(seated[is_first])
        self._forfeits += self._by_entrant(hands.forfeited_by)
        self._contracts += self._by_entrant(hands.contractor)
        self._made += self._by_entrant(hands.contractor[hands.is_made])

    def count_boards(self, points: Points) -> None:
        """Count whole boards."""
        self._boards += self._by_entrant(points.teams.ravel())

    def count_wins(self, finishes: Finishes) -> None:
        """Count boards or games; those who are best share a win, partners have one each."""
        is_best = finishes.level == 0
        share = is_best / is_best.sum(axis=1, keepdims=True)
        members = finishes.teams.shape[2]
        seats = finishes.teams.ravel()
        self._games += self._by_entrant(seats)
        self._wins += np.bincount(
            seats, weights=np.repeat(share.ravel(), members), minlength=self._size
        )

    def row(self, entrant: int, name: str, points: Estimate, elo: Estimate) -> Standing:
        """The row of an entrant, not yet ranked."""
        faults = {kind: int(counts[entrant]) for kind, counts in self._faults.items()}
        return Standing(
            entrant=name,
            rank_best=0,
            rank_worst=0,
            hands=int(self._hands[entrant]),
            boards=int(self._boards[entrant]),
            points_per_hand=points,
            elo=_remarked(elo, self._remark),
            wins=round(float(self._wins[entrant]), DIGITS),
            games=int(self._games[entrant]),
            faults=tuple(sorted((kind, count) for kind, count in faults.items() if count)),
            forfeits=int(self._forfeits[entrant]),
            contracts=int(self._contracts[entrant]),
            contracts_made=int(self._made[entrant]),
            voids=int(self._voids[entrant]),
        )

    def _none(self) -> Numbers:
        return np.zeros(self._size, dtype=np.int64)

    def _by_entrant(self, entrants: Numbers) -> Numbers:
        return np.bincount(entrants[entrants != NOBODY], minlength=self._size).astype(np.int64)


def _remarked(estimate: Estimate, remark: str) -> Estimate:
    """With a remark more, where there is a number that it could be on."""
    is_told = any(end is not None for end in (estimate.value, estimate.low, estimate.high))
    if not remark or not is_told:
        return estimate
    return replace(estimate, remark=f"{estimate.remark}; {remark}" if estimate.remark else remark)


def _only(faults: FaultRows, is_kept: Flags) -> FaultRows:
    chosen = is_kept[faults.hand]
    return FaultRows(faults.hand[chosen], faults.entrant[chosen], faults.kind[chosen])


def _ranked(
    rows: Sequence[Standing], ranking: Scale, ranked_by: str, hands: int, result: FormatResult
) -> Standings:
    told = ranking.comparisons()
    ranges = ranges_of(told.is_better, np.array([row.boards > 0 for row in rows], dtype=np.bool_))
    order = _by_estimate(rows, ranking)
    place_of = {entrant: place for place, entrant in enumerate(result.places or (), 1)}
    if result.places is not None:
        order = [*result.places, *(entrant for entrant in order if entrant not in place_of)]
        ranked_by = "place"
    ranked = tuple(
        replace(
            rows[entrant],
            rank_best=ranges[entrant].best,
            rank_worst=ranges[entrant].worst,
            place=place_of.get(entrant),
            score=None if result.scores is None else result.scores[entrant],
            buchholz=None if result.buchholz is None else result.buchholz[entrant],
        )
        for entrant in order
    )
    return Standings(ranked, ranked_by, CONFIDENCE, hands, _chances(told, order))


def _chances(told: Comparisons, order: Sequence[int]) -> Chances:
    chances = told.chances[np.ix_(order, order)].round(DIGITS).tolist()
    return tuple(tuple(None if math.isnan(chance) else chance for chance in row) for row in chances)


def _by_estimate(rows: Sequence[Standing], ranking: Scale) -> list[int]:
    """Best first: group by group, those without an upper bound on top, without a lower last.

    Who has not played a whole board comes after all, even the anchor.
    """
    group = ranking.group_of()

    def precedence(entrant: int) -> tuple[bool, int, int, float, str]:
        row = rows[entrant]
        tier, number = tier_of(ranking.estimate(entrant))
        on_main_scale = tier in (0, 2) or group[entrant] == 0
        scale_at = 0 if on_main_scale else group[entrant]
        return not row.boards, scale_at, tier, -number, row.entrant

    return sorted(range(len(rows)), key=precedence)

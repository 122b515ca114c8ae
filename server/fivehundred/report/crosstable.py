"""Everybody against everybody: the mean margin per hand, and the part of boards or games won.

The margin of one entrant over another on a board is the difference of their mean points per hand,
all their seats taken together; boards weigh as many hands as they have. Errors are clustered by
board, intervals use Student's t with one degree of freedom less than there are boards. Partners of
a hand have the same points on it, and win nothing against each other.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from itertools import combinations

import numpy as np

from fivehundred.ratings.values import Estimate, interval, rounded
from fivehundred.report.shares import share
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.lines import Floats, Numbers
from fivehundred.tournament.whole_boards import WholeBoards, seated_once


@dataclass(frozen=True, slots=True)
class Meeting:
    """One entrant against another, over all boards on which both have played."""

    first: int
    second: int
    boards: int
    hands: int
    margin: Estimate
    """Of the first over the second, in points per hand."""
    wins: float
    """Boards or games won by the first, a tie counting half."""
    games: int
    """Boards or games in which the two were on different sides, and were not both beaten."""
    won: Estimate = field(default_factory=Estimate)
    """The part that the first has won, with its interval by board."""

    @property
    def share(self) -> float | None:
        """The part that the first has won; None where there was nothing to win."""
        return rounded(self.wins / self.games) if self.games else None

    @property
    def reversed(self) -> "Meeting":
        """The same as the second sees it."""
        return Meeting(
            first=self.second,
            second=self.first,
            boards=self.boards,
            hands=self.hands,
            margin=_negative(self.margin),
            wins=rounded(self.games - self.wins),
            games=self.games,
            won=_rest(self.won),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """A row for each board and each two entrants of it, the lower number first."""

    first: Numbers
    second: Numbers
    board: Numbers
    hands: Numbers
    margin: Floats
    wins: Floats
    games: Numbers

    def joined(self, others: Iterable["_Pairs"]) -> "_Pairs":
        """All rows, sorted by the two and by board, so that the order of sums does not show."""
        parts = [self, *others]
        columns = [
            np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(self)
        ]
        order = np.lexsort((*columns[:3:-1], columns[2], columns[1], columns[0]))
        return _Pairs(*(column[order] for column in columns))


def crosstable(
    boards: Iterable[WholeBoards], rules: RuleSet, *, games: bool
) -> dict[tuple[int, int], Meeting]:
    """The meetings by first and second entrant, both ways round."""
    nothing = _Pairs(*(np.zeros(0, np.int64),) * 4, *(np.zeros(0),) * 2, np.zeros(0, np.int64))
    rows = nothing.joined(part for each in boards for part in _pairs(each, rules, games=games))
    is_new = (np.diff(rows.first, prepend=-1) != 0) | (np.diff(rows.second, prepend=-1) != 0)
    ends = [*np.flatnonzero(is_new).tolist(), len(rows.first)]
    met = [_meeting(rows, slice(ends[k], ends[k + 1])) for k in range(len(ends) - 1)]
    found = {(each.first, each.second): each for each in met}
    found |= {(each.second, each.first): each.reversed for each in met}
    return dict(sorted(found.items()))


def _pairs(boards: WholeBoards, rules: RuleSet, *, games: bool) -> Iterator[_Pairs]:
    """For each two slots of some whole boards, a row for each board."""
    hands, starts = boards.hands, boards.starts
    length = np.diff(np.append(starts, len(hands.board)))
    seated = _seated(hands.entrants[starts], boards.slots)
    side = np.array([rules.side_of(seat) for seat in range(rules.players)])
    points, on_side = [], []
    for slot in range(boards.slots):
        sits = hands.entrants == np.repeat(seated[:, slot], length)[:, None]
        total = np.add.reduceat((hands.change[:, side] * sits).sum(axis=1), starts)
        points.append(total / np.add.reduceat(sits.sum(axis=1), starts))
        on_side.append(np.bitwise_or.reduce(sits * (1 << side), axis=1))
    for one, other in combinations(range(boards.slots), 2):
        margin = points[one] - points[other]
        if games:
            wins, played = _games(on_side[one], on_side[other], hands.winners)
            played = played * hands.is_over
            games_won = np.add.reduceat(wins * played, starts)
            count = np.add.reduceat(played, starts)
        else:
            games_won, count = (np.sign(margin) + 1) / 2, np.ones(len(starts), np.int64)
        pair = seated[:, one], seated[:, other]
        yield _Pairs(*pair, hands.board[starts], length, margin, games_won, count)


def _seated(entrants: Numbers, slots: int) -> Numbers:
    """By board the different entrants at its table, in order."""
    seated, is_first = seated_once(entrants)
    return seated[is_first].reshape(len(entrants), slots)


def _games(one: Numbers, other: Numbers, winners: Numbers) -> tuple[Floats, Numbers]:
    """What a hand's end is worth to the one on some sides, and whether it counts for the two."""
    has_won, has_lost = (one & winners) > 0, (other & winners) > 0
    counts = ((one & other) == 0) & (has_won | has_lost | (winners == 0))
    return (has_won.astype(float) - has_lost + 1) / 2, counts.astype(np.int64)


def _meeting(rows: _Pairs, at: slice) -> Meeting:
    return Meeting(
        first=int(rows.first[at.start]),
        second=int(rows.second[at.start]),
        boards=at.stop - at.start,
        hands=int(rows.hands[at].sum()),
        margin=_mean(rows.board[at], rows.hands[at], rows.margin[at]),
        wins=rounded(rows.wins[at].sum()),
        games=int(rows.games[at].sum()),
        won=share(rows.wins[at], rows.games[at], rows.board[at]),
    )


def _mean(board: Numbers, hands: Numbers, margin: Floats) -> Estimate:
    """The mean of the margins, weighted by hands, with its error by board."""
    weight = float(hands.sum())
    mean = float((hands * margin).sum()) / weight
    _, cluster = np.unique(board, return_inverse=True)
    pulls = np.bincount(cluster, hands * (margin - mean))
    if len(pulls) < 2:
        return interval(rounded(mean), None, 0)
    spread = float((pulls * pulls).sum()) * len(pulls) / (len(pulls) - 1)
    return interval(rounded(mean), math.sqrt(spread) / weight, len(pulls) - 1)


def _negative(estimate: Estimate) -> Estimate:
    value, low, high = (
        None if number is None else -number + 0.0
        for number in (estimate.value, estimate.high, estimate.low)
    )
    return Estimate(value, estimate.standard_error, low, high, estimate.remark)


def _rest(share: Estimate) -> Estimate:
    """The part that the other has."""
    value, low, high = (
        None if number is None else rounded(1 - number)
        for number in (share.value, share.high, share.low)
    )
    return Estimate(value, share.standard_error, low, high, share.remark)

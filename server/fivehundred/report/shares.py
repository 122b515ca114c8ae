"""Shares of boards or games won, and of contracts made, with intervals by board.

Wilson's interval, for as many independent trials as the spread between boards is worth, with
Student's t for the number of boards. Where all or none succeeded there is no spread to go by: then
each board is one trial.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fivehundred.ratings.values import CONFIDENCE, TOO_FEW, Estimate, quantile, rounded
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.board_results import (
    Finishes,
    board_finishes,
    game_finishes,
    points_of,
)
from fivehundred.tournament.lines import Floats, Numbers
from fivehundred.tournament.whole_boards import WholeBoards


@dataclass(frozen=True, slots=True)
class Shares:
    """What part of something an entrant has brought home."""

    won: Estimate
    """Of its boards or games; a tie is shared."""
    made: Estimate
    """Of the contracts it declared."""


def share(successes: Floats, trials: Numbers, board: Numbers) -> Estimate:
    """The share of successes in trials, by row, which hang together within a board."""
    counts = trials > 0
    _, cluster = np.unique(board[counts], return_inverse=True)
    won, of = np.bincount(cluster, successes[counts]), np.bincount(cluster, trials[counts])
    total, boards = float(of.sum()), len(of)
    if not total:
        return Estimate(remark="there was none")
    part = float(won.sum()) / total
    if boards < 2:
        return Estimate(rounded(part), remark=TOO_FEW)
    spread = float(((won - part * of) ** 2).sum()) * boards / (boards - 1) / total**2
    worth = _worth(part, spread, total, boards)
    return _interval(part, worth, boards - 1)


def _worth(part: float, spread: float, total: float, boards: int) -> float:
    """How many independent trials the error is that of; never more than there were."""
    plain = part * (1 - part)
    if plain < 1e-12:
        return boards
    return min(total, plain / spread) if spread > 0 else total


def _interval(part: float, worth: float, freedom: int) -> Estimate:
    reach = quantile((1 + CONFIDENCE) / 2, freedom)
    plain, square = part * (1 - part), reach * reach / worth
    middle = (part + square / 2) / (1 + square)
    half = math.sqrt(square * plain + square * square / 4) / (1 + square)
    error = rounded(math.sqrt(plain / worth)) if plain > 1e-12 else None
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Estimate(rounded(part), error, rounded(low), rounded(high))


def shares(
    boards: Sequence[WholeBoards], rules: RuleSet, entrants: int, *, games: bool
) -> tuple[Shares, ...]:
    """The shares of each entrant."""
    finishes = [
        game_finishes(each, rules) if games else board_finishes(points_of(each, rules))
        for each in boards
    ]
    hands = [each.hands for each in boards]
    contractor = _joined([each.contractor for each in hands])
    is_made = _joined([each.is_made.astype(np.int64) for each in hands])
    board = _joined([each.board for each in hands])
    found = []
    for entrant in range(entrants):
        own = contractor == entrant
        made = share(is_made[own].astype(np.float64), np.ones(int(own.sum()), np.int64), board[own])
        found.append(Shares(_won(finishes, entrant), made))
    return tuple(found)


def _won(finishes: Sequence[Finishes], entrant: int) -> Estimate:
    won, board = [np.zeros(0)], [np.zeros(0, np.int64)]
    for each in finishes:
        is_best = each.level == 0
        part = is_best / is_best.sum(axis=1, keepdims=True)
        row, team, _ = np.nonzero(each.teams == entrant)
        won.append(part[row, team])
        board.append(each.board[row])
    successes, clusters = np.concatenate(won), np.concatenate(board)
    return share(successes, np.ones(len(successes), np.int64), clusters)


def _joined(columns: Sequence[Numbers]) -> Numbers:
    return np.concatenate([np.zeros(0, np.int64), *columns])

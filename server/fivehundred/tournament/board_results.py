"""What whole boards come to: points per hand, and who did better than whom."""

from dataclasses import dataclass

import numpy as np

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.lines import Flags, Floats, HandRows, Numbers
from fivehundred.tournament.whole_boards import WholeBoards, seated_once, teams


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Mean points per hand, a row for each board."""

    board: Numbers
    """Its number, which is the cluster: boards of other matches may have it too."""
    teams: Numbers
    """By board, team and member; a team of one where partners are the same bot."""
    points: Floats
    """By board and team."""
    hands: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Finishes:
    """How boards or games came out, a row for each."""

    board: Numbers
    teams: Numbers
    level: Numbers
    """By row and team: 0 for the best, equal where they are level."""
    is_open: Flags
    """Whether those of the last level are merely beaten, not level among themselves."""


def points_of(boards: WholeBoards, rules: RuleSet) -> Points:
    """The points of boards; who sits on several sides at once counts with their mean."""
    hands, starts = boards.hands, boards.starts
    named, place = _places(boards, rules)
    total = np.zeros((len(hands.match), named.shape[1]), dtype=np.int64)
    seats = np.zeros_like(total)
    rows = np.arange(len(total))
    for side in range(rules.sides):
        total[rows, place[:, side]] += hands.change[:, side]
        seats[rows, place[:, side]] += 1
    return Points(
        board=hands.board[starts],
        teams=named[starts],
        points=np.add.reduceat(total, starts) / np.add.reduceat(seats, starts),
        hands=np.diff(np.append(starts, len(rows))).astype(np.float64),
    )


def board_finishes(points: Points) -> Finishes:
    """Boards as results: more points are better, equal ones level."""
    own, other = points.points[:, :, None], points.points[:, None, :]
    return Finishes(
        board=points.board,
        teams=points.teams,
        level=(other > own).sum(axis=2),
        is_open=np.zeros(len(points.board), dtype=np.bool_),
    )


def game_finishes(boards: WholeBoards, rules: RuleSet) -> Finishes:
    """Games as results: winners are level; so are all where nobody, or everybody, has won."""
    hands = boards.hands
    named, place = _places(boards, rules)
    over = hands.is_over
    won = np.zeros((int(over.sum()), named.shape[1]), dtype=np.bool_)
    rows = np.arange(len(won))
    for side in range(rules.sides):
        won[rows, place[over, side]] |= (hands.winners[over] >> side & 1).astype(np.bool_)
    count = won.sum(axis=1)
    some = (count > 0) & (count < won.shape[1])
    return Finishes(
        board=hands.board[over],
        teams=named[over],
        level=np.where(some[:, None] & ~won, count[:, None], 0),
        is_open=some,
    )


def _places(boards: WholeBoards, rules: RuleSet) -> tuple[Numbers, Numbers]:
    """By hand the teams, and for each side which of them plays it."""
    if boards.members > 1:
        named, side = teams(boards.hands.entrants, rules)
        return named, np.argsort(side, axis=1)
    return _alone(boards.hands, rules, boards.slots)


def _alone(hands: HandRows, rules: RuleSet, slots: int) -> tuple[Numbers, Numbers]:
    sides = hands.entrants[:, : rules.sides]
    seated, is_first = seated_once(sides)
    named = seated[is_first].reshape(-1, slots)
    place = (named[:, None, :] < sides[:, :, None]).sum(axis=2)
    return named[:, :, None], place

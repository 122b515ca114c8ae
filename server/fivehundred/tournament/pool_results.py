"""A pool's boards as what the models take: players and deals by number, whatever their order."""

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from fivehundred.ratings.bradley_terry import Game
from fivehundred.ratings.finishing_orders import Order
from fivehundred.ratings.imps import imps
from fivehundred.ratings.margins import BoardPoints
from fivehundred.ratings.team_margins import TeamColumns
from fivehundred.ratings.teams import TeamGame
from fivehundred.tournament.pools import Board, Finish, Pool, TeamForm

PAIR = 2
"""Hands whose difference is looked up on the scale of International Match Points."""


class PoolResults:
    """The results of a pool that has boards."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.names = pool.players()
        self.number = {name: at for at, name in enumerate(self.names)}
        self.fair = tuple(board for board in pool.boards if not _is_shared(board))
        """Without those at which somebody has more chances to win than others."""
        deals = sorted({board.deal for board in pool.boards})
        self.deals = len(deals)
        """The clusters."""
        self._deal = {deal: at for at, deal in enumerate(deals)}

    def points(self, *, as_imps: bool = False) -> list[BoardPoints]:
        """Every board; who has several teams counts with their mean."""
        return [
            self._board_points(board, _imps(board) if as_imps else board.points)
            for board in self.pool.boards
        ]

    def team_points(self, *, as_imps: bool = False) -> TeamColumns:
        """Every board of teams of several."""
        boards = self.pool.boards
        brought = [_imps(board) if as_imps else board.points for board in boards]
        return TeamColumns(
            board=np.array([self._deal[board.deal] for board in boards], dtype=np.int64),
            teams=np.array([self._teams(board) for board in boards], dtype=np.int64),
            points=np.array(brought, dtype=np.float64),
            hands=np.array([board.hands for board in boards], dtype=np.float64),
        )

    def pairs(self) -> Iterator[Game]:
        """Who did better than whom, two by two; those merely beaten do not compare."""
        for board in self.fair:
            players = self._players(board)
            for one, two, score in _compared(board):
                yield Game(players[one], players[two], score, self._deal[board.deal])

    def team_games(self) -> Iterator[TeamGame]:
        """The same of teams of several."""
        for board in self.fair:
            teams = self._teams(board)
            for one, two, score in _compared(board):
                yield TeamGame(teams[one], teams[two], score, self._deal[board.deal])

    def orders(self) -> Iterator[Order]:
        """The finishing orders."""
        for board in self.fair:
            players = self._players(board)
            for finish in board.finishes:
                levels: dict[int, list[int]] = defaultdict(list)
                for player, level in zip(players, finish.levels, strict=True):
                    levels[level].append(player)
                best_first = tuple(tuple(levels[level]) for level in sorted(levels))
                yield Order(best_first, self._deal[board.deal], is_open=finish.is_open)

    def _board_points(self, board: Board, points: tuple[float, ...]) -> BoardPoints:
        brought: dict[int, list[float]] = defaultdict(list)
        for player, each in zip(self._players(board), points, strict=True):
            brought[player].append(each)
        means = tuple(math.fsum(brought[each]) / len(brought[each]) for each in sorted(brought))
        return BoardPoints(self._deal[board.deal], tuple(sorted(brought)), means, board.hands)

    def _players(self, board: Board) -> list[int]:
        """By team; teams are of one."""
        return [self.number[team[0]] for team in board.teams]

    def _teams(self, board: Board) -> list[tuple[int, ...]]:
        return [tuple(self.number[player] for player in team) for team in board.teams]


def _is_shared(board: Board) -> bool:
    """Whether a player is its own opponent among others; as partners change that cancels."""
    return board.pool.team is not TeamForm.MIXED and len(set(board.teams)) < len(board.teams)


def _imps(board: Board) -> tuple[float, ...]:
    """Each team's mean, over all teams, of what a pair of hands brings against it."""
    points = board.points
    return tuple(
        sum(imps(PAIR * (own - other)) for other in points) / len(points) for own in points
    )


def _compared(board: Board) -> Iterator[tuple[int, int, float]]:
    """By finish and pair of teams: the two, and what the first scored."""
    for finish in board.finishes:
        for one, two in combinations(range(len(board.teams)), 2):
            if (score := _score(finish, one, two)) is not None:
                yield one, two, score


def _score(finish: Finish, one: int, two: int) -> float | None:
    first, second = finish.levels[one], finish.levels[two]
    if first == second:
        return None if finish.is_open and first == max(finish.levels) else 0.5
    return 1.0 if first < second else 0.0

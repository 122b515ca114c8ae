"""Rows of least squares made of hands: by side of a hand, by hand, and by entrant of a board.

The strength of a side is the mean of those in its seats. Points of one hand are taken against the
table's mean, so that only differences count.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from fivehundred.tournament.honesty.effects import Rows
from fivehundred.tournament.honesty.facts import FactRows
from fivehundred.tournament.lines import Floats, Numbers


@dataclass(frozen=True, slots=True, eq=False)
class BoardRows:
    """A row for each entrant of each board of each match."""

    board: Numbers
    """The place of the match's board among all of them."""
    cluster: Numbers
    entrant: Numbers
    hands: Numbers
    """How many hands of the board it has sat in."""
    gap: Floats
    """Its mean points per hand above the mean of those at the table."""
    strengths: sparse.csr_array
    """How much of whose strength is in the gap."""
    decisions: Numbers
    charged_us: Numbers
    faults: Numbers
    first: Numbers
    """By board its first hand, as a place among the hands."""
    of_hand: Numbers
    """By hand its board."""


def side_rows(facts: FactRows, entrants: int) -> Rows:
    """A row for each side of each hand: points above the table's mean."""
    change = facts.hands.change.astype(np.float64)
    gap = change - change.mean(axis=1, keepdims=True)
    sides = change.shape[1]
    return Rows(gap.ravel(), _by_side(facts, entrants), np.repeat(facts.hands.board, sides))


def hand_rows(facts: FactRows, entrants: int) -> Rows:
    """A row for each hand: the mean points of a side, by whoever sat there."""
    hands, seats = facts.hands.entrants.shape
    cells = np.full(hands * seats, 1 / seats)
    place = np.repeat(np.arange(hands), seats), facts.hands.entrants.ravel()
    seated = sparse.coo_array((cells, place), shape=(hands, entrants)).tocsr()
    return Rows(facts.hands.change.mean(axis=1), seated, facts.hands.board)


def by_side(levels: Floats) -> Floats:
    """Levels by hand and side as columns for `side_rows`, against the table's mean.

    ``levels`` is by hand, side and level: how much of the side is at the level.
    """
    gap = levels - levels.mean(axis=1, keepdims=True)
    return np.asarray(gap.reshape(-1, levels.shape[2]))


def one_hot(level: Numbers, count: int) -> Floats:
    """A column for each level."""
    return np.asarray(level[..., None] == np.arange(count), dtype=np.float64)


def board_rows(facts: FactRows, entrants: int) -> BoardRows:
    """A row for each entrant of each board, sorted by board and entrant."""
    hands = facts.hands
    seats, sides = hands.entrants.shape[1], hands.change.shape[1]
    place = np.stack([hands.match, hands.board], axis=1)
    _, first, board = np.unique(place, axis=0, return_index=True, return_inverse=True)
    board = board.reshape(-1)
    seated = np.repeat(board, seats) * entrants + hands.entrants.ravel()
    keys, row, times = np.unique(seated, return_inverse=True, return_counts=True)
    points = np.take_along_axis(hands.change, np.arange(seats)[None, :] % sides, axis=1)
    mean = _sums(row, points, len(keys)) / times
    table = keys // entrants
    middle = np.bincount(table, mean) / np.bincount(table)
    sat = _sums(row, _turns(facts), len(keys))
    return BoardRows(
        board=table,
        cluster=hands.board[first][table],
        entrant=keys % entrants,
        hands=np.rint(sat).astype(np.int64),
        gap=mean - middle[table],
        strengths=_middled(_incidence(facts, row, times, entrants), table),
        decisions=_counts(row, facts.decisions, len(keys)),
        charged_us=_counts(row, facts.charged_us, len(keys)),
        faults=_counts(row, facts.faults, len(keys)),
        first=first,
        of_hand=board,
    )


def _by_side(facts: FactRows, entrants: int) -> sparse.csr_array:
    hands, seats = facts.hands.entrants.shape
    sides = facts.hands.change.shape[1]
    at = np.arange(hands)[:, None] * sides
    own = (at + np.arange(seats)[None, :] % sides).ravel(), facts.hands.entrants.ravel()
    cells = np.full(hands * seats, sides / seats)
    strengths = sparse.coo_array((cells, own), shape=(hands * sides, entrants)).tocsr()
    return _middled(strengths, np.repeat(np.arange(hands), sides))


def _middled(design: sparse.csr_array, table: Numbers) -> sparse.csr_array:
    """Each row less the mean of the rows of its table."""
    count = np.bincount(table)
    rows = np.arange(len(table))
    mean = sparse.coo_array((1 / count[table], (table, rows)), shape=(len(count), len(table)))
    spread = sparse.coo_array((np.ones(len(table)), (rows, table)), shape=(len(table), len(count)))
    return sparse.csr_array(design - spread.tocsr() @ (mean.tocsr() @ design))


def _incidence(facts: FactRows, row: Numbers, times: Numbers, entrants: int) -> sparse.csr_array:
    """How much of whose strength is in the mean points of each row: the sides it has sat on."""
    seats, sides = facts.hands.entrants.shape[1], facts.hands.change.shape[1]
    size = seats // sides
    rows, columns = [], []
    for away in range(0, seats, sides):
        partner = np.roll(facts.hands.entrants, -away, axis=1)
        rows.append(row)
        columns.append(partner.ravel())
    place = np.concatenate(rows), np.concatenate(columns)
    cells = 1 / (size * times[place[0]])
    return sparse.coo_array((cells, place), shape=(len(times), entrants)).tocsr()


def _turns(facts: FactRows) -> Floats:
    """By hand and seat one divided by how many seats the same entrant has in the hand."""
    seated = facts.hands.entrants
    return np.asarray(1 / (seated[:, :, None] == seated[:, None, :]).sum(axis=2))


def _sums(row: Numbers, by_seat: Numbers | Floats, size: int) -> Floats:
    return np.asarray(np.bincount(row, by_seat.ravel().astype(np.float64), size))


def _counts(row: Numbers, by_seat: Numbers, size: int) -> Numbers:
    return np.rint(_sums(row, by_seat, size)).astype(np.int64)

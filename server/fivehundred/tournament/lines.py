"""What the standings need of very many hands: columns that grow."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fivehundred.tournament.hand_line import HandLine

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

NOBODY = -1
FIXED = 9
"""How many numbers of a hand do not depend on the size of the table."""


@dataclass(frozen=True, slots=True, eq=False)
class HandRows:
    """Very many hands, a column for each field of `HandLine`."""

    match: Numbers
    board: Numbers
    seating: Numbers
    hand: Numbers
    attempt: Numbers
    entrants: Numbers
    """By hand and seat."""
    change: Numbers
    """By hand and side."""
    contractor: Numbers
    """The entrant; `NOBODY` where all passed."""
    is_made: Flags
    forfeited_by: Numbers
    """The entrant; `NOBODY` where the hand was played."""
    is_over: Flags
    """Whether the hand ended a game."""
    winners: Numbers
    """The sides that won, a bit for each."""

    def chosen(self, rows: Numbers | Flags) -> "HandRows":
        """Some of the hands, or all."""
        if _are_all(rows, len(self.match)):
            return self
        return HandRows(
            self.match[rows],
            self.board[rows],
            self.seating[rows],
            self.hand[rows],
            self.attempt[rows],
            self.entrants[rows],
            self.change[rows],
            self.contractor[rows],
            self.is_made[rows],
            self.forfeited_by[rows],
            self.is_over[rows],
            self.winners[rows],
        )


@dataclass(frozen=True, slots=True, eq=False)
class FaultRows:
    """Faults, or voids: the hand's place among the rows, the entrant, and the kind's place."""

    hand: Numbers
    entrant: Numbers
    kind: Numbers


class HandColumns:
    """Hands of one rule set as columns that grow: a tenth of the memory of as many lines.

    Hands may come in any order, and more than once; what they say is read by `rows`, `faults` and
    `voids`. Whoever reads sees to it that nobody appends at the time.
    """

    def __init__(self, lines: Iterable[HandLine] = ()) -> None:
        self.kinds: list[str] = []
        """The kinds of fault seen so far."""
        self._seats = self._sides = 0
        self._boards = array("q")
        self._numbers = array("i")
        self._faults = array("q")
        self._voids = array("q")
        self.extend(lines)

    def __len__(self) -> int:
        return len(self._boards)

    def extend(self, lines: Iterable[HandLine]) -> None:
        """Append hands."""
        for line in lines:
            self.append(line)

    def append(self, line: HandLine) -> None:
        """Append a hand; raises `ValueError` where it is of a table of another size."""
        if not self._seats:
            self._seats, self._sides = len(line.entrants), len(line.change)
        if (len(line.entrants), len(line.change)) != (self._seats, self._sides):
            raise ValueError(
                f"a hand of {len(line.entrants)} seats and {len(line.change)} sides among hands of"
                f" {self._seats} and {self._sides}: a log is of one rule set"
            )
        at = len(self._boards)
        self._numbers.extend(_numbers(line))
        self._boards.append(line.board)
        for seat, kind in line.faults:
            self._faults.extend((at, line.entrants[seat], self._kind(kind)))
        for seat in line.voids:
            self._voids.extend((at, line.entrants[seat], 0))

    def rows(self) -> HandRows:
        """The hands in the order in which they came."""
        width = FIXED + self._seats + self._sides
        table = np.array(self._numbers, dtype=np.int32).reshape(-1, width)
        column = np.ascontiguousarray(table[:, :FIXED].T).astype(np.int64)
        seats = table[:, FIXED : FIXED + self._seats].astype(np.int64)
        return HandRows(
            match=column[0],
            board=np.array(self._boards, dtype=np.int64),
            seating=column[1],
            hand=column[2],
            attempt=column[3],
            entrants=seats,
            change=table[:, FIXED + self._seats :].astype(np.int64),
            contractor=_at_seat(seats, column[4]),
            is_made=column[5].astype(np.bool_),
            forfeited_by=column[6],
            is_over=column[7].astype(np.bool_),
            winners=column[8],
        )

    def faults(self) -> FaultRows:
        """The faults, their kinds as places in `kinds`."""
        return _fault_rows(self._faults)

    def voids(self) -> FaultRows:
        """The voids, all of kind 0."""
        return _fault_rows(self._voids)

    def _kind(self, kind: str) -> int:
        if kind not in self.kinds:
            self.kinds.append(kind)
        return self.kinds.index(kind)


def _are_all(rows: Numbers | Flags, size: int) -> bool:
    """Whether that is every row, in order."""
    if rows.dtype == np.bool_:
        return bool(rows.all())
    return len(rows) == size and bool((rows == np.arange(size)).all())


def _numbers(line: HandLine) -> tuple[int, ...]:
    return (
        line.match,
        line.seating,
        line.hand,
        line.attempt,
        NOBODY if line.contractor is None else line.contractor,
        line.made,
        NOBODY if line.forfeited_by is None else line.forfeited_by,
        line.game_over,
        sum(1 << side for side in line.winners),
        *line.entrants,
        *line.change,
    )


def _at_seat(entrants: Numbers, seat: Numbers) -> Numbers:
    if not len(seat):
        return seat
    found = np.take_along_axis(entrants, np.maximum(seat, 0)[:, None], axis=1)[:, 0]
    return np.where(seat < 0, NOBODY, found)


def _fault_rows(numbers: "array[int]") -> FaultRows:
    table = np.array(numbers, dtype=np.int64).reshape(-1, 3)
    return FaultRows(table[:, 0], table[:, 1], table[:, 2])

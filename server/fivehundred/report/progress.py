"""How the estimates came to be: the standings over the first boards of the schedule, ever more."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter

from fivehundred.ratings.values import Estimate
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.standings import Standings

MOMENTS = 24
"""Looks at a tournament, evenly spread over its boards; as many times the ratings are fitted."""

Rank = Callable[[HandColumns], Standings]
Tell = Callable[[int, int], None]
"""Is told how many of how many looks have been taken."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The standings after so many boards, in the schedule's order."""

    boards: int
    """Of matches, whole or not."""
    hands: int
    """Those that counted."""
    estimates: tuple[tuple[str, Estimate], ...]
    """By entrant, of the number that the report shows."""


def progress(
    lines: Sequence[HandLine],
    rank: Rank,
    number: str,
    *,
    moments: int = MOMENTS,
    tell: Tell = lambda done, total: None,
) -> tuple[Moment, ...]:
    """Looks at the boards by their numbers: it does not matter which table was the quickest.

    ``number`` is "points_per_hand" or "elo". The last look is at all hands.
    """
    columns, boards = HandColumns(), 0
    seen: list[Moment] = []
    parts = list(_parts(lines, moments))
    for part in parts:
        columns.extend(part)
        boards += len({(line.match, line.board) for line in part})
        seen.append(_moment(rank(columns), number, boards))
        tell(len(seen), len(parts))
    return tuple(seen)


def _parts(lines: Sequence[HandLine], moments: int) -> Iterator[list[HandLine]]:
    """The lines of equally many boards each, in the order of the boards' numbers."""
    ordered = sorted(lines, key=attrgetter("board", "match", "seating", "hand", "attempt"))
    boards = [list(group) for _, group in groupby(ordered, attrgetter("board"))]
    ends = sorted({-(-len(boards) * k // moments) for k in range(moments + 1)})
    for start, end in pairwise(ends):
        yield [line for board in boards[start:end] for line in board]


def _moment(table: Standings, number: str, boards: int) -> Moment:
    rows = sorted(table.rows, key=attrgetter("entrant"))
    estimates = tuple(
        (row.entrant, row.elo if number == "elo" else row.points_per_hand) for row in rows
    )
    return Moment(boards, table.hands, estimates)

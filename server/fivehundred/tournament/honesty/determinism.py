"""Determinism: a bot that plays itself must come out exactly even on every whole board.

On a board that one bot plays alone, all seatings deal the same cards to the same seats, and the
seeds that its requests carry are the same. So each seating must take the very same course. Where
one does not, the bot draws on something else: a clock, an unseeded generator, memory of other
tables. Such boards still count; they carry more chance than they need to.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fivehundred.ratings.values import rounded
from fivehundred.tournament.honesty.facts import FactRows
from fivehundred.tournament.lines import Numbers
from fivehundred.tournament.whole_boards import starts

NOTHING = "no bot has played itself: enter one twice to have its determinism checked"


@dataclass(frozen=True, slots=True)
class Divergence:
    """A board on which a bot has played itself in two ways."""

    match: int
    board: int
    bot: str
    difference: float
    """Between the best and the worst of its entrants, in points per hand; must be exactly 0."""
    seatings: tuple[int, ...]
    """Those that took another course than the first one."""


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """What one bot has shown."""

    bot: str
    boards: int
    divergent: int
    uneven: int
    """How many of the divergent came out other than exactly even."""


@dataclass(frozen=True, slots=True)
class Determinism:
    """What the boards on which a bot has played itself show."""

    boards: int
    """How many were checked."""
    divergent: tuple[Divergence, ...]
    by_bot: tuple[SelfPlay, ...]
    left_out: int
    """Boards of self-play with a fault or a forfeit, which need not be even."""
    remark: str = ""


def determinism(facts: FactRows, bot_names: list[str]) -> Determinism:
    """Check all boards of self-play among hands of whole boards in the order of their keys."""
    alone = facts.chosen((facts.bots == facts.bots[:, :1]).all(axis=1))
    boards = list(_boards(facts, alone))
    clean = [board for board in boards if not _has_faults(board)]
    found = [(bot_names[int(board.bots[0, 0])], board) for board in clean]
    divergent = tuple(each for bot, board in found for each in _divergence(bot, board))
    bots = sorted({bot for bot, _ in found})
    return Determinism(
        boards=len(clean),
        divergent=divergent,
        by_bot=tuple(_shown(bot, found, divergent) for bot in bots),
        left_out=len(boards) - len(clean),
        remark="" if clean else NOTHING,
    )


def _boards(facts: FactRows, alone: FactRows) -> Iterator[FactRows]:
    """Each whole board that one bot has played alone, in all seatings."""
    first = starts(facts.hands.match, facts.hands.board)
    hands = np.diff(np.append(first, len(facts)))
    places = zip(facts.hands.match[first].tolist(), facts.hands.board[first].tolist(), strict=True)
    length = dict(zip(places, hands.tolist(), strict=True))
    for rows in _runs(alone):
        board = alone.chosen(rows)
        place = int(board.hands.match[0]), int(board.hands.board[0])
        if length[place] == len(board) and (board.bots == board.bots[0, 0]).all():
            yield board


def _runs(facts: FactRows) -> Iterator[Numbers]:
    first = starts(facts.hands.match, facts.hands.board)
    return (rows for rows in np.split(np.arange(len(facts)), first[1:]) if len(rows))


def _has_faults(board: FactRows) -> bool:
    return bool(board.faults.any() or (board.hands.forfeited_by >= 0).any())


def _divergence(bot: str, board: FactRows) -> Iterator[Divergence]:
    courses: dict[int, list[tuple[int, int, tuple[int, ...]]]] = {}
    hands = board.hands
    for at, seating in enumerate(hands.seating.tolist()):
        change = tuple(hands.change[at].tolist())
        hand = int(hands.hand[at]), int(board.course[at]), change
        courses.setdefault(seating, []).append(hand)
    first = next(iter(courses.values()))
    others = tuple(seating for seating, course in courses.items() if course != first)
    if others:
        place = int(hands.match[0]), int(hands.board[0])
        yield Divergence(*place, bot, _difference(board), others)


def _difference(board: FactRows) -> float:
    """Between the best and the worst entrant, in points per hand."""
    sides = board.hands.change.shape[1]
    seats = np.arange(board.hands.entrants.shape[1]) % sides
    points = board.hands.change[:, seats].ravel()
    _, at, times = np.unique(board.hands.entrants, return_inverse=True, return_counts=True)
    means = np.bincount(at.ravel(), points) / times
    return rounded(float(means.max() - means.min()))


def _shown(
    bot: str, found: list[tuple[str, FactRows]], divergent: tuple[Divergence, ...]
) -> SelfPlay:
    own = [each for each in divergent if each.bot == bot]
    boards = sum(1 for name, _ in found if name == bot)
    return SelfPlay(bot, boards, len(own), sum(1 for each in own if each.difference))

"""Which hands count: those of whole boards, every seating present, in its latest attempt."""

from dataclasses import dataclass

import numpy as np

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.lines import NOBODY, Flags, HandRows, Numbers
from fivehundred.tournament.seatings import seatings


@dataclass(frozen=True, slots=True, eq=False)
class WholeBoards:
    """Whole boards of matches with so many entrants."""

    hands: HandRows
    """Sorted by match, board, seating and hand."""
    starts: Numbers
    """Where each board's first hand is."""
    slots: int
    """How many different entrants sit at the table."""
    members: int
    """How many of them share a side; more than one where partners are different bots."""


def latest(hands: HandRows, *, games: bool) -> Numbers:
    """The places of the hands that were not played again, sorted; a hand given twice is one.

    On boards a void seating voids the whole deal. A game that goes on after a void hand keeps the
    hands before it; hands of an attempt earlier than that of a hand before them belong to a game
    given up.
    """
    keys = (hands.attempt, hands.hand, hands.seating, hands.board, hands.match)
    order = np.lexsort(keys)
    order = order[_is_last(tuple(key[order] for key in keys))]
    return _of_games(hands, order) if games else _of_boards(hands, order)


def whole_boards(hands: HandRows, rules: RuleSet, *, games: bool) -> list[WholeBoards]:
    """The whole boards among hands that are sorted and not played again, by size of the table.

    How many seatings a board has follows from how many different entrants sit at it.
    """
    named = _named(hands.entrants)
    slots = (named >= 0).sum(axis=1)
    board = starts(hands.match, hands.board)
    is_whole = _is_whole(hands, rules, board, slots, games=games)
    is_whole &= _is_constant(named, board)
    found = []
    for size in np.unique(slots[board]).tolist():
        members = members_of(rules, size)
        chosen = is_whole & (slots[board] == size)
        chosen &= _are_sides_kept(hands.entrants, rules, board, members)
        if chosen.any():
            of = hands.chosen(np.repeat(chosen, _lengths(board, len(slots))))
            found.append(WholeBoards(of, starts(of.match, of.board), size, members))
    return found


def members_of(rules: RuleSet, slots: int) -> int:
    """How many of so many entrants at a table share a side."""
    return rules.players // rules.sides if slots == rules.players > rules.sides else 1


def seated_once(entrants: Numbers) -> tuple[Numbers, Flags]:
    """By hand who sits at the table, sorted; and where somebody comes for the first time."""
    seated = np.sort(entrants, axis=1)
    is_first = np.ones(seated.shape, dtype=np.bool_)
    is_first[:, 1:] = seated[:, 1:] != seated[:, :-1]
    return seated, is_first


def teams(entrants: Numbers, rules: RuleSet) -> tuple[Numbers, Numbers]:
    """The entrants of each side by hand, each team sorted and they by their first; and which side.

    So boards name their teams alike in all seatings.
    """
    sides, size = rules.sides, rules.players // rules.sides
    told = np.sort(entrants.reshape(-1, size, sides).transpose(0, 2, 1), axis=2)
    side = np.argsort(told[:, :, 0], axis=1, kind="stable")
    return np.take_along_axis(told, side[:, :, None], axis=1), side


def _named(entrants: Numbers) -> Numbers:
    """By hand who sits at the table, each once, sorted; the rest is `NOBODY`."""
    seated, is_first = seated_once(entrants)
    return np.sort(np.where(is_first, seated, NOBODY), axis=1)


def _is_whole(
    hands: HandRows, rules: RuleSet, board: Numbers, slots: Numbers, *, games: bool
) -> Flags:
    if not len(slots):
        return np.zeros(0, dtype=np.bool_)
    seating = starts(hands.match, hands.board, hands.seating)
    length = _lengths(seating, len(slots))
    last = seating + length - 1
    is_played = hands.is_over[last] & (hands.hand[last] == length - 1) if games else length == 1
    first = np.searchsorted(seating, board)
    needed = np.array([_seating_count(rules, size) for size in range(rules.players + 1)])
    count = _lengths(first, len(seating))
    return np.asarray(np.logical_and.reduceat(is_played, first) & (count == needed[slots[board]]))


def _are_sides_kept(entrants: Numbers, rules: RuleSet, board: Numbers, members: int) -> Flags:
    """By board, whether partners are one bot, or the same bots in all seatings."""
    if members > 1:
        return _is_constant(teams(entrants, rules)[0].reshape(len(entrants), -1), board)
    sides = entrants[:, np.arange(rules.players) % rules.sides]
    return np.asarray(np.logical_and.reduceat((entrants == sides).all(axis=1), board))


def _seating_count(rules: RuleSet, slots: int) -> int:
    """0 for a number of entrants that no table of these rules seats."""
    try:
        return len(seatings(rules, slots))
    except ValueError:
        return 0


def _is_last(keys: tuple[Numbers, ...]) -> Flags:
    is_last = np.zeros(len(keys[0]), dtype=np.bool_)
    is_last[-1:] = True
    for key in keys:
        is_last[:-1] |= key[1:] != key[:-1]
    return is_last


def _of_boards(hands: HandRows, order: Numbers) -> Numbers:
    if not len(order):
        return order
    board, attempt = starts(hands.match[order], hands.board[order]), hands.attempt[order]
    newest = np.maximum.reduceat(attempt, board)
    return np.asarray(order[attempt == np.repeat(newest, _lengths(board, len(order)))])


def _of_games(hands: HandRows, order: Numbers) -> Numbers:
    if not len(order):
        return order
    place = hands.match[order], hands.board[order], hands.seating[order]
    order = order[_is_last((*place, hands.hand[order]))]
    attempt = hands.attempt[order]
    game = starts(hands.match[order], hands.board[order], hands.seating[order])
    above = np.repeat(np.arange(len(game)), _lengths(game, len(order))) * (attempt.max() + 1)
    return np.asarray(order[attempt + above == np.maximum.accumulate(attempt + above)])


def starts(*keys: Numbers) -> Numbers:
    """Where each run of equal keys starts."""
    is_new = np.zeros(len(keys[0]), dtype=np.bool_)
    is_new[:1] = True
    for key in keys:
        is_new[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(is_new)


def _lengths(starts: Numbers, size: int) -> Numbers:
    """How long each run is, of so many rows in all."""
    return np.diff(np.append(starts, size))


def _is_constant(rows: Numbers, starts: Numbers) -> Flags:
    """By run, whether all its rows are equal."""
    if not len(rows):
        return np.zeros(0, dtype=np.bool_)
    first = np.repeat(starts, _lengths(starts, len(rows)))
    return np.asarray(np.logical_and.reduceat((rows == rows[first]).all(axis=1), starts))

"""Gauntlets: challengers against the field, which does not play among itself."""

from collections.abc import Iterator, Sequence
from math import comb

from fivehundred.tournament.formats.values import Pairing, entrants_of


class Gauntlet:
    """Each challenger against the field, round after round; a sequence of pairings by number.

    At tables of more than two a challenger meets every choice of the others from the field. The
    slots turn from round to round.
    """

    def __init__(
        self, field: Sequence[int], challengers: Sequence[int], rounds: int, table_size: int
    ) -> None:
        self._field = tuple(field)
        self._challengers = tuple(challengers)
        self._rounds = rounds
        self._table_size = table_size
        self._round_length = len(challengers) * comb(len(field), table_size - 1)

    def __len__(self) -> int:
        return self._round_length * self._rounds

    def __getitem__(self, number: int) -> Pairing:
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} pairings, no number {number}")
        round_number, at = divmod(number, self._round_length)
        others, challenger = divmod(at, len(self._challengers))
        chosen = choice(len(self._field), self._table_size - 1, others)
        table = (self._challengers[challenger], *(self._field[at] for at in chosen))
        turn = (others + challenger + round_number) % len(table)
        return Pairing(number, round_number, table[turn:] + table[:turn])

    def __iter__(self) -> Iterator[Pairing]:
        return (self[number] for number in range(len(self)))


def choice(size: int, chosen: int, number: int) -> tuple[int, ...]:
    """The choice of so many numbers below a size at a place, from 0, among all in their order."""
    found: list[int] = []
    left = number
    for at in range(size):
        if len(found) == chosen:
            break
        with_it = comb(size - at - 1, chosen - len(found) - 1)
        if left < with_it:
            found.append(at)
        else:
            left -= with_it
    return tuple(found)


def gauntlet(
    entrants: int, challengers: Sequence[int], *, rounds: int = 1, table_size: int = 2
) -> Gauntlet:
    """The gauntlet in which the challengers meet all the other entrants."""
    field = sorted({*range(entrants)} - {*challengers})
    _check_challengers(entrants, challengers)
    if rounds < 1:
        raise ValueError(f"a gauntlet of {rounds} rounds has no match: 1 or more are right")
    if table_size < 2 or len(field) < table_size - 1:
        raise ValueError(
            f"{entrants_of(len(field))} beside the challengers cannot fill tables of {table_size}:"
            f" {max(1, table_size - 1)} or more are right"
        )
    return Gauntlet(field, challengers, rounds, table_size)


def _check_challengers(entrants: int, challengers: Sequence[int]) -> None:
    if not challengers:
        raise ValueError("a gauntlet needs a challenger: name 1 or more")
    if len(set(challengers)) < len(challengers):
        raise ValueError(f"challengers {list(challengers)}: each is named once")
    for challenger in challengers:
        if not 0 <= challenger < entrants:
            raise ValueError(f"challenger {challenger} is none of the {entrants} entrants")

"""Round robins: everybody against everybody."""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from math import comb

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats.values import Pairing
from fivehundred.tournament.seatings import seatings


class RoundRobin:
    """Everybody against everybody, round after round; a sequence of pairings by number.

    To resume, skip the numbers that are finished: a pairing depends on its number alone.
    """

    def __init__(self, entrants: int, rounds: int, table_size: int) -> None:
        self._entrants = entrants
        self._rounds = rounds
        self._table_size = table_size
        self._round_length = comb(entrants, table_size)

    def __len__(self) -> int:
        return self._round_length * self._rounds

    def __getitem__(self, number: int) -> Pairing:
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} pairings, no number {number}")
        round_number, at = divmod(number, self._round_length)
        table = self._tables[at]
        turn = (sum(table) + round_number) % len(table)
        return Pairing(number, round_number, table[turn:] + table[:turn])

    def __iter__(self) -> Iterator[Pairing]:
        return (self[number] for number in range(len(self)))

    @cached_property
    def _tables(self) -> list[tuple[int, ...]]:
        """The tables of a round; made when the first one is asked for."""
        tables = combinations(range(self._entrants), self._table_size)
        return sorted(tables, key=lambda table: (sum(table) % self._entrants, table))


def round_robin(entrants: int, rounds: int, table_size: int) -> RoundRobin:
    """The round robin of so many entrants at tables of a size."""
    if not 2 <= table_size <= entrants:
        raise ValueError(f"{entrants} entrants cannot fill tables of {table_size}")
    return RoundRobin(entrants, rounds, table_size)


def table_size(rules: RuleSet, entrants: int) -> int:
    """How many entrants meet in one match: one a side, or two where there are too few."""
    return rules.sides if entrants >= rules.sides else 2


def expected_hands(rules: RuleSet, entrants: int, rounds: int, boards_per_match: int) -> int:
    """How many hands a round robin over boards of one hand plays."""
    slots = table_size(rules, entrants)
    matches = len(round_robin(entrants, rounds, slots))
    return matches * boards_per_match * len(seatings(rules, slots))

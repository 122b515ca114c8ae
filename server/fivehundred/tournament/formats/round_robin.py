"""Round robins: everybody against everybody."""

from bisect import bisect
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import accumulate, combinations
from math import comb, gcd

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats.values import Pairing, entrants_of


class RoundRobin:
    """Everybody against everybody, round after round; a sequence of pairings by number.

    To resume, skip the numbers that are finished: a pairing depends on its number alone.
    """

    def __init__(self, entrants: int, rounds: int, table_size: int) -> None:
        self._entrants = entrants
        self._rounds = rounds
        self._table_size = table_size
        self._round_length = comb(entrants, table_size)
        self._kept: tuple[int, list[tuple[int, ...]]] | None = None

    def __len__(self) -> int:
        return self._round_length * self._rounds

    def __getitem__(self, number: int) -> Pairing:
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} pairings, no number {number}")
        round_number, at = divmod(number, self._round_length)
        rest = bisect(self._starts, at) - 1
        table = self._with_rest(rest)[at - self._starts[rest]]
        turn = (sum(table) + round_number) % len(table)
        return Pairing(number, round_number, table[turn:] + table[:turn])

    def __iter__(self) -> Iterator[Pairing]:
        return (self[number] for number in range(len(self)))

    @cached_property
    def _starts(self) -> list[int]:
        """Where in a round the tables begin whose sum leaves a rest, by the rest."""
        sizes = (tables_with_rest(self._entrants, self._table_size, rest) for rest in self._rests)
        return list(accumulate(sizes, initial=0))[:-1]

    @property
    def _rests(self) -> range:
        return range(self._entrants)

    def _with_rest(self, rest: int) -> list[tuple[int, ...]]:
        """The tables whose sum leaves a rest, in order; the last that were asked for are kept.

        Of a table all but the last two are chosen, and the sum says who those may be.
        """
        if self._kept is None or self._kept[0] != rest:
            chosen = combinations(self._rests, self._table_size - 2)
            pairs = lru_cache(maxsize=None)(self._pairs)
            self._kept = (
                rest,
                [
                    (*some, *pair)
                    for some in chosen
                    for pair in pairs((rest - sum(some)) % self._entrants, some[-1] if some else -1)
                ],
            )
        return self._kept[1]

    def _pairs(self, rest: int, after: int) -> list[tuple[int, int]]:
        """The pairs whose sum leaves a rest, both after somebody."""
        pairs = ((one, (rest - one) % self._entrants) for one in range(after + 1, self._entrants))
        return [(one, other) for one, other in pairs if other > one]


def tables_with_rest(entrants: int, table_size: int, rest: int) -> int:
    """How many tables there are whose sum leaves a rest by the number of entrants.

    Formula: the roots of unity filter over the subsets' generating function, in Ramanujan sums.
    """
    common = gcd(entrants, table_size)
    total = sum(
        (-1 if (table_size + table_size // divisor) % 2 else 1)
        * comb(entrants // divisor, table_size // divisor)
        * _ramanujan_sum(divisor, rest)
        for divisor in range(1, common + 1)
        if common % divisor == 0
    )
    return total // entrants


def _ramanujan_sum(number: int, rest: int) -> int:
    """The sum of the rest-th powers of the primitive roots of unity, all sums of powers less."""
    smaller = (each for each in range(1, number) if number % each == 0)
    return (0 if rest % number else number) - sum(_ramanujan_sum(each, rest) for each in smaller)


def round_robin(entrants: int, rounds: int, table_size: int) -> RoundRobin:
    """The round robin of so many entrants at tables of a size."""
    if not 2 <= table_size <= entrants:
        raise ValueError(f"{entrants_of(entrants)} cannot fill tables of {table_size}")
    return RoundRobin(entrants, rounds, table_size)


def table_size(rules: RuleSet, entrants: int) -> int:
    """How many entrants meet in one match: one a side, or two where there are too few."""
    return rules.sides if entrants >= rules.sides else 2

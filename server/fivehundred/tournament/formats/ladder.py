"""Ladders: no rounds and no end; who is least known plays next, against the likest."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from itertools import permutations
from math import fsum

from fivehundred.tournament.formats.ordered import Meeting, Ordered
from fivehundred.tournament.formats.values import Outcome, Pairing, Size, entrants_of

START = 1500
"""The rating of an entrant of whom nothing is known."""
K = 16.0
K_NEW = 32.0
NEW = 30
"""How many matches an entrant's rating moves at the greater pace."""
SCALE = 1000
"""Ratings are kept in whole thousandths, so that a last digit of a power cannot tip a pairing."""


@dataclass(frozen=True, slots=True)
class Stay:
    """An entrant is on the ladder from a match number up to, not with, another; None for ever."""

    entrant: int
    first: int = 0
    until: int | None = None

    def __contains__(self, number: int) -> bool:
        return self.first <= number and (self.until is None or number < self.until)


class Ladder(Ordered):
    """Pairs the entrant with the fewest matches with those whose rating is likest, met least.

    Match k is made from the outcomes up to ``k - ahead``, never more, so that ``ahead`` can be
    under way and it still depends on outcomes alone. Ratings are a simple online Elo: good enough
    for pairing, not for ranking a board.
    """

    def __init__(
        self,
        stays: Sequence[Stay],
        ratings: Sequence[float],
        size: int,
        most: int | None,
        ahead: int,
    ) -> None:
        super().__init__()
        self._stays = stays
        self._table_size = size
        self._most = most
        self._ratings = [round(rating * SCALE) for rating in ratings]
        self._games = [0] * len(ratings)
        """Of each entrant, with those under way."""
        self._ended = [0] * len(ratings)
        self._met: list[dict[int, int]] = [{} for _ in ratings]
        """How often each has met each other."""
        self._ahead = ahead
        ends = [stay.until for stay in stays if stay.until is not None]
        self._changes = sorted({*(stay.first for stay in stays), *ends}, reverse=True)
        """The numbers at which somebody comes or goes, the next one last."""
        self._present: list[int] = []

    @property
    def size(self) -> Size:
        """The number of matches where there is one."""
        return Size(self._most or 0, self._most, self._most)

    @property
    def absent(self) -> frozenset[int]:
        """Who has left for good as far as is known, with no match that is still to be played."""
        made = len(self._pairings)
        coming = {stay.entrant for stay in self._stays if stay.until is None or stay.until > made}
        waiting = (each for each in self._pairings if each.number not in self._outcomes)
        playing = {entrant for pairing in waiting for entrant in pairing.entrants}
        return frozenset(range(len(self._ratings))) - coming - playing

    @property
    def made(self) -> int:
        """How many matches have been paired so far."""
        return len(self._pairings)

    def stop(self) -> int:
        """Makes no more matches; gives how many there are: pass it as ``matches`` to resume."""
        self._most = len(self._pairings)
        return self._most

    def rating(self, entrant: int) -> float:
        """An entrant's online Elo after the matches that have taken effect."""
        return self._ratings[entrant] / SCALE

    def ranking(self) -> tuple[int, ...]:
        """By online Elo, then seed."""
        entrants = range(len(self._ratings))
        return tuple(sorted(entrants, key=lambda at: (-self._ratings[at], at)))

    def _first(self) -> Iterable[Meeting]:
        for _ in range(self._ahead):
            yield from self._next_meeting()

    def _take(self, pairing: Pairing, known: Outcome) -> Iterable[Meeting]:
        changes = [self._change(pairing.entrants, known, slot) for slot in range(len(known.scores))]
        pace = max(self._pace(entrant) for entrant in pairing.entrants)
        for entrant, change in zip(pairing.entrants, changes, strict=True):
            self._ratings[entrant] += round(pace * SCALE * change)
            self._ended[entrant] += 1
        return self._next_meeting()

    def _next_meeting(self) -> list[Meeting]:
        number = len(self._pairings)
        if number == self._most:
            return []
        present = self._present_at(number)
        if len(present) < self._table_size:
            self._most = number
            return []
        table = self._table(present)
        for entrant in table:
            self._games[entrant] += 1
        for one, other in permutations(table, 2):
            self._met[one][other] = self._met[one].get(other, 0) + 1
        return [Meeting(number // len(self._ratings), table)]

    def _present_at(self, number: int) -> list[int]:
        """Who is there; numbers are asked for in their order."""
        if self._changes and self._changes[-1] <= number:
            while self._changes and self._changes[-1] <= number:
                self._changes.pop()
            self._present = sorted({stay.entrant for stay in self._stays if number in stay})
        return self._present

    def _table(self, present: Sequence[int]) -> tuple[int, ...]:
        first = min(present, key=lambda at: (self._games[at], at))
        ranked = ((-self._worth(first, at), at) for at in present if at != first)
        table = (first, *(at for _, at in nsmallest(self._table_size - 1, ranked)))
        turn = len(self._pairings) % len(table)
        return table[turn:] + table[:turn]

    def _worth(self, one: int, other: int) -> float:
        """What a meeting tells: more of the like, of the little known, of those not yet met."""
        chance = _chance(self._ratings[one], self._ratings[other])
        unknown = 1 / (1 + self._games[one]) + 1 / (1 + self._games[other])
        met = self._met[one].get(other, 0)
        return round(chance * (1 - chance) * unknown / (1 + met), 9)

    def _change(self, entrants: Sequence[int], known: Outcome, slot: int) -> float:
        """What the slot has done better than its rating says, against each of the others."""
        own = self._ratings[entrants[slot]]
        expected = fsum(
            _chance(own, self._ratings[other])
            for place, other in enumerate(entrants)
            if place != slot
        )
        return known.scores[slot] - expected / (len(entrants) - 1)

    def _pace(self, entrant: int) -> float:
        return K_NEW if self._ended[entrant] < NEW else K


def ladder(
    entrants: int,
    *,
    matches: int | None = None,
    ahead: int = 16,
    ratings: Sequence[float] | None = None,
    stays: Sequence[Stay] | None = None,
    table_size: int = 2,
) -> Ladder:
    """The ladder of so many entrants; open-ended without ``matches``, all stay without ``stays``.

    An open-ended one also ends at the first match number for which too few are there.
    """
    here = [Stay(entrant) for entrant in range(entrants)] if stays is None else list(stays)
    started = [float(START)] * entrants if ratings is None else list(ratings)
    if not 2 <= table_size <= entrants:
        raise ValueError(f"{entrants_of(entrants)} cannot fill tables of {table_size}")
    if len(started) != entrants:
        count = "1 rating" if len(started) == 1 else f"{len(started)} ratings"
        raise ValueError(f"{count} for {entrants_of(entrants)}: each needs one")
    if ahead < 1 or (matches is not None and matches < 1):
        raise ValueError(f"{matches} matches, {ahead} at once: 1 or more of both are right")
    _check_stays(here, entrants)
    _check_presence(here, table_size, 1 if matches is None else matches)
    return Ladder(here, started, table_size, matches, ahead)


def _check_stays(stays: Sequence[Stay], entrants: int) -> None:
    for stay in stays:
        if not 0 <= stay.entrant < entrants:
            raise ValueError(f"entrant {stay.entrant} stays, who is none of the {entrants}")
        if stay.first < 0 or (stay.until is not None and stay.until < stay.first):
            raise ValueError(
                f"entrant {stay.entrant} stays from match {stay.first} to {stay.until}:"
                " the start is 0 or more, the end no less"
            )


def _check_presence(stays: Sequence[Stay], table_size: int, matches: int) -> None:
    """Refuses stays that leave too few at one of the matches; fewest are there at an end."""
    for number, there in _attendance(stays):
        if number < matches and there < table_size:
            raise ValueError(
                f"too few are there at match {number}: {there}, and a table has {table_size}"
            )


def _attendance(stays: Sequence[Stay]) -> Iterator[tuple[int, int]]:
    """How many are there, at the start and at each match number that somebody comes or goes."""
    changes: dict[int, Counter[int]] = {0: Counter()}
    for stay in stays:
        changes.setdefault(stay.first, Counter())[stay.entrant] += 1
        if stay.until is not None:
            changes.setdefault(stay.until, Counter())[stay.entrant] -= 1
    there: Counter[int] = Counter()
    for number in sorted(changes):
        for entrant, change in changes[number].items():
            there[entrant] += change
            if not there[entrant]:
                del there[entrant]
        yield number, len(there)


def _chance(own: int, other: int) -> float:
    """What is expected of a rating against another, on the Elo scale."""
    return _chance_of(other - own)


@lru_cache(maxsize=1 << 16)
def _chance_of(behind: int) -> float:
    return float(1 / (1 + 10 ** (behind / SCALE / 400)))

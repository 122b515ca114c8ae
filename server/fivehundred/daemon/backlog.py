"""The matches of a tournament that are still to be played, and what the log has of each."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from fivehundred.daemon.playing import Unfinished
from fivehundred.storage.results import HandLines
from fivehundred.storage.store import Store
from fivehundred.table.table import MatchSpec
from fivehundred.table.values import HandKey, HandRecord
from fivehundred.wire.matches import Schedule

PutOffBy = Callable[[Sequence[int]], int | None]
"""Gives the first of a match's entrants for whom it is put off; None where it may be played."""


def nobody(entrants: Sequence[int]) -> None:
    """Puts nothing off."""


class Backlog:
    """Hands out unfinished matches in order; ``on_over`` is told of each that needs no play.

    A schedule whose matches follow from outcomes has been given those of the log.
    """

    def __init__(
        self, store: Store, planned: Schedule, bots: Sequence[str], on_over: Callable[[], None]
    ) -> None:
        self._store = store
        self._planned = planned
        self._on_over = on_over
        self._bots = bots
        self._given_back: deque[MatchSpec] = deque()
        self._put_off: dict[int, deque[MatchSpec]] = {}
        """In order, by the entrant for whom they are."""
        self._read_log()

    @property
    def may_have_more(self) -> bool:
        """Whether there may be a match later: one that is put off, or follows from others."""
        if any(self._put_off.values()):
            return True
        return not self._planned.is_fixed and not self._planned.format.is_over

    def next(self, put_off_by: PutOffBy = nobody) -> Unfinished | None:
        """The next match that may be played, one that had been put off first; None where none is.

        A match that has been given back is played in any case: it was under way.
        """
        spec = self._next_spec(put_off_by)
        if spec is None:
            return None
        hands = match_hands(self._store, spec) if self._hands[spec.number] else []
        return Unfinished(spec, hands, self._under_way.get(spec.number, []))

    def give_back(self, specs: Iterable[MatchSpec]) -> None:
        """Takes back matches whose player has gone; the log, all stored, says where they stand."""
        self._given_back.extend(specs)
        self._read_log()

    def match_over(self, number: int) -> None:
        """Takes note that a match has been played, all its hands stored."""
        if self._planned.is_fixed:
            return
        spec = self._planned.match(number, self._bots)
        read = HandLines(self._planned.plan)
        self._planned.take([read.line(record) for record in match_hands(self._store, spec)])

    def _next_spec(self, put_off_by: PutOffBy) -> MatchSpec | None:
        for spec, is_under_way in self._candidates(put_off_by):
            entrant = None if is_under_way else put_off_by(spec.entrants)
            if self._is_played(spec):
                self._on_over()
            elif entrant is None:
                return spec
            else:
                self._put_off.setdefault(entrant, deque()).append(spec)
        return None

    def _candidates(self, put_off_by: PutOffBy) -> Iterator[tuple[MatchSpec, bool]]:
        """What may be played next, and whether it was under way."""
        while self._given_back:
            yield self._given_back.popleft(), True
        for entrant, waiting in list(self._put_off.items()):
            while waiting and put_off_by((entrant,)) is None:
                yield waiting.popleft(), False
        while (pairing := self._planned.format.next()) is not None:
            yield self._planned.match_of(pairing, self._bots), False

    def _is_played(self, spec: MatchSpec) -> bool:
        """Whether all its hands are stored; games show only when they are replayed."""
        sittings = len(spec.boards) * len(spec.seatings)
        return not spec.games and self._hands[spec.number] >= sittings

    def _read_log(self) -> None:
        name = self._planned.plan.name
        self._hands = Counter(key.match for key in self._store.hand_keys(name))
        self._under_way = self._store.journal_events(name)


def match_hands(store: Store, spec: MatchSpec) -> list[HandRecord]:
    """The stored hands of one match, in order."""
    before = HandKey(spec.tournament, spec.number, -1, 0)
    limit = len(spec.boards) * len(spec.seatings) * (spec.max_deals if spec.games else 1)
    page = store.hands_page(spec.tournament, limit, before)
    return [hand.record for hand in takewhile(lambda hand: hand.key.match == spec.number, page)]

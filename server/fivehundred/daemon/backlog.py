"""The matches of a tournament that are still to be played, and what the log has of each."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from fivehundred.daemon.matches import Schedule
from fivehundred.daemon.playing import Unfinished
from fivehundred.storage.store import Store
from fivehundred.table.table import MatchSpec
from fivehundred.table.values import HandKey, HandRecord


class Backlog:
    """Hands out unfinished matches in order; ``on_over`` is told of each that needs no play."""

    def __init__(
        self, store: Store, planned: Schedule, bots: Sequence[str], on_over: Callable[[], None]
    ) -> None:
        self._store = store
        self._planned = planned
        self._on_over = on_over
        self._matches = planned.matches(bots)
        self._given_back: deque[MatchSpec] = deque()
        self._read_log()

    def next(self) -> Unfinished | None:
        """The next match; None where none is left."""
        while (spec := self._next_spec()) is not None:
            stored = self._hands[spec.number]
            if spec.games or stored < self._planned.sittings:
                hands = match_hands(self._store, spec) if stored else []
                return Unfinished(spec, hands, self._under_way.get(spec.number, []))
            self._on_over()
        return None

    def give_back(self, specs: Iterable[MatchSpec]) -> None:
        """Takes back matches whose player has gone; the log, all stored, says where they stand."""
        self._given_back.extend(specs)
        self._read_log()

    def _next_spec(self) -> MatchSpec | None:
        if self._given_back:
            return self._given_back.popleft()
        return next(self._matches, None)

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

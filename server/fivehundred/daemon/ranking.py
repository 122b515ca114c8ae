"""Standings, asked for again and again: each hand is read once, and counted beside the loop."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from fivehundred.daemon.aside import Aside
from fivehundred.daemon.results import plan_of
from fivehundred.storage.results import LogResults
from fivehundred.storage.store import Store
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.matches import schedule

HANDS_A_READ = 64
"""Read by one thread at once; a few milliseconds."""
MOST_KEPT = 8
"""Tournaments whose hands are kept."""
REST = 4
"""So many times as long as counting took, nothing is counted anew."""


@dataclass(slots=True)
class _Counted:
    """What is known of one tournament's standings."""

    spec: bytes
    """The definition that they are of; a ladder's may change."""
    results: LogResults
    last: int = 0
    """The id of the last hand read."""
    table: tournament_pb2.Standings | None = None
    of: tuple[int, tuple[str, ...]] = (-1, ())
    """The number of hands and the bots that the table is of."""
    due: float = 0.0
    """When the loop's clock allows to count anew."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Rankings:
    """The standings of tournaments; each is counted once for all who ask at the same time."""

    def __init__(self, store: Store, aside: Aside) -> None:
        self._store = store
        self._aside = aside
        self._kept: OrderedDict[str, _Counted] = OrderedDict()

    async def standings(self, name: str) -> tournament_pb2.Standings:
        """The standings as the log stands now; raises `NotFound`."""
        counted = self._counted(name)
        async with counted.lock:
            bots = self._store.tournament(name).bots
            if counted.table is None or counted.of != (self._store.hand_count(name), bots):
                await asyncio.sleep(counted.due - asyncio.get_running_loop().time())
                await self._count(name, counted)
            assert counted.table is not None
            return counted.table

    def _counted(self, name: str) -> _Counted:
        spec = self._store.tournament(name).spec
        if name not in self._kept or self._kept[name].spec != spec:
            results = LogResults(schedule(plan_of(self._store, name)))
            self._kept[name] = _Counted(spec, results)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return self._kept[name]

    async def _count(self, name: str, counted: _Counted) -> None:
        while hands := await self._aside.run(
            self._store.hands_since, name, counted.last, HANDS_A_READ
        ):
            for hand in hands:
                counted.results.add(hand.record)
            counted.last = hands[-1].id
        bots = self._store.tournament(name).bots
        clock = asyncio.get_running_loop().time
        start = clock()
        counted.table = await self._aside.run(counted.results.standings, bots)
        counted.of = len(counted.results), bots
        counted.due = clock() + REST * (clock() - start)

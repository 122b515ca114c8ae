"""Following tournaments: the log is read once for all who follow, and they take turns.

A watcher has no queue of its own. It goes through the pages of the log that are kept for all, at
the speed at which it reads; so however slow it is, it costs nothing but its place.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from fivehundred.daemon.aside import Aside
from fivehundred.daemon.director import Director
from fivehundred.daemon.resources import tournament_message
from fivehundred.storage.store import Store
from fivehundred.storage.values import HandStored, TournamentState, WatchEvent
from fivehundred.v1 import record_pb2, tournament_pb2

ENDED = (TournamentState.FINISHED, TournamentState.ABORTED, TournamentState.FAILED)
PAGE = 64
"""Events read at once."""
MOST_PAGES = 16
"""Pages kept of one tournament."""
NEWS_EVERY_S = 0.05
"""The log is not asked for news more often."""
TICK_S = 0.01
News = tournament_pb2.WatchTournamentResponse


class Turns:
    """Gives turns to send, so many a second for all watchers together, first come first served."""

    def __init__(self, rate: float) -> None:
        self._each_tick = max(1, round(rate * TICK_S))
        self._waiting: deque[asyncio.Future[int]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    async def next(self) -> int:
        """Wait for a turn; gives how many events may be sent."""
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.queue([turn])
        return await turn

    def queue(self, turns: Iterable["asyncio.Future[int]"]) -> None:
        """Let others wait for their turns."""
        self._waiting.extend(turns)
        if self._timer is None and self._waiting:
            self._timer = asyncio.get_running_loop().call_later(TICK_S, self._tick)

    def _tick(self) -> None:
        given = min(len(self._waiting), self._each_tick)
        for _ in range(given):
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(self._each_tick // given)
        self._timer = None
        self.queue(())


class Watchers:
    """All who follow a tournament."""

    def __init__(self, store: Store, director: Director, aside: Aside, rate: float) -> None:
        self._store = store
        self._director = director
        self._aside = aside
        self._turns = Turns(rate)
        self._feeds: dict[str, _Feed] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def follow(self, name: str, after: int) -> AsyncIterator[News]:
        """Everything since an event, and then what happens, to the tournament's end."""
        self._store.tournament(name)
        feed = self._feeds.get(name) or self._open(name)
        feed.watchers += 1
        try:
            async for news in self._follow(feed, after):
                yield news
        finally:
            feed.watchers -= 1
            if not feed.watchers and self._feeds.get(name) is feed:
                self._close(name)

    async def _follow(self, feed: "_Feed", seen: int) -> AsyncIterator[News]:
        allowed = 0
        while True:
            for news in await feed.after(seen):
                while allowed < 1:
                    allowed += await self._turns.next()
                yield news
                seen = news.event
                allowed -= 1
            if seen >= feed.last:
                if feed.has_ended:
                    return
                allowed += await feed.change()

    def _open(self, name: str) -> "_Feed":
        feed = _Feed(name, self._store, self._director, self._aside, self._turns.queue)
        self._feeds[name] = feed
        return feed

    def _close(self, name: str) -> None:
        task = self._feeds.pop(name).task
        task.cancel()
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


class _Feed:
    """One tournament's events, read for all its watchers; lives as long as it has any."""

    def __init__(
        self,
        name: str,
        store: Store,
        director: Director,
        aside: Aside,
        queue: Callable[[Iterable["asyncio.Future[int]"]], None],
    ) -> None:
        self.watchers = 0
        self.last = 0
        """The number of the last event that is known of."""
        self.has_ended = False
        self._name = name
        self._store = store
        self._director = director
        self._aside = aside
        self._queue = queue
        self._idle: list[asyncio.Future[int]] = []
        self._pages: OrderedDict[int, list[News]] = OrderedDict()
        self._reading = asyncio.Lock()
        self._look()
        self.task = asyncio.create_task(self._run(), name=f"news of {name}")

    async def after(self, seen: int) -> Sequence[News]:
        """Some of the events after one; none where there are no more yet."""
        if seen >= self.last:
            return ()
        number, offset = divmod(seen, PAGE)
        if len(self._pages.get(number, ())) <= offset:
            async with self._reading:
                if len(self._pages.get(number, ())) <= offset:
                    await self._read(number)
        return self._pages[number][offset:]

    async def change(self) -> int:
        """Wait for news and for a turn; gives how many events may be sent then."""
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        if self.task.done():
            self.task.result()
            self._queue([turn])
        else:
            self._idle.append(turn)
        return await turn

    async def _run(self) -> None:
        try:
            while not self.has_ended:
                changed = self._director.changed
                if self._look():
                    self._wake()
                if not self.has_ended:
                    await changed.wait()
                    await asyncio.sleep(NEWS_EVERY_S)
        finally:
            self._wake()

    def _look(self) -> bool:
        """Ask the log for news; gives whether there are any."""
        before = self.last, self.has_ended
        self.has_ended = self._store.tournament(self._name).state in ENDED
        self.last = self._store.last_event(self._name)
        return before != (self.last, self.has_ended)

    def _wake(self) -> None:
        idle, self._idle = self._idle, []
        self._queue(idle)

    async def _read(self, number: int) -> None:
        """Read what is still missing of a page."""
        page = self._pages.setdefault(number, [])
        self._pages.move_to_end(number)
        start = number * PAGE + len(page)
        found = await self._aside.run(self._store.news_after, self._name, start, PAGE - len(page))
        page += [self._news(event, record) for event, record in found]
        while len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)

    def _news(self, event: WatchEvent, record: bytes) -> News:
        if isinstance(event, HandStored):
            facts = record_pb2.HandRecord.FromString(record).facts
            hand = tournament_pb2.HandStored(key=facts.key, result=facts.result, bots=facts.bots)
            return News(event=event.number, hand=hand)
        stored = self._store.tournament(self._name)
        message = tournament_message(
            self._store,
            stored,
            self._director.progress(self._name),
            self._director.matches_played(self._name),
        )
        message.state = tournament_pb2.TournamentState.ValueType(event.state)
        message.reason = event.reason
        return News(event=event.number, tournament=message)

"""What is left of a tournament, handed out match by match; a suspended entrant's matches later.

`fivehundred.tournament.suspension` says who is suspended; here are the clock, the greetings and the
log lines. Which match is played when is not part of the log.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

import structlog

from fivehundred.daemon.backlog import Backlog, nobody
from fivehundred.daemon.playing import Unfinished
from fivehundred.table.table import MatchSpec
from fivehundred.table.values import HandRecord
from fivehundred.tournament.suspension import Condition, Suspensions
from fivehundred.wire.spec import Plan

Greet = Callable[[int], Awaitable[bool]]
"""Greets an entrant's bot; gives whether the same bot has answered."""
Tell = Callable[[str], None]
"""Is told, whenever that changes, in words who is suspended; nothing where nobody is."""
log = structlog.get_logger()

_EVENTS = {
    Condition.PLAYING: "entrant_returned",
    Condition.SUSPENDED: "entrant_suspended",
    Condition.GREETED: "entrant_greeted",
    Condition.ENDURED: "entrant_endured",
}
_WORDS = {
    Condition.SUSPENDED: "is suspended",
    Condition.GREETED: "has answered again",
    Condition.TRIED: "has answered again",
    Condition.ENDURED: "plays although its bot keeps failing",
}


class Supply:
    """Hands out matches; `watch` has to run meanwhile."""

    def __init__(
        self, backlog: Backlog, plan: Plan, draining: asyncio.Event, greet: Greet, tell: Tell
    ) -> None:
        self._backlog = backlog
        self._plan = plan
        self._draining = draining
        self._greet = greet
        self._tell = tell
        self._told = ""
        self._loop = asyncio.get_running_loop()
        self._stirred = asyncio.Event()
        """Set, and replaced by a new one, when there may be a match again."""
        policy = plan.suspension
        self._known = Suspensions(policy, len(plan.entrants)) if policy else None

    async def next(self) -> Unfinished | None:
        """The next match, waited for where there may be one later; None for no more."""
        put_off_by = nobody if self._known is None else self._known.put_off_by
        while not self._draining.is_set():
            found = self._backlog.next(put_off_by)
            if found is not None:
                if self._known is not None:
                    self._known.handed_out(found.spec.entrants, self._loop.time())
                return found
            if not self._backlog.may_have_more:
                return None
            await self._stirred.wait()
        return None

    def match_over(self, number: int) -> None:
        """Takes note that a match has been played; others may follow from it."""
        self._backlog.match_over(number)
        self.stir()

    def give_back(self, specs: Iterable[MatchSpec]) -> None:
        """Takes back matches whose player has gone."""
        self._backlog.give_back(specs)
        self.stir()

    def observe(self, record: HandRecord) -> None:
        """Take note of a hand's decisions."""
        if self._known is None:
            return
        entrants, now = record.started.entrants, self._loop.time()
        changed: dict[int, None] = {}
        for decided in record.decisions:
            entrant = entrants[decided.seat]
            if self._known.decided(entrant, now, is_fault=decided.fault is not None):
                changed[entrant] = None
        self._announce(changed)

    async def watch(self) -> None:
        """End all waiting at a drain; greet suspended bots and let their patience end."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._stir_at_drain())
            while self._known is not None:
                stirred = self._stirred
                self._announce(self._known.pass_time(self._loop.time()))
                for entrant in self._known.to_greet(self._loop.time()):
                    group.create_task(self._see(entrant))
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(self._known.next_time()):
                        await stirred.wait()

    async def _see(self, entrant: int) -> None:
        """See whether a bot is there again."""
        assert self._known is not None
        has_answered = await self._greet(entrant)
        if self._known.greeted(entrant, has_answered=has_answered):
            self._announce([entrant])

    async def _stir_at_drain(self) -> None:
        await self._draining.wait()
        self.stir()

    def stir(self) -> None:
        """Let all who wait look again whether there is a match."""
        self._stirred.set()
        self._stirred = asyncio.Event()

    def _announce(self, changed: Iterable[int]) -> None:
        """Say how entrants stand whose condition has changed."""
        assert self._known is not None
        numbers = list(changed)
        for number in numbers:
            faults = self._known.faults(number)
            event = _EVENTS.get(self._known.condition(number))
            name = self._plan.entrants[number].name
            if event is not None:
                log.warning(event, tournament=self._plan.name, entrant=name, faults_in_a_row=faults)
        if numbers:
            self.stir()
            self._tell_all(self._known)

    def _tell_all(self, known: Suspensions) -> None:
        said = ", ".join(
            f"{entrant.name} {_WORDS[known.condition(number)]}"
            for number, entrant in enumerate(self._plan.entrants)
            if known.condition(number) in _WORDS
        )
        if said != self._told and not self._draining.is_set():
            self._told = said
            self._tell(said)

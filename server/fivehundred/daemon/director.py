"""The director: plays the stored tournaments, and resumes them where a log left off."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest

import structlog

from fivehundred.daemon import ladders
from fivehundred.daemon.backlog import Backlog
from fivehundred.daemon.causes import WorkerError, cause_of, public_reason
from fivehundred.daemon.greeting import Greeter
from fivehundred.daemon.holding import Holding
from fivehundred.daemon.playing import Counts, Unfinished, counts_of, play
from fivehundred.daemon.progress import Progress
from fivehundred.daemon.results import final_standings, hand_lines, plan_of, schedule_of
from fivehundred.daemon.sessions import (
    Sessions,
    identities,
    require_sandboxes,
    seat_sessions,
    tell_hand,
)
from fivehundred.daemon.supply import Supply
from fivehundred.daemon.workers import Work, Workers
from fivehundred.players.attached import AttachedBots
from fivehundred.players.lag import LagMonitor
from fivehundred.storage.errors import JournalError, StorageError, is_disk_full
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredTournament, TournamentState
from fivehundred.table.values import HandRecord
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import FailedPrecondition, ServiceError
from fivehundred.wire.matches import Schedule, schedule
from fivehundred.wire.spec import Plan

State = TournamentState
STARTABLE = (State.CREATED, State.PAUSED)
UNFINISHED = (State.RUNNING, State.DRAINING)
log = structlog.get_logger()


@dataclass(slots=True)
class _Run:
    """A tournament that is being played."""

    task: asyncio.Task[bool]
    planned: Schedule
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    supply: Supply | None = None
    """What there is to be played; None until its bots have come up."""
    standings: bytes | None = None
    """The serialised standings of all its hands, once all have been played."""
    next_state: State | None = None
    """What a stop that was asked for leaves behind; None where the tournament plays to its end."""
    progress: Progress = field(default_factory=lambda: Progress(0, 0, 0, 0))

    def count_hand(self) -> None:
        """One more hand is stored."""
        self.progress = replace(self.progress, hands=self.progress.hands + 1)

    def count_match(self) -> None:
        """One more match is over."""
        done, planned = self.progress.matches + 1, self.planned.matches_planned
        self.progress = replace(self.progress, matches=done, matches_planned=planned)


class Director:
    """Starts, pauses, drains and aborts tournaments; one task plays each.

    With more than one of ``workers`` a tournament is played by so many processes.
    """

    def __init__(self, store: Store, journal: Journal, lag: LagMonitor, workers: int = 1) -> None:
        self.changed = asyncio.Event()
        """Set, and replaced by a new one, when a hand has been stored or a state has changed."""
        self.failed = asyncio.Event()
        """Set when the log cannot be written any more: the daemon must end."""
        self.attached = AttachedBots()
        """The bots that have dialled in."""
        self._store = store
        self._journal = journal
        self._lag = lag
        self._workers = workers
        self._runs: dict[str, _Run] = {}
        self._rested: dict[str, int] = {}
        """How many matches of tournaments were over when play ended here."""
        self._closing = False
        self._asked_for: dict[str, State] = {}
        """What a stop that was asked for leaves behind, of tournaments that are held."""
        self.failure = ""
        """Why the log cannot be written any more."""
        self.holding = Holding(store.decisions, self._stop_all, self._go_on, self.fail)
        """The tournaments that wait for room on the disk."""

    def fail(self, reason: str) -> None:
        """End for good: nothing may be written any more."""
        self.failure = self.failure or reason
        self.holding.forget()
        self.failed.set()
        self._notify()

    def resume(self) -> list[str]:
        """Take up every tournament that was running when the daemon last ended; their names.

        One that was draining is paused: its hands under way go on when it is started.
        """
        found = [each for each in self._store.all_tournaments() if each.state in UNFINISHED]
        for each in found:
            self.take_up(each)
        return [each.name for each in found]

    def take_up(self, stored: StoredTournament) -> None:
        """Go on with a tournament that was running when the daemon last ended."""
        if stored.state is State.DRAINING:
            self._store.set_state(stored.name, State.PAUSED)
        else:
            self._launch(stored.name)

    async def prepare(self, name: str) -> None:
        """Raise `FailedPrecondition` where a tournament's bots cannot be shut in here, as is asked.

        Wanted before `start`; found out in a thread, for a sandbox is tried out.
        """
        await asyncio.to_thread(require_sandboxes, plan_of(self._store, name))

    def start(self, name: str) -> None:
        """Start a tournament that is created or paused; raises `FailedPrecondition` otherwise."""
        if self._closing:
            raise FailedPrecondition("the daemon is ending: start it when the daemon runs again")
        state = self._store.tournament(name).state
        if state not in STARTABLE or name in self._runs:
            raise FailedPrecondition(
                f"{name!r} is {state.name}: only a CREATED or PAUSED tournament can be started"
            )
        self._store.set_state(name, State.RUNNING)
        self._launch(name)

    async def pause(self, name: str) -> None:
        """Stop at once; the decisions made so far stay, the hands go on when it is started."""
        await self._stop(name, State.PAUSED)

    async def abort(self, name: str) -> None:
        """End a tournament for good."""
        state = self._store.tournament(name).state
        if name in self._runs:
            await self._stop(name, State.ABORTED)
        elif state in STARTABLE or state in UNFINISHED:
            self._store.set_state(name, State.ABORTED)
            self._notify()
        else:
            raise FailedPrecondition(f"{name!r} is {state.name}: it has ended already")

    async def drain(self, name: str) -> None:
        """Let the hands under way finish, then pause; returns at once."""
        run = self._running(name)
        run.draining.set()
        run.next_state = State.PAUSED
        self._store.set_state(name, State.DRAINING)
        self._notify()

    async def finish(self, name: str) -> None:
        """Make no more matches of a ladder without an end; those that are made are played."""
        if (run := self._runs.get(name)) is None:
            await self._finish_at_rest(name)
        elif run.supply is None:
            raise FailedPrecondition(f"the bots of {name!r} are coming up: ask again when it plays")
        else:
            ladders.end(self._store, name, run.planned)
            run.supply.stir()
        self._notify()

    async def _finish_at_rest(self, name: str) -> None:
        planned = await asyncio.to_thread(schedule_of, self._store, name)
        state = self._store.tournament(name).state
        if held := self.holding.progress(name):
            raise FailedPrecondition(f"{name!r} is held: {held.waits_for}")
        if state in UNFINISHED:
            raise FailedPrecondition(f"{name!r} is starting: ask again when it plays")
        if state not in STARTABLE:
            raise FailedPrecondition(f"{name!r} is {state.name}: it has ended already")
        ladders.end(self._store, name, planned)

    def progress(self, name: str) -> Progress | None:
        """How far a tournament that is being played is; None for one that is not."""
        run = self._runs.get(name)
        return run.progress if run else self.holding.progress(name)

    def matches_played(self, name: str) -> int:
        """How many matches of a tournament were over when play ended here; 0 where none did."""
        return self._rested.get(name, 0)

    async def finished(self, name: str) -> None:
        """Return when a tournament is not being played any more."""
        if run := self._runs.get(name):
            await asyncio.wait([run.task])

    async def close(self, *, drain: bool) -> None:
        """End every task; the tournaments stay RUNNING and go on when a daemon resumes them.

        Nothing waits for room any more, neither now nor where a run meets a full disk at its end.
        """
        self._closing = True
        await self.holding.close()
        tasks = [run.task for run in self._runs.values()]
        for run in self._runs.values():
            run.draining.set()
            if not drain or run.supply is None:
                run.task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def close_journal(self) -> None:
        """Write what is left; after a write that failed there is nothing to be written."""
        with suppress(JournalError):
            self._journal.close()

    async def _stop_all(self) -> None:
        tasks = [run.task for run in self._runs.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _go_on(self) -> None:
        """Take up what is held, from what is on the disk: a journal that has failed stays so."""
        self.close_journal()
        self._journal = Journal(self._store)
        for name in self.holding.names():
            if (state := self._asked_for.get(name)) is not None:
                self._store.set_state(name, state)
        held = [self._store.tournament(name) for name in self.holding.names()]
        for stored in held:
            if stored.state in UNFINISHED and stored.name not in self._runs:
                self.take_up(stored)
        self._asked_for.clear()
        self.holding.forget()
        self._notify()

    def _running(self, name: str) -> _Run:
        run = self._runs.get(name)
        if run is None:
            if held := self.holding.progress(name):
                raise FailedPrecondition(f"{name!r} is held: {held.waits_for}")
            state = self._store.tournament(name).state
            raise FailedPrecondition(f"{name!r} is {state.name}: it is not being played")
        return run

    async def _stop(self, name: str, state: State) -> None:
        run = self._running(name)
        run.next_state = state
        run.task.cancel()
        await asyncio.wait([run.task])
        if (reached := self._store.tournament(name).state) is not state:
            raise FailedPrecondition(f"{name!r} is {reached.name}: it ended before it was stopped")

    def _launch(self, name: str) -> None:
        planned = schedule(plan_of(self._store, name))
        done = self._store.hand_count(name)
        task = asyncio.create_task(self._play(name, planned), name=f"tournament {name}")
        progress = Progress(done, planned.hands, 0, planned.matches_planned)
        self._runs[name] = _Run(task, planned, progress=progress)
        task.add_done_callback(lambda _: self._ended(name))
        self._notify()

    def _ended(self, name: str) -> None:
        """Keep how a task ended, even one that was cancelled before its first step."""
        run = self._runs.pop(name)
        self._rested[name] = run.progress.matches
        if not run.task.cancelled():
            run.task.exception()  # Even where nobody comes to look, it has been looked at.
        try:
            self._journal.flush()
            self._settle(name, run)
        except StorageError as error:
            self._not_written(name, run, error)
        self._notify()

    def _not_written(self, name: str, run: _Run, error: StorageError) -> None:
        if is_disk_full(error) and not self.failure:
            self._hold(name, run)
        else:
            log.critical("log_not_writable", tournament=name, reason=str(error))
            self.fail(str(error))

    def _hold(self, name: str, run: _Run) -> None:
        if run.next_state is not None:
            self._asked_for[name] = run.next_state
        self.holding.hold(name, run)

    def _settle(self, name: str, run: _Run) -> None:
        bound = log.bind(tournament=name, hands=run.progress.hands)
        if not run.task.cancelled() and (error := run.task.exception()) is not None:
            self._give_up(name, cause_of(error))
        elif run.task.cancelled() and run.next_state is None and self.holding.is_on:
            self._hold(name, run)
        elif not run.task.cancelled() and run.task.result():
            digest = self._store.finish(name, run.standings)
            bound.info("tournament_finished", log_digest=digest.hex())
        elif run.next_state is not None:
            self._store.set_state(name, run.next_state)
            bound.info("tournament_stopped", state=run.next_state.name)
        else:
            bound.info("tournament_interrupted")

    def _give_up(self, name: str, error: BaseException) -> None:
        bound = log.bind(tournament=name)
        if isinstance(error, StorageError):
            raise error
        if isinstance(error, ServiceError):
            bound.warning("tournament_paused", reason=str(error))
            self._store.set_state(name, State.PAUSED, str(error))
        else:
            if isinstance(error, WorkerError):
                bound.error("tournament_failed", exception=error.detail)
            else:
                bound.error("tournament_failed", exc_info=error)
            self._store.set_state(name, State.FAILED, public_reason(error))

    async def _play(self, name: str, planned: Schedule) -> bool:
        """Play what is left of a tournament; gives whether that was all."""
        run, plan = self._runs[name], planned.plan
        await self._journal.settle()
        done = self._store.hand_count(name)
        over = 0
        await asyncio.to_thread(planned.find)
        if not planned.is_fixed:  # Matches follow from outcomes: from those of the log first.
            over = await asyncio.to_thread(lambda: planned.take_all(hand_lines(self._store, plan)))
        run.progress = Progress(done, planned.hands, over, planned.matches_planned)
        log.info("tournament_started", tournament=name, hands=done, planned=planned.hands)
        if (workers := self._processes(planned)) > 1:
            counts = await self._play_in_workers(planned, run, workers)
        else:
            counts = await self._play_here(planned, run)
        _log_entrants(plan, counts)
        await self._journal.settle()
        if not planned.is_over(run.progress.matches):
            return False
        run.standings = await asyncio.to_thread(final_standings, self._store, name)
        return True

    async def _play_here(self, planned: Schedule, run: _Run) -> Sequence[Counts]:
        plan = planned.plan
        async with seat_sessions(
            plan,
            self._store,
            self._lag,
            self._journal.flush,
            self.attached,
            self._store.decisions.with_suffix(""),
            planned.absent,
        ) as sessions:
            supply = self._agreed(planned, run, identities(plan, sessions))
            source = _Here(run, supply, sessions, self._notify)
            tables = planned.at_once(plan.tables)
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(supply.watch())
                await play(tables, source, sessions, self._journal)
                watching.cancel()
            return counts_of(len(plan.entrants), sessions)

    async def _play_in_workers(self, planned: Schedule, run: _Run, number: int) -> Sequence[Counts]:
        def hand_stored() -> None:
            run.count_hand()
            self._notify()

        plan = planned.plan
        spec = tournament_pb2.TournamentSpec.FromString(self._store.tournament(plan.name).spec)
        spec.seed = plan.seed.hex()
        for at, (entrant, known) in enumerate(zip(spec.entrants, plan.entrants, strict=True)):
            if known.registered is not None and at not in planned.absent:
                entrant.name = known.name
                entrant.address = self._store.bot(known.registered).address
        work = Work(
            plan=plan,
            spec=spec,
            absent=planned.absent,
            draining=run.draining,
            agree=partial(self._agreed, planned, run),
            hand_stored=hand_stored,
            match_over=run.count_match,
        )
        return await Workers(self._store, self._journal, work, number).play()

    def _processes(self, planned: Schedule) -> int:
        """How many processes play a tournament; 1 is this one."""
        plan = planned.plan
        processes = min(self._workers, planned.at_once(plan.tables))
        if processes > 1 and self._awaits_attaching(plan):
            reason = "a bot dials in, and can be asked by this process alone"
            log.warning("workers_not_used", tournament=plan.name, reason=reason)
            return 1
        return processes

    def _awaits_attaching(self, plan: Plan) -> bool:
        """Whether a bot dials in: it dials this process, so that no other can play it."""
        registered = (entrant.registered for entrant in plan.entrants)
        return any(name is not None and self._store.bot(name).dials_in for name in registered)

    def _agreed(self, planned: Schedule, run: _Run, bots: tuple[str, ...]) -> Supply:
        """What there is to be played now that it is known who plays."""
        plan = planned.plan
        bots = self._expect(plan.name, bots)
        backlog = Backlog(self._store, planned, bots, run.count_match)
        greeter = Greeter(plan, bots, self._store, self.attached, self._lag)
        tell = partial(self._tell_suspended, plan.name)
        if self._store.tournament(plan.name).reason and not run.draining.is_set():
            tell("")  # Whoever was suspended before a restart is not any more.
        run.supply = Supply(backlog, plan, run.draining, greeter.greet, tell)
        return run.supply

    def _tell_suspended(self, name: str, who: str) -> None:
        """Let those who follow a tournament know that an entrant is suspended, or is no more."""
        self._store.set_state(name, State.RUNNING, who)
        self._notify()

    def _expect(self, name: str, bots: tuple[str, ...]) -> tuple[str, ...]:
        """Keep who plays; gives them, with those who have played and are absent.

        Raises `FailedPrecondition` where somebody else has come back.
        """
        before = self._store.tournament(name).bots
        bots = tuple(new or old for new, old in zip_longest(bots, before, fillvalue=""))
        if before and before != bots[: len(before)] and self._has_begun(name):
            raise FailedPrecondition(
                f"the bots are {', '.join(bots)} but this tournament was begun by "
                f"{', '.join(before)}: a new version is a new player"
            )
        self._store.set_bots(name, bots)
        return bots

    def _has_begun(self, name: str) -> bool:
        return bool(self._store.hand_count(name) or self._store.journal_events(name))

    def _notify(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


@dataclass(frozen=True, slots=True)
class _Here:
    """The source of what is played in this process."""

    run: _Run
    supply: Supply
    sessions: Sessions
    notify: Callable[[], None]

    async def next(self) -> Unfinished | None:
        """The next match; None where no more are wanted."""
        return await self.supply.next()

    def is_ending(self) -> bool:
        """Whether the tournament is draining."""
        return self.run.draining.is_set()

    def hand_stored(self, record: HandRecord) -> None:
        """Tell the bots that dial in, and whoever follows the tournament."""
        self.supply.observe(record)
        tell_hand(self.sessions, record)
        self.run.count_hand()
        self.notify()

    def match_over(self, number: int) -> None:
        """Count it; others may follow from it."""
        self.supply.match_over(number)
        self.run.count_match()


def _log_entrants(plan: Plan, counts: Sequence[Counts]) -> None:
    for entrant, counted in zip(plan.entrants, counts, strict=True):
        log.info(
            "entrant_done",
            tournament=plan.name,
            entrant=entrant.name,
            messages_sent=counted.messages_sent,
            stray_answers=counted.stray_answers,
        )

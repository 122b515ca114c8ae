"""The director: plays the stored tournaments, and resumes them where a log left off."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

import structlog

from fivehundred.daemon.matches import Schedule, schedule
from fivehundred.daemon.progress import Progress
from fivehundred.daemon.results import plan_of
from fivehundred.daemon.sessions import Sessions, identities, seat_sessions
from fivehundred.players.lag import LagMonitor
from fivehundred.storage.errors import StorageError
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredTournament, TournamentState
from fivehundred.table.runner import finish, keep, play_match
from fivehundred.table.table import MatchSpec, ReplayError, Table
from fivehundred.table.values import Event, HandKey, HandRecord
from fivehundred.wire.errors import FailedPrecondition, ServiceError
from fivehundred.wire.spec import Plan

State = TournamentState
STARTABLE = (State.CREATED, State.PAUSED)
UNFINISHED = (State.RUNNING, State.DRAINING)
log = structlog.get_logger()


@dataclass(slots=True)
class _Run:
    """A tournament that is being played."""

    task: asyncio.Task[bool]
    draining: bool = False
    playing: bool = False
    """Whether its bots have come up."""
    next_state: State | None = None
    """What a stop that was asked for leaves behind; None where the tournament plays to its end."""
    progress: Progress = field(default_factory=lambda: Progress(0, 0, 0, 0))


class Director:
    """Starts, pauses, drains and aborts tournaments; one task plays each."""

    def __init__(self, store: Store, journal: Journal, lag: LagMonitor) -> None:
        self.changed = asyncio.Event()
        """Set, and replaced by a new one, when a hand has been stored or a state has changed."""
        self.failed = asyncio.Event()
        """Set when the log cannot be written any more: the daemon must end."""
        self._store = store
        self._journal = journal
        self._lag = lag
        self._runs: dict[str, _Run] = {}

    def resume(self) -> list[str]:
        """Take up every tournament that was running when the daemon last ended; their names.

        One that was draining is paused: its hands under way go on when it is started.
        """
        found = [each for each in _all(self._store) if each.state in UNFINISHED]
        for each in found:
            self.take_up(each)
        return [each.name for each in found]

    def take_up(self, stored: StoredTournament) -> None:
        """Go on with a tournament that was running when the daemon last ended."""
        if stored.state is State.DRAINING:
            self._store.set_state(stored.name, State.PAUSED)
        else:
            self._launch(stored.name)

    def start(self, name: str) -> None:
        """Start a tournament that is created or paused; raises `FailedPrecondition` otherwise."""
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
        run.draining, run.next_state = True, State.PAUSED
        self._store.set_state(name, State.DRAINING)
        self._notify()

    def progress(self, name: str) -> Progress | None:
        """How far a tournament that is being played is; None for one that is not."""
        run = self._runs.get(name)
        return run.progress if run else None

    async def finished(self, name: str) -> None:
        """Return when a tournament is not being played any more."""
        if run := self._runs.get(name):
            await asyncio.wait([run.task])

    async def close(self, *, drain: bool) -> None:
        """End every task; the tournaments stay RUNNING and go on when a daemon resumes them."""
        tasks = [run.task for run in self._runs.values()]
        for run in self._runs.values():
            run.draining = True
            if not drain or not run.playing:
                run.task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _running(self, name: str) -> _Run:
        run = self._runs.get(name)
        if run is None:
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
        task = asyncio.create_task(self._play(name), name=f"tournament {name}")
        self._runs[name] = _Run(task)
        task.add_done_callback(lambda _: self._ended(name))
        self._notify()

    def _ended(self, name: str) -> None:
        """Keep how a task ended, even one that was cancelled before its first step."""
        run = self._runs.pop(name)
        try:
            self._settle(name, run)
        except StorageError as error:
            log.critical("database_not_writable", tournament=name, reason=str(error))
            self.failed.set()
        self._notify()

    def _settle(self, name: str, run: _Run) -> None:
        bound = log.bind(tournament=name, hands=run.progress.hands)
        if not run.task.cancelled() and (error := run.task.exception()) is not None:
            self._give_up(name, _cause(error))
        elif not run.task.cancelled() and run.task.result():
            digest = self._store.finish(name)
            bound.info("tournament_finished", log_digest=digest.hex())
        elif run.next_state is not None:
            self._store.set_state(name, run.next_state)
            bound.info("tournament_stopped", state=run.next_state.name)
        else:
            bound.info("tournament_suspended")

    def _give_up(self, name: str, error: BaseException) -> None:
        bound = log.bind(tournament=name)
        if isinstance(error, StorageError):
            bound.critical("log_not_writable", reason=str(error))
            self.failed.set()
        elif isinstance(error, ServiceError):
            bound.warning("tournament_paused", reason=str(error))
            self._store.set_state(name, State.PAUSED, str(error))
        else:
            bound.error("tournament_failed", exc_info=error)
            self._store.set_state(name, State.FAILED, _public_reason(error))

    async def _play(self, name: str) -> bool:
        """Play what is left of a tournament; gives whether that was all."""
        run = self._runs[name]
        await self._journal.settle()
        plan = plan_of(self._store, name)
        planned = schedule(plan)
        done = self._store.hand_count(name)
        run.progress = Progress(done, planned.hands, 0, len(planned.pairings))
        log.info("tournament_started", tournament=name, hands=done, planned=planned.hands)
        async with seat_sessions(plan, self._store, self._lag) as sessions:
            bots = identities(plan, sessions)
            self._expect(name, bots)
            run.playing = True
            matches = self._unfinished(planned, run, bots)
            async with asyncio.TaskGroup() as group:
                for _ in range(min(plan.tables, len(planned.pairings))):
                    group.create_task(self._table(run, matches, sessions))
            _log_sessions(plan, sessions)
        await self._journal.settle()
        return run.progress.matches == len(planned.pairings)

    def _expect(self, name: str, bots: tuple[str, ...]) -> None:
        """Keep who plays; raises `FailedPrecondition` where somebody else has come back."""
        before = self._store.tournament(name).bots
        if before and before != bots and self._has_begun(name):
            raise FailedPrecondition(
                f"the bots are {', '.join(bots)} but this tournament was begun by "
                f"{', '.join(before)}: a new version is a new player"
            )
        self._store.set_bots(name, bots)

    def _has_begun(self, name: str) -> bool:
        return bool(self._store.hand_count(name) or self._store.journal_events(name))

    async def _table(self, run: _Run, matches: Iterator[Table], sessions: Sessions) -> None:
        def on_hand(_: HandRecord) -> None:
            progress = run.progress
            run.progress = Progress(
                progress.hands + 1, progress.planned, progress.matches, progress.matches_planned
            )
            self._notify()

        for table in matches:
            if await play_match(table, sessions, self._journal, lambda: run.draining, on_hand):
                _count_match(run)
            if run.draining:
                return

    def _unfinished(self, planned: Schedule, run: _Run, bots: tuple[str, ...]) -> Iterator[Table]:
        """The tables still to be played, each brought to where the log left it."""
        name = planned.plan.name
        hands: dict[int, int] = {}
        for key in self._store.hand_keys(name):
            hands[key.match] = hands.get(key.match, 0) + 1
        under_way = self._store.journal_events(name)
        for spec in planned.matches(bots):
            logged = hands.get(spec.number, 0)
            if not spec.games and logged == planned.sittings:
                _count_match(run)
                continue
            table = self._resumed(spec, logged, under_way.get(spec.number, []))
            if table.over:
                _count_match(run)
            else:
                yield table

    def _resumed(self, spec: MatchSpec, logged: int, under_way: list[Event]) -> Table:
        table = Table(spec)
        before = _events(match_hands(self._store, spec)) if logged else []
        missing = table.replay([*before, *under_way])
        finish(self._journal, spec, table.take_records())
        keep(self._journal, spec, missing)
        return table

    def _notify(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


def _log_sessions(plan: Plan, sessions: Sessions) -> None:
    for index, entrant in enumerate(plan.entrants):
        own = [session for (each, _), session in sessions.items() if each == index]
        log.info(
            "entrant_done",
            tournament=plan.name,
            entrant=entrant.name,
            messages_sent=sum(session.messages_sent for session in own),
            stray_answers=sum(session.stray_answers for session in own),
        )


def _public_reason(error: BaseException) -> str:
    """What anybody may read of an error: nothing that it says of the cards."""
    if isinstance(error, ReplayError):
        return f"the log does not replay: {error}; fivehundred verify tells more"
    return f"internal error ({type(error).__name__}); the daemon's log tells more"


def _cause(error: BaseException) -> BaseException:
    """What went wrong first, out of the groups that tasks wrap it in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def match_hands(store: Store, spec: MatchSpec) -> list[HandRecord]:
    """The stored hands of one match, in order."""
    before = HandKey(spec.tournament, spec.number, -1, 0)
    limit = len(spec.boards) * len(spec.seatings) * (spec.max_deals if spec.games else 1)
    page = store.hands_page(spec.tournament, limit, before)
    return [hand.record for hand in takewhile(lambda hand: hand.key.match == spec.number, page)]


def _events(records: list[HandRecord]) -> list[Event]:
    events: list[Event] = []
    for record in records:
        events += [record.started, *record.decisions, record.ended]
    return events


def _count_match(run: _Run) -> None:
    done = run.progress
    run.progress = Progress(done.hands, done.planned, done.matches + 1, done.matches_planned)


def _all(store: Store) -> Iterator[StoredTournament]:
    page = store.tournaments()
    while page:
        yield from page
        page = store.tournaments(after=page[-1].name)

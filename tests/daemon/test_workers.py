"""Tournaments played by worker processes: the same log, whoever is killed meanwhile."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from fivehundred.daemon.backlog import Backlog
from fivehundred.daemon.creation import create
from fivehundred.daemon.director import Director
from fivehundred.daemon.embedded import director_of, run_tournament
from fivehundred.daemon.progress import Progress
from fivehundred.daemon.results import plan_of
from fivehundred.daemon.supply import Supply
from fivehundred.daemon.workers import Work, Workers
from fivehundred.storage.decisions import under_way, worker_files
from fivehundred.storage.journal import Journal
from fivehundred.storage.rows import player_name
from fivehundred.storage.store import Store, open_store, read_store
from fivehundred.storage.values import RegisteredBot, TournamentState
from fivehundred.storage.verify import verify
from fivehundred.table.values import Decided, HandKey, HandStarted
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import FailedPrecondition
from fivehundred.wire.matches import schedule
from fivehundred.wire.record import event_from_bytes
from fivehundred.wire.spec import spec_to_text

StartBot = Callable[[str], str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
Spec = tournament_pb2.TournamentSpec
State = TournamentState
PROGRAM = str(Path(sys.executable).parent / "fivehundred")
GONE_WITHIN_S = 10
CAREFUL = "careful:Careful"


@pytest.fixture
def spec(start_bot: StartBot, make_spec: MakeSpec) -> Spec:
    """A tournament of 96 hands between two bots that are dialled."""
    bots = [("random", start_bot("random_bot:Random")), ("basic", start_bot("basic:Basic"))]
    return make_spec(*bots, rounds=24, boards=2, tables=6)


async def play(
    spec: Spec, database: Path, workers: int, on_progress: Callable[[Progress], None] | None = None
) -> bytes:
    """The digest of the log of a tournament that is played to its end."""
    played = await run_tournament(spec, database, on_progress or (lambda _: None), workers)
    return played.log_digest


def workers_of(parent: psutil.Process) -> list[psutil.Process]:
    """The worker processes of a process, the oldest first."""
    found = [child for child in parent.children() if "fivehundred.daemon.worker" in _line(child)]
    return sorted(found, key=psutil.Process.create_time)


def _line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def killing_a_worker(after: int) -> Callable[[Progress], None]:
    """Kills one of this process's workers when so many hands are stored."""
    left = [psutil.Process()]

    def on_progress(progress: Progress) -> None:
        if progress.hands >= after and left:
            workers_of(left.pop())[-1].kill()

    return on_progress


def require_whole(database: Path, hands: int) -> None:
    """Every hand once, the log right, nothing left of the workers."""
    with read_store(database) as store:
        report = verify(store)
        assert (report.hands, report.problems) == (hands, ())
        assert worker_files(store.decisions) == []
    assert workers_of(psutil.Process()) == []


async def test_the_log_does_not_depend_on_how_many_workers_play(spec: Spec, tmp_path: Path) -> None:
    digests = {await play(spec, tmp_path / f"{number}.db", number) for number in (1, 2, 3)}

    assert len(digests) == 1
    for number in (1, 2, 3):
        require_whole(tmp_path / f"{number}.db", 96)
        with read_store(tmp_path / f"{number}.db") as store:
            players = {hand.player for hand in store.hands(spec.name)}
        assert players == {
            player_name(worker) for worker in (range(number) if number > 1 else [None])
        }


async def test_games_of_registered_bots_are_played_by_workers(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(rounds=2)
    spec.format.games.boards_per_match = 1
    addresses = {name: start_bot(bot) for name, bot in (("a", "basic:Basic"), ("b", CAREFUL))}
    for name in addresses:
        spec.entrants.add(registered=name)

    digests = set()
    for workers in (1, 2):
        async with director_of(tmp_path / f"{workers}.db", workers) as (store, director):
            for name, address in addresses.items():
                store.register_bot(RegisteredBot(name, address, "", 0))
            create(store, spec)
            director.start("test")
            await director.finished("test")
            digests.add(store.tournament("test").log_digest)

    assert len(digests) == 1
    assert digests != {b""}


async def test_a_worker_that_is_killed_is_started_again_and_goes_on(
    spec: Spec, tmp_path: Path
) -> None:
    whole = await play(spec, tmp_path / "whole.db", 1)

    killed = await play(spec, tmp_path / "killed.db", 2, killing_a_worker(after=5))

    assert killed == whole
    require_whole(tmp_path / "killed.db", 96)


async def test_a_worker_that_dies_too_often_pauses_the_tournament_with_the_reason(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fivehundred.daemon.workers.RESTARTS", 0)
    database = tmp_path / "t.db"
    with pytest.raises(FailedPrecondition, match=r"ended by itself 1 times.*signal 9"):
        await play(spec, database, 2, killing_a_worker(after=5))
    with read_store(database) as store:
        assert store.tournament("test").state is State.PAUSED

    await play(spec, database, 2)

    require_whole(database, 96)


async def answering(entrant: int) -> bool:
    """Greets bots that all answer."""
    return True


async def test_a_worker_that_stores_hands_may_die_any_number_of_times(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fivehundred.daemon.workers.RESTARTS", 1)
    killed: set[int] = set()

    def kill() -> None:
        for worker in workers_of(psutil.Process()):
            if len(killed) < 3 and worker.pid not in killed:
                killed.add(worker.pid)
                worker.kill()

    with open_store(tmp_path / "t.db") as store:
        create(store, spec)
        planned = schedule(plan_of(store, "test"))

        draining = asyncio.Event()

        def agree(bots: Sequence[str]) -> Supply:
            store.set_bots("test", tuple(bots))
            backlog = Backlog(store, planned, bots, lambda: None)
            return Supply(backlog, planned.plan, draining, answering, lambda _: None)

        work = Work(
            plan=planned.plan,
            absent=planned.absent,
            spec=Spec.FromString(store.tournament("test").spec),
            draining=draining,
            agree=agree,
            hand_stored=kill,
            match_over=lambda: None,
        )
        journal = Journal(store)
        await Workers(store, journal, work, 1).play()
        journal.close()

    assert len(killed) == 3
    require_whole(tmp_path / "t.db", 96)


async def test_a_bot_that_does_not_come_up_gives_the_same_error_as_without_workers(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(("here", "unix:/nowhere/a"), ("there", start_bot("basic:Basic")))
    spec.time_control.connect.FromMilliseconds(200)
    said = []
    for workers in (1, 2):
        with pytest.raises(FailedPrecondition, match="here' did not come up") as caught:
            await play(spec, tmp_path / f"{workers}.db", workers)
        said.append(str(caught.value))

    assert said[0] == said[1]
    with read_store(tmp_path / "2.db") as store:
        assert (store.tournament("test").state, store.hand_count("test")) == (State.PAUSED, 0)


async def until(director: Director, happened: Callable[[], bool]) -> None:
    """Return when something has happened; looked at whenever the director says so."""
    while not happened():
        await director.changed.wait()


async def test_a_drain_lets_hands_finish_and_a_pause_keeps_them_under_way(
    spec: Spec, tmp_path: Path
) -> None:
    whole = await play(spec, tmp_path / "whole.db", 1)
    database = tmp_path / "t.db"
    async with director_of(database, workers=2) as (store, director):
        create(store, spec)
        await _start_and_play(store, director, hands=4)
        await director.drain("test")
        await director.finished("test")
        assert store.tournament("test").state is State.PAUSED
        assert not any(_decisions(store).values())
        drained = store.hand_count("test")

        await _start_and_play(store, director, hands=drained + 4)
        await director.pause("test")
        assert store.tournament("test").state is State.PAUSED
        assert store.hand_count("test") < 96
        made = _decisions(store)
        assert worker_files(store.decisions) == []

        director.start("test")
        await director.finished("test")
        assert store.log_digest("test") == whole
        assert _begin_with(store, made)
    require_whole(database, 96)


async def _start_and_play(store: Store, director: Director, hands: int) -> None:
    director.start("test")
    await until(director, lambda: store.hand_count("test") >= hands)


def _decisions(store: Store) -> dict[int, list[Decided]]:
    """By match, the decisions of the hand under way."""
    return {
        match: [event for event in events if isinstance(event, Decided)]
        for match, events in store.journal_events("test").items()
    }


def _begin_with(store: Store, made: dict[int, list[Decided]]) -> bool:
    """Whether each match has a hand that begins with these very decisions, receipts included."""
    hands = [(hand.key.match, hand.record.decisions) for hand in store.hands("test")]
    return all(
        any((match, list(decisions[: len(first)])) == (number, first) for match, decisions in hands)
        for number, first in made.items()
    )


@contextmanager
def running(spec: Path, database: Path, workers: int) -> Iterator[subprocess.Popen[bytes]]:
    """The command that plays a tournament, as a process that does not outlive the block."""
    command = [PROGRAM, "run", str(spec), "--database", str(database), "--workers", str(workers)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def killed_while_playing(
    process: subprocess.Popen[bytes], database: Path, hands: int, workers: int
) -> None:
    """Kill a run that has stored so many hands more; no process that it has started is left."""
    wanted = _count(database) + hands
    while process.poll() is None and _count(database) < wanted:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
    process.send_signal(signal.SIGSTOP)
    started = psutil.Process(process.pid).children(recursive=True)
    separate = workers if workers > 1 else 0
    assert len(workers_of(psutil.Process(process.pid))) == separate
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    _, alive = psutil.wait_procs(started, GONE_WITHIN_S)
    assert alive == []
    with read_store(database) as store:
        assert len(worker_files(store.decisions)) == separate


def _count(database: Path) -> int:
    try:
        with read_store(database) as store:
            return store.hand_count("test")
    except Exception:  # noqa: BLE001 - the file is still being made
        return 0


async def test_a_daemon_killed_again_and_again_goes_on_at_the_very_decisions(
    spec: Spec, tmp_path: Path
) -> None:
    """With two workers, with none, with three; and at last with two to the end."""
    file, database = tmp_path / "spec.textproto", tmp_path / "t.db"
    file.write_text(spec_to_text(spec))
    logged = []
    for workers, hands in ((2, 4), (1, 8), (3, 8)):
        with running(file, database, workers) as process:
            killed_while_playing(process, database, hands, workers)
        logged += _logged(database)

    with running(file, database, workers=2) as process:
        assert process.wait() == 0

    require_whole(database, 96)
    assert any(made for _, made in logged)
    with read_store(database) as store:
        stored = {hand.key: hand.record.decisions for hand in store.hands("test")}
        assert all(stored[key][: len(made)] == made for key, made in logged)
        assert store.log_digest("test") == await play(spec, tmp_path / "whole.db", 1)


def _logged(database: Path) -> list[tuple[HandKey, tuple[Decided, ...]]]:
    """The last hand of each match in each file of decisions, and what was decided in it."""
    with read_store(database) as store:
        paths = [store.decisions, *worker_files(store.decisions)]
    return [_hand(events) for path in paths for events in under_way(path).values()]


def _hand(events: list[bytes]) -> tuple[HandKey, tuple[Decided, ...]]:
    started, *made = map(event_from_bytes, events)
    assert isinstance(started, HandStarted)
    return started.key, tuple(each for each in made if isinstance(each, Decided))


async def test_bots_that_workers_have_launched_end_with_a_killed_daemon(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(("dialled", start_bot("basic:Basic")), rounds=4, boards=1, tables=2)
    entrant = spec.entrants.add(name="launched")
    program = "from fivehundred_client import run; from fivehundred_bots.basic import Basic; "
    entrant.launch.command.extend(["python", "-c", program + "run(Basic())"])
    file, database = tmp_path / "spec.textproto", tmp_path / "t.db"
    file.write_text(spec_to_text(spec))

    with running(file, database, workers=2) as process:
        killed_while_playing(process, database, hands=1, workers=2)

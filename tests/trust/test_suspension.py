"""A bot that keeps failing is suspended and comes back; nobody else waits for it."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from fivehundred.daemon.creation import create
from fivehundred.daemon.director import Director
from fivehundred.daemon.embedded import director_of
from fivehundred.daemon.results import plan_of, standings_of
from fivehundred.storage.store import Store
from fivehundred.storage.values import HandStored, TournamentState
from fivehundred.storage.verify import verify
from fivehundred.v1.tournament_pb2 import TournamentSpec
from fivehundred.wire.matches import schedule

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
ROUNDS, BOARDS = 6, 2
HANDS = 3 * ROUNDS * BOARDS * 2
KILLED_AFTER = 4
EVENTS = 10_000


class Bot(Protocol):
    """A bot's process."""

    popen: subprocess.Popen[str]
    address: str


@pytest.fixture
def start_at(
    start_listening: Callable[[Sequence[str], str], Bot], tmp_path: Path
) -> Callable[[str], Bot]:
    """Starts a bot at a socket of that name; anew at the same one where it was killed."""

    def start(name: str) -> Bot:
        serve = [PROGRAM, "bot", "serve", "fivehundred_bots.random_bot:Random"]
        return start_listening([*serve, "--listen", f"unix:{tmp_path / name}"], "stderr")

    return start


def three_entrants(tmp_path: Path, *, patience_s: int) -> TournamentSpec:
    """A round robin of three bots at sockets; the last one will be killed."""
    spec = TournamentSpec(name="test", tables=4, seed="5a" * 32)
    for name in ("first", "second", "killed"):
        spec.entrants.add(name=name, address=f"unix:{tmp_path / name}")
    spec.format.round_robin.rounds = ROUNDS
    spec.format.boards.boards_per_match = BOARDS
    for limit in ("bid", "discard", "play"):
        getattr(spec.time_control, limit).FromMilliseconds(300)
    spec.time_control.first_decision.FromSeconds(0)
    spec.fault_policy.strikes = 3
    spec.fault_policy.suspension.faults = 3
    spec.fault_policy.suspension.probe.FromMilliseconds(200)
    spec.fault_policy.suspension.patience.FromSeconds(patience_s)
    return spec


async def until(director: Director, happened: Callable[[], bool]) -> None:
    """Return when something has happened; looked at whenever the director says so."""
    while not happened():
        await director.changed.wait()


def others_are_played(store: Store) -> bool:
    """Whether every hand between the two that live is stored."""
    pairings = list(schedule(plan_of(store, "test")).pairings)
    between = [set(pairings[key.match].entrants) for key in store.hand_keys("test")]
    return between.count({0, 1}) == ROUNDS * BOARDS * 2


def reasons(store: Store) -> list[str]:
    """What those who follow the tournament were told of its running, in order."""
    events = store.events_after("test", 0, EVENTS)
    told = [event for event in events if not isinstance(event, HandStored)]
    return [event.reason for event in told if event.state is TournamentState.RUNNING]


def require_whole(store: Store) -> None:
    """Every hand once, and the log in order."""
    report = verify(store)
    assert (report.hands, report.problems) == (HANDS, ())
    assert store.tournament("test").state is TournamentState.FINISHED


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_killed_bot_is_put_off_while_others_play_and_let_back_when_it_answers(
    start_at: Callable[[str], Bot], tmp_path: Path, workers: int
) -> None:
    bots = {name: start_at(name) for name in ("first", "second", "killed")}
    async with director_of(tmp_path / "t.db", workers) as (store, director):
        create(store, three_entrants(tmp_path, patience_s=300))
        director.start("test")
        await until(director, lambda: store.hand_count("test") >= KILLED_AFTER)
        bots["killed"].popen.kill()

        await until(director, lambda: "killed is suspended" in store.tournament("test").reason)
        await until(director, lambda: others_are_played(store))
        left = HANDS - store.hand_count("test")
        start_at("killed")
        await director.finished("test")

        require_whole(store)
        assert left > 0
        rows = {row.entrant: row for row in standings_of(store, "test").rows}
        assert reasons(store)[-1] == ""
    assert not rows["first"].faults.ListFields() and not rows["second"].faults.ListFields()
    lost = HANDS * 2 // 3 - left + (workers - 1) * BOARDS * 2
    assert 0 < rows["killed"].forfeits <= lost
    assert {row.hands for row in rows.values()} == {HANDS * 2 // 3}


async def test_a_bot_that_stays_away_is_played_when_patience_is_over_and_loses(
    start_at: Callable[[str], Bot], tmp_path: Path
) -> None:
    bots = {name: start_at(name) for name in ("first", "second", "killed")}
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, three_entrants(tmp_path, patience_s=1))
        director.start("test")
        await until(director, lambda: store.hand_count("test") >= KILLED_AFTER)
        bots["killed"].popen.kill()
        await director.finished("test")

        require_whole(store)
        rows = standings_of(store, "test").rows
        assert "killed plays although its bot keeps failing" in reasons(store)
    assert [row.entrant for row in rows][-1] == "killed"

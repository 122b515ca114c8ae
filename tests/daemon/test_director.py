"""What happens to a tournament when orders, kills and changes of bots cross each other."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fivehundred.daemon.creation import create
from fivehundred.daemon.director import Director
from fivehundred.daemon.embedded import director_of
from fivehundred.players.lag import LagMonitor
from fivehundred.rules.actions import Play
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import open_store, read_store
from fivehundred.storage.values import TournamentState
from fivehundred.storage.verify import verify
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import FailedPrecondition
from fivehundred_bots.random_bot import Random
from fivehundred_client import PlayTurn, serve

StartBot = Callable[[str], str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
State = TournamentState


async def until(director: Director, happened: Callable[[], bool]) -> None:
    """Return when something has happened; looked at whenever the director says so."""
    while not happened():
        await director.changed.wait()


async def test_a_start_and_a_pause_at_once_leave_it_paused(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, make_spec(("a", address), ("b", address)))

        director.start("test")
        await director.pause("test")

        assert store.tournament("test").state is State.PAUSED
        director.start("test")
        await director.finished("test")
        assert store.tournament("test").state is State.FINISHED


async def test_nothing_is_started_while_the_daemon_ends(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, make_spec(("a", address), ("b", address)))
        await director.close(drain=True)

        with pytest.raises(FailedPrecondition, match="the daemon is ending"):
            director.start("test")
        assert store.tournament("test").state is State.CREATED


class Telling(Random):
    """Tells at every so manieth decision, and takes one at a time, so that others wait unsent."""

    max_in_flight = 1
    every = 41

    def __init__(self) -> None:
        self.told = asyncio.Event()
        self.asked = 0

    def play(self, turn: PlayTurn) -> Play:
        self.asked += 1
        if self.asked % self.every == 0:
            self.told.set()
        return super().play(turn)


async def test_pauses_in_mid_hand_lose_no_decision_and_repeat_none(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    bot = Telling()
    server = await serve(bot)
    spec = make_spec(("a", server.address), ("b", server.address), rounds=4)
    spec.seed = "5a" * 32
    digests = []
    for pauses in (6, 0):
        async with director_of(tmp_path / f"{pauses}.db") as (store, director):
            create(store, spec)
            for _ in range(pauses):
                bot.told.clear()
                director.start("test")
                await bot.told.wait()
                await director.pause("test")
            director.start("test")
            await director.finished("test")
            ended = store.tournament("test")
            assert ended.state is State.FINISHED, ended.reason
            digests.append(ended.log_digest)
    await server.stop()

    assert digests[0] == digests[1]


async def test_what_has_ended_cannot_be_paused(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, make_spec(("a", address), ("b", address), rounds=1))
        director.start("test")
        await director.finished("test")

        with pytest.raises(FailedPrecondition, match="FINISHED"):
            await director.pause("test")


async def test_a_drain_that_a_kill_cuts_short_is_kept(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    database = tmp_path / "t.db"
    async with director_of(database) as (store, _):
        create(store, make_spec(("a", address), ("b", address)))
        store.set_state("test", State.DRAINING)

    async with director_of(database) as (store, director):
        assert director.resume() == ["test"]
        assert store.tournament("test").state is State.PAUSED


async def test_another_version_of_a_bot_does_not_take_over_a_hand_under_way(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    first = await serve(Random())
    address = first.address
    database = tmp_path / "t.db"
    async with director_of(database) as (store, director):
        create(store, make_spec(("a", address), ("b", address), rounds=1, boards=50))
        director.start("test")
        await until(director, lambda: store.hand_count("test") > 0)
        await director.close(drain=False)
    assert _hands(database) < 100
    await first.stop()
    newer = Random()
    newer.version = "2"
    second = await serve(newer, address)

    async with director_of(database) as (store, director):
        director.resume()
        await director.finished("test")
        stored = store.tournament("test")

    await second.stop()
    assert stored.state is State.PAUSED
    assert "a new version is a new player" in stored.reason


def _hands(database: Path) -> int:
    with read_store(database) as store:
        return store.hand_count("test")


async def test_sigterm_does_not_wait_for_bots_that_do_not_come_up(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(("a", "unix:/nowhere/a"), ("b", "unix:/nowhere/b"))
    with open_store(tmp_path / "t.db") as store:
        lag, journal = LagMonitor(), Journal(store)
        director = Director(store, journal, lag)
        create(store, spec)
        director.start("test")

        async with asyncio.timeout(5):
            await director.close(drain=True)

        assert store.tournament("test").state is State.RUNNING
        lag.stop()
        journal.close()


async def test_a_daemon_that_stood_still_pauses_and_asks_again_when_it_is_started(
    make_spec: MakeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await serve(Random())
    spec = make_spec(("a", server.address), ("b", server.address), rounds=1, boards=1)
    for limit in ("bid", "discard", "play"):
        getattr(spec.time_control, limit).FromMicroseconds(1)
    spec.time_control.first_decision.FromSeconds(0)
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, spec)
        with monkeypatch.context() as bound:
            bound.setattr("fivehundred.table.runner.MOST_LAG_US", -1)
            director.start("test")
            await director.finished("test")
        paused = store.tournament("test")
        director.start("test")
        await director.finished("test")

        assert (paused.state, store.tournament("test").state) == (State.PAUSED, State.FINISHED)
        assert "the daemon stood still" in paused.reason
        assert verify(store).is_clean
    await server.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="a sandbox needs Linux")
async def test_a_sandbox_is_tried_out_beside_the_tables(
    make_spec: MakeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "line")
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\ncat {tmp_path / 'line'} >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    spec = make_spec(("a", "unix:/nowhere/a"))
    spec.entrants.add(name="b").launch.command.append("b")
    spec.entrants[1].launch.sandbox.kind = tournament_pb2.SANDBOX_KIND_BUBBLEWRAP
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, spec)

        preparing = asyncio.create_task(director.prepare("test"))
        await asyncio.to_thread((tmp_path / "line").write_text, "said meanwhile")

        with pytest.raises(FailedPrecondition, match=r"'b' .* sandbox, but .*said meanwhile"):
            await preparing
        assert store.tournament("test").state is State.CREATED

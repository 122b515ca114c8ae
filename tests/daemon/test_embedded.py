"""Whole tournaments over gRPC against bots in other processes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.results import standings_of
from fivehundred.storage.store import read_store
from fivehundred.storage.verify import verify
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import AlreadyExists, FailedPrecondition

StartBot = Callable[[str], str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]


async def play(spec: tournament_pb2.TournamentSpec, database: Path) -> tournament_pb2.Tournament:
    return await run_tournament(spec, database, lambda _: None)


async def test_a_tournament_is_played_logged_and_ranked(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(
        ("careful", start_bot("careful:Careful")), ("random", start_bot("random_bot:Random"))
    )
    database = tmp_path / "t.db"

    played = await play(spec, database)

    assert played.state == tournament_pb2.TOURNAMENT_STATE_FINISHED
    assert (played.hands_played, played.hands_planned) == (20, 20)
    with read_store(database) as store:
        report = verify(store)
        table = standings_of(store, "test")
    assert (report.hands, report.problems) == (20, ())
    assert [row.entrant for row in table.rows] == ["careful", "random"]
    assert [row.bot for row in table.rows] == ["careful@1", "random@1"]


async def test_the_log_does_not_depend_on_how_many_tables_play_at_once(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    bots = [("a", start_bot("random_bot:Random")), ("b", start_bot("basic:Basic"))]

    digests = {
        (await play(make_spec(*bots, tables=tables), tmp_path / f"{tables}.db")).log_digest
        for tables in (1, 64)
    }

    assert len(digests) == 1


@pytest.mark.parametrize("preset", ["ko-3p-33", "qc-4p-46-vi"])
async def test_other_variants_are_played(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path, preset: str
) -> None:
    address = start_bot("basic:Basic")
    sides = {"ko-3p-33": 3, "qc-4p-46-vi": 2}[preset]
    bots = [(f"basic{side}", address) for side in range(sides)]

    played = await play(make_spec(*bots, preset=preset, rounds=2, boards=1), tmp_path / "t.db")

    assert played.hands_played == {"ko-3p-33": 12, "qc-4p-46-vi": 4}[preset]


async def test_games_are_played_to_the_target_and_ranked_by_elo(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(
        ("careful", start_bot("careful:Careful")), ("random", start_bot("random_bot:Random"))
    )
    spec.format.games.boards_per_match = 1

    await play(spec, tmp_path / "t.db")

    with read_store(tmp_path / "t.db") as store:
        table = standings_of(store, "test")
        assert verify(store).problems == ()
    assert (table.ranked_by, table.rows[0].games) == ("elo", 10)


async def test_a_finished_tournament_is_not_played_again(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    spec = make_spec(("a", address), ("b", address), rounds=1)
    first = await play(spec, tmp_path / "t.db")

    assert (await play(spec, tmp_path / "t.db")).log_digest == first.log_digest

    spec.format.round_robin.rounds = 2
    with pytest.raises(AlreadyExists, match="another tournament 'test'"):
        await play(spec, tmp_path / "t.db")


async def test_a_bot_that_does_not_come_up_pauses_the_tournament_and_nothing_is_scored(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    spec = make_spec(("here", "unix:/nowhere/a"), ("there", address))
    spec.time_control.connect.FromMilliseconds(200)

    with pytest.raises(FailedPrecondition, match="here' did not come up"):
        await play(spec, tmp_path / "t.db")

    with read_store(tmp_path / "t.db") as store:
        assert (store.tournament("test").state.name, store.hand_count("test")) == ("PAUSED", 0)


async def test_a_launched_bot_gets_a_process_for_each_seat_and_none_is_left(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(rounds=1, boards=1)
    for name in ("a", "b"):
        entrant = spec.entrants.add(name=name)
        program = "import os, pathlib; " + WITNESS.format(room=tmp_path)
        entrant.launch.command.extend(["python", "-c", program])

    await play(spec, tmp_path / "t.db")

    assert len(processes(tmp_path)) == 8
    assert not [pid for pid in processes(tmp_path) if is_alive(pid)]


def processes(room: Path) -> list[int]:
    """The processes that have left their number."""
    return [int(path.name) for path in room.glob("pids/*")]


def is_alive(pid: int) -> bool:
    """Whether a process is there."""
    return Path(f"/proc/{pid}").exists()


WITNESS = (
    "p = pathlib.Path('{room}/pids'); p.mkdir(exist_ok=True); (p / str(os.getpid())).touch(); "
    "from fivehundred_client import run; from fivehundred_bots.random_bot import Random; "
    "run(Random())"
)

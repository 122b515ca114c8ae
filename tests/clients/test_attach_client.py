"""The Python client dials in: what it does when it is refused, cut off, or left alone."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest

from fivehundred.rules.actions import Action
from fivehundred.v1 import registry_pb2, registry_pb2_grpc, tournament_pb2, tournament_pb2_grpc
from fivehundred_client import AnyTurn, BatchBot, Bot, HandNotice, run
from fivehundred_client.attach import Refused, attach_for_ever

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
StartDaemon = Callable[..., str]


class Line:
    """What a bot says to whoever runs it."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._changed = asyncio.Event()

    def say(self, text: str) -> None:
        self.said.append(text)
        self._changed.set()

    async def until(self, count: int) -> None:
        """Wait until so many things have been said."""
        while len(self.said) < count:
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), 30)


@pytest.fixture
def start_daemon(tmp_path: Path) -> Iterator[StartDaemon]:
    """Starts a daemon that pings silent connections so often; gives its address."""
    with ExitStack() as stack:

        def start(keepalive: float = 30.0) -> str:
            command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--keepalive", str(keepalive)]
            popen = stack.enter_context(
                subprocess.Popen(
                    [*command, "--database", str(tmp_path / "daemon.db")],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                )
            )
            stack.callback(popen.kill)
            assert popen.stdout is not None
            return popen.stdout.readline().split()[-1]

        yield start


async def register(address: str, name: str) -> str:
    async with grpc.aio.insecure_channel(address) as channel:
        request = registry_pb2.RegisterBotRequest(name=name, dials_in=True)
        return (await registry_pb2_grpc.BotRegistryServiceStub(channel).RegisterBot(request)).token


async def play(address: str, names: Sequence[str]) -> tournament_pb2.Tournament:
    """A small tournament between bots that dial in, at its end."""
    spec = tournament_pb2.TournamentSpec(name="test", seed="5a" * 32)
    spec.format.round_robin.rounds = 3
    for name in names:
        spec.entrants.add(registered=name)
    async with grpc.aio.insecure_channel(address) as channel:
        stub = tournament_pb2_grpc.TournamentServiceStub(channel)
        await stub.CreateTournament(tournament_pb2.CreateTournamentRequest(spec=spec, start=True))
        last = tournament_pb2.Tournament()
        async for event in stub.WatchTournament(tournament_pb2.WatchTournamentRequest(name="test")):
            if event.HasField("tournament"):
                last = event.tournament
        return last


async def let_go(tasks: Sequence["asyncio.Task[None]"]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_a_refusal_that_stays_is_raised(start_daemon: StartDaemon) -> None:
    address = start_daemon()

    with pytest.raises(Refused, match="wrong name or token"):
        await attach_for_ever(Bot(), address, "nobody", "nothing")


async def test_a_daemon_that_is_not_there_is_tried_again_and_told_of_once(
    start_daemon: StartDaemon, tmp_path: Path
) -> None:
    line = Line()
    address = f"unix:{tmp_path / 'nothing'}"

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1.0):
            await attach_for_ever(Bot(), address, "far", "", say=line.say)

    assert len(line.said) == 1
    assert line.said[0].startswith(f"not attached to {address}: UNAVAILABLE: ")
    assert line.said[0].endswith("; trying again")


async def test_a_renewed_token_ends_it(start_daemon: StartDaemon) -> None:
    address, line = start_daemon(), Line()
    token = await register(address, "far")
    task = asyncio.create_task(attach_for_ever(Bot(), address, "far", token, say=line.say))
    await line.until(1)

    await register(address, "far")

    with pytest.raises(Refused, match="the token has been renewed"):
        await task


async def test_pings_either_way_keep_a_silent_stream(start_daemon: StartDaemon) -> None:
    address, line = start_daemon(keepalive=0.1), Line()
    token = await register(address, "far")

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2.0):
            await attach_for_ever(Bot(), address, "far", token, keepalive_s=0.1, say=line.say)

    assert line.said == [f"attached to {address} as far"]


class Counting(BatchBot):
    """Says how many turns come at once, and hears how hands end."""

    name = "counting"

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.results: list[HandNotice] = []

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        self.sizes.append(len(turns))
        return super().decide(turns)

    def on_result(self, notice: HandNotice) -> None:
        self.results.append(notice)


async def test_a_bot_of_many_turns_at_once_plays_and_hears_its_results(
    start_daemon: StartDaemon,
) -> None:
    address, line = start_daemon(), Line()
    bots = {"one": Counting(), "two": Counting()}
    tasks = [
        asyncio.create_task(
            attach_for_ever(bot, address, name, await register(address, name), say=line.say)
        )
        for name, bot in bots.items()
    ]
    await line.until(2)

    played = await play(address, list(bots))
    while any(len(bot.results) < played.hands_played for bot in bots.values()):
        await asyncio.wait(tasks, timeout=0.01)
    await let_go(tasks)

    assert (played.state, played.hands_played) == (
        tournament_pb2.TOURNAMENT_STATE_FINISHED,
        24,
    )
    for bot in bots.values():
        assert max(bot.sizes) > 1
        assert len({notice.key for notice in bot.results}) == 24
        assert all(len(notice.seats) == len(notice.changes) == 2 for notice in bot.results)


async def test_a_bot_of_its_own_dials_in_by_its_command_line(start_daemon: StartDaemon) -> None:
    address = start_daemon()
    token = await register(address, "far")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fivehundred_bots.random_bot"),
        *("--attach", address, "--name", "far"),
        env={**os.environ, "FIVEHUNDRED_TOKEN": token},
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    said = await process.stderr.readline()

    process.send_signal(signal.SIGTERM)

    assert said.decode() == f"attached to {address} as far\n"
    assert await process.wait() == 0


def test_a_bot_that_speaks_for_itself_cannot_dial_in(capsys: pytest.CaptureFixture[str]) -> None:
    class Raw:
        def handler(self) -> grpc.GenericRpcHandler:
            raise AssertionError

    with pytest.raises(SystemExit) as ended:
        run(Raw(), attach="127.0.0.1:1")

    assert ended.value.code == 2
    assert "cannot dial in" in capsys.readouterr().err


def test_without_a_token_nothing_is_dialled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FIVEHUNDRED_TOKEN", raising=False)

    with pytest.raises(SystemExit) as ended:
        run(Bot(), attach="127.0.0.1:1")

    assert ended.value.code == 2
    assert capsys.readouterr().err == "no token: set FIVEHUNDRED_TOKEN or give token=\n"

"""Bots that dial in: real daemons, real bots, connections that are lost in the middle of hands."""

import asyncio
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from structlog.testing import capture_logs

from fivehundred.daemon.attach import RENEWED, AttachServicer
from fivehundred.daemon.attach_tokens import token_hash
from fivehundred.daemon.embedded import run_tournament
from fivehundred.players.attached import AttachedBots
from fivehundred.storage.store import open_store, read_store
from fivehundred.storage.values import RegisteredBot
from fivehundred.table.values import FaultKind
from fivehundred.v1 import (
    attach_pb2,
    attach_pb2_grpc,
    bot_pb2,
    registry_pb2,
    registry_pb2_grpc,
    tournament_pb2,
    tournament_pb2_grpc,
)
from fivehundred.wire.errors import FailedPrecondition, Unauthenticated

StartBot = Callable[..., str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
PROGRAM = str(Path(sys.executable).parent / "fivehundred")
FINISHED = tournament_pb2.TOURNAMENT_STATE_FINISHED
PAUSED = tournament_pb2.TOURNAMENT_STATE_PAUSED
ATTACHED = "attached to "

BOTS = """
import time

from fivehundred.rules.actions import Play
from fivehundred_bots.basic import Basic


class Slow(Basic):
    '''Takes its time, so that it is always in the middle of something.'''

    def play(self, turn):
        time.sleep(0.004)
        return super().play(turn)


class Telling(Basic):
    '''Says what it is told, and leads cards that it does not have.'''

    name = "telling"

    def play(self, turn):
        if turn.view.tricks:
            return super().play(turn)
        return Play(next(card for card in range(64) if Play(card) not in turn.legal))

    def on_result(self, notice):
        told = f"{notice.key.board} {notice.key.seating} {notice.seats} {notice.changes}"
        print(f"result {told} {notice.result.outcome.name}", flush=True)

    def on_fault(self, notice):
        print(f"fault {len(notice.decision_id)} {notice.kind.name} {notice.reason}", flush=True)
        raise RuntimeError("a bot may do anything here")
"""


class Process:
    """A process whose lines can be waited for."""

    def __init__(self, popen: subprocess.Popen[str]) -> None:
        self.popen = popen
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def says(self, text: str) -> str:
        """Wait for a line that starts with a text."""
        while (line := self._lines.get(timeout=30)) is not None:
            if line.startswith(text):
                return line
        raise AssertionError(f"{text!r} was never said, but: {self.said}")

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End it by a signal; all that it says has been read then."""
        self.popen.send_signal(number)
        self.popen.wait(timeout=30)
        self._reader.join()

    def _read(self) -> None:
        for line in self.popen.stdout or ():
            self.said.append(line)
            self._lines.put(line)
        self._lines.put(None)


class Place:
    """A daemon at an address that stays the same, and the bots that dial in there."""

    def __init__(self, stack: ExitStack, room: Path) -> None:
        self.address = f"unix:{room / 'daemon.sock'}"
        self.database = room / "place.db"
        self._stack = stack
        self._room = room
        (room / "my_bots.py").write_text(BOTS, encoding="utf-8")

    def start(self, *arguments: str, **environment: str) -> Process:
        """Start the program in this place."""
        popen = subprocess.Popen(
            [PROGRAM, *arguments],
            cwd=self._room,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._stack.enter_context(popen)
        process = Process(popen)
        self._stack.callback(process.kill)
        return process

    def serve(self, keepalive: float = 30.0) -> Process:
        """Start the daemon; returns when it listens."""
        command = ["serve", "--listen", self.address, "--database", str(self.database)]
        daemon = self.start(*command, "--keepalive", str(keepalive))
        daemon.says("listening on")
        return daemon

    def attach(self, bot: str, name: str, token: str) -> Process:
        """Start a bot; returns when it is attached."""
        process = self.start(
            *("bot", "serve", bot, "--attach", self.address, "--name", name),
            FIVEHUNDRED_TOKEN=token,
        )
        process.says(ATTACHED)
        return process

    def channel(self) -> grpc.Channel:
        return self._stack.enter_context(grpc.insecure_channel(self.address))

    def register(self, name: str) -> str:
        """Register a bot that dials in; its token."""
        request = registry_pb2.RegisterBotRequest(name=name, dials_in=True)
        stub = registry_pb2_grpc.BotRegistryServiceStub(self.channel())
        return stub.RegisterBot(request, timeout=30).token

    def create(self, spec: tournament_pb2.TournamentSpec) -> None:
        stub = tournament_pb2_grpc.TournamentServiceStub(self.channel())
        request = tournament_pb2.CreateTournamentRequest(spec=spec, start=True)
        stub.CreateTournament(request, timeout=30)

    def events(self, name: str = "test") -> Iterator[tournament_pb2.WatchTournamentResponse]:
        """What happens, to the end of the tournament or its pause."""
        stub = tournament_pb2_grpc.TournamentServiceStub(self.channel())
        request = tournament_pb2.WatchTournamentRequest(name=name)
        for event in stub.WatchTournament(request, timeout=120):
            yield event
            if event.HasField("tournament") and event.tournament.state == PAUSED:
                return

    def end(self, name: str = "test") -> tournament_pb2.Tournament:
        """The tournament when it has ended or paused."""
        return list(self.events(name))[-1].tournament

    def until_hand(self, count: int) -> None:
        """Wait for so many hands."""
        hands = (event for event in self.events() if event.HasField("hand"))
        for _ in range(count):
            next(hands)

    def faults(self) -> list[tuple[str, FaultKind]]:
        """The faults of the tournament, with whose they are."""
        with read_store(self.database) as store:
            return [
                (hand.record.started.bots[each.seat], each.fault.kind)
                for hand in store.hands("test")
                for each in hand.record.decisions
                if each.fault
            ]

    def longest_ms(self, bot: str) -> float:
        """The longest time that a decision of a bot has taken."""
        with read_store(self.database) as store:
            return max(
                each.receipt.elapsed_us / 1000
                for hand in store.hands("test")
                for each in hand.record.decisions
                if hand.record.started.bots[each.seat] == bot
            )


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A place for a daemon."""
    with ExitStack() as stack:
        yield Place(stack, tmp_path_factory.mktemp("a"))


@pytest.fixture
def attach_call() -> Iterator[Callable[..., Any]]:
    """Opens a stream by hand; gives what the daemon sends."""
    with ExitStack() as stack:

        def call(place: Place, *requests: attach_pb2.AttachRequest) -> Any:
            sent: queue.SimpleQueue[attach_pb2.AttachRequest | None] = queue.SimpleQueue()
            for request in requests:
                sent.put(request)
            stack.callback(sent.put, None)
            stub = attach_pb2_grpc.AttachServiceStub(place.channel())
            answers = stub.Attach(iter(sent.get, None), timeout=30)
            stack.callback(answers.cancel)
            return answers

        yield call


def hello(name: str, token: str, version: str = "1") -> attach_pb2.AttachRequest:
    greeted = bot_pb2.HelloResponse(name="hand", version=version)
    return attach_pb2.AttachRequest(
        hello=attach_pb2.AttachHello(bot=name, token=token, greeted=greeted)
    )


def attached_against(
    spec: tournament_pb2.TournamentSpec, name: str = "far"
) -> tournament_pb2.TournamentSpec:
    """A tournament in which a bot that dials in comes first."""
    others = list(spec.entrants)
    del spec.entrants[:]
    spec.entrants.add(registered=name)
    spec.entrants.extend(others)
    return spec


def with_limit(
    spec: tournament_pb2.TournamentSpec, milliseconds: int
) -> tournament_pb2.TournamentSpec:
    """The tournament with another limit for every decision."""
    for limit in ("bid", "discard", "play", "first_decision"):
        getattr(spec.time_control, limit).FromMilliseconds(milliseconds)
    return spec


def dialled_digest(spec: tournament_pb2.TournamentSpec, address: str, database: Path) -> bytes:
    """The digest of the log where the bot that dials in is dialled instead."""
    dialled = tournament_pb2.TournamentSpec()
    dialled.CopyFrom(spec)
    dialled.entrants[0].CopyFrom(tournament_pb2.Entrant(name="far", address=address))
    return asyncio.run(run_tournament(dialled, database, lambda _: None)).log_digest


def code_of(call: Callable[[], object]) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value.code(), str(caught.value.details())


def test_it_plays_as_if_it_were_dialled(
    place: Place, start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = attached_against(make_spec(("near", start_bot("random_bot:Random"))))
    place.serve()
    token = place.register("far")
    bot = place.attach("fivehundred_bots.basic:Basic", "far", token)

    place.create(spec)
    played = place.end()
    bot.kill(signal.SIGTERM)

    assert (played.state, played.hands_played) == (FINISHED, 20)
    assert list(played.bots) == ["basic@1", "random@1"]
    assert place.faults() == []
    digest = dialled_digest(spec, start_bot("basic:Basic"), tmp_path / "dialled.db")
    assert played.log_digest == digest
    assert bot.popen.returncode == 0


def test_a_bot_that_is_killed_comes_back_in_the_middle_of_its_hands(
    place: Place, start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = attached_against(make_spec(("near", start_bot("basic:Basic"))))
    with_limit(spec, 30_000)
    place.serve()
    token = place.register("far")
    bot = place.attach("my_bots:Slow", "far", token)
    place.create(spec)
    place.until_hand(2)

    bot.kill()
    gone = time.monotonic()
    place.attach("my_bots:Slow", "far", token)
    away_ms = (time.monotonic() - gone) * 1000
    played = place.end()

    assert (played.state, played.hands_played) == (FINISHED, 20)
    assert place.faults() == []
    assert place.longest_ms("basic@1") > 0.5 * away_ms
    digest = dialled_digest(spec, start_bot("basic:Basic"), tmp_path / "dialled.db")
    assert played.log_digest == digest


def test_a_bot_that_stays_away_loses_its_decisions_and_no_others(
    place: Place, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    spec = attached_against(make_spec(("near", start_bot("random_bot:Random")), rounds=10))
    with_limit(spec, 200).fault_policy.strikes = 2
    place.serve()
    bot = place.attach("my_bots:Slow", "far", place.register("far"))
    place.create(spec)
    place.until_hand(1)

    bot.kill()
    played = place.end()

    assert (played.state, played.hands_played) == (FINISHED, 40)
    assert set(place.faults()) == {("basic@1", FaultKind.DISCONNECTED)}


def test_a_daemon_that_is_killed_finds_its_bot_again(
    place: Place, start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = attached_against(make_spec(("near", start_bot("basic:Basic"))))
    with_limit(spec, 30_000)
    daemon = place.serve()
    bot = place.attach("my_bots:Slow", "far", place.register("far"))
    place.create(spec)
    place.until_hand(2)

    daemon.kill()
    bot.says("not attached to ")
    place.serve()
    bot.says(ATTACHED)
    played = place.end()

    assert (played.state, played.hands_played) == (FINISHED, 20)
    assert place.faults() == []
    digest = dialled_digest(spec, start_bot("basic:Basic"), tmp_path / "dialled.db")
    assert played.log_digest == digest


def test_two_tournaments_share_one_stream(
    place: Place, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    near = start_bot("random_bot:Random")
    place.serve()
    place.attach("fivehundred_bots.basic:Basic", "far", place.register("far"))
    for name, preset in (("one", "au-4p-43"), ("two", "ko-3p-33")):
        spec = make_spec(("near", near), preset=preset)
        if preset == "ko-3p-33":
            spec.entrants.add(name="other", address=near)
        spec.name = name
        place.create(attached_against(spec))

    played = [place.end(name) for name in ("one", "two")]

    assert [each.state for each in played] == [FINISHED, FINISHED]
    assert all(
        not row.faults.ListFields()
        for name in ("one", "two")
        for row in _standings(place, name).rows
    )


def _standings(place: Place, name: str) -> tournament_pb2.Standings:
    stub = tournament_pb2_grpc.TournamentServiceStub(place.channel())
    return stub.GetStandings(tournament_pb2.GetStandingsRequest(name=name), timeout=30).standings


def test_a_wrong_token_is_refused_in_the_same_words_as_a_wrong_name(
    place: Place, attach_call: Callable[..., Any]
) -> None:
    daemon = place.serve()
    token = place.register("far")
    wrong = [hello("far", "guessed"), hello("far", ""), hello("nobody", token), hello("", "")]

    refused = {code_of(partial(next, attach_call(place, each))) for each in wrong}
    bot = place.start(
        *("bot", "serve", "my_bots:Slow", "--attach", place.address, "--name", "far"),
        FIVEHUNDRED_TOKEN="guessed",
    )
    told = bot.says("wrong name or token")
    daemon.kill()

    assert [code for code, _ in refused] == [grpc.StatusCode.UNAUTHENTICATED]
    assert [details for _, details in refused] == [told.strip()]
    assert bot.popen.wait(timeout=30) == 2
    log = "".join(daemon.said)
    assert log.count("attach_refused") == 5
    assert "guessed" not in log
    assert token not in log
    assert token.encode() not in place.database.read_bytes()


def test_a_bot_is_attached_once(place: Place, attach_call: Callable[..., Any]) -> None:
    place.serve()
    token = place.register("far")
    first = attach_call(place, hello("far", token))
    assert next(first).attached.daemon_version

    code, details = code_of(lambda: next(attach_call(place, hello("far", token))))
    first.cancel()

    assert code is grpc.StatusCode.ALREADY_EXISTS
    assert details.startswith("'far' is attached already: ")


def test_one_that_is_dead_is_replaced(
    place: Place, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    place.serve(keepalive=0.2)
    token = place.register("far")
    dead = place.attach("my_bots:Slow", "far", token)
    dead.popen.send_signal(signal.SIGSTOP)

    place.attach("my_bots:Slow", "far", token)
    place.create(attached_against(make_spec(("near", start_bot("basic:Basic")), rounds=1)))

    assert place.end().state == FINISHED
    assert place.faults() == []


def test_a_silent_stream_is_kept(place: Place, start_bot: StartBot, make_spec: MakeSpec) -> None:
    near = start_bot("random_bot:Random")
    daemon = place.serve(keepalive=0.05)
    bot = place.attach("my_bots:Slow", "far", place.register("far"))
    others = make_spec(("a", near), ("b", near), rounds=60)
    others.name = "others"
    began = time.monotonic()
    place.create(others)
    place.end("others")
    pings = (time.monotonic() - began) / 0.05

    place.create(attached_against(make_spec(("near", near), rounds=1)))
    played = place.end()
    bot.kill()
    daemon.kill()

    assert pings > 10
    assert played.state == FINISHED
    assert place.faults() == []
    assert sum("attached" in line for line in bot.said) == 1
    assert "".join(daemon.said).count("bot_attached") == 1


def test_a_bot_is_told_of_results_and_faults(
    place: Place, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    place.serve()
    bot = place.attach("my_bots:Telling", "far", place.register("far"))
    spec = attached_against(make_spec(("near", start_bot("basic:Basic")), rounds=2))
    spec.fault_policy.never_forfeit = True
    place.create(spec)

    place.end()
    for _ in range(8):
        bot.says("result ")

    results = [line for line in bot.said if line.startswith("result ")]
    faults = [line for line in bot.said if line.startswith("fault ")]
    with read_store(place.database) as store:
        hands = [hand.record for hand in store.hands("test")]
    wanted = [
        f"result {hand.started.key.board} {hand.started.key.seating} {seats} "
        f"{tuple(hand.ended.result.change[seat % 2] for seat in seats)} PLAYED\n"
        for hand in hands
        for seats in [tuple(s for s in range(4) if hand.started.entrants[s] == 0)]
        if hand.ended.result.outcome.name == "PLAYED"
    ]
    assert sorted(line for line in results if "PLAYED" in line) == sorted(wanted)
    assert len(faults) == len(place.faults()) > 0
    assert all(line.startswith("fault 16 ILLEGAL ") for line in faults)
    assert "RuntimeError: a bot may do anything here\n" in bot.said


def test_a_tournament_waits_for_its_bot_and_then_says_that_it_is_not_attached(
    place: Place, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    near = start_bot("basic:Basic")
    place.serve()
    token = place.register("far")
    spec = attached_against(make_spec(("near", near), rounds=1))
    spec.time_control.connect.FromMilliseconds(100)
    place.create(spec)
    paused = place.end()
    spec.name = "later"
    spec.time_control.connect.FromSeconds(30)
    place.create(spec)
    place.attach("my_bots:Slow", "far", token)

    assert paused.state == PAUSED
    assert "entrant 'far' did not come up: far is not attached" in paused.reason
    assert place.end("later").state == FINISHED


def test_another_version_that_comes_back_is_another_player(
    place: Place, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    spec = attached_against(make_spec(("near", start_bot("basic:Basic")), rounds=10))
    with_limit(spec, 5_000).fault_policy.strikes = 1
    place.serve()
    token = place.register("far")
    bot = place.attach("my_bots:Slow", "far", token)
    place.create(spec)
    place.until_hand(1)

    bot.kill()
    place.attach("my_bots:Telling", "far", token)
    played = place.end()

    assert played.state == FINISHED
    assert set(place.faults()) == {("basic@1", FaultKind.MALFORMED)}


def test_a_renewed_token_ends_the_stream_and_the_old_one(
    place: Place, attach_call: Callable[..., Any]
) -> None:
    place.serve()
    bots = registry_pb2_grpc.BotRegistryServiceStub(place.channel())
    old = place.register("far")
    stream = attach_call(place, hello("far", old))
    next(stream)
    before = bots.GetBot(registry_pb2.GetBotRequest(name="far"), timeout=30).bot

    renewed = bots.RenewBotToken(registry_pb2.RenewBotTokenRequest(name="far"), timeout=30)

    assert code_of(lambda: next(stream)) == (
        grpc.StatusCode.UNAUTHENTICATED,
        "the token has been renewed: dial in with the new one",
    )
    refused, _ = code_of(lambda: next(attach_call(place, hello("far", old))))
    assert refused is grpc.StatusCode.UNAUTHENTICATED
    assert next(attach_call(place, hello("far", renewed.token))).HasField("attached")
    assert (before.dials_in, before.attached, before.address) == (True, True, "")
    assert (before.identity, renewed.bot.attached) == ("hand@1", False)
    assert len(renewed.token) == 43


def test_a_bot_that_is_deleted_is_let_go(place: Place, attach_call: Callable[..., Any]) -> None:
    place.serve()
    stream = attach_call(place, hello("far", place.register("far")))
    next(stream)

    stub = registry_pb2_grpc.BotRegistryServiceStub(place.channel())
    stub.DeleteBot(registry_pb2.DeleteBotRequest(name="far"), timeout=30)

    assert code_of(lambda: next(stream))[0] is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    "second",
    [
        attach_pb2.AttachRequest(),
        attach_pb2.AttachRequest(session=1),
        hello("far", "again"),
        attach_pb2.AttachRequest(
            session=1,
            answers=bot_pb2.DecideResponse(
                answers=[bot_pb2.Answer(play=bot_pb2.PlayResponse(note="x" * 70_000))]
            ),
        ),
    ],
    ids=["nothing", "no-answers", "second-hello", "too-long"],
)
def test_what_is_no_answer_ends_the_stream(
    place: Place, attach_call: Callable[..., Any], second: attach_pb2.AttachRequest
) -> None:
    place.serve()
    stream = attach_call(place, hello("far", place.register("far")), second)

    assert next(stream).HasField("attached")
    assert code_of(lambda: next(stream))[0] is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    "first",
    [attach_pb2.AttachRequest(), attach_pb2.AttachRequest(greeted=bot_pb2.HelloResponse())],
)
def test_a_stream_begins_with_a_hello(
    place: Place, attach_call: Callable[..., Any], first: attach_pb2.AttachRequest
) -> None:
    place.serve()

    code, details = code_of(lambda: next(attach_call(place, first)))

    assert (code, details) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "the first message is no AttachHello",
    )


def test_a_name_that_no_bot_may_give_itself_is_refused(
    place: Place, attach_call: Callable[..., Any]
) -> None:
    place.serve()
    request = hello("far", place.register("far"), version="not one")

    code, details = code_of(lambda: next(attach_call(place, request)))

    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert "hello.greeted: version 'not one' is not allowed" in details


def test_a_run_without_a_port_says_that_it_cannot_be_dialled(
    place: Place, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    daemon = place.serve()
    place.register("far")
    daemon.kill(signal.SIGTERM)
    spec = attached_against(make_spec(("near", start_bot("basic:Basic"))))

    with pytest.raises(FailedPrecondition, match=r"far dials in.*use `fivehundred serve`"):
        asyncio.run(run_tournament(spec, place.database, lambda _: None))


def test_a_bot_that_dials_in_is_played_without_workers_and_that_is_logged(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    database = tmp_path / "t.db"
    with open_store(database) as store:
        store.register_bot(RegisteredBot("far", "", "", 0, token_hash("token")))
    spec = attached_against(make_spec(("near", start_bot("basic:Basic"))))

    with capture_logs() as logged, pytest.raises(FailedPrecondition, match="far dials in"):
        asyncio.run(run_tournament(spec, database, lambda _: None, 2))

    told = [each for each in logged if each["event"] == "workers_not_used"]
    assert [each["tournament"] for each in told] == ["test"]


class Call:
    """A call of a bot that says hello; what is written to it is lost with the connection."""

    def __init__(self, hello: attach_pb2.AttachRequest) -> None:
        self.statuses: list[tuple[int, str]] = []
        self._hello = hello

    async def read(self) -> bytes:
        return self._hello.SerializeToString()

    async def write(self, message: bytes) -> None:
        raise grpc.aio.UsageError(f"{len(message)} bytes for nobody")

    def set_trailing_metadata(self, metadata: Any) -> None:
        self._metadata = metadata

    def set_code(self, code: grpc.StatusCode) -> None:
        self._code = code.value[0]

    def set_details(self, details: str) -> None:
        self.statuses.append((self._code, details))

    def peer(self) -> str:
        return "here"


async def attach_over(call: Any, database: Path, bots: AttachedBots) -> None:
    """Serve a call of the bot ``far``, whose token is ``token``, to its end."""
    with open_store(database) as store:
        store.register_bot(RegisteredBot("far", "", "", 0, token_hash("token")))
        await AttachServicer(store, bots).attach(None, call)


async def test_a_bot_that_goes_just_after_its_hello_is_no_error(tmp_path: Path) -> None:
    call, bots = Call(hello("far", "token")), AttachedBots()

    with capture_logs() as logged:
        await attach_over(call, tmp_path / "t.db", bots)

    assert [each["event"] for each in logged] == ["bot_attached", "bot_detached"]
    assert call.statuses == []


async def test_a_token_that_is_renewed_just_after_the_hello_is_told_as_such(tmp_path: Path) -> None:
    call, bots = Call(hello("far", "token")), AttachedBots()
    attaching = asyncio.create_task(attach_over(call, tmp_path / "t.db", bots))
    await asyncio.sleep(0)
    assert bots.find("far")

    bots.end("far", Unauthenticated(RENEWED))
    await attaching

    assert call.statuses == [(grpc.StatusCode.UNAUTHENTICATED.value[0], RENEWED)]

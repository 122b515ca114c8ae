"""The daemon as a process, through its services."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from fivehundred.v1 import (
    hands_pb2,
    hands_pb2_grpc,
    registry_pb2,
    registry_pb2_grpc,
    tournament_pb2,
    tournament_pb2_grpc,
)

StartBot = Callable[..., str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
PROGRAM = str(Path(sys.executable).parent / "fivehundred")
PLAIN_BOT = Path(__file__).parent / "plain_bot.py"


class Client:
    """Stubs of every service of one daemon."""

    def __init__(self, channel: grpc.Channel, popen: subprocess.Popen[str], address: str) -> None:
        self.channel = channel
        self.popen = popen
        self.address = address
        self.tournaments = tournament_pb2_grpc.TournamentServiceStub(channel)
        self.bots = registry_pb2_grpc.BotRegistryServiceStub(channel)
        self.hands = hands_pb2_grpc.HandServiceStub(channel)

    def create(self, spec: tournament_pb2.TournamentSpec) -> tournament_pb2.Tournament:
        request = tournament_pb2.CreateTournamentRequest(spec=spec, start=True)
        return self.tournaments.CreateTournament(request).tournament

    def watch(self, after: int = 0) -> Iterator[tournament_pb2.WatchTournamentResponse]:
        request = tournament_pb2.WatchTournamentRequest(name="test", after_event=after)
        return self.tournaments.WatchTournament(request, timeout=60)


@pytest.fixture
def client(start_daemon: Callable[[], Any]) -> Iterator[Client]:
    daemon = start_daemon()
    with grpc.insecure_channel(daemon.address) as channel:
        yield Client(channel, daemon.popen, daemon.address)


def refused(call: Callable[[], object]) -> grpc.RpcError:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value


def test_a_bot_of_generated_code_is_registered_and_plays(
    client: Client, start_program: StartBot, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    for name, address in (
        ("plain", start_program([sys.executable, str(PLAIN_BOT)])),
        ("basic", start_bot("basic:Basic")),
    ):
        client.bots.RegisterBot(registry_pb2.RegisterBotRequest(name=name, address=address))
    spec = make_spec(rounds=1, boards=2)
    spec.entrants.add(registered="plain")
    spec.entrants.add(registered="basic")

    client.create(spec)
    events = list(client.watch())

    assert [event.event for event in events] == list(range(1, len(events) + 1))
    assert sum(event.HasField("hand") for event in events) == 4
    assert events[-1].tournament.state == tournament_pb2.TOURNAMENT_STATE_FINISHED
    request = tournament_pb2.GetStandingsRequest(name="test")
    rows = client.tournaments.GetStandings(request).standings.rows
    assert {(row.entrant, row.bot) for row in rows} == {
        ("plain", "plain@1"),
        ("basic", "basic@1"),
    }
    assert not any(row.faults.ListFields() for row in rows)
    bots = client.bots.ListBots(registry_pb2.ListBotsRequest()).bots
    assert [bot.identity for bot in bots] == ["basic@1", "plain@1"]


def test_the_hands_are_open_when_the_tournament_has_ended(
    client: Client, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    address = start_bot("random_bot:Random")
    client.create(make_spec(("a", address), ("b", address), rounds=1, boards=3))
    list(client.watch())

    first = client.hands.ListHands(hands_pb2.ListHandsRequest(tournament="test", page_size=4))
    second = client.hands.ListHands(
        hands_pb2.ListHandsRequest(tournament="test", page_size=4, page_token=first.next_page_token)
    )
    exported = list(client.hands.ExportHands(hands_pb2.ExportHandsRequest(tournament="test")))
    one = client.hands.GetHand(hands_pb2.GetHandRequest(id=first.hands[0].id)).hand

    assert (len(first.hands), len(second.hands), second.next_page_token) == (4, 2, "")
    assert len(exported) == 6
    assert one == exported[0].hand


def test_a_tournament_is_paused_and_goes_on(
    client: Client, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    address = start_bot("random_bot:Random")
    client.create(make_spec(("a", address), ("b", address), rounds=40, tables=2))
    events = client.watch()
    seen = next(event for event in events if event.HasField("hand"))

    pause = tournament_pb2.PauseTournamentRequest(name="test")
    paused = client.tournaments.PauseTournament(pause).tournament
    early = refused(
        lambda: list(client.hands.ExportHands(hands_pb2.ExportHandsRequest(tournament="test")))
    )
    client.tournaments.StartTournament(tournament_pb2.StartTournamentRequest(name="test"))
    rest = list(client.watch(after=seen.event))

    assert paused.state == tournament_pb2.TOURNAMENT_STATE_PAUSED
    assert (paused.spec.seed, len(paused.seed_commitment)) == ("", 32)
    assert early.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert rest[0].event == seen.event + 1
    assert rest[-1].tournament.hands_played == 160
    assert rest[-1].tournament.spec.seed == "5a" * 32


def test_drain_finishes_the_hands_and_abort_ends_for_good(
    client: Client, start_bot: StartBot, make_spec: MakeSpec
) -> None:
    address = start_bot("random_bot:Random")
    client.create(make_spec(("a", address), ("b", address), rounds=400))
    states = (event.tournament.state for event in client.watch() if event.HasField("tournament"))

    client.tournaments.DrainTournament(tournament_pb2.DrainTournamentRequest(name="test"))
    while next(states) != tournament_pb2.TOURNAMENT_STATE_PAUSED:
        pass
    client.tournaments.AbortTournament(tournament_pb2.AbortTournamentRequest(name="test"))

    start = tournament_pb2.StartTournamentRequest(name="test")
    error = refused(lambda: client.tournaments.StartTournament(start))
    assert error.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert error.details() == (
        "'test' is ABORTED: only a CREATED or PAUSED tournament can be started"
    )


def test_wrong_requests_get_their_codes(client: Client, make_spec: MakeSpec) -> None:
    unknown = refused(
        lambda: client.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name="x"))
    )
    empty = refused(lambda: client.create(tournament_pb2.TournamentSpec()))
    nobody = refused(
        lambda: client.bots.RegisterBot(
            registry_pb2.RegisterBotRequest(name="nobody", address="unix:/nowhere")
        )
    )

    assert unknown.code() == grpc.StatusCode.NOT_FOUND
    assert empty.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert nobody.code() == grpc.StatusCode.FAILED_PRECONDITION


def test_a_repeated_request_creates_once(client: Client, make_spec: MakeSpec) -> None:
    spec = make_spec(("a", "127.0.0.1:1"), ("b", "127.0.0.1:1"))
    request = tournament_pb2.CreateTournamentRequest(spec=spec, request_id="once")

    first = client.tournaments.CreateTournament(request)

    assert client.tournaments.CreateTournament(request) == first
    request.request_id = "twice"
    error = refused(lambda: client.tournaments.CreateTournament(request))
    assert error.code() == grpc.StatusCode.ALREADY_EXISTS


def test_health_and_reflection_answer(client: Client) -> None:
    health: Any = health_pb2_grpc.HealthStub(client.channel)
    reflection: Any = reflection_pb2_grpc.ServerReflectionStub(client.channel)

    status = health.Check(health_pb2.HealthCheckRequest()).status
    wanted = reflection_pb2.ServerReflectionRequest(list_services="")
    answer = next(iter(reflection.ServerReflectionInfo(iter([wanted]))))

    names = {service.name for service in answer.list_services_response.service}
    assert status == health_pb2.HealthCheckResponse.SERVING
    assert {
        "fivehundred.v1.TournamentService",
        "fivehundred.v1.BotRegistryService",
        "fivehundred.v1.HandService",
        "grpc.health.v1.Health",
    } <= names


@pytest.mark.parametrize("shared", ["port", "database"])
def test_a_second_daemon_is_refused(client: Client, tmp_path: Path, shared: str) -> None:
    listen = client.address if shared == "port" else "127.0.0.1:0"
    database = tmp_path / ("other.db" if shared == "port" else "daemon.db")
    command = [PROGRAM, "serve", "--listen", listen, "--database", str(database)]

    second = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)

    assert second.returncode == 2
    errors = [line for line in second.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1


def test_a_signal_drains_and_the_next_daemon_goes_on(
    client: Client,
    start_daemon: Callable[[], Any],
    start_bot: StartBot,
    make_spec: MakeSpec,
) -> None:
    address = start_bot("random_bot:Random")
    client.create(make_spec(("a", address), ("b", address), rounds=40))
    next(event for event in client.watch() if event.HasField("hand"))

    client.popen.send_signal(signal.SIGTERM)
    assert client.popen.wait(timeout=30) == 0

    daemon = start_daemon()
    with grpc.insecure_channel(daemon.address) as channel:
        events = list(Client(channel, daemon.popen, daemon.address).watch())
    assert sum(event.HasField("hand") for event in events) == 160
    assert events[-1].tournament.state == tournament_pb2.TOURNAMENT_STATE_FINISHED

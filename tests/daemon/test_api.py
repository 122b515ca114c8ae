"""Requests that no client of good will makes get an answer that says what is wrong."""

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from fivehundred.v1 import (
    hands_pb2,
    hands_pb2_grpc,
    registry_pb2,
    registry_pb2_grpc,
    tournament_pb2,
    tournament_pb2_grpc,
)

MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
PROGRAM = str(Path(sys.executable).parent / "fivehundred")
SERVICE = "/fivehundred.v1.TournamentService"
HUGE = (1 << 64) - 1


@pytest.fixture
def channel(start_daemon: Callable[[], Any]) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(start_daemon().address) as channel:
        yield channel


@pytest.fixture
def ended(channel: grpc.Channel, make_spec: MakeSpec) -> grpc.Channel:
    """A channel to a daemon whose tournament has been aborted before it began."""
    stub = tournament_pb2_grpc.TournamentServiceStub(channel)
    spec = make_spec(("a", "127.0.0.1:1"), ("b", "127.0.0.1:1"))
    stub.CreateTournament(tournament_pb2.CreateTournamentRequest(spec=spec))
    stub.AbortTournament(tournament_pb2.AbortTournamentRequest(name="test"))
    return channel


def refused(call: Callable[[], object]) -> grpc.RpcError:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value


def refused_serve(listen: str, tmp_path: Path) -> list[str]:
    """The errors of a daemon that must not start."""
    command = [PROGRAM, "serve", "--listen", listen, "--database", str(tmp_path / "other.db")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert ended.returncode == 2, ended.stderr
    return [line for line in ended.stderr.splitlines() if line.startswith("error: ")]


def test_numbers_beyond_the_database_are_no_failures(ended: grpc.Channel) -> None:
    hands = hands_pb2_grpc.HandServiceStub(ended)
    tournaments = tournament_pb2_grpc.TournamentServiceStub(ended)
    watch = tournament_pb2.WatchTournamentRequest(name="test", after_event=HUGE)

    error = refused(lambda: hands.GetHand(hands_pb2.GetHandRequest(id=HUGE)))

    assert error.code() == grpc.StatusCode.NOT_FOUND
    assert error.details() == f"there is no hand {HUGE}"
    assert list(tournaments.WatchTournament(watch, timeout=30)) == []


@pytest.mark.parametrize("token", ["x", "-1", "٣", "9" * 19, "9" * 5000])
def test_a_page_token_that_no_page_gave_is_refused(ended: grpc.Channel, token: str) -> None:
    hands = hands_pb2_grpc.HandServiceStub(ended)
    request = hands_pb2.ListHandsRequest(tournament="test", page_token=token)

    error = refused(lambda: hands.ListHands(request))

    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert error.details() == "page_token: write the next_page_token of a page"


def test_long_texts_and_long_lists_reach_the_client(channel: grpc.Channel) -> None:
    tournaments = tournament_pb2_grpc.TournamentServiceStub(channel)
    bots = registry_pb2_grpc.BotRegistryServiceStub(channel)
    spec = tournament_pb2.TournamentSpec(name="♠" * 50_000)
    for _ in range(500):
        spec.entrants.add(name="♥" * 500)
    validate = tournament_pb2.ValidateTournamentRequest(spec=spec)

    wrong = refused(lambda: tournaments.ValidateTournament(validate))
    unknown = refused(lambda: bots.GetBot(registry_pb2.GetBotRequest(name="x" * 100_000)))

    assert wrong.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert str(wrong.details()).splitlines()[-1].endswith(" more")
    assert unknown.code() == grpc.StatusCode.NOT_FOUND
    assert unknown.details() == f"there is no bot 'x{'x' * 79}…'"


@pytest.mark.parametrize("body", [b"\xff\xff\xff", b"\x0a\x02\xff\xfe"])
@pytest.mark.parametrize("method", ["GetTournament", "WatchTournament"])
def test_bytes_that_are_no_request_are_refused(
    channel: grpc.Channel, method: str, body: bytes
) -> None:
    stream = method == "WatchTournament"
    call: Any = (channel.unary_stream if stream else channel.unary_unary)(f"{SERVICE}/{method}")

    error = refused(lambda: list(call(body)) if stream else call(body))

    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert error.details() == f"the request does not decode as {method}Request"


def test_a_tournament_beyond_all_bounds_is_refused_at_once(
    channel: grpc.Channel, make_spec: MakeSpec
) -> None:
    spec = make_spec(*((f"e{n}", "127.0.0.1:1") for n in range(80)), preset="uspc-5p-53")
    stub = tournament_pb2_grpc.TournamentServiceStub(channel)
    request = tournament_pb2.ValidateTournamentRequest(spec=spec)

    error = refused(lambda: stub.ValidateTournament(request, timeout=30))

    assert error.details() == (
        "format.round_robin: 80 entrants make 120200080 matches: at most 1000000"
    )


@pytest.mark.parametrize("listen", ["127.0.0.1:99999", "127.0.0.1", "unix:", "", ":1"])
def test_an_address_that_is_none_is_refused(listen: str, tmp_path: Path) -> None:
    errors = refused_serve(listen, tmp_path)

    assert len(errors) == 1
    assert "write host:port" in errors[0]


def test_a_socket_that_answers_is_left_alone_and_a_stale_one_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "daemon.sock"
    database = str(tmp_path / "daemon.db")
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(path))
    command = [PROGRAM, "serve", "--listen", f"unix:{path}", "--database", database]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as first:
        try:
            assert first.stdout is not None
            assert b"listening" in first.stdout.readline()
            errors = [refused_serve(f"unix:{path}", tmp_path)]
            errors.append(refused_serve(f"unix://{path}", tmp_path))
            with grpc.insecure_channel(f"unix:{path}") as channel:
                stub = registry_pb2_grpc.BotRegistryServiceStub(channel)
                assert not stub.ListBots(registry_pb2.ListBotsRequest()).bots
        finally:
            first.terminate()

    assert all("another process listens there" in line for (line,) in errors)

"""A flood of calls and watchers that do not read, beside a tournament that plays on."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import psutil
import pytest
from google.rpc import error_details_pb2  # type: ignore[import-untyped]  # it has stubs, no marker
from grpc_status import rpc_status

from fivehundred.v1 import tournament_pb2, tournament_pb2_grpc

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
SMALL_WINDOW = [("grpc.http2.lookahead_bytes", 1 << 12), ("grpc.http2.bdp_probe", 0)]
FLOODERS = 12
FLOOD = 90
MOST_GROWTH = 40 << 20


@pytest.fixture
def daemon(start_listening: Callable[..., Any], tmp_path: Path) -> Any:
    serve = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--database", str(tmp_path / "d.db")]
    tight = ["--rate-each", "50", "--calls-each", "8", "--watchers-each", "40", "--unread", "0.5"]
    return start_listening([*serve, *tight], "stdout")


def spec_of(address: str, rounds: int) -> tournament_pb2.TournamentSpec:
    spec = tournament_pb2.TournamentSpec(name="test", tables=8, seed="5a" * 32)
    spec.rules.preset = "au-4p-43"
    for name in ("a", "b"):
        spec.entrants.add(name=name, address=address)
    spec.format.round_robin.rounds = rounds
    spec.format.boards.boards_per_match = 2
    spec.time_control.bank.seconds = 60
    return spec


@contextmanager
def stub(address: str, *options: tuple[str, int]) -> Iterator[Any]:
    """The tournaments of a daemon over a connection of its own."""
    own = ("grpc.use_local_subchannel_pool", 1)
    with grpc.insecure_channel(address, options=[own, *options]) as channel:
        yield tournament_pb2_grpc.TournamentServiceStub(channel)


def flood(address: str) -> Counter[str]:
    """Ask for nonsense as fast as it is answered; by code how often each came back."""
    codes: Counter[str] = Counter()
    with stub(address) as tournaments:
        request = tournament_pb2.GetTournamentRequest(name="nobody")
        calls = [tournaments.GetTournament.future(request, timeout=60) for _ in range(FLOOD)]
        codes.update(str(call.code().name) for call in calls)
    return codes


def watch(tournaments: Any, after: int = 0) -> Any:
    request = tournament_pb2.WatchTournamentRequest(name="test", after_event=after)
    return tournaments.WatchTournament(request, timeout=60)


def events_of(tournaments: Any, after: int = 0) -> list[int]:
    """The numbers of all events to the end; goes on where it was dropped."""
    seen: list[int] = []
    while True:
        stream = watch(tournaments, seen[-1] if seen else after)
        try:
            seen += [event.event for event in stream]
        except grpc.RpcError:
            assert stream.code() is grpc.StatusCode.RESOURCE_EXHAUSTED, stream.details()
        else:
            return seen


def test_a_flood_is_refused_and_play_goes_on(
    daemon: Any, start_listening: Callable[..., Any]
) -> None:
    bot = [PROGRAM, "bot", "serve", "fivehundred_bots.basic:Basic"]
    address = start_listening(bot, "stderr").address
    with stub(daemon.address) as tournaments, ThreadPoolExecutor() as pool:
        spec = spec_of(address, rounds=20)
        request = tournament_pb2.CreateTournamentRequest(spec=spec, start=True)
        tournaments.CreateTournament(request)
        watching = pool.submit(events_of, tournaments)
        before = psutil.Process(daemon.popen.pid).memory_info().rss

        codes = sum(pool.map(flood, [daemon.address] * FLOODERS), Counter[str]())

        after = psutil.Process(daemon.popen.pid).memory_info().rss
        events = watching.result()
        ask = tournament_pb2.GetStandingsRequest(name="test")
        rows = tournaments.GetStandings(ask).standings.rows
    assert set(codes) == {"NOT_FOUND", "RESOURCE_EXHAUSTED"}, codes
    assert codes["RESOURCE_EXHAUSTED"] > codes["NOT_FOUND"]
    assert after - before < MOST_GROWTH
    assert events == list(range(1, len(events) + 1))
    assert [row.hands for row in rows] == [80, 80]
    assert not any(row.faults.ListFields() for row in rows)


def test_a_watcher_that_does_not_read_is_dropped_and_loses_nothing(
    daemon: Any, start_listening: Callable[..., Any]
) -> None:
    bot = [PROGRAM, "bot", "serve", "fivehundred_bots.basic:Basic"]
    address = start_listening(bot, "stderr").address
    with stub(daemon.address) as tournaments, stub(daemon.address, *SMALL_WINDOW) as slow:
        spec = spec_of(address, rounds=60)
        request = tournament_pb2.CreateTournamentRequest(spec=spec, start=True)
        tournaments.CreateTournament(request)
        sleepers = [watch(slow) for _ in range(20)]

        events = events_of(tournaments)
        ended = [_until_dropped(each) for each in sleepers]

        resumed = [events_of(slow, last) for seen, last in ended]
    assert events == list(range(1, len(events) + 1))
    for (seen, last), rest in zip(ended, resumed, strict=True):
        assert 0 < last < len(events)
        assert [*seen, *rest] == events


def _until_dropped(stream: Any) -> tuple[list[int], int]:
    """What a watcher gets before it is dropped, and after which event it is told to go on."""
    seen: list[int] = []
    try:
        for event in stream:
            seen.append(event.event)  # noqa: PERF401 - what came before the end counts
    except grpc.RpcError as error:
        assert stream.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        status: Any = rpc_status.from_call(error)  # type: ignore[arg-type]  # it is a call as well
        info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
        assert status.details[0].Unpack(info)
        assert status.details[1].Unpack(retry)
        assert retry.retry_delay.ToMilliseconds() == 500
        return seen, int(info.metadata["last_event"])
    raise AssertionError(f"it was not dropped: {len(seen)} events")

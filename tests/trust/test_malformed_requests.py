"""Requests that are wrong in any way, at every call of every service of a daemon that plays on."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import grpc
import psutil
import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import fivehundred.v1
from fivehundred.daemon.services import SERVICES
from fivehundred.v1 import tournament_pb2, tournament_pb2_grpc
from hostile_messages import hostile

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
BOT = "fivehundred_bots.basic:Basic"
DOCS = Path(__file__).parents[2] / "docs" / "operations.md"
AT_ONCE = 25
"""Requests of one example, all under way at once."""
CI, NIGHTLY = 60, 400
"""Examples: 1,500 requests, and 10,000."""
MOST_GROWTH = 20 << 20
LOOK_S = 0.25
"""How long a stream that lasts is looked at."""
LIMIT_S = 20.0


@dataclass(frozen=True)
class Method:
    """A call of the contract; ``valid`` is a request that it could serve."""

    path: str
    asked_again: bool
    answers_again: bool
    request: Descriptor
    valid: bytes

    def __repr__(self) -> str:
        return self.path


def small_spec(name: str, address: str) -> tournament_pb2.TournamentSpec:
    """Two hands between two bots at one address."""
    spec = tournament_pb2.TournamentSpec(name=name, tables=2, seed="5a" * 32)
    spec.rules.preset = "au-4p-43"
    for number in range(2):
        spec.entrants.add(name=f"e{number}", address=address)
    spec.format.boards.boards_per_match = 1
    spec.time_control.connect.nanos = 50_000_000
    return spec


def methods() -> list[Method]:
    """Every call that the daemon answers."""
    services = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
    for module in iter_modules(fivehundred.v1.__path__, "fivehundred.v1."):
        import_module(module.name)
    pool = descriptor_pool.Default()
    found = [pool.FindServiceByName(name) for name in services]
    return [_method(each) for service in found for each in service.methods]


def _method(found: MethodDescriptor) -> Method:
    return Method(
        f"/{found.containing_service.full_name}/{found.name}",
        found.client_streaming,
        found.server_streaming,
        found.input_type,
        _valid(found.input_type),
    )


def _valid(kind: Descriptor) -> bytes:
    """A request about the tournament that is there, or of one that could be."""
    request: Any = GetMessageClass(kind)()
    if "spec" in kind.fields_by_name:
        request.spec.CopyFrom(small_spec("another", "127.0.0.1:1"))
    for name in ("name", "tournament"):
        if name in kind.fields_by_name:
            setattr(request, name, "test")
    return bytes(request.SerializeToString())


METHODS = methods()
UNKNOWN = [
    Method(path, False, False, METHODS[0].request, b"")
    for path in ("/fivehundred.v1.TournamentService/Nothing", "/nobody.Nothing/Get", "/x", "/")
]
requests = st.lists(
    st.sampled_from([*METHODS, *UNKNOWN]).flatmap(
        lambda method: st.tuples(st.just(method), hostile(method.request, method.valid))
    ),
    min_size=AT_ONCE,
    max_size=AT_ONCE,
)


def documented_codes() -> set[str]:
    """The codes that the documentation says the daemon answers with."""
    section = DOCS.read_text().partition("## Status codes")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `([A-Z_]+)`", section, re.MULTILINE))


def answer(channel: grpc.Channel, method: Method, body: bytes) -> Callable[[], str]:
    """Send a request; the function waits for the name of its code."""
    calls: Any = channel
    if not method.answers_again:
        call = calls.unary_unary(method.path).future(body, timeout=LIMIT_S)
        return lambda: str(call.code().name)
    stream = (
        calls.stream_stream(method.path)(iter([body]), timeout=LOOK_S)
        if method.asked_again
        else calls.unary_stream(method.path)(body, timeout=LOOK_S)
    )
    return lambda: _end_of(stream)


def _end_of(stream: Any) -> str:
    """The code of a stream; one that lasts for as long as it is looked at is in order."""
    try:
        for _ in stream:
            pass
    except grpc.RpcError:
        return (
            "OK" if stream.code() is grpc.StatusCode.DEADLINE_EXCEEDED else str(stream.code().name)
        )
    return "OK"


@pytest.mark.timeout(900)
def test_no_request_is_answered_with_a_failure(
    start_listening: Callable[..., Any], tmp_path: Path, nightly: bool
) -> None:
    serve = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--database", str(tmp_path / "d.db")]
    generous = ["--no-tokens", "--rate-each", "100000", "--calls-each", "256"]
    daemon = start_listening([*serve, *generous], "stdout")
    process = psutil.Process(daemon.popen.pid)
    documented = documented_codes()
    seen: Counter[str] = Counter()
    resident: list[int] = []

    with grpc.insecure_channel(daemon.address) as channel:
        tournaments = tournament_pb2_grpc.TournamentServiceStub(channel)
        spec = small_spec("test", "127.0.0.1:1")
        tournaments.CreateTournament(tournament_pb2.CreateTournamentRequest(spec=spec))

        @settings(
            max_examples=NIGHTLY if nightly else CI,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate,),
        )
        @given(requests)
        def attack(batch: Sequence[tuple[Method, bytes]]) -> None:
            waits = [(method, body, answer(channel, method, body)) for method, body in batch]
            for method, body, wait in waits:
                code = wait()
                seen[code] += 1
                assert code in documented, f"{method} answers {body[:200]!r} with {code}"
            resident.append(process.memory_info().rss)

        attack()

        growth = resident[-1] - resident[len(resident) // 5]
        address = start_listening([PROGRAM, "bot", "serve", BOT], "stderr").address
        played = play(tournaments, small_spec("at-the-end", address))
        checks: Any = health_pb2_grpc.HealthStub(channel)
        status = checks.Check(health_pb2.HealthCheckRequest()).status

    assert {"OK", "INVALID_ARGUMENT", "NOT_FOUND", "UNIMPLEMENTED"} <= set(seen), seen
    assert growth < MOST_GROWTH, f"{growth >> 20} MiB"
    assert status == health_pb2.HealthCheckResponse.SERVING
    assert played.state == tournament_pb2.TOURNAMENT_STATE_FINISHED
    assert played.hands_played == 2
    assert daemon.popen.poll() is None


def play(tournaments: Any, spec: tournament_pb2.TournamentSpec) -> tournament_pb2.Tournament:
    """A tournament from its start to its end."""
    spec.time_control.connect.seconds = 20
    request = tournament_pb2.CreateTournamentRequest(spec=spec, start=True)
    tournaments.CreateTournament(request)
    watch = tournament_pb2.WatchTournamentRequest(name=spec.name)
    events = list(tournaments.WatchTournament(watch, timeout=30))
    return tournament_pb2.Tournament.FromString(events[-1].tournament.SerializeToString())

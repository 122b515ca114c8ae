"""Who may do what: every method of every service, by everybody, about one's own and others'."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import message_factory
from google.rpc import error_details_pb2  # type: ignore[import-untyped]  # stubs without a marker
from grpc_status import rpc_status

from contract_calls import METHODS, Metadata, answers_of, request_of
from fivehundred.daemon.attach import WRONG
from fivehundred.daemon.attach_tokens import token_hash
from fivehundred.daemon.creation import create
from fivehundred.daemon.errors import StatusInterceptor
from fivehundred.daemon.gate import Gate
from fivehundred.daemon.permissions import RIGHTS
from fivehundred.storage.access import AccessToken, AccessTokens, Role, now_us
from fivehundred.storage.store import open_store
from fivehundred.storage.values import RegisteredBot
from fivehundred.v1 import tournament_pb2

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.executable).parent / "fivehundred")

NOBODY = ("nothing", "unknown", "expired", "garbage")
"""Whoever has no valid token, by what it sends instead."""
ROLES = ("reader", "owner", "organiser", "admin")

READERS = {"reader", "owner", "organiser", "admin"}
OWNERS = {"owner", "organiser", "admin"}
ORGANISERS = {"organiser", "admin"}
ADMINS = {"admin"}
EVERYBODY = {*NOBODY, *ROLES}

OWN, FOREIGN = "own", "foreign"


@dataclass(frozen=True)
class Row:
    """Who may call a method, about what."""

    may: set[str]
    requests: tuple[tuple[str, dict[str, str]], ...] = ((OWN, {}),)
    """Whether each is about an owner's own, and its fields."""


def about_bots(name: str = "name") -> tuple[tuple[str, dict[str, str]], ...]:
    """A request about a bot of the owner's token, and some about other bots."""
    return (
        (OWN, {name: "spare"}),
        (FOREIGN, {name: "other"}),
        (FOREIGN, {name: "spare2"}),
        (FOREIGN, {}),
    )


def about_entrants(tournament: str) -> tuple[tuple[str, dict[str, str]], ...]:
    """A request about an entrant of the owner's bot, and some about others."""
    return (
        (OWN, {tournament: "open", "entrant": "ours"}),
        (FOREIGN, {tournament: "open", "entrant": "theirs"}),
        (FOREIGN, {tournament: "open", "entrant": "dialled"}),
        (FOREIGN, {tournament: "open", "entrant": "mine"}),
        (FOREIGN, {tournament: "nowhere", "entrant": "ours"}),
    )


TABLE: dict[str, Row] = {
    "fivehundred.v1.TournamentService/CreateTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/ValidateTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/StartTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/PauseTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/DrainTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/JoinTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/LeaveTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/FinishTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/AbortTournament": Row(ORGANISERS),
    "fivehundred.v1.TournamentService/AddEntropy": Row(OWNERS, about_entrants("name")),
    "fivehundred.v1.TournamentService/GetTournament": Row(READERS),
    "fivehundred.v1.TournamentService/ListTournaments": Row(READERS),
    "fivehundred.v1.TournamentService/GetStandings": Row(READERS),
    "fivehundred.v1.TournamentService/WatchTournament": Row(READERS),
    "fivehundred.v1.BotRegistryService/RegisterBot": Row(OWNERS, about_bots()),
    "fivehundred.v1.BotRegistryService/GetBot": Row(READERS),
    "fivehundred.v1.BotRegistryService/ListBots": Row(READERS),
    "fivehundred.v1.BotRegistryService/DeleteBot": Row(OWNERS, about_bots()),
    "fivehundred.v1.BotRegistryService/RenewBotToken": Row(OWNERS, about_bots()),
    "fivehundred.v1.HandService/ListHands": Row(READERS),
    "fivehundred.v1.HandService/GetHand": Row(READERS),
    "fivehundred.v1.HandService/ExportHands": Row(READERS),
    "fivehundred.v1.HandService/TraceEntrant": Row(OWNERS, about_entrants("tournament")),
    "fivehundred.v1.RefereeService/Ask": Row(READERS),
    "fivehundred.v1.AccessService/CreateToken": Row(ADMINS),
    "fivehundred.v1.AccessService/ListTokens": Row(ADMINS),
    "fivehundred.v1.AccessService/RevokeToken": Row(ADMINS),
    "fivehundred.v1.AttachService/Attach": Row(EVERYBODY),
    "grpc.health.v1.Health/Check": Row(EVERYBODY),
    "grpc.health.v1.Health/List": Row(EVERYBODY),
    "grpc.health.v1.Health/Watch": Row(EVERYBODY),
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": Row(READERS),
}


LATER = {"grpc.health.v1.Health/List"}
"""What only newer releases of the health service have."""


@dataclass(frozen=True)
class Daemon:
    """A daemon that wants tokens, and where it logs."""

    address: str
    channel: grpc.Channel
    log: Path


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A daemon with a token of each role and an open tournament."""
    directory = tmp_path_factory.mktemp("permissions")
    _prepare(directory / "daemon.db")
    log = directory / "log"
    command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--log-json"]
    command += ["--database", str(directory / "daemon.db")]
    with log.open("w") as stderr:
        popen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
    try:
        assert popen.stdout is not None
        address = popen.stdout.readline().split()[-1]
        with grpc.insecure_channel(address) as channel:
            yield Daemon(address, channel, log)
    finally:
        popen.kill()
        popen.communicate()


def _prepare(database: Path) -> None:
    with open_store(database) as store:
        tokens, now = AccessTokens(store.engine), now_us()
        for role in Role:
            name = role.name.lower()
            bots = ("mine", "spare") if role is Role.OWNER else ()
            tokens.create(AccessToken(name, role, bots, now, None, token_hash(f"{name}-secret")))
        ended = AccessToken("ended", Role.ADMIN, (), 0, now, token_hash("expired-secret"))
        tokens.create(ended)
        for bot in ("mine", "others"):
            store.register_bot(RegisteredBot(bot, "", "", now, token_hash("x")))
        spec = tournament_pb2.TournamentSpec(name="open")
        spec.entrants.add(name="ours", registered="mine")
        spec.entrants.add(name="theirs", registered="others")
        spec.entrants.add(name="dialled", address="127.0.0.1:1")
        create(store, spec)


def metadata(who: str) -> Metadata:
    """What a caller sends."""
    if who == "nothing":
        return ()
    if who == "garbage":
        return (("authorization", "Basic admin-secret"),)
    return (("authorization", f"Bearer {who}-secret"),)


def called(daemon: Daemon, method: str, who: str, fields: dict[str, str]) -> grpc.RpcError | None:
    """What becomes of a call; None where it is answered."""
    request = request_of(method, fields).SerializeToString()
    try:
        answers_of(daemon.channel, method, request, metadata(who))
    except grpc.RpcError as error:
        return error
    return None


def reason_of(error: grpc.RpcError) -> str:
    """The reason that a status tells."""
    assert isinstance(error, grpc.Call)
    status = rpc_status.from_call(error)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.domain == "fivehundred"
    return str(info.reason)


def test_every_method_has_a_row() -> None:
    assert METHODS.keys() <= TABLE.keys()
    assert TABLE.keys() - METHODS.keys() <= LATER
    assert sorted(RIGHTS) == sorted(f"/{method}" for method in TABLE)


def test_the_document_says_the_same() -> None:
    document = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(\w+/\w+)` \| (.*) \|$", document, re.MULTILINE))

    wanted = {}
    for method, row in TABLE.items():
        about_own = any(whose == FOREIGN for whose, _ in row.requests)
        cells = ["yes" if who in row.may else "–" for who in ("nothing", *ROLES)]
        if about_own:
            cells[1 + ROLES.index("owner")] = "own"
        wanted[method.rpartition(".")[2]] = " | ".join(cells)
    assert told == wanted


@pytest.mark.parametrize("method", [method for method in TABLE if method in METHODS])
def test_a_method_is_for_whom_the_table_says(daemon: Daemon, method: str) -> None:
    row = TABLE[method]

    for who in (*NOBODY, *ROLES):
        for whose, fields in row.requests:
            error = called(daemon, method, who, fields)
            case = f"{method} {who} {whose} {fields}"
            if who not in row.may:
                refused = "UNAUTHENTICATED" if who in NOBODY else "PERMISSION_DENIED"
            elif who == "owner" and whose == FOREIGN:
                refused = "PERMISSION_DENIED"
            else:
                assert is_let_through(error), case
                continue
            assert error is not None and error.code().name == refused, case
            assert reason_of(error) == refused, case


def is_let_through(error: grpc.RpcError | None) -> bool:
    """Whether a call has reached its method, whatever that says."""
    if error is None or error.details() == WRONG:
        return True
    return error.code().name in ("NOT_FOUND", "INVALID_ARGUMENT", "FAILED_PRECONDITION")


def test_what_has_no_row_is_for_nobody(tmp_path: Path) -> None:
    with open_store(tmp_path / "new.db") as store:
        gate = Gate()
        gate.open(store, AccessTokens(store.engine), lambda: False)
        error = asyncio.run(call_of_no_row(gate))

    assert error.code() is grpc.StatusCode.PERMISSION_DENIED
    assert error.details() == "nobody may call New"


async def call_of_no_row(gate: Gate) -> grpc.aio.AioRpcError:
    """How a method is refused that is served but is in no table."""

    async def answer(_: bytes, __: object) -> bytes:
        return b"told"

    handler = grpc.unary_unary_rpc_method_handler(answer, bytes, bytes)
    server = grpc.aio.server(interceptors=[StatusInterceptor(), gate])
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("fivehundred.v1.HandService", {"New": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                call: Any = channel.unary_unary("/fivehundred.v1.HandService/New")
                await call(b"")
            return caught.value
    finally:
        await server.stop(None)


def test_what_is_refused_is_logged_without_the_token(daemon: Daemon) -> None:
    called(daemon, "fivehundred.v1.AccessService/ListTokens", "unknown", {})

    lines = [json.loads(line) for line in daemon.log.read_text().splitlines()]
    refused = [line for line in lines if line["event"] == "access_refused"]
    assert 1 <= len(refused) <= 40
    assert {"peer", "method", "caller", "reason", "left_out"} <= set(refused[0])
    assert "secret" not in daemon.log.read_text()


def test_nothing_has_changed(daemon: Daemon) -> None:
    def asked(method: str) -> Any:
        (answer,) = answers_of(daemon.channel, method, b"", metadata("admin"))
        return message_factory.GetMessageClass(METHODS[method].output_type).FromString(answer)

    tournaments = asked("fivehundred.v1.TournamentService/ListTournaments")
    bots = asked("fivehundred.v1.BotRegistryService/ListBots")
    tokens = asked("fivehundred.v1.AccessService/ListTokens")

    created = tournament_pb2.TOURNAMENT_STATE_CREATED
    assert [(each.spec.name, each.state) for each in tournaments.tournaments] == [("open", created)]
    assert [each.name for each in bots.bots] == ["mine", "others"]
    names = ["admin", "ended", "organiser", "owner", "reader"]
    assert [each.name for each in tokens.access_tokens] == names


def test_a_repeated_request_is_no_way_around(daemon: Daemon) -> None:
    spec = tournament_pb2.TournamentSpec(name="once")
    for name in ("a", "b"):
        spec.entrants.add(name=name, address="127.0.0.1:1")
    request = tournament_pb2.CreateTournamentRequest(spec=spec, request_id="first")

    def create_as(who: str) -> list[bytes]:
        method = "fivehundred.v1.TournamentService/CreateTournament"
        return answers_of(daemon.channel, method, request.SerializeToString(), metadata(who))

    first = create_as("organiser")

    assert create_as("admin") == first
    for who, code in (
        ("reader", grpc.StatusCode.PERMISSION_DENIED),
        ("owner", grpc.StatusCode.PERMISSION_DENIED),
        ("unknown", grpc.StatusCode.UNAUTHENTICATED),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            create_as(who)
        assert caught.value.code() is code
        assert "once" not in str(caught.value.details())

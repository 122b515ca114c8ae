"""Tokens are made, listed and revoked over gRPC, and hold at once."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from fivehundred.daemon.access_service import create_token
from fivehundred.storage.access import AccessTokens
from fivehundred.storage.store import open_store
from fivehundred.v1 import access_pb2, access_pb2_grpc, tournament_pb2, tournament_pb2_grpc
from fivehundred.wire.errors import InvalidArgument

ADMIN, READER, OWNER = access_pb2.ROLE_ADMIN, access_pb2.ROLE_READER, access_pb2.ROLE_OWNER


class Client:
    """Stubs of one daemon, and calls with a token."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.access = access_pb2_grpc.AccessServiceStub(channel)
        self.tournaments = tournament_pb2_grpc.TournamentServiceStub(channel)

    def create(self, name: str, role: Any, token: str = "", **fields: Any) -> str:
        request = access_pb2.CreateTokenRequest(name=name, role=role, **fields)
        return self.access.CreateToken(request, metadata=bearer(token)).token

    def list(self, token: str = "") -> list[access_pb2.AccessToken]:
        request = access_pb2.ListTokensRequest()
        return [*self.access.ListTokens(request, metadata=bearer(token)).access_tokens]

    def revoke(self, name: str, token: str) -> None:
        self.access.RevokeToken(access_pb2.RevokeTokenRequest(name=name), metadata=bearer(token))


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


@pytest.fixture
def client(start_daemon: Callable[[], Any]) -> Iterator[Client]:
    with grpc.insecure_channel(start_daemon().address) as channel:
        yield Client(channel)


def code_of(call: Callable[[], object]) -> str:
    """The code with which a call is refused."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return str(caught.value.code().name)


def test_without_tokens_everybody_here_is_an_admin_until_there_is_one(
    client: Client, tmp_path: Path
) -> None:
    assert client.list() == []

    token = client.create("me", ADMIN)

    assert code_of(client.list) == "UNAUTHENTICATED"
    (listed,) = client.list(token)
    assert (listed.name, listed.role, listed.HasField("expire_time")) == ("me", ADMIN, False)
    assert token.encode() not in b"".join(each.read_bytes() for each in tmp_path.glob("daemon.db*"))


def test_the_first_token_is_an_admin_s_and_the_last_one_stays(client: Client) -> None:
    first = code_of(lambda: client.create("ada", READER))
    token = client.create("me", ADMIN)
    client.create("ada", READER, token)

    client.revoke("ada", token)

    assert first == "FAILED_PRECONDITION"
    assert code_of(lambda: client.revoke("me", token)) == "FAILED_PRECONDITION"
    other = client.create("other", ADMIN, token)
    client.revoke("me", other)
    assert code_of(lambda: client.list(token)) == "UNAUTHENTICATED"
    assert code_of(lambda: client.revoke("me", other)) == "NOT_FOUND"
    assert code_of(lambda: client.create("other", ADMIN, other)) == "ALREADY_EXISTS"


@pytest.mark.parametrize(
    ("role", "fields"),
    [
        (ADMIN, {"name": "Not a name"}),
        (access_pb2.ROLE_UNSPECIFIED, {}),
        (9, {}),
        (OWNER, {}),
        (OWNER, {"bots": ["Not a name"]}),
        (OWNER, {"bots": [f"b{number}" for number in range(101)]}),
        (ADMIN, {"bots": ["careful"]}),
        (ADMIN, {"expire_time": Timestamp(seconds=1)}),
        (ADMIN, {"expire_time": Timestamp(seconds=2**62)}),
        (ADMIN, {"expire_time": Timestamp(seconds=-(2**62))}),
    ],
)
def test_a_wrong_request_makes_no_token(tmp_path: Path, role: Any, fields: dict[str, Any]) -> None:
    request = access_pb2.CreateTokenRequest(**{"name": "new", "role": role, **fields})

    with open_store(tmp_path / "daemon.db") as store:
        tokens = AccessTokens(store.engine)
        with pytest.raises(InvalidArgument) as caught:
            create_token(tokens, request)

    assert len(caught.value.violations) == 1
    assert not tokens.exist()


def test_a_stream_ends_with_its_token(client: Client) -> None:
    admin = client.create("me", ADMIN)
    reader = client.create("ada", READER, admin)
    spec = tournament_pb2.TournamentSpec(name="test")
    for name in ("a", "b"):
        spec.entrants.add(name=name, address="127.0.0.1:1")
    create = tournament_pb2.CreateTournamentRequest(spec=spec)
    client.tournaments.CreateTournament(create, metadata=bearer(admin))
    watch = tournament_pb2.WatchTournamentRequest(name="test")
    events = client.tournaments.WatchTournament(watch, metadata=bearer(reader), timeout=20)
    assert next(events).event == 1

    client.revoke("ada", admin)
    abort = tournament_pb2.AbortTournamentRequest(name="test")
    client.tournaments.AbortTournament(abort, metadata=bearer(admin))

    assert code_of(lambda: next(events)) == "UNAUTHENTICATED"

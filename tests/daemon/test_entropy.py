"""Entrants add to the deals before the start, and never after it."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from fivehundred.daemon.creation import add_entropy, create
from fivehundred.daemon.embedded import director_of
from fivehundred.storage.store import open_store, read_store
from fivehundred.storage.values import TournamentState
from fivehundred.storage.verify import verify
from fivehundred.table.dealing import deal_secret, deck_order
from fivehundred.v1 import tournament_pb2
from fivehundred.v1.tournament_pb2_grpc import TournamentServiceStub

ENTROPY = bytes(range(100, 116))


@pytest.fixture
def spec(
    start_bot: Callable[[str], str], make_spec: Callable[..., tournament_pb2.TournamentSpec]
) -> tournament_pb2.TournamentSpec:
    """A tournament of sixteen hands."""
    bots = [("left", start_bot("basic:Basic")), ("right", start_bot("random_bot:Random"))]
    return make_spec(*bots, rounds=4)


async def _played(database: Path, name: str, workers: int) -> None:
    async with director_of(database, workers) as (_, director):
        director.start(name)
        await director.finished(name)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_deals_are_those_of_seed_and_entropy(
    spec: tournament_pb2.TournamentSpec, tmp_path: Path, workers: int
) -> None:
    database = tmp_path / "log.db"
    with open_store(database) as store:
        create(store, spec)
        add_entropy(store, "test", "right", ENTROPY)

    asyncio.run(_played(database, "test", workers))

    with read_store(database) as store:
        stored = store.tournament("test")
        secret = deal_secret(bytes.fromhex(spec.seed), (b"", ENTROPY))
        assert stored.state is TournamentState.FINISHED
        assert stored.entropy == (b"", ENTROPY)
        for hand in store.hands("test"):
            assert hand.record.started.deck == deck_order(
                secret, hand.key.board, 0, 0, stored.rules
            )
        assert verify(store).problems == ()


def test_a_daemon_takes_entropy_until_the_start(
    spec: tournament_pb2.TournamentSpec, start_daemon: Callable[..., Any]
) -> None:
    address = start_daemon().address
    with grpc.insecure_channel(address) as channel:
        stub = TournamentServiceStub(channel)
        created = stub.CreateTournament(
            tournament_pb2.CreateTournamentRequest(spec=spec)
        ).tournament
        assert list(created.entropy) == []
        for wrong, code in (
            ({"name": "none"}, grpc.StatusCode.NOT_FOUND),
            ({"entrant": "lefty"}, grpc.StatusCode.NOT_FOUND),
            ({"entropy": bytes(15)}, grpc.StatusCode.INVALID_ARGUMENT),
            ({"entropy": bytes(65)}, grpc.StatusCode.INVALID_ARGUMENT),
        ):
            with pytest.raises(grpc.RpcError) as caught:
                stub.AddEntropy(_request(**wrong))
            assert caught.value.code() is code

        stub.AddEntropy(_request())
        shown = stub.AddEntropy(_request()).tournament
        with pytest.raises(grpc.RpcError) as caught:
            stub.AddEntropy(_request(entropy=bytes(16)))
        assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION

        assert list(shown.entropy) == [ENTROPY, b""]
        assert shown.seed_commitment == created.seed_commitment
        stub.StartTournament(tournament_pb2.StartTournamentRequest(name="test"))
        with pytest.raises(grpc.RpcError) as caught:
            stub.AddEntropy(_request())
        assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION


def _request(
    name: str = "test", entrant: str = "left", entropy: bytes = ENTROPY
) -> tournament_pb2.AddEntropyRequest:
    return tournament_pb2.AddEntropyRequest(name=name, entrant=entrant, entropy=entropy)

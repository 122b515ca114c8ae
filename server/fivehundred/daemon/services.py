"""The services that operators, spectators and bots call, put together."""

import grpc

from fivehundred.daemon.aside import Aside
from fivehundred.daemon.attach import AttachServicer
from fivehundred.daemon.director import Director
from fivehundred.daemon.hands import HandServicer
from fivehundred.daemon.limits import LIMITS, Limits
from fivehundred.daemon.referee import RefereeServicer
from fivehundred.daemon.registry import BotRegistryServicer
from fivehundred.daemon.tournaments import TournamentServicer
from fivehundred.storage.store import Store
from fivehundred.v1 import (
    hands_pb2_grpc,
    referee_pb2_grpc,
    registry_pb2_grpc,
    tournament_pb2_grpc,
)

SERVICES = (
    "fivehundred.v1.TournamentService",
    "fivehundred.v1.BotRegistryService",
    "fivehundred.v1.AttachService",
    "fivehundred.v1.HandService",
    "fivehundred.v1.RefereeService",
    "fivehundred.v1.AccessService",
)


def add_services(
    server: grpc.aio.Server, store: Store, director: Director, limits: Limits = LIMITS
) -> Aside:
    """Let a server answer for a database and its director; gives what does the long work."""
    aside = Aside()
    tournament_pb2_grpc.add_TournamentServiceServicer_to_server(
        TournamentServicer(store, director, aside, limits.events), server
    )
    registry_pb2_grpc.add_BotRegistryServiceServicer_to_server(
        BotRegistryServicer(store, director.attached), server
    )
    server.add_generic_rpc_handlers((AttachServicer(store, director.attached).handler(),))
    director.attached.listening = True
    hands_pb2_grpc.add_HandServiceServicer_to_server(HandServicer(store, aside), server)
    referee_pb2_grpc.add_RefereeServiceServicer_to_server(RefereeServicer(aside), server)
    return aside

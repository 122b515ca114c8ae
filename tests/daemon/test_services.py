"""Every call of the contract is answered: none is left to the generated base, which raises."""

import pytest

from fivehundred.daemon.access_service import AccessServicer
from fivehundred.daemon.attach import AttachServicer
from fivehundred.daemon.hands import HandServicer
from fivehundred.daemon.referee import RefereeServicer
from fivehundred.daemon.registry import BotRegistryServicer
from fivehundred.daemon.tournaments import TournamentServicer
from fivehundred.v1 import (
    access_pb2,
    attach_pb2,
    bot_pb2,
    hands_pb2,
    referee_pb2,
    registry_pb2,
    tournament_pb2,
)
from fivehundred_client.service import BotServicer

SERVICES = [
    (tournament_pb2, "TournamentService", TournamentServicer),
    (registry_pb2, "BotRegistryService", BotRegistryServicer),
    (hands_pb2, "HandService", HandServicer),
    (referee_pb2, "RefereeService", RefereeServicer),
    (attach_pb2, "AttachService", AttachServicer),
    (access_pb2, "AccessService", AccessServicer),
    (bot_pb2, "BotService", BotServicer),
]


@pytest.mark.parametrize(
    ("module", "name", "servicer"), SERVICES, ids=[name for _, name, _ in SERVICES]
)
def test_every_method_has_an_answer_of_its_own(module: object, name: str, servicer: type) -> None:
    methods = module.DESCRIPTOR.services_by_name[name].methods_by_name  # type: ignore[attr-defined]
    own = {each.lower() for each in vars(servicer)}

    assert [method for method in methods if method.lower() not in own] == []

"""Who may do what: the one table of roles and methods. What is not in it is denied to everybody."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from fivehundred.daemon.caller import Caller
from fivehundred.storage.access import Role


class Own(Enum):
    """What a request is about that must be an owner's own."""

    BOT = "bot"
    """The registered bot that ``name`` names."""
    ENTRANT = "entrant"
    """The entrant that ``entrant`` names, of a bot that is registered."""


@dataclass(frozen=True, slots=True)
class Right:
    """Who may call a method."""

    least: Role | None
    """The least role that may; None where everybody may, known or not."""
    own: Own | None = None
    """What must be an owner's own; None where it does not matter."""

    def is_held_by(self, caller: Caller) -> bool:
        """Whether a caller may call the method, about its own at least."""
        if self.least is None:
            return True
        return caller.role is not None and caller.role >= self.least


EVERYBODY = Right(None)
READERS = Right(Role.READER)
OWNERS_OF_THE_BOT = Right(Role.OWNER, Own.BOT)
OWNERS_OF_THE_ENTRANT = Right(Role.OWNER, Own.ENTRANT)
ORGANISERS = Right(Role.ORGANISER)
ADMINS = Right(Role.ADMIN)

SERVICES: Mapping[str, Mapping[str, Right]] = {
    "fivehundred.v1.TournamentService": {
        "CreateTournament": ORGANISERS,
        "ValidateTournament": ORGANISERS,
        "StartTournament": ORGANISERS,
        "PauseTournament": ORGANISERS,
        "DrainTournament": ORGANISERS,
        "JoinTournament": ORGANISERS,
        "LeaveTournament": ORGANISERS,
        "FinishTournament": ORGANISERS,
        "AbortTournament": ORGANISERS,
        "AddEntropy": OWNERS_OF_THE_ENTRANT,
        "GetTournament": READERS,
        "ListTournaments": READERS,
        "GetStandings": READERS,
        "WatchTournament": READERS,
    },
    "fivehundred.v1.BotRegistryService": {
        "RegisterBot": OWNERS_OF_THE_BOT,
        "GetBot": READERS,
        "ListBots": READERS,
        "DeleteBot": OWNERS_OF_THE_BOT,
        "RenewBotToken": OWNERS_OF_THE_BOT,
    },
    "fivehundred.v1.HandService": {
        "ListHands": READERS,
        "GetHand": READERS,
        "ExportHands": READERS,
        "TraceEntrant": OWNERS_OF_THE_ENTRANT,
    },
    "fivehundred.v1.RefereeService": {"Ask": READERS},
    "fivehundred.v1.AccessService": {
        "CreateToken": ADMINS,
        "ListTokens": ADMINS,
        "RevokeToken": ADMINS,
    },
    # A bot that dials in proves who it is by the token of its first message.
    "fivehundred.v1.AttachService": {"Attach": EVERYBODY},
    "grpc.health.v1.Health": {"Check": EVERYBODY, "List": EVERYBODY, "Watch": EVERYBODY},
    "grpc.reflection.v1alpha.ServerReflection": {"ServerReflectionInfo": READERS},
}
RIGHTS: Mapping[str, Right] = {
    f"/{service}/{method}": right
    for service, methods in SERVICES.items()
    for method, right in methods.items()
}
"""By a method's path, who may call it."""


def right_of(method: str) -> Right | None:
    """Who may call the method of a path; None where nobody may."""
    return RIGHTS.get(method)

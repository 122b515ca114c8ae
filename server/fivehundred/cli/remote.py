"""What commands ask a daemon over gRPC; every call that is not a stream has a limit."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import grpc
from grpc_status import rpc_status

from fivehundred.cli.connection import channel_to, tls
from fivehundred.cli.failures import CliError
from fivehundred.v1 import access_pb2, hands_pb2, registry_pb2, tournament_pb2
from fivehundred.v1.access_pb2_grpc import AccessServiceStub
from fivehundred.v1.hands_pb2_grpc import HandServiceStub
from fivehundred.v1.registry_pb2_grpc import BotRegistryServiceStub
from fivehundred.v1.tournament_pb2_grpc import TournamentServiceStub

SECONDS = 60.0
"""After how many seconds without an answer a call is given up."""
Tournament = tournament_pb2.Tournament


@contextmanager
def _connected(address: str) -> Iterator[grpc.Channel]:
    with channel_to(address) as channel:
        try:
            yield channel
        except grpc.RpcError as error:
            if _is_unanswered(error):
                raise CliError(_unanswered(address)) from None
            raise


def _unanswered(address: str) -> str:
    """What is said where no daemon answers."""
    wanted = tls()
    if wanted is None:
        return (
            f"no daemon answers at {address}: start one with `fivehundred serve`, or name another "
            "with --daemon; one that speaks TLS wants FIVEHUNDRED_TLS_CA"
        )
    return (
        f"no daemon answers by TLS at {address}: it must have a certificate for that host by "
        f"{wanted.ca}, and may want one of yours (FIVEHUNDRED_TLS_CERT and FIVEHUNDRED_TLS_KEY)"
    )


def _is_unanswered(error: grpc.RpcError) -> bool:
    """Whether the transport failed; what a daemon refuses carries the daemon's own status."""
    if not isinstance(error, grpc.Call) or error.code() is not grpc.StatusCode.UNAVAILABLE:
        return False
    return rpc_status.from_call(error) is None


def create_tournament(
    address: str, spec: tournament_pb2.TournamentSpec, *, start: bool
) -> Tournament:
    """Store a tournament, and start it where that is wanted."""
    request = tournament_pb2.CreateTournamentRequest(
        spec=spec, request_id=str(uuid4()), start=start
    )
    with _connected(address) as channel:
        return TournamentServiceStub(channel).CreateTournament(request, timeout=SECONDS).tournament


def validate_tournament(address: str, spec: tournament_pb2.TournamentSpec) -> Tournament:
    """The tournament as it would be stored."""
    request = tournament_pb2.ValidateTournamentRequest(spec=spec)
    with _connected(address) as channel:
        stub = TournamentServiceStub(channel)
        return stub.ValidateTournament(request, timeout=SECONDS).tournament


def start_tournament(address: str, name: str) -> Tournament:
    """Start a tournament that is created or paused."""
    request = tournament_pb2.StartTournamentRequest(name=name)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).StartTournament(request, timeout=SECONDS).tournament


def pause_tournament(address: str, name: str) -> Tournament:
    """Stop a tournament where it is."""
    request = tournament_pb2.PauseTournamentRequest(name=name)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).PauseTournament(request, timeout=SECONDS).tournament


def drain_tournament(address: str, name: str) -> Tournament:
    """Let the hands under way finish, then pause."""
    request = tournament_pb2.DrainTournamentRequest(name=name)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).DrainTournament(request, timeout=SECONDS).tournament


def join_tournament(address: str, name: str, entrant: tournament_pb2.Entrant) -> Tournament:
    """Let an entrant come to a ladder."""
    request = tournament_pb2.JoinTournamentRequest(name=name, entrant=entrant)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).JoinTournament(request, timeout=SECONDS).tournament


def leave_tournament(address: str, name: str, entrant: str) -> Tournament:
    """Let an entrant go from a ladder."""
    request = tournament_pb2.LeaveTournamentRequest(name=name, entrant=entrant)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).LeaveTournament(request, timeout=SECONDS).tournament


def finish_tournament(address: str, name: str) -> Tournament:
    """Pair no more matches of a ladder."""
    request = tournament_pb2.FinishTournamentRequest(name=name)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).FinishTournament(request, timeout=SECONDS).tournament


def abort_tournament(address: str, name: str) -> Tournament:
    """End a tournament for good."""
    request = tournament_pb2.AbortTournamentRequest(name=name)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).AbortTournament(request, timeout=SECONDS).tournament


def add_entropy(address: str, name: str, entrant: str, entropy: bytes) -> Tournament:
    """Let an entrant add to the deals of a tournament that has not been started."""
    request = tournament_pb2.AddEntropyRequest(name=name, entrant=entrant, entropy=entropy)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).AddEntropy(request, timeout=SECONDS).tournament


def tournament(address: str, name: str) -> Tournament:
    """One tournament as it stands."""
    request = tournament_pb2.GetTournamentRequest(name=name)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).GetTournament(request, timeout=SECONDS).tournament


def tournaments(address: str) -> list[Tournament]:
    """All tournaments, newest first."""
    found: list[Tournament] = []
    request = tournament_pb2.ListTournamentsRequest(page_size=100)
    with _connected(address) as channel:
        stub = TournamentServiceStub(channel)
        while True:
            page = stub.ListTournaments(request, timeout=SECONDS)
            found.extend(page.tournaments)
            request.page_token = page.next_page_token
            if not request.page_token:
                return found


def standings(address: str, name: str) -> tournament_pb2.Standings:
    """The standings as they are now."""
    request = tournament_pb2.GetStandingsRequest(name=name)
    with _connected(address) as channel:
        return TournamentServiceStub(channel).GetStandings(request, timeout=SECONDS).standings


def events(address: str, name: str, after: int) -> Iterator[tournament_pb2.WatchTournamentResponse]:
    """A tournament's events after an event number, as they happen, to its end."""
    request = tournament_pb2.WatchTournamentRequest(name=name, after_event=after)
    with _connected(address) as channel:
        yield from TournamentServiceStub(channel).WatchTournament(request)


def register_bot(address: str, name: str, bot_address: str) -> registry_pb2.Bot:
    """Store how a bot is reached."""
    request = registry_pb2.RegisterBotRequest(name=name, address=bot_address)
    with _connected(address) as channel:
        return BotRegistryServiceStub(channel).RegisterBot(request, timeout=SECONDS).bot


def register_attached_bot(address: str, name: str) -> registry_pb2.RegisterBotResponse:
    """Store a bot that dials in; gives its token."""
    request = registry_pb2.RegisterBotRequest(name=name, dials_in=True)
    with _connected(address) as channel:
        return BotRegistryServiceStub(channel).RegisterBot(request, timeout=SECONDS)


def renew_token(address: str, name: str) -> registry_pb2.RenewBotTokenResponse:
    """Give a bot that dials in a new token."""
    request = registry_pb2.RenewBotTokenRequest(name=name)
    with _connected(address) as channel:
        return BotRegistryServiceStub(channel).RenewBotToken(request, timeout=SECONDS)


def bots(address: str) -> list[registry_pb2.Bot]:
    """All registered bots, by name."""
    found: list[registry_pb2.Bot] = []
    request = registry_pb2.ListBotsRequest(page_size=100)
    with _connected(address) as channel:
        stub = BotRegistryServiceStub(channel)
        while True:
            page = stub.ListBots(request, timeout=SECONDS)
            found.extend(page.bots)
            request.page_token = page.next_page_token
            if not request.page_token:
                return found


def delete_bot(address: str, name: str) -> None:
    """Forget a bot."""
    request = registry_pb2.DeleteBotRequest(name=name)
    with _connected(address) as channel:
        BotRegistryServiceStub(channel).DeleteBot(request, timeout=SECONDS)


def hands(address: str, name: str) -> Iterator[hands_pb2.HandSummary]:
    """All hands of a tournament, in order."""
    request = hands_pb2.ListHandsRequest(tournament=name, page_size=1000)
    with _connected(address) as channel:
        stub = HandServiceStub(channel)
        while True:
            page = stub.ListHands(request, timeout=SECONDS)
            yield from page.hands
            request.page_token = page.next_page_token
            if not request.page_token:
                return


def trace(
    address: str, name: str, entrant: str, *, faults_only: bool
) -> Iterator[hands_pb2.TraceEntrantResponse]:
    """Every decision of an entrant, in order, with what it was asked."""
    request = hands_pb2.TraceEntrantRequest(
        tournament=name, entrant=entrant, faults_only=faults_only
    )
    with _connected(address) as channel:
        yield from HandServiceStub(channel).TraceEntrant(request)


def create_token(
    address: str, request: access_pb2.CreateTokenRequest
) -> access_pb2.CreateTokenResponse:
    """Make a token by which a caller is known."""
    with _connected(address) as channel:
        return AccessServiceStub(channel).CreateToken(request, timeout=SECONDS)


def tokens(address: str) -> list[access_pb2.AccessToken]:
    """All tokens by which callers are known, by name."""
    found: list[access_pb2.AccessToken] = []
    request = access_pb2.ListTokensRequest(page_size=100)
    with _connected(address) as channel:
        stub = AccessServiceStub(channel)
        while True:
            page = stub.ListTokens(request, timeout=SECONDS)
            found.extend(page.access_tokens)
            request.page_token = page.next_page_token
            if not request.page_token:
                return found


def revoke_token(address: str, name: str) -> None:
    """End a token."""
    request = access_pb2.RevokeTokenRequest(name=name)
    with _connected(address) as channel:
        AccessServiceStub(channel).RevokeToken(request, timeout=SECONDS)

"""The services that operators and spectators call."""

import time
from collections.abc import AsyncIterator
from typing import Any

import grpc

from fivehundred.daemon.attach import FORGOTTEN, RENEWED, AttachServicer
from fivehundred.daemon.attach_tokens import new_token, token_hash
from fivehundred.daemon.creation import create, with_seed
from fivehundred.daemon.director import Director
from fivehundred.daemon.matches import schedule
from fivehundred.daemon.referee import RefereeServicer
from fivehundred.daemon.resources import (
    OPEN_STATES,
    bot_message,
    hand_message,
    hand_stored,
    hand_summary,
    tournament_message,
)
from fivehundred.daemon.results import standings_of
from fivehundred.daemon.sessions import hello_of
from fivehundred.players.attached import AttachedBots
from fivehundred.players.lag import LagMonitor
from fivehundred.players.player import Unreachable
from fivehundred.players.session import connect
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.store import Store
from fivehundred.storage.values import HandStored, RegisteredBot, TournamentState, WatchEvent
from fivehundred.table.values import TimeControl
from fivehundred.v1 import (
    hands_pb2,
    hands_pb2_grpc,
    referee_pb2_grpc,
    registry_pb2,
    registry_pb2_grpc,
    tournament_pb2,
    tournament_pb2_grpc,
)
from fivehundred.wire.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    Unauthenticated,
    Violation,
)
from fivehundred.wire.spec import check_spec, is_name

# The methods' names are the contract's, as generated servicers want them.
# ruff: noqa: N802

SERVICES = (
    "fivehundred.v1.TournamentService",
    "fivehundred.v1.BotRegistryService",
    "fivehundred.v1.AttachService",
    "fivehundred.v1.HandService",
    "fivehundred.v1.RefereeService",
)
ENDED = (TournamentState.FINISHED, TournamentState.ABORTED, TournamentState.FAILED)
WATCH_PAGE = 200
MOST_NUMBER = (1 << 63) - 1
"""The highest number that a database knows."""

TOKEN_DIGITS = 18
Context = grpc.aio.ServicerContext[Any, Any]


def add_services(server: grpc.aio.Server, store: Store, director: Director) -> None:
    """Let a server answer for a database and its director."""
    tournament_pb2_grpc.add_TournamentServiceServicer_to_server(
        TournamentServicer(store, director), server
    )
    registry_pb2_grpc.add_BotRegistryServiceServicer_to_server(
        BotRegistryServicer(store, director.attached), server
    )
    server.add_generic_rpc_handlers((AttachServicer(store, director.attached).handler(),))
    director.attached.listening = True
    hands_pb2_grpc.add_HandServiceServicer_to_server(HandServicer(store), server)
    referee_pb2_grpc.add_RefereeServiceServicer_to_server(RefereeServicer(), server)


class TournamentServicer(tournament_pb2_grpc.TournamentServiceServicer):
    """Runs tournaments."""

    def __init__(self, store: Store, director: Director) -> None:
        self._store = store
        self._director = director

    async def CreateTournament(
        self, request: tournament_pb2.CreateTournamentRequest, context: Context
    ) -> tournament_pb2.CreateTournamentResponse:
        """Store a tournament and start it if asked to."""
        stored = create(self._store, request.spec, request.request_id)
        if request.start and stored.state is TournamentState.CREATED:
            self._director.start(stored.name)
        return tournament_pb2.CreateTournamentResponse(tournament=self._tournament(stored.name))

    async def ValidateTournament(
        self, request: tournament_pb2.ValidateTournamentRequest, context: Context
    ) -> tournament_pb2.ValidateTournamentResponse:
        """Say what a tournament would play, or everything that is wrong with it."""
        spec = with_seed(request.spec)
        planned = schedule(check_spec(spec))
        spec.seed = request.spec.seed
        tournament = tournament_pb2.Tournament(
            spec=spec,
            rules_hash=hello_of(planned.plan.rules, 0).rules_hash,
            hands_planned=planned.hands,
            matches_planned=len(planned.pairings),
        )
        return tournament_pb2.ValidateTournamentResponse(tournament=tournament)

    async def StartTournament(
        self, request: tournament_pb2.StartTournamentRequest, context: Context
    ) -> tournament_pb2.StartTournamentResponse:
        """Start or resume."""
        self._director.start(request.name)
        return tournament_pb2.StartTournamentResponse(tournament=self._tournament(request.name))

    async def PauseTournament(
        self, request: tournament_pb2.PauseTournamentRequest, context: Context
    ) -> tournament_pb2.PauseTournamentResponse:
        """Stop at once."""
        await self._director.pause(request.name)
        return tournament_pb2.PauseTournamentResponse(tournament=self._tournament(request.name))

    async def DrainTournament(
        self, request: tournament_pb2.DrainTournamentRequest, context: Context
    ) -> tournament_pb2.DrainTournamentResponse:
        """Stop after the hands under way."""
        await self._director.drain(request.name)
        return tournament_pb2.DrainTournamentResponse(tournament=self._tournament(request.name))

    async def AbortTournament(
        self, request: tournament_pb2.AbortTournamentRequest, context: Context
    ) -> tournament_pb2.AbortTournamentResponse:
        """End for good."""
        await self._director.abort(request.name)
        return tournament_pb2.AbortTournamentResponse(tournament=self._tournament(request.name))

    async def GetTournament(
        self, request: tournament_pb2.GetTournamentRequest, context: Context
    ) -> tournament_pb2.GetTournamentResponse:
        """One tournament."""
        return tournament_pb2.GetTournamentResponse(tournament=self._tournament(request.name))

    async def ListTournaments(
        self, request: tournament_pb2.ListTournamentsRequest, context: Context
    ) -> tournament_pb2.ListTournamentsResponse:
        """A page of tournaments, newest first."""
        size = page_size(request.page_size, default=50, most=100)
        found = self._store.tournaments(size + 1, request.page_token or None)
        return tournament_pb2.ListTournamentsResponse(
            tournaments=[self._tournament(each.name) for each in found[:size]],
            next_page_token=found[size - 1].name if len(found) > size else "",
        )

    async def GetStandings(
        self, request: tournament_pb2.GetStandingsRequest, context: Context
    ) -> tournament_pb2.GetStandingsResponse:
        """The standings as the log stands now."""
        return tournament_pb2.GetStandingsResponse(
            standings=standings_of(self._store, request.name)
        )

    async def WatchTournament(
        self, request: tournament_pb2.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[tournament_pb2.WatchTournamentResponse]:
        """Everything that has happened since an event, and then what happens."""
        seen = min(request.after_event, MOST_NUMBER)
        while True:
            changed = self._director.changed
            state = self._store.tournament(request.name).state
            while page := self._store.events_after(request.name, seen, WATCH_PAGE):
                for event in page:
                    yield self._news(request.name, event)
                seen = page[-1].number
            if state in ENDED:
                return
            await changed.wait()

    def _tournament(self, name: str) -> tournament_pb2.Tournament:
        stored = self._store.tournament(name)
        return tournament_message(self._store, stored, self._director.progress(name))

    def _news(self, name: str, event: WatchEvent) -> tournament_pb2.WatchTournamentResponse:
        if isinstance(event, HandStored):
            hand = hand_stored(self._store.hand(event.hand))
            return tournament_pb2.WatchTournamentResponse(event=event.number, hand=hand)
        tournament = self._tournament(name)
        tournament.state = tournament_pb2.TournamentState.ValueType(event.state)
        tournament.reason = event.reason
        return tournament_pb2.WatchTournamentResponse(event=event.number, tournament=tournament)


class BotRegistryServicer(registry_pb2_grpc.BotRegistryServiceServicer):
    """Keeps the bots that tournaments name."""

    def __init__(self, store: Store, attached: AttachedBots) -> None:
        self._store = store
        self._attached = attached

    async def RegisterBot(
        self, request: registry_pb2.RegisterBotRequest, context: Context
    ) -> registry_pb2.RegisterBotResponse:
        """Greet a bot and keep it, or give a token to one that dials in."""
        _require_name("name", request.name)
        if request.dials_in:
            return self._register_dialling_in(request)
        if not request.address:
            raise InvalidArgument([Violation("address", 'write one such as "127.0.0.1:5001"')])
        identity = await greet(request.address)
        bot = RegisteredBot(request.name, request.address, identity, time.time_ns() // 1000)
        self._store.register_bot(bot)
        self._attached.forget(bot.name, Unauthenticated(FORGOTTEN))
        return registry_pb2.RegisterBotResponse(bot=self._message(bot))

    def _register_dialling_in(
        self, request: registry_pb2.RegisterBotRequest
    ) -> registry_pb2.RegisterBotResponse:
        if request.address:
            raise InvalidArgument([Violation("address", "leave it out for a bot that dials in")])
        token, now = new_token(), time.time_ns() // 1000
        bot = RegisteredBot(request.name, "", "", now, token_hash(token))
        self._store.register_bot(bot)
        self._attached.forget(bot.name, Unauthenticated(RENEWED))
        return registry_pb2.RegisterBotResponse(bot=self._message(bot), token=token)

    async def RenewBotToken(
        self, request: registry_pb2.RenewBotTokenRequest, context: Context
    ) -> registry_pb2.RenewBotTokenResponse:
        """Give a bot that dials in a new token."""
        if not self._store.bot(request.name).dials_in:
            raise FailedPrecondition(f"{request.name!r} is dialled: it has no token")
        token = new_token()
        self._store.set_token(request.name, token_hash(token))
        self._attached.end(request.name, Unauthenticated(RENEWED))
        bot = self._message(self._store.bot(request.name))
        return registry_pb2.RenewBotTokenResponse(bot=bot, token=token)

    async def GetBot(
        self, request: registry_pb2.GetBotRequest, context: Context
    ) -> registry_pb2.GetBotResponse:
        """One bot."""
        return registry_pb2.GetBotResponse(bot=self._message(self._store.bot(request.name)))

    async def ListBots(
        self, request: registry_pb2.ListBotsRequest, context: Context
    ) -> registry_pb2.ListBotsResponse:
        """A page of bots by name."""
        size = page_size(request.page_size, default=50, most=100)
        found = self._store.bots(size + 1, request.page_token)
        return registry_pb2.ListBotsResponse(
            bots=map(self._message, found[:size]),
            next_page_token=found[size - 1].name if len(found) > size else "",
        )

    async def DeleteBot(
        self, request: registry_pb2.DeleteBotRequest, context: Context
    ) -> registry_pb2.DeleteBotResponse:
        """Forget a bot."""
        self._store.delete_bot(request.name)
        self._attached.forget(request.name, Unauthenticated(FORGOTTEN))
        return registry_pb2.DeleteBotResponse()

    def _message(self, bot: RegisteredBot) -> registry_pb2.Bot:
        return bot_message(bot, attached=self._attached.find(bot.name) is not None)


class HandServicer(hands_pb2_grpc.HandServiceServicer):
    """Gives out the hands of tournaments that have ended."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def ListHands(
        self, request: hands_pb2.ListHandsRequest, context: Context
    ) -> hands_pb2.ListHandsResponse:
        """A page of hands in order."""
        self._require_open(request.tournament)
        size = page_size(request.page_size, default=100, most=1000)
        after = self._store.hand(_number(request.page_token)).key if request.page_token else None
        found = self._store.hands_page(request.tournament, size + 1, after)
        return hands_pb2.ListHandsResponse(
            hands=map(hand_summary, found[:size]),
            next_page_token=str(found[size - 1].id) if len(found) > size else "",
        )

    async def GetHand(
        self, request: hands_pb2.GetHandRequest, context: Context
    ) -> hands_pb2.GetHandResponse:
        """One hand whole."""
        if request.id > MOST_NUMBER:
            raise NotFound(f"there is no hand {request.id}")
        hand = self._store.hand(request.id)
        self._require_open(hand.key.tournament)
        return hands_pb2.GetHandResponse(hand=hand_message(hand))

    async def ExportHands(
        self, request: hands_pb2.ExportHandsRequest, context: Context
    ) -> AsyncIterator[hands_pb2.ExportHandsResponse]:
        """Every hand whole, in order."""
        self._require_open(request.tournament)
        for hand in self._store.hands(request.tournament):
            yield hands_pb2.ExportHandsResponse(hand=hand_message(hand))

    def _require_open(self, name: str) -> None:
        state = self._store.tournament(name).state
        if state not in OPEN_STATES:
            raise FailedPrecondition(
                f"{name!r} is {state.name}: its hands are open once it is FINISHED or ABORTED"
            )


async def greet(address: str) -> str:
    """What the bot at an address calls itself; raises `FailedPrecondition` where none answers."""
    lag = LagMonitor()
    try:
        limit = TimeControl().bid_us * 5
        session = await connect(address, [hello_of(RuleSet(), 0)], limit_us=limit, lag=lag)
        async with session:
            return str(session.identity)
    except Unreachable as error:
        raise FailedPrecondition(error.fault.reason) from None
    finally:
        lag.stop()


def page_size(wanted: int, *, default: int, most: int) -> int:
    """The size of a page: what is wanted within bounds."""
    return min(wanted or default, most)


def _require_name(field: str, name: str) -> None:
    if not is_name(name):
        raise InvalidArgument(
            [Violation(field, 'write 1 to 63 of a-z, 0-9 and "-", starting with a letter')]
        )


def _number(token: str) -> int:
    if not (token.isascii() and token.isdecimal() and len(token) <= TOKEN_DIGITS):
        raise InvalidArgument([Violation("page_token", "write the next_page_token of a page")])
    return int(token)

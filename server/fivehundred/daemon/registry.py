"""The service that keeps the bots that tournaments name."""

import time

from fivehundred.daemon.attach import FORGOTTEN, RENEWED
from fivehundred.daemon.attach_tokens import new_token, token_hash
from fivehundred.daemon.errors import Context
from fivehundred.daemon.paging import page_size
from fivehundred.daemon.resources import bot_message
from fivehundred.daemon.sessions import hello_of
from fivehundred.players.attached import AttachedBots
from fivehundred.players.lag import LagMonitor
from fivehundred.players.player import Unreachable
from fivehundred.players.session import connect
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.store import Store
from fivehundred.storage.values import RegisteredBot
from fivehundred.table.values import TimeControl
from fivehundred.v1 import registry_pb2, registry_pb2_grpc
from fivehundred.wire.errors import FailedPrecondition, InvalidArgument, Unauthenticated, Violation
from fivehundred.wire.spec import is_name

# The methods' names are the contract's, as generated servicers want them.
# ruff: noqa: N802


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


def _require_name(field: str, name: str) -> None:
    if not is_name(name):
        raise InvalidArgument(
            [Violation(field, 'write 1 to 63 of a-z, 0-9 and "-", starting with a letter')]
        )

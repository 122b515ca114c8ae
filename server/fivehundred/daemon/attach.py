"""Where bots dial in: who they are is checked, then their stream serves the tournaments."""

import asyncio
import contextlib

import grpc
import structlog

from fivehundred import __version__
from fivehundred.daemon.attach_tokens import is_token_of
from fivehundred.daemon.audit import Audit
from fivehundred.daemon.errors import Context, end_with
from fivehundred.players.attached import AttachedBots, Attachment
from fivehundred.players.session import name_of, wrong_names
from fivehundred.storage.store import Store
from fivehundred.storage.values import RegisteredBot
from fivehundred.v1 import attach_pb2
from fivehundred.wire.attach import read_hello
from fivehundred.wire.errors import (
    InvalidArgument,
    NotFound,
    Unauthenticated,
    Violation,
    WireError,
)

SERVICE = "fivehundred.v1.AttachService"
HELLO_LIMIT_S = 10.0
ATTACHED = attach_pb2.AttachResponse(
    attached=attach_pb2.Attached(daemon_version=__version__)
).SerializeToString()
WRONG = "wrong name or token: register the bot, or renew its token with `fivehundred bot token`"
"""Said of a name that nobody has as well, so that nobody can try out names."""
RENEWED = "the token has been renewed: dial in with the new one"
FORGOTTEN = "the bot is registered no more"
log = structlog.get_logger()


class AttachServicer:
    """Lets registered bots dial in."""

    def __init__(self, store: Store, bots: AttachedBots) -> None:
        self._store = store
        self._bots = bots
        self._audit = Audit("attach_refused")

    def handler(self) -> grpc.GenericRpcHandler:
        """What answers the service's one method, on bytes."""
        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self.attach
        )
        return grpc.method_handlers_generic_handler(SERVICE, {"Attach": method})

    async def attach(self, _: object, context: Context) -> None:
        """Serve one bot's stream until it ends."""
        try:
            await self._attach(context)
        except WireError as error:
            self._audit.refused(context.peer(), str(error))
            end_with(context, error)
        except Exception as error:  # noqa: BLE001 - every error becomes a status
            end_with(context, error)

    async def _attach(self, context: Context) -> None:
        hello = await _hello(context)
        bot = self._authenticated(hello)
        attachment = Attachment(context, hello.greeted)
        identity = name_of(hello.greeted)
        with self._bots.attached(bot.name, attachment):
            if identity != bot.identity:
                self._store.set_identity(bot.name, identity)
            bound = log.bind(bot=bot.name, identity=identity, peer=context.peer())
            bound.info("bot_attached")
            try:
                with contextlib.suppress(asyncio.InvalidStateError):
                    await attachment.send(ATTACHED)
                await attachment.serve()
            finally:
                bound.info("bot_detached")

    def _authenticated(self, hello: attach_pb2.AttachHello) -> RegisteredBot:
        """The bot whose name and token these are; raises `Unauthenticated`, always alike."""
        try:
            bot = self._store.bot(hello.bot)
        except NotFound:
            bot = None
        if not is_token_of(hello.token, bot.token_hash if bot else None) or bot is None:
            raise Unauthenticated(WRONG)
        if wrong := wrong_names(hello.greeted):
            raise InvalidArgument([Violation("hello.greeted", wrong)])
        return bot


async def _hello(context: Context) -> attach_pb2.AttachHello:
    try:
        async with asyncio.timeout(HELLO_LIMIT_S):
            message = await context.read()
    except TimeoutError:
        raise Unauthenticated(f"no AttachHello within {HELLO_LIMIT_S:g} s") from None
    return read_hello(message if isinstance(message, bytes) else b"")

"""Real sockets, real bots, and decisions of a real hand."""

import random
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from fivehundred.players.lag import LagMonitor
from fivehundred.players.process import Launched, launch
from fivehundred.players.session import Session, connect
from fivehundred.rules.actions import LegalCalls, LegalExchange
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Ask, AskKind
from fivehundred.v1 import bot_pb2
from fivehundred.wire.ruleset import rules_hash, ruleset_to_proto
from fivehundred_client import Bot, RawBot, serve

RULES = RuleSet()
SECOND = 1_000_000


@pytest.fixture
def make_ask() -> Callable[..., Ask]:
    """Makes a decision of the kind wanted, of a dealt hand in which the first seat bids six."""

    def make(kind: AskKind = AskKind.PLAY, limit_us: int = 5 * SECOND) -> Ask:
        hand = _hand_at(kind)
        assert hand.turn is not None
        view = hand.view(hand.turn)
        return Ask(kind, hand.turn, hand.turn, view, hand.legal(), limit_us, 0, 7, None)

    return make


def _hand_at(kind: AskKind) -> Hand:
    cards = list(deck(RULES))
    random.Random(1).shuffle(cards)
    hand = Hand(RULES, deal(RULES, cards, 0), 0, [0, 0])
    while _kind(hand) is not kind:
        legal = hand.legal()
        is_first = not hand.view(hand.turn or 0).auction
        hand.apply(
            legal.calls[1] if isinstance(legal, LegalCalls) and is_first else legal.default()
        )
    return hand


def _kind(hand: Hand) -> AskKind:
    legal = hand.legal()
    if isinstance(legal, LegalCalls):
        return AskKind.BID
    return AskKind.DISCARD if isinstance(legal, LegalExchange) else AskKind.PLAY


@pytest.fixture
async def lag() -> AsyncIterator[LagMonitor]:
    """The loop's lag monitor."""
    monitor = LagMonitor()
    yield monitor
    monitor.stop()


@pytest.fixture
async def closing() -> AsyncIterator[AsyncExitStack]:
    """What is opened in a test and closed after it."""
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
def listen(closing: AsyncExitStack) -> Callable[[Bot | RawBot], Awaitable[str]]:
    """Serves a bot in this process; gives its address."""

    async def listen(bot: Bot | RawBot) -> str:
        room = tempfile.mkdtemp()
        closing.callback(shutil.rmtree, room)
        server = await serve(bot, f"unix:{room}/bot.sock")
        closing.push_async_callback(server.stop)
        return server.address

    return listen


@pytest.fixture
def greet(closing: AsyncExitStack, lag: LagMonitor) -> Callable[[str], Awaitable[Session]]:
    """Opens a session with a bot at an address."""

    async def greet(target: str, limit_us: int = 10 * SECOND) -> Session:
        hello = bot_pb2.HelloRequest(
            rules=ruleset_to_proto(RULES), rules_hash=rules_hash(RULES), seat=1
        )
        session = await connect(target, [hello], limit_us=limit_us, lag=lag)
        return await closing.enter_async_context(session)

    return greet


@pytest.fixture
def start(closing: AsyncExitStack, tmp_path: Path) -> Callable[..., Awaitable[Launched]]:
    """Starts a Python module as a bot's process."""

    async def start(*arguments: str, **environment: str) -> Launched:
        launched = await launch([sys.executable, *arguments], tmp_path, environment)
        closing.push_async_callback(launched.stop)
        return launched

    return start

"""The bots of the benchmarks: each is this program in a process of its own.

The instant bot passes unless nobody has called, then bids the lowest; it plays the default card.
The others do the same, but think first, answer late, answer never, or take one decision a call.

Example, in benchmarks/: python -m bench.bots unix:/tmp/bot.sock --think 5
"""

import argparse
import asyncio
import time
from collections.abc import Iterable

import grpc

from bench.names import ATTACHED, TOKEN
from fivehundred.rules.actions import Call, Exchange, Play
from fivehundred.v1 import bot_pb2
from fivehundred_client import Bot, run
from fivehundred_client.service import BotServicer, Context, handler
from fivehundred_client.turn import BidTurn, DiscardTurn, PlayTurn


class Instant(Bot):
    """Answers at once, or after it has thought for some seconds of one decision alone."""

    name = "instant"

    def __init__(self, think_s: float = 0.0, streams: bool = True) -> None:
        self.streams = streams
        self._think_s = think_s

    def bid(self, turn: BidTurn) -> Call:
        """Pass, or open as low as one may."""
        self._think()
        calls = turn.legal.calls
        return calls[0] if turn.view.auction or len(calls) == 1 else calls[1]

    def discard(self, turn: DiscardTurn) -> Exchange:
        """Throw what would be thrown by default."""
        self._think()
        return turn.legal.default()

    def play(self, turn: PlayTurn) -> Play:
        """Play what would be played by default."""
        self._think()
        return turn.legal.default()

    def _think(self) -> None:
        if self._think_s:
            time.sleep(self._think_s)


class Late:
    """Answers every decision so many seconds after it has come, however many others there are."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s

    def handler(self) -> grpc.GenericRpcHandler:
        """What answers the calls of the bot service."""
        return handler(_LateServicer(Instant(), self._after_s))


class Mute:
    """Takes every decision and answers none."""

    def handler(self) -> grpc.GenericRpcHandler:
        """What takes the calls of the bot service."""
        return handler(_MuteServicer(Instant()))


class _LateServicer(BotServicer):
    def __init__(self, bot: Bot, after_s: float) -> None:
        super().__init__(bot)
        self._after_s = after_s

    async def decide(self, _: object, context: Context) -> None:
        """Answer the decisions of each message together, once their time has come."""
        loop, writing = asyncio.get_running_loop(), asyncio.Lock()
        async with asyncio.TaskGroup() as group:
            while isinstance(message := await context.read(), bytes):
                due = loop.time() + self._after_s
                group.create_task(self._answer_late(message, due, context, writing))

    async def _answer_late(
        self, message: bytes, due: float, context: Context, writing: asyncio.Lock
    ) -> None:
        decisions = bot_pb2.DecideRequest.FromString(message).decisions
        answers: Iterable[bytes] = list(self._answerer.answer_all(decisions))
        await asyncio.sleep(due - asyncio.get_running_loop().time())
        async with writing:
            for each in answers:
                await context.write(each)


class _MuteServicer(BotServicer):
    async def decide(self, _: object, context: Context) -> None:
        """Read on and say nothing."""
        while isinstance(await context.read(), bytes):
            pass


def main() -> None:
    """Serve the bot that the arguments describe."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address", help="where to listen: host:port or unix:/path")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--think", type=float, default=0, metavar="MS", help="think of each decision")
    kind.add_argument("--after", type=float, metavar="MS", help="answer all so much later")
    kind.add_argument("--mute", action="store_true", help="never answer")
    kind.add_argument("--attach", action="store_true", help="dial in at the address instead")
    kind.add_argument("--unary", action="store_true", help="take one decision a call")
    options = parser.parse_args()
    if options.attach:
        run(Instant(), attach=options.address, name=ATTACHED, token=TOKEN)
    elif options.mute:
        run(Mute(), options.address)
    elif options.after is not None:
        run(Late(options.after / 1000), options.address)
    else:
        run(Instant(options.think / 1000, streams=not options.unary), options.address)


if __name__ == "__main__":
    main()

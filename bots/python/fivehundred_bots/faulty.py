"""Bots that misbehave, each in one way: to try a daemon, and to see what faults look like.

``python -m fivehundred_bots.faulty KIND [--unary] [--listen ADDRESS]`` serves one of them; they
speak the protocol down to the bytes, because the client library would not let them do this.
"""

import argparse
import asyncio
import os
from collections.abc import Sequence
from typing import TypeAlias

import grpc.aio

from fivehundred.rules.actions import Action, Bid, Exchange, Legal, LegalExchange, LegalPlays, Play
from fivehundred.rules.cards import ALL_CARDS, STRAINS, members
from fivehundred.v1 import bot_pb2
from fivehundred.wire.codec import answer_to_proto, ask_from_proto, request_of
from fivehundred_client import run
from fivehundred_client.service import SERVICE

UNDECODABLE = b"\xff\xff\xff\xff"
HUGE = b"\x0a\x80\x80\x80\x05" + bytes(10 << 20)
LATE = 1.5
CRASH_CODE = 3

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"
Message = bot_pb2.Answer | bytes
"""What is sent: a proper answer, or bytes in the place of one."""


class Faulty:
    """Answers honestly; the kinds of faulty bots override `messages`."""

    version = "1"
    max_in_flight = 0

    def __init__(self, *, streams: bool = True) -> None:
        self.name = type(self).__name__.lower()
        self._streams = streams

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """What to send when asked for a decision."""
        return [self.honest(decision)]

    def honest(self, decision: bot_pb2.Decision) -> bot_pb2.Answer:
        """A proper answer."""
        asked = ask_from_proto(decision)
        return answer_to_proto(asked.decision_id, asked.legal.default())

    def handler(self) -> grpc.GenericRpcHandler:
        """The bot service, on bytes."""
        methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
            "Hello": grpc.unary_unary_rpc_method_handler(self._hello),
            "Bid": grpc.unary_unary_rpc_method_handler(self._bid),
            "Discard": grpc.unary_unary_rpc_method_handler(self._discard),
            "Play": grpc.unary_unary_rpc_method_handler(self._play),
            "Decide": grpc.stream_stream_rpc_method_handler(self._decide),
        }
        return grpc.method_handlers_generic_handler(SERVICE, methods)

    async def _hello(self, _: bytes, __: Context) -> bytes:
        return bot_pb2.HelloResponse(
            name=self.name,
            version=self.version,
            streams=self._streams,
            max_in_flight=self.max_in_flight,
        ).SerializeToString()

    async def _bid(self, message: bytes, _: Context) -> bytes:
        request = bot_pb2.BidRequest.FromString(message)
        return await self._single(bot_pb2.Decision(bid=request))

    async def _discard(self, message: bytes, _: Context) -> bytes:
        request = bot_pb2.DiscardRequest.FromString(message)
        return await self._single(bot_pb2.Decision(discard=request))

    async def _play(self, message: bytes, _: Context) -> bytes:
        request = bot_pb2.PlayRequest.FromString(message)
        return await self._single(bot_pb2.Decision(play=request))

    async def _single(self, decision: bot_pb2.Decision) -> bytes:
        first = (await self.messages(decision))[0]
        return first if isinstance(first, bytes) else _response(first)

    async def _decide(self, _: object, context: Context) -> None:
        while isinstance(message := await context.read(), bytes):
            for decision in bot_pb2.DecideRequest.FromString(message).decisions:
                for sent in await self.messages(decision):
                    await context.write(sent if isinstance(sent, bytes) else _streamed(sent))


class Slow(Faulty):
    """Answers when the time is over."""

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """An honest answer, too late."""
        left = request_of(decision).ask.time_left
        await asyncio.sleep(LATE * (left.seconds + left.nanos / 1e9))
        return [self.honest(decision)]


class Silent(Faulty):
    """Never answers."""

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """Nothing, for ever."""
        never: asyncio.Future[Sequence[Message]] = asyncio.get_running_loop().create_future()
        return await never


class Illegal(Faulty):
    """Does what is not legal."""

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """A proper answer with an illegal action."""
        asked = ask_from_proto(decision)
        return [answer_to_proto(asked.decision_id, _illegal(asked.legal))]


class Malformed(Faulty):
    """Sends bytes that are no message."""

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """Undecodable bytes."""
        return [UNDECODABLE]


class Empty(Faulty):
    """Sends messages with nothing in them."""

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """No bytes at all, which is a message too."""
        return [b""]


class Crashing(Faulty):
    """Ends its whole process when it is asked for the fifth time."""

    crash_at = 5

    def __init__(self, *, streams: bool = True) -> None:
        super().__init__(streams=streams)
        self._asked = 0

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """Honest answers, until there are none."""
        self._asked += 1
        if self._asked >= self.crash_at:
            os._exit(CRASH_CODE)
        return [self.honest(decision)]


class Oversized(Faulty):
    """Sends ten megabytes."""

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """Far more than an answer may be."""
        return [HUGE]


class WrongId(Faulty):
    """Answers decisions that nobody has asked for, and no other."""

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """A proper answer under another id."""
        return [_renamed(self.honest(decision), "of-my-own")]


class Chatterbox(Faulty):
    """Answers, and answers again, and says more than it is asked."""

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        """The honest answer among others that answer nothing."""
        answer = self.honest(decision)
        return [answer, answer, _renamed(answer, "unasked"), b"", answer]


KINDS = {
    kind.__name__.lower(): kind
    for kind in (
        *(Slow, Silent, Illegal, Malformed, Empty),
        *(Crashing, Oversized, WrongId, Chatterbox),
    )
}


def main() -> None:
    """Serve the kind that the command line names."""
    parser = argparse.ArgumentParser(description="Serve a bot that misbehaves.")
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--unary", action="store_true", help="take one decision a call, no stream")
    parser.add_argument("--listen", help="host:port or unix:/path")
    wanted = parser.parse_args()
    run(KINDS[wanted.kind](streams=not wanted.unary), wanted.listen)


def _response(answer: bot_pb2.Answer) -> bytes:
    match answer.WhichOneof("kind"):
        case "bid":
            return answer.bid.SerializeToString()
        case "discard":
            return answer.discard.SerializeToString()
        case _:
            return answer.play.SerializeToString()


def _streamed(answer: bot_pb2.Answer) -> bytes:
    return bot_pb2.DecideResponse(answers=[answer]).SerializeToString()


def _renamed(answer: bot_pb2.Answer, decision_id: str) -> bot_pb2.Answer:
    renamed = bot_pb2.Answer()
    renamed.CopyFrom(answer)
    match renamed.WhichOneof("kind"):
        case "bid":
            renamed.bid.decision_id = decision_id
        case "discard":
            renamed.discard.decision_id = decision_id
        case _:
            renamed.play.decision_id = decision_id
    return renamed


def _illegal(legal: Legal) -> Action:
    """An action of the right kind that is not among the legal ones."""
    if isinstance(legal, LegalPlays):
        return next(play for play in map(Play, ALL_CARDS) if play not in legal)
    if isinstance(legal, LegalExchange):
        lowest = 1 << next(members(legal.holding))
        return Exchange(0) if legal.throw else Exchange(lowest)
    bids = (Bid(level, strain) for level in range(6, 11) for strain in STRAINS)
    return next((bid for bid in bids if bid not in legal), Bid(0, STRAINS[-1], "NONE"))


if __name__ == "__main__":
    main()

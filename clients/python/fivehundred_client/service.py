"""Answers the calls of the bot service by a `Bot`."""

import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import grpc.aio

from fivehundred.rules.ruleset import RuleSet
from fivehundred.v1 import bot_pb2, cards_pb2
from fivehundred.wire.codec import answer_to_proto, ask_from_proto, request_of
from fivehundred.wire.ruleset import rules_hash, ruleset_from_proto
from fivehundred_client.bot import Bot, decide

SERVICE = "fivehundred.v1.BotService"
MOST_ANSWERS = 32
LONGEST_S = 0.001
"""Answers are sent when there are so many of them, or when the first has waited so long."""
MAX_NOTE = 300
NO_SPECIAL_BIDS = RuleSet(special_bids=())
"""What a greeting leaves out: an empty list of special bids is not seen in a message."""

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"


class UnknownRules(LookupError):
    """A decision came before the greeting that tells its rules, as after a restart."""


class Answerer:
    """Answers decisions by a bot, under the rules that greetings have told."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._rules: dict[bytes, RuleSet] = {}

    def greet(self, hello: bot_pb2.HelloRequest) -> bot_pb2.HelloResponse:
        """Keep the rules and say who the bot is."""
        self._rules[hello.rules_hash] = ruleset_from_proto(hello.rules, NO_SPECIAL_BIDS)
        bot = self._bot
        return bot_pb2.HelloResponse(
            name=bot.name, version=bot.version, streams=bot.streams, max_in_flight=bot.max_in_flight
        )

    def learn(self, rules: RuleSet) -> bytes:
        """Take rules as if a greeting had told them; gives their hash."""
        key = rules_hash(rules)
        self._rules[key] = rules
        return key

    def rules_of(self, key: bytes) -> RuleSet:
        """The rules that have this hash; raises `UnknownRules`."""
        rules = self._rules.get(key)
        if rules is None:
            raise UnknownRules("these rules are unknown here: say Hello first")
        return rules

    def answer(self, decision: bot_pb2.Decision) -> bot_pb2.Answer:
        """The bot's answer; raises `UnknownRules`, and whatever the bot raises."""
        asked = ask_from_proto(decision)
        action, note = decide(self._bot, asked, self.rules_of(asked.rules_hash))
        return answer_to_proto(asked.decision_id, action, note)

    def answer_or_confess(self, decision: bot_pb2.Decision) -> bot_pb2.Answer:
        """The bot's answer, or one without an action that says in its note what the bot raised."""
        try:
            return self.answer(decision)
        except UnknownRules:
            raise
        except Exception as error:  # noqa: BLE001 - one decision's failure must not cost the others
            traceback.print_exc(file=sys.stderr)
            return _confession(decision, describe(error))


def describe(error: Exception) -> str:
    """An exception in a line that fits a note."""
    return f"{type(error).__name__}: {error}"[:MAX_NOTE]


def _confession(decision: bot_pb2.Decision, note: str) -> bot_pb2.Answer:
    decision_id = request_of(decision).ask.decision_id
    match decision.WhichOneof("kind"):
        case "bid":
            return bot_pb2.Answer(bid=bot_pb2.BidResponse(decision_id=decision_id, note=note))
        case "discard":
            no_card = [cards_pb2.CARD_UNSPECIFIED]
            discard = bot_pb2.DiscardResponse(decision_id=decision_id, cards=no_card, note=note)
            return bot_pb2.Answer(discard=discard)
        case _:
            return bot_pb2.Answer(play=bot_pb2.PlayResponse(decision_id=decision_id, note=note))


class BotServicer:
    """The bot service for one bot."""

    def __init__(self, bot: Bot) -> None:
        self._answerer = Answerer(bot)

    async def hello(self, message: bytes, _: Context) -> bytes:
        """Answer a greeting."""
        hello = bot_pb2.HelloRequest.FromString(message)
        return self._answerer.greet(hello).SerializeToString()

    async def bid(self, message: bytes, context: Context) -> bytes:
        """Make a call in the auction."""
        decision = bot_pb2.Decision(bid=bot_pb2.BidRequest.FromString(message))
        return (await self._answer(decision, context)).bid.SerializeToString()

    async def discard(self, message: bytes, context: Context) -> bytes:
        """Settle what follows the auction."""
        decision = bot_pb2.Decision(discard=bot_pb2.DiscardRequest.FromString(message))
        return (await self._answer(decision, context)).discard.SerializeToString()

    async def play(self, message: bytes, context: Context) -> bytes:
        """Play a card."""
        decision = bot_pb2.Decision(play=bot_pb2.PlayRequest.FromString(message))
        return (await self._answer(decision, context)).play.SerializeToString()

    async def decide(self, _: object, context: Context) -> None:
        """Answer the decisions of a stream, a few at a time."""
        while isinstance(message := await context.read(), bytes):
            decisions = bot_pb2.DecideRequest.FromString(message).decisions
            try:
                for answers in grouped(map(self._answerer.answer_or_confess, decisions)):
                    await context.write(answers.SerializeToString())
            except UnknownRules as error:
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))

    async def _answer(self, decision: bot_pb2.Decision, context: Context) -> bot_pb2.Answer:
        try:
            return self._answerer.answer(decision)
        except UnknownRules as error:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        except Exception as error:  # noqa: BLE001 - told to the daemon and to stderr
            traceback.print_exc(file=sys.stderr)
            await context.abort(grpc.StatusCode.INTERNAL, describe(error))


def grouped(
    answers: Iterable[bot_pb2.Answer], clock: Callable[[], float] = time.monotonic
) -> Iterator[bot_pb2.DecideResponse]:
    """The answers in messages, each of which is ready soon after its first answer."""
    group: list[bot_pb2.Answer] = []
    due = clock() + LONGEST_S
    for answer in answers:
        group.append(answer)
        if len(group) >= MOST_ANSWERS or clock() >= due:
            yield bot_pb2.DecideResponse(answers=group)
            group = []
            due = clock() + LONGEST_S
    if group:
        yield bot_pb2.DecideResponse(answers=group)


def handler(servicer: BotServicer) -> grpc.GenericRpcHandler:
    """The servicer's methods on bytes, which the servicer parses itself."""
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Hello": grpc.unary_unary_rpc_method_handler(servicer.hello),
        "Bid": grpc.unary_unary_rpc_method_handler(servicer.bid),
        "Discard": grpc.unary_unary_rpc_method_handler(servicer.discard),
        "Play": grpc.unary_unary_rpc_method_handler(servicer.play),
        "Decide": grpc.stream_stream_rpc_method_handler(servicer.decide),
    }
    return grpc.method_handlers_generic_handler(SERVICE, methods)

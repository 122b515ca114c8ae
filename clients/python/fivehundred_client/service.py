"""Answers the calls of the bot service by a `Bot`."""

import asyncio
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn, Protocol

import grpc.aio

from fivehundred.rules.ruleset import RuleSet
from fivehundred.v1 import bot_pb2, cards_pb2
from fivehundred.wire.asked import Asked
from fivehundred.wire.codec import ask_from_proto, encode_answer, encode_answers, request_of
from fivehundred.wire.ruleset import rules_hash, ruleset_from_proto
from fivehundred_client.batch import BatchBot, decided
from fivehundred_client.bot import Bot, NoAnswer, action_of, decide
from fivehundred_client.turn import AnyTurn, Turn

SERVICE = "fivehundred.v1.BotService"
MOST_ANSWERS = 32
LONGEST_S = 0.001
"""Answers are sent when there are so many of them, or when the first has waited so long."""
MOST_BYTES = 1 << 15
"""Answers with long notes are sent sooner: a message is at most 64 KiB."""
MAX_NOTE = 300
NO_SPECIAL_BIDS = RuleSet(special_bids=())
"""What a greeting leaves out: an empty list of special bids is not seen in a message."""


class Context(Protocol):
    """What answering needs of a gRPC call."""

    async def read(self) -> object:
        """The next message; anything but bytes where there is none."""
        ...

    async def write(self, message: bytes, /) -> None:
        """Send a message."""
        ...

    async def abort(self, code: grpc.StatusCode, details: str, /) -> NoReturn:
        """End the call with a status."""
        ...


class UnknownRules(LookupError):
    """A decision came before the greeting that tells its rules, as after a restart."""


class Answerer:
    """Answers decisions by a bot, under the rules that greetings have told."""

    def __init__(self, bot: Bot) -> None:
        self.at_once = isinstance(bot, BatchBot)
        """Whether the bot takes many decisions at once, the more the better."""
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
        return bot_pb2.Answer.FromString(self._answer(decision))

    def answer_all(self, decisions: Sequence[bot_pb2.Decision]) -> Iterator[bytes]:
        """The answers to many decisions: the bytes of DecideResponses, each when it is ready.

        What a bot raises costs that decision only, whose answer says so; raises `UnknownRules`.
        """
        if isinstance(self._bot, BatchBot):
            return self._answer_in_windows(self._bot, decisions)
        return grouped(map(self._answer_or_confess, decisions))

    def _answer(self, decision: bot_pb2.Decision) -> bytes:
        asked = ask_from_proto(decision)
        action, note = decide(self._bot, asked, self.rules_of(asked.rules_hash))
        return encode_answer(asked.decision_id, action, note)

    def _answer_or_confess(self, decision: bot_pb2.Decision) -> bytes:
        """The bot's answer, or one without an action that says in its note what the bot raised."""
        try:
            return self._answer(decision)
        except UnknownRules:
            raise
        except Exception as error:  # noqa: BLE001 - one decision's failure must not cost the others
            if not (self.at_once and isinstance(error, NoAnswer)):
                _report(error)
            return _confession(decision, describe(error)).SerializeToString()

    def _answer_in_windows(
        self, bot: BatchBot, decisions: Sequence[bot_pb2.Decision]
    ) -> Iterator[bytes]:
        window = bot.max_in_flight or max(len(decisions), 1)
        for start in range(0, len(decisions), window):
            asked = decisions[start : start + window]
            answers = self._answer_at_once(bot, asked)
            if answers is None:
                yield from grouped(map(self._answer_or_confess, asked))
            else:
                yield from grouped(answers, most=window)

    def _answer_at_once(
        self, bot: BatchBot, decisions: Sequence[bot_pb2.Decision]
    ) -> list[bytes] | None:
        """The answers of one call of the bot; None where that fails: each is to be asked alone."""
        try:
            turns = [self._turn(ask_from_proto(decision)) for decision in decisions]
            return _encoded(decisions, turns, decided(bot, turns))
        except UnknownRules:
            raise
        except Exception as error:  # noqa: BLE001 - whose it was comes out when they are alone
            _report(error)
            return None

    def _turn(self, asked: Asked) -> AnyTurn:
        return Turn(asked, asked.legal, self.rules_of(asked.rules_hash))


def describe(error: Exception) -> str:
    """An exception in a line that fits a note."""
    kind = "" if isinstance(error, NoAnswer) else f"{type(error).__name__}: "
    return f"{kind}{error}"[:MAX_NOTE].encode(errors="replace").decode()


def _report(error: Exception) -> None:
    """Tell on stderr what the bot raised, and where unless the words are enough."""
    if isinstance(error, NoAnswer):
        print(error, file=sys.stderr)
    else:
        traceback.print_exception(error, file=sys.stderr)


def _encoded(
    decisions: Sequence[bot_pb2.Decision], turns: Sequence[AnyTurn], given: Sequence[object]
) -> list[bytes]:
    """The answers of a call; the first that is none is told of on stderr, for the whole call."""
    answers: list[bytes] = []
    failures: list[NoAnswer] = []
    for decision, turn, action in zip(decisions, turns, given, strict=True):
        try:
            known = action_of(turn.legal, action, "decide")
            answers.append(encode_answer(turn.asked.decision_id, known, turn.note))
        except NoAnswer as error:
            failures.append(error)
            answers.append(_confession(decision, describe(error)).SerializeToString())
    for failure in failures[:1]:
        _report(failure)
    return answers


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
        if self._answerer.at_once:
            await self._answer_waiting(context)
            return
        while isinstance(message := await context.read(), bytes):
            await self._send_answers(bot_pb2.DecideRequest.FromString(message).decisions, context)

    async def _answer_waiting(self, context: Context) -> None:
        inbox = _Inbox(context)
        try:
            while (decisions := await inbox.take()) is not None:
                await self._send_answers(decisions, context)
        finally:
            await inbox.close()

    async def _send_answers(self, decisions: Sequence[bot_pb2.Decision], context: Context) -> None:
        try:
            for answers in self._answerer.answer_all(decisions):
                await context.write(answers)
        except UnknownRules as error:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))

    async def _answer(self, decision: bot_pb2.Decision, context: Context) -> bot_pb2.Answer:
        try:
            return self._answerer.answer(decision)
        except UnknownRules as error:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        except Exception as error:  # noqa: BLE001 - told to the daemon and to stderr
            _report(error)
            await context.abort(grpc.StatusCode.INTERNAL, describe(error))


class _Inbox:
    """What has come on a stream and waits for the bot; a read is always under way."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._reader = asyncio.create_task(self._read())
        self._reader.add_done_callback(lambda _: self._messages.put_nowait(None))

    async def take(self) -> list[bot_pb2.Decision] | None:
        """All decisions that wait, of a message at least; None when the stream has ended."""
        message = await self._messages.get()
        if message is None:
            return None
        decisions = list(bot_pb2.DecideRequest.FromString(message).decisions)
        while not self._messages.empty():
            if (message := self._messages.get_nowait()) is None:
                self._messages.put_nowait(None)
                break
            decisions += bot_pb2.DecideRequest.FromString(message).decisions
        return decisions

    async def close(self) -> None:
        """Read no more."""
        self._reader.cancel()
        await asyncio.wait([self._reader])

    async def _read(self) -> None:
        while isinstance(message := await self._context.read(), bytes):
            self._messages.put_nowait(message)


def grouped(
    answers: Iterable[bytes],
    clock: Callable[[], float] = time.monotonic,
    *,
    most: int = MOST_ANSWERS,
) -> Iterator[bytes]:
    """The answers in messages, each of which is ready soon after its first answer."""
    group: list[bytes] = []
    size = 0
    due = clock() + LONGEST_S
    for answer in answers:
        group.append(answer)
        size += len(answer)
        if len(group) >= most or size >= MOST_BYTES or clock() >= due:
            yield encode_answers(group)
            group = []
            size = 0
            due = clock() + LONGEST_S
    if group:
        yield encode_answers(group)


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

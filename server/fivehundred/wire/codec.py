"""Asks and answers to and from v1: the daemon's side and the bot's."""

from collections.abc import Iterable
from functools import cached_property, lru_cache

from google.protobuf.duration_pb2 import Duration

from fivehundred.rules.actions import (
    Action,
    Call,
    Exchange,
    Legal,
    LegalCalls,
    LegalExchange,
    LegalPlays,
    Play,
)
from fivehundred.rules.cards import Card, Suit
from fivehundred.rules.hand import SeatView
from fivehundred.table.values import Ask, AskKind, Receipt
from fivehundred.v1 import bot_pb2
from fivehundred.wire.asked import Asked
from fivehundred.wire.cards import (
    CARD_NUMBERS,
    call_from_proto,
    call_to_proto,
    card_from_number,
    card_numbers,
    cards_from_numbers,
    optional_card,
    optional_card_number,
    optional_suit,
    optional_suit_number,
    suits_from_numbers,
)
from fivehundred.wire.errors import MalformedAnswer, MalformedMessage
from fivehundred.wire.fields import varint
from fivehundred.wire.requests import encode_decision
from fivehundred.wire.views import (
    receipt_from_proto,
    view_from_proto,
)

MAX_NOTE_BYTES = 1000
NO_DECISION = "the decision holds neither bid, discard nor play"

BID, DISCARD, PLAY = AskKind
"""The kinds by names of their own: to look them up in their class takes longer."""

Request = bot_pb2.BidRequest | bot_pb2.DiscardRequest | bot_pb2.PlayRequest
Response = bot_pb2.BidResponse | bot_pb2.DiscardResponse | bot_pb2.PlayResponse


def ask_to_proto(ask: Ask, decision_id: str, rules_hash: bytes) -> bot_pb2.Decision:
    """The decision to send for an ask."""
    return bot_pb2.Decision.FromString(encode_decision(ask, decision_id, rules_hash))


def request_of(decision: bot_pb2.Decision) -> Request:
    """The unary request of a decision."""
    match decision.WhichOneof("kind"):
        case "bid":
            return decision.bid
        case "discard":
            return decision.discard
        case "play":
            return decision.play
        case _:
            raise MalformedMessage(NO_DECISION)


def decode_answer(answer: bot_pb2.Answer | Response, ask: Ask) -> tuple[Action, str]:
    """The action and the note of an answer; raises `MalformedAnswer` where it is none.

    Whether the action is legal is not looked at: ``action in ask.legal`` says that.
    """
    response = _response_of(answer) if isinstance(answer, bot_pb2.Answer) else answer
    note = response.note
    if note and len(note.encode()) > MAX_NOTE_BYTES:
        raise MalformedAnswer(f"a note of {len(note.encode())} bytes: at most {MAX_NOTE_BYTES}")
    kind = _KINDS[type(response)]
    if kind is not ask.kind:
        raise MalformedAnswer(
            f"a {kind.name.lower()} where a {ask.kind.name.lower()} was asked for"
        )
    try:
        return _action(response), note
    except MalformedMessage as error:
        raise MalformedAnswer(error.reason) from None


_KINDS: dict[type[Response], AskKind] = {
    bot_pb2.BidResponse: AskKind.BID,
    bot_pb2.DiscardResponse: AskKind.DISCARD,
    bot_pb2.PlayResponse: AskKind.PLAY,
}


def _response_of(answer: bot_pb2.Answer) -> Response:
    match answer.WhichOneof("kind"):
        case "bid":
            return answer.bid
        case "discard":
            return answer.discard
        case "play":
            return answer.play
        case _:
            raise MalformedAnswer("the answer holds neither bid, discard nor play")


def _action(response: Response) -> Action:
    if isinstance(response, bot_pb2.PlayResponse):
        return Play(card_from_number(response.card), optional_suit(response.named_suit))
    if isinstance(response, bot_pb2.BidResponse):
        if not response.HasField("call"):
            raise MalformedAnswer("no call is given: a pass is an empty call")
        return call_from_proto(response.call)
    return Exchange(
        thrown=cards_from_numbers(response.cards),
        joker_suit=optional_suit(response.joker_suit),
        called=optional_card(response.called),
        partners=tuple(response.partners),
    )


class ReceivedAsk(Asked):
    """What came in a message. What a bot does not look at is not decoded.

    To look at a view that is none raises `MalformedMessage`.
    """

    _message: bot_pb2.Ask

    def __init__(self, message: bot_pb2.Ask, kind: AskKind, legal: Legal) -> None:
        own = self.__dict__
        own["_message"] = message
        own["decision_id"] = message.decision_id
        own["rules_hash"] = message.rules_hash
        own["kind"] = kind
        own["legal"] = legal

    @cached_property
    def view(self) -> SeatView:
        """What the seat sees."""
        return view_from_proto(self._message.view)

    @property
    def decision_number(self) -> int:
        """How many decisions the seat has made in this hand before."""
        return self._message.view.decision_number

    @property
    def seed(self) -> int:
        """The same for every decision of a seat in a hand."""
        return self._message.seed

    @property
    def time_left_us(self) -> int:
        """What the decision may take in all, the bank included."""
        return _microseconds(self._message.time_left)

    @property
    def bank_left_us(self) -> int:
        """The part of the time that is the bank."""
        return _microseconds(self._message.bank_left)

    @property
    def last_receipt(self) -> Receipt | None:
        """What the seat's last decision was charged at; None before the first."""
        message = self._message
        if not message.HasField("last_receipt"):
            return None
        return receipt_from_proto(message.last_receipt)


def ask_from_proto(decision: bot_pb2.Decision) -> Asked:
    """The decision as a bot's author sees it; raises `MalformedMessage` where it is none."""
    kind = decision.WhichOneof("kind")
    if kind == "play":
        play = decision.play
        ask = play.ask
        plays = LegalPlays(cards_from_numbers(play.legal), suits_from_numbers(play.nameable))
        return ReceivedAsk(ask, PLAY, plays)
    if kind == "bid":
        ask = decision.bid.ask
        calls = _calls(bot_pb2.BidRequest(legal=decision.bid.legal).SerializeToString())
        return ReceivedAsk(ask, BID, calls)
    if kind == "discard":
        ask = decision.discard.ask
        exchange = _exchange(decision.discard)
        return ReceivedAsk(ask, DISCARD, exchange)
    raise MalformedMessage(NO_DECISION)


@lru_cache(maxsize=1 << 12)
def _calls(serialised: bytes) -> LegalCalls:
    """The calls of a request of which all else has been left out."""
    legal = bot_pb2.BidRequest.FromString(serialised).legal
    return LegalCalls(tuple([call_from_proto(call) for call in legal]))


def _exchange(request: bot_pb2.DiscardRequest) -> LegalExchange:
    return LegalExchange(
        holding=cards_from_numbers(request.ask.view.holding),
        throw=request.throw,
        nominable=cards_from_numbers(request.nominable),
        callable=cards_from_numbers(request.callable),
        may_call_own=request.may_call_own,
        choosable=tuple(request.choosable),
        partners=request.partners,
    )


def _microseconds(duration: Duration) -> int:
    return duration.seconds * 1_000_000 + duration.nanos // 1000


def answer_to_proto(decision_id: str, action: Action, note: str = "") -> bot_pb2.Answer:
    """The answer to send for an action."""
    return bot_pb2.Answer.FromString(encode_answer(decision_id, action, note))


def encode_answer(decision_id: str, action: Action, note: str = "") -> bytes:
    """The bytes of the Answer to send for an action."""
    name = decision_id.encode()
    if isinstance(action, Play):
        said = b"\x22" + _text(note) if note else b""
        content = _ID + _sized(name) + _played(action.card, action.named) + said
        return _PLAY + _sized(content)
    if isinstance(action, Exchange):
        return _exchanged(decision_id, action, note)
    said = b"\x1a" + _text(note) if note else b""
    return _BID + _sized(_ID + _sized(name) + _called(action) + said)


_BID, _PLAY = b"\x0a", b"\x1a"
"""The tags of an Answer's kinds."""
_ID = b"\x0a"
"""The tag of the decision's id in every response."""


def _sized(content: bytes) -> bytes:
    return varint(len(content)) + content


def _text(note: str) -> bytes:
    return _sized(note.encode())


@lru_cache(maxsize=1 << 10)
def _played(card: Card, named: Suit | None) -> bytes:
    response = bot_pb2.PlayResponse(card=CARD_NUMBERS[card], named_suit=optional_suit_number(named))
    return response.SerializeToString()


@lru_cache(maxsize=1 << 12)
def _called(call: Call) -> bytes:
    return bot_pb2.BidResponse(call=call_to_proto(call)).SerializeToString()


def _exchanged(decision_id: str, exchange: Exchange, note: str) -> bytes:
    response = bot_pb2.DiscardResponse(
        decision_id=decision_id,
        cards=card_numbers(exchange.thrown),
        joker_suit=optional_suit_number(exchange.joker_suit),
        called=optional_card_number(exchange.called),
        partners=exchange.partners,
        note=note,
    )
    return bot_pb2.Answer(discard=response).SerializeToString()


def encode_answers(answers: Iterable[bytes]) -> bytes:
    """The bytes of a DecideResponse of answers."""
    return b"".join([b"\x0a" + _sized(answer) for answer in answers])

"""Asks and answers to and from v1: the daemon's side and the bot's."""

from collections.abc import Sequence

from google.protobuf.duration_pb2 import Duration

from fivehundred.rules.actions import (
    Action,
    Exchange,
    Legal,
    LegalCalls,
    LegalExchange,
    LegalPlays,
    Play,
)
from fivehundred.rules.cards import SUITS
from fivehundred.table.values import Ask, AskKind
from fivehundred.v1 import bot_pb2
from fivehundred.wire.asked import Asked
from fivehundred.wire.cards import (
    CARD_NUMBERS,
    SUIT_NUMBERS,
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
from fivehundred.wire.views import (
    fill_view,
    receipt_from_proto,
    receipt_to_proto,
    view_from_proto,
)

MAX_NOTE_BYTES = 1000

Request = bot_pb2.BidRequest | bot_pb2.DiscardRequest | bot_pb2.PlayRequest
Response = bot_pb2.BidResponse | bot_pb2.DiscardResponse | bot_pb2.PlayResponse

_SUITS_OF_MASK = tuple(
    tuple(SUIT_NUMBERS[suit] for suit in SUITS if mask >> suit & 1) for mask in range(16)
)


def ask_to_proto(ask: Ask, decision_id: str, rules_hash: bytes) -> bot_pb2.Decision:
    """The decision to send for an ask."""
    decision = bot_pb2.Decision()
    request = _fill_legal(decision, ask.legal)
    message = request.ask
    message.decision_id = decision_id
    message.rules_hash = rules_hash
    message.seed = ask.seed
    fill_view(message.view, ask.view)
    _fill_duration(message.time_left, ask.limit_us)
    _fill_duration(message.bank_left, ask.bank_left_us)
    if ask.last_receipt is not None:
        message.last_receipt.CopyFrom(receipt_to_proto(ask.last_receipt))
    return decision


def _fill_legal(decision: bot_pb2.Decision, legal: Legal) -> Request:
    if isinstance(legal, LegalPlays):
        play = decision.play
        play.legal.extend(card_numbers(legal.cards))
        if legal.nameable:
            play.nameable.extend(_SUITS_OF_MASK[legal.nameable])
        return play
    if isinstance(legal, LegalCalls):
        bid = decision.bid
        bid.legal.extend([call_to_proto(call) for call in legal.calls])
        return bid
    return _fill_exchange(decision.discard, legal)


def _fill_exchange(discard: bot_pb2.DiscardRequest, legal: LegalExchange) -> bot_pb2.DiscardRequest:
    discard.throw = legal.throw
    discard.nominable.extend(card_numbers(legal.nominable))
    discard.callable.extend(card_numbers(legal.callable))
    discard.may_call_own = legal.may_call_own
    discard.choosable.extend(legal.choosable)
    discard.partners = legal.partners
    return discard


def _fill_duration(message: Duration, microseconds: int) -> None:
    message.seconds, rest = divmod(microseconds, 1_000_000)
    message.nanos = rest * 1000


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
            raise MalformedMessage("the decision holds neither bid, discard nor play")


def encode_decide(decisions: Sequence[bytes]) -> bytes:
    """The bytes of a DecideRequest of decisions that are serialised already."""
    parts: list[bytes] = []
    for decision in decisions:
        parts += (b"\x0a", _varint(len(decision)), decision)
    return b"".join(parts)


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def decode_answer(answer: bot_pb2.Answer | Response, ask: Ask) -> tuple[Action, str]:
    """The action and the note of an answer; raises `MalformedAnswer` where it is none.

    Whether the action is legal is not looked at: ``action in ask.legal`` says that.
    """
    response = _response_of(answer) if isinstance(answer, bot_pb2.Answer) else answer
    note = response.note
    if len(note.encode()) > MAX_NOTE_BYTES:
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


def ask_from_proto(decision: bot_pb2.Decision) -> Asked:
    """The decision as a bot's author sees it; raises `MalformedMessage` where it is none."""
    request = request_of(decision)
    ask = request.ask
    view = view_from_proto(ask.view)
    kind, legal = _legal(request, view.holding)
    receipt = receipt_from_proto(ask.last_receipt) if ask.HasField("last_receipt") else None
    return Asked(
        decision_id=ask.decision_id,
        kind=kind,
        view=view,
        legal=legal,
        seed=ask.seed,
        time_left_us=_microseconds(ask.time_left),
        bank_left_us=_microseconds(ask.bank_left),
        last_receipt=receipt,
        rules_hash=ask.rules_hash,
    )


def _legal(request: Request, holding: int) -> tuple[AskKind, Legal]:
    if isinstance(request, bot_pb2.PlayRequest):
        suits = suits_from_numbers(request.nameable)
        return AskKind.PLAY, LegalPlays(cards_from_numbers(request.legal), suits)
    if isinstance(request, bot_pb2.BidRequest):
        return AskKind.BID, LegalCalls(tuple([call_from_proto(call) for call in request.legal]))
    return AskKind.DISCARD, LegalExchange(
        holding=holding,
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
    answer = bot_pb2.Answer()
    if isinstance(action, Play):
        play = answer.play
        play.decision_id, play.note = decision_id, note
        play.card = CARD_NUMBERS[action.card]
        play.named_suit = optional_suit_number(action.named)
    elif isinstance(action, Exchange):
        discard = answer.discard
        discard.decision_id, discard.note = decision_id, note
        discard.cards.extend(card_numbers(action.thrown))
        discard.joker_suit = optional_suit_number(action.joker_suit)
        discard.called = optional_card_number(action.called)
        discard.partners.extend(action.partners)
    else:
        bid = answer.bid
        bid.decision_id, bid.note = decision_id, note
        bid.call.CopyFrom(call_to_proto(action))
    return answer

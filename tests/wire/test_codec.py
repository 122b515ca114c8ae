"""Asks and answers survive the wire, and what is no answer is refused."""

import random
import re
from dataclasses import replace

import pytest

from fivehundred.rules.actions import (
    PASS,
    Action,
    Bid,
    Call,
    Exchange,
    Legal,
    LegalCalls,
    LegalExchange,
    LegalPlays,
    Play,
)
from fivehundred.rules.cards import parse_card, parse_cards
from fivehundred.rules.hand import Contract, SeatView, Trick
from fivehundred.table.values import Ask, AskKind, Receipt
from fivehundred.v1 import bot_pb2, cards_pb2
from fivehundred.wire.codec import (
    Response,
    answer_to_proto,
    ask_from_proto,
    ask_to_proto,
    decode_answer,
    encode_answer,
    encode_answers,
    request_of,
)
from fivehundred.wire.errors import MalformedAnswer, MalformedMessage
from fivehundred.wire.requests import encode_decide, encode_decision

CARD_AS, CARD_67 = cards_pb2.CARD_AS, cards_pb2.Card.ValueType(67)
SUIT_5 = cards_pb2.Suit.ValueType(5)
CALLS: tuple[Call, ...] = (
    PASS,
    Bid(6, 0),
    Bid(10, 4),
    Bid(0, 4, "MIS", carries_strain=False),
    Bid(0, 3, "GAME"),
)
KINDS: dict[type[Legal], AskKind] = {
    LegalCalls: AskKind.BID,
    LegalExchange: AskKind.DISCARD,
    LegalPlays: AskKind.PLAY,
}


def random_cards(rng: random.Random, count: int) -> int:
    return sum(1 << card for card in rng.sample(range(66), count))


def random_trick(rng: random.Random, cards: int) -> Trick:
    named = rng.choice([None, None, 0, 3])
    seats = tuple(rng.sample(range(6), cards))
    return Trick(seats, tuple(rng.sample(range(66), cards)), named)


def random_view(rng: random.Random) -> SeatView:
    contract = Contract(
        bid=rng.choice(CALLS),
        contractor=rng.randrange(6),
        joker_suit=rng.choice([None, 0, 1, 2, 3]),
        called=rng.choice([None, 0, 65]),
        partners=tuple(rng.sample(range(6), rng.randrange(3))),
    )
    tricks = [random_trick(rng, 4) for _ in range(rng.randrange(10))]
    return SeatView(
        seat=rng.randrange(6),
        dealer=rng.randrange(6),
        holding=random_cards(rng, rng.randrange(17)),
        auction=tuple((seat, rng.choice(CALLS)) for seat in range(rng.randrange(8))),
        contract=rng.choice([contract, None]),
        playing_seats=(3, 0, 2),
        tricks=(*tricks, random_trick(rng, rng.randrange(4))) if tricks else (),
        tricks_won=(0, 4, 0, 5),
        scores=(-480, 520),
        thrown=random_cards(rng, rng.randrange(4)),
        exposed=random_cards(rng, rng.randrange(11)),
        decision_number=rng.randrange(30),
    )


def random_legal(rng: random.Random, holding: int) -> Legal:
    choices: list[Legal] = [
        LegalCalls(tuple(rng.sample(CALLS, rng.randrange(1, 6)))),
        LegalPlays(random_cards(rng, rng.randrange(1, 11)), rng.randrange(16)),
        LegalExchange(
            holding=holding,
            throw=rng.randrange(7),
            nominable=rng.choice([0, 1 << 65, 3 << 64]),
            callable=random_cards(rng, rng.randrange(30)),
            may_call_own=rng.random() < 0.5,
            choosable=rng.choice([(), (1, 2, 3)]),
            partners=rng.randrange(3),
        ),
    ]
    return rng.choice(choices)


def random_ask(rng: random.Random) -> Ask:
    view = random_view(rng)
    legal = random_legal(rng, view.holding)
    return Ask(
        kind=KINDS[type(legal)],
        seat=view.seat,
        entrant=rng.randrange(4),
        view=view,
        legal=legal,
        limit_us=rng.randrange(10**10),
        bank_left_us=rng.randrange(10**7),
        seed=rng.randrange(2**64),
        last_receipt=rng.choice([None, Receipt(1500, 20, 1480, 10**6)]),
    )


def ask_for(legal: Legal) -> Ask:
    ask = random_ask(random.Random(1))
    return replace(ask, kind=KINDS[type(legal)], legal=legal)


BID_ASK = ask_for(LegalCalls(CALLS))
DISCARD_ASK = ask_for(LegalExchange(parse_cards("AS KS JKR 4D"), 3))
PLAY_ASK = ask_for(LegalPlays(parse_cards("AS JKR"), 15))


@pytest.mark.parametrize("seed", range(100))
def test_an_ask_survives_the_wire(seed: int) -> None:
    ask = random_ask(random.Random(seed))

    data = ask_to_proto(ask, "d-17", b"hash").SerializeToString()
    asked = ask_from_proto(bot_pb2.Decision.FromString(data))

    assert (asked.view, asked.legal, asked.kind) == (ask.view, ask.legal, ask.kind)
    assert (asked.time_left_us, asked.bank_left_us) == (ask.limit_us, ask.bank_left_us)
    assert (asked.seed, asked.last_receipt) == (ask.seed, ask.last_receipt)
    assert (asked.decision_id, asked.rules_hash) == ("d-17", b"hash")


@pytest.mark.parametrize("seed", range(100))
def test_a_decision_s_bytes_are_those_that_protobuf_writes(seed: int) -> None:
    rng = random.Random(seed)
    ask = random_ask(rng)
    ask = replace(ask, limit_us=rng.choice([0, 5, 10**6, ask.limit_us, 10**15]))

    data = encode_decision(ask, rng.choice(["", "d-17", "x" * 300]), rng.randbytes(32))

    assert bot_pb2.Decision.FromString(data).SerializeToString() == data


@pytest.mark.parametrize("ask", [BID_ASK, DISCARD_ASK, PLAY_ASK], ids=lambda ask: ask.kind.name)
def test_a_view_that_is_none_is_found_when_it_is_looked_at(ask: Ask) -> None:
    decision = ask_to_proto(ask, "a", b"")
    request_of(decision).ask.view.thrown.append(cards_pb2.Card.ValueType(67))

    asked = ask_from_proto(decision)

    assert (asked.kind, asked.seed) == (ask.kind, ask.seed)
    assert asked.decision_number == ask.view.decision_number
    for _ in range(2):
        with pytest.raises(MalformedMessage, match="67 is no card's number"):
            _ = asked.view


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        (bot_pb2.Decision(), "neither bid, discard nor play"),
        (bot_pb2.Decision(play=bot_pb2.PlayRequest(legal=[CARD_67])), "67 is no card's number"),
        (bot_pb2.Decision(play=bot_pb2.PlayRequest(legal=[CARD_AS] * 3)), "3 cards, of which 2 tw"),
        (bot_pb2.Decision(play=bot_pb2.PlayRequest(nameable=[SUIT_5])), "5 is no suit's number"),
        (
            bot_pb2.Decision(bid=bot_pb2.BidRequest(legal=[cards_pb2.Call(level=7)])),
            "a strain but no",
        ),
        (
            bot_pb2.Decision(discard=bot_pb2.DiscardRequest(nominable=[CARD_67])),
            "67 is no card's number",
        ),
    ],
    ids=str,
)
def test_a_decision_without_legal_actions_is_malformed(
    decision: bot_pb2.Decision, reason: str
) -> None:
    with pytest.raises(MalformedMessage, match=reason):
        ask_from_proto(decision)


def test_a_decision_may_be_looked_at_in_any_order_and_again() -> None:
    asked = ask_from_proto(ask_to_proto(PLAY_ASK, "a", b"h"))

    for _ in range(2):
        assert asked.last_receipt == PLAY_ASK.last_receipt
        assert asked.view == PLAY_ASK.view
        assert asked.time_left_us == PLAY_ASK.limit_us
    assert asked == ask_from_proto(ask_to_proto(PLAY_ASK, "a", b"h"))


def test_a_request_is_that_of_its_kind() -> None:
    assert isinstance(request_of(ask_to_proto(BID_ASK, "a", b"")), bot_pb2.BidRequest)
    assert isinstance(request_of(ask_to_proto(DISCARD_ASK, "a", b"")), bot_pb2.DiscardRequest)
    assert isinstance(request_of(ask_to_proto(PLAY_ASK, "a", b"")), bot_pb2.PlayRequest)
    with pytest.raises(MalformedMessage, match="neither bid, discard nor play"):
        request_of(bot_pb2.Decision())


@pytest.mark.parametrize("seed", range(20))
def test_joined_decisions_are_the_request_s_own_bytes(seed: int) -> None:
    rng = random.Random(seed)
    decisions = [
        ask_to_proto(random_ask(rng), "x" * rng.randrange(200), b"h")
        for _ in range(rng.randrange(9))
    ]

    joined = encode_decide([decision.SerializeToString() for decision in decisions])

    assert joined == bot_pb2.DecideRequest(decisions=decisions).SerializeToString()


ANSWERS: list[tuple[Ask, Action]] = [
    *((BID_ASK, call) for call in CALLS),
    (DISCARD_ASK, Exchange(parse_cards("AS KS 4D"))),
    (DISCARD_ASK, Exchange(parse_cards("AS"), 2, parse_card("AH"), (3, 1))),
    (DISCARD_ASK, Exchange(0)),
    (PLAY_ASK, Play(parse_card("2S"))),
    (PLAY_ASK, Play(parse_card("JKR"), 3)),
]


@pytest.mark.parametrize(("ask", "action"), ANSWERS, ids=str)
def test_an_answer_survives_the_wire(ask: Ask, action: Action) -> None:
    data = answer_to_proto("d-1", action, "so be it ♠").SerializeToString()

    answer = bot_pb2.Answer.FromString(data)

    assert decode_answer(answer, ask) == (action, "so be it ♠")


@pytest.mark.parametrize(("ask", "action"), ANSWERS, ids=str)
@pytest.mark.parametrize("note", ["", "♠" * 300])
def test_an_answer_s_bytes_are_those_that_protobuf_writes(
    ask: Ask, action: Action, note: str
) -> None:
    data = encode_answer("d" * 130, action, note)

    assert bot_pb2.Answer.FromString(data).SerializeToString() == data
    assert encode_answers([data, data]) == (
        bot_pb2.DecideResponse(answers=[bot_pb2.Answer.FromString(data)] * 2).SerializeToString()
    )


def test_an_answer_with_a_card_or_suit_that_does_not_exist_is_not_written() -> None:
    for action in (Play(66), Play(65, 4), Exchange(0, joker_suit=4), Exchange(0, called=66)):
        with pytest.raises(IndexError):
            encode_answer("d-1", action)


def test_a_unary_response_is_decoded_too() -> None:
    response = bot_pb2.PlayResponse(card=cards_pb2.CARD_AS)

    assert decode_answer(response, PLAY_ASK) == (Play(parse_card("AS")), "")


Card = cards_pb2.Card.ValueType
Suit = cards_pb2.Suit.ValueType
Strain = cards_pb2.Strain.ValueType
AS = cards_pb2.CARD_AS
BidResponse, DiscardResponse = bot_pb2.BidResponse, bot_pb2.DiscardResponse
PlayResponse, CallMessage = bot_pb2.PlayResponse, cards_pb2.Call
SPADES = cards_pb2.STRAIN_SPADES
REFUSED = [
    (PLAY_ASK, bot_pb2.Answer(), "the answer holds neither bid, discard nor play"),
    (PLAY_ASK, bot_pb2.Answer(bid=BidResponse()), "a bid where a play was asked for"),
    (BID_ASK, PlayResponse(card=AS), "a play where a bid was asked for"),
    (PLAY_ASK, PlayResponse(), "no card is given"),
    (PLAY_ASK, PlayResponse(card=Card(67)), "67 is no card's number"),
    (PLAY_ASK, PlayResponse(card=Card(-1)), "-1 is no card's number"),
    (PLAY_ASK, PlayResponse(card=AS, named_suit=Suit(5)), "5 is no suit's number"),
    (PLAY_ASK, PlayResponse(card=AS, note="é" * 501), "a note of 1002 bytes: at most 1000"),
    (BID_ASK, BidResponse(), "no call is given: a pass is an empty call"),
    (BID_ASK, BidResponse(call=CallMessage(level=7)), "a call with a strain but no level, or"),
    (BID_ASK, BidResponse(call=CallMessage(strain=SPADES)), "a call with a strain but no level"),
    (BID_ASK, BidResponse(call=CallMessage(level=7, strain=Strain(6))), "6 is no strain's"),
    (BID_ASK, BidResponse(call=CallMessage(level=7, special="OM")), "both level 7 and the name"),
    (BID_ASK, BidResponse(call=CallMessage(special="X" * 64)), "a special bid's name of 64"),
    (DISCARD_ASK, DiscardResponse(cards=[AS, AS]), "2 cards, of which 1 twice"),
    (DISCARD_ASK, DiscardResponse(cards=[Card(0)]), "0 is no card's number"),
    (DISCARD_ASK, DiscardResponse(joker_suit=Suit(9)), "9 is no suit's number"),
    (DISCARD_ASK, DiscardResponse(called=Card(99)), "99 is no card's number"),
]


@pytest.mark.parametrize(("ask", "answer", "reason"), REFUSED, ids=lambda value: str(value)[:30])
def test_what_is_no_answer_is_malformed(
    ask: Ask, answer: bot_pb2.Answer | Response, reason: str
) -> None:
    with pytest.raises(MalformedAnswer, match=re.escape(reason)):
        decode_answer(answer, ask)

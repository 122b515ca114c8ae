"""What passes over an attached bot's stream: frames that are put around bytes and taken off."""

import random

import pytest

from fivehundred.table.values import Fault, FaultKind
from fivehundred.v1 import attach_pb2, bot_pb2, cards_pb2, record_pb2
from fivehundred.wire.attach import (
    fault_notice,
    framed,
    greeting_frame,
    notices_frame,
    read_frame,
    read_hello,
)
from fivehundred.wire.errors import MalformedMessage

PLAYED = bot_pb2.PlayResponse(decision_id="1", card=cards_pb2.CARD_5S)
ANSWERS = bot_pb2.DecideResponse(answers=[bot_pb2.Answer(play=PLAYED)] * 40)


@pytest.mark.parametrize("session", [1, 127, 128, 300, (1 << 32) - 1])
@pytest.mark.parametrize("size", [0, 1, 127, 128, 70_000])
def test_a_frame_is_the_message_of_the_contract(session: int, size: int) -> None:
    note = bot_pb2.PlayRequest(ask=bot_pb2.Ask(decision_id="x" * size))
    decisions = bot_pb2.DecideRequest(decisions=[bot_pb2.Decision(play=note)] if size else [])

    frame = framed(session, decisions.SerializeToString())

    expected = attach_pb2.AttachResponse(session=session, decisions=decisions)
    assert attach_pb2.AttachResponse.FromString(frame) == expected
    assert frame == expected.SerializeToString(deterministic=True)


@pytest.mark.parametrize("session", [1, 127, 128, 300, (1 << 32) - 1])
def test_answers_are_taken_out_as_they_are(session: int) -> None:
    request = attach_pb2.AttachRequest(session=session, answers=ANSWERS)

    assert read_frame(request.SerializeToString()) == (session, ANSWERS.SerializeToString())
    assert read_frame(framed(session, b"")) == (session, b"")


def test_fields_may_come_in_any_order_and_in_parts() -> None:
    number = attach_pb2.AttachRequest(session=9).SerializeToString()
    answers = attach_pb2.AttachRequest(answers=ANSWERS).SerializeToString()
    twice = bot_pb2.DecideResponse(answers=[*ANSWERS.answers, *ANSWERS.answers])

    assert read_frame(answers + number) == (9, ANSWERS.SerializeToString())
    assert read_frame(number + answers + answers) == (9, twice.SerializeToString())


def test_a_greeting_is_answered() -> None:
    greeted = bot_pb2.HelloResponse(name="far", version="1")
    request = attach_pb2.AttachRequest(session=3, greeted=greeted)

    assert read_frame(request.SerializeToString()) == (3, greeted)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\x08",
        b"\x08\x01",
        b"\x08\x01\x22",
        b"\x08\x01\x22\x05abc",
        b"\x08" + b"\xff" * 20,
        b"\x08\x01\x22" + b"\xff" * 20,
        b"<html>",
        attach_pb2.AttachRequest(hello=attach_pb2.AttachHello()).SerializeToString(),
    ],
)
def test_what_is_no_answer_is_malformed(message: bytes) -> None:
    with pytest.raises(MalformedMessage):
        read_frame(message)


def test_changed_bytes_are_read_as_the_contract_reads_them_or_not_at_all() -> None:
    draws = random.Random(500)
    whole = attach_pb2.AttachRequest(session=300, answers=ANSWERS).SerializeToString()

    for _ in range(2_000):
        message = bytearray(whole)
        for _ in range(draws.randrange(1, 4)):
            message[draws.randrange(8)] = draws.randrange(256)
        try:
            session, answers = read_frame(bytes(message))
        except MalformedMessage:
            continue
        assert isinstance(answers, bytes | bot_pb2.HelloResponse)
        assert session >= 0


def test_a_hello_is_read_and_nothing_else() -> None:
    hello = attach_pb2.AttachHello(bot="far", token="t")
    greeted = attach_pb2.AttachRequest(greeted=bot_pb2.HelloResponse())

    assert read_hello(attach_pb2.AttachRequest(hello=hello).SerializeToString()) == hello
    for other in (b"", b"\xff", greeted.SerializeToString()):
        with pytest.raises(MalformedMessage):
            read_hello(other)


def test_a_greeting_names_its_session() -> None:
    hello = bot_pb2.HelloRequest(seat=2)

    response = attach_pb2.AttachResponse.FromString(greeting_frame(7, hello))

    assert (response.session, response.greeting) == (7, hello)


@pytest.mark.parametrize("kind", FaultKind)
def test_a_fault_is_told_in_words(kind: FaultKind) -> None:
    notice = fault_notice("id", 3, Fault(kind, "r" * 1000, b"bytes"))

    told = attach_pb2.AttachResponse.FromString(notices_frame([notice])).notices.faults[0]

    assert (told.decision_id, told.seat, len(told.reason)) == ("id", 3, 300)
    assert record_pb2.FaultKind.Name(told.kind) == f"FAULT_KIND_{kind.name}"

"""The referee over gRPC answers as the program does, and says what is wrong with a question."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict
from grpc_status import rpc_status

from fivehundred.referee import answer_line
from fivehundred.v1 import referee_pb2, referee_pb2_grpc
from fivehundred.wire.presets import load_preset
from fivehundred.wire.record import record_to_proto
from fivehundred.wire.status import violations_of
from random_hands import random_record

VECTORS = Path(__file__).parents[1] / "conformance" / "vectors.jsonl"
ASKS = {
    "callable",
    "calls",
    "deal",
    "deck",
    "exchange",
    "hand",
    "ladder",
    "order",
    "plays",
    "score",
    "state",
    "suit_order",
    "winner",
}


@pytest.fixture
def channel(start_daemon: Callable[[], Any]) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(start_daemon().address) as channel:
        yield channel


def questions() -> dict[str, dict[str, Any]]:
    """A question of each ask: one about a recorded hand, the others from the vectors."""
    record = record_to_proto(random_record(load_preset("au-4p-43"), random.Random(500)))
    vectors = map(json.loads, VECTORS.read_text(encoding="utf-8").splitlines())
    answered = [vector["question"] for vector in vectors if "error" not in vector]
    asked = {question["ask"]: question for question in answered}
    return {**asked, "hand": {"ask": "hand", "record": MessageToDict(record)}}


def ask(channel: grpc.Channel, question: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question over gRPC."""
    request = referee_pb2.AskRequest()
    request.question.update(question)
    response = referee_pb2_grpc.RefereeServiceStub(channel).Ask(request, timeout=30)
    return dict(MessageToDict(response.answer))


def refused(channel: grpc.Channel, question: dict[str, Any]) -> list[tuple[str, str]]:
    """The fields that are wrong with a question, and what is wrong with them."""
    with pytest.raises(grpc.RpcError) as caught:
        ask(channel, question)
    assert isinstance(caught.value, grpc.Call)
    status = rpc_status.from_call(caught.value)
    assert status is not None
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    return [(violation.field, violation.message) for violation in violations_of(status)]


def test_every_ask_has_the_program_s_answer(channel: grpc.Channel) -> None:
    asked = questions()

    answers = {name: ask(channel, question) for name, question in asked.items()}

    assert answers.keys() == ASKS
    for name, question in asked.items():
        line = answer_line(json.dumps(question))
        assert answers[name] == json.loads(line)["answer"], name


def test_the_program_and_the_service_refuse_alike(channel: grpc.Channel) -> None:
    question = {"ask": "calls", "dealer": 0, "calls": ["7S", "6S"]}

    wrong = refused(channel, question)

    error = json.loads(answer_line(json.dumps(question)))["error"]
    assert wrong == [(error["field"], error["message"])]
    assert error["field"] == "calls[1]"


def test_a_bad_question_says_which_field(channel: grpc.Channel) -> None:
    nested: dict[str, Any] = {}
    for _ in range(30):
        nested = {"preset": nested}
    calls = {"ask": "calls", "dealer": 0}
    questions_by_field: dict[str, list[dict[str, Any]]] = {
        "ask": [{}, {"ask": "deal "}, {"ask": None}],
        "rules": [{"ask": "deck", "rules": "au-4p-34"}],
        "rules.preset": [{"ask": "deck", "rules": nested}],
        "suit": [{"ask": "suit_order", "strain": "S", "suit": None}],
        "says": [{"ask": "deck", "says": 1}],
        "dealer": [{**calls, "dealer": dealer, "calls": []} for dealer in (0.5, 1e300, "0")],
        "calls[1]": [{**calls, "calls": ["P", True]}],
        "question": [
            {**calls, "calls": [float("nan")]},
            {**calls, "calls": [float("-inf")]},
            {**calls, "calls": ["P"] * 100_000},
        ],
    }

    for field, each in questions_by_field.items():
        for question in each:
            wrong = refused(channel, question)
            assert [name for name, _ in wrong] == [field]
            assert all(message for _, message in wrong)


def test_no_question_at_all_is_a_bad_question(channel: grpc.Channel) -> None:
    stub = referee_pb2_grpc.RefereeServiceStub(channel)

    with pytest.raises(grpc.RpcError) as caught:
        stub.Ask(referee_pb2.AskRequest(), timeout=30)

    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert str(caught.value.details()).startswith("ask: is missing")

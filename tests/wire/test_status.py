"""Each error has its gRPC code, reason and wrong fields."""

import pytest
from google.rpc import (  # type: ignore[import-untyped]  # it has stubs but no marker
    code_pb2,
    error_details_pb2,
)

from fivehundred.rules.errors import InvalidRuleSet, NotationError
from fivehundred.wire.errors import (
    AlreadyExists,
    FailedPrecondition,
    InvalidArgument,
    MalformedAnswer,
    NotFound,
    PermissionDenied,
    SpecError,
    Unauthenticated,
    Violation,
)
from fivehundred.wire.status import to_rpc_status, violations_of

TABLE = [
    (NotFound("no tournament 'x'"), code_pb2.NOT_FOUND, "NOT_FOUND"),
    (AlreadyExists("x"), code_pb2.ALREADY_EXISTS, "ALREADY_EXISTS"),
    (FailedPrecondition("x"), code_pb2.FAILED_PRECONDITION, "FAILED_PRECONDITION"),
    (Unauthenticated("x"), code_pb2.UNAUTHENTICATED, "UNAUTHENTICATED"),
    (PermissionDenied("x"), code_pb2.PERMISSION_DENIED, "PERMISSION_DENIED"),
    (InvalidArgument([]), code_pb2.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (SpecError([]), code_pb2.INVALID_ARGUMENT, "INVALID_TOURNAMENT"),
    (InvalidRuleSet("players", "x"), code_pb2.INVALID_ARGUMENT, "INVALID_RULE_SET"),
    (NotationError("x"), code_pb2.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (MalformedAnswer("x"), code_pb2.INVALID_ARGUMENT, "MALFORMED_MESSAGE"),
    (KeyError("x"), code_pb2.INTERNAL, "INTERNAL"),
]


@pytest.mark.parametrize(("error", "code", "reason"), TABLE, ids=lambda value: type(value).__name__)
def test_an_error_has_its_code_and_reason(error: Exception, code: int, reason: str) -> None:
    status = to_rpc_status(error)

    info = error_details_pb2.ErrorInfo()
    assert status.code == code
    assert status.details[0].Unpack(info)
    assert (info.reason, info.domain) == (reason, "fivehundred")


def test_a_status_lists_every_wrong_field() -> None:
    wrong = (Violation("name", "give one"), Violation("tables", "at most 4096"))

    status = to_rpc_status(SpecError(wrong))

    assert violations_of(status) == wrong
    assert status.message == "name: give one\ntables: at most 4096"


def test_a_rule_set_s_field_is_a_violation() -> None:
    status = to_rpc_status(InvalidRuleSet("players", "9 is too many"))

    assert violations_of(status) == (Violation("players", "9 is too many"),)


def test_the_words_of_an_unknown_error_stay_in_the_daemon() -> None:
    status = to_rpc_status(RuntimeError("password is hunter2"))

    assert status.message == "the daemon failed; its log says how"
    assert violations_of(status) == ()


def test_a_long_quotation_is_cut() -> None:
    status = to_rpc_status(NotFound(f"isn't there: {'x' * 5000!r}: make it"))

    assert status.message == f"isn't there: '{'x' * 80}…': make it"


def test_what_is_too_much_for_a_client_is_cut_and_counted() -> None:
    wrong = [Violation(f"entrants[{number}]", "♠ " * 1000) for number in range(5000)]

    status = to_rpc_status(SpecError(wrong))

    told = violations_of(status)
    assert told[0].field == "entrants[0]"
    assert told[0].message.endswith("…")
    assert told[-1] == Violation("", f"and {5001 - len(told)} more")
    assert status.message == "\n".join(map(str, told))
    assert status.ByteSize() < 4096


@pytest.mark.parametrize("kind", [NotFound, FailedPrecondition, NotationError])
def test_a_long_message_is_cut(kind: type[Exception]) -> None:
    status = to_rpc_status(kind("word " * 10_000))

    assert status.message.endswith("…")
    assert status.ByteSize() < 2048

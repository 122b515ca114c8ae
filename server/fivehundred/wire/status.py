"""Errors to gRPC codes: the one table."""

from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message
from google.rpc import (  # type: ignore[import-untyped]  # it has stubs but no marker
    code_pb2,
    error_details_pb2,
    status_pb2,
)

from fivehundred.rules.errors import InvalidRuleSet, RulesError
from fivehundred.wire.errors import (
    AlreadyExists,
    FailedPrecondition,
    InvalidArgument,
    MalformedMessage,
    NotFound,
    SpecError,
    Violation,
)

DOMAIN = "fivehundred"

_TABLE: tuple[tuple[type[Exception], int, str], ...] = (
    (NotFound, code_pb2.NOT_FOUND, "NOT_FOUND"),
    (AlreadyExists, code_pb2.ALREADY_EXISTS, "ALREADY_EXISTS"),
    (FailedPrecondition, code_pb2.FAILED_PRECONDITION, "FAILED_PRECONDITION"),
    (SpecError, code_pb2.INVALID_ARGUMENT, "INVALID_TOURNAMENT"),
    (InvalidArgument, code_pb2.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (InvalidRuleSet, code_pb2.INVALID_ARGUMENT, "INVALID_RULE_SET"),
    (RulesError, code_pb2.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (MalformedMessage, code_pb2.INVALID_ARGUMENT, "MALFORMED_MESSAGE"),
)


def to_rpc_status(error: Exception) -> status_pb2.Status:
    """The status of an error: code, words, a reason, and the wrong fields where it lists them.

    An error that the table does not know is INTERNAL, and its words stay here.
    """
    for kind, code, reason in _TABLE:
        if isinstance(error, kind):
            return _status(code, str(error), reason, _violations(error))
    return _status(code_pb2.INTERNAL, "the daemon failed; its log says how", "INTERNAL", ())


def violations_of(status: status_pb2.Status) -> tuple[Violation, ...]:
    """The wrong fields that a status lists."""
    request = error_details_pb2.BadRequest()
    for detail in status.details:
        if detail.Unpack(request):
            return tuple(Violation(v.field, v.description) for v in request.field_violations)
    return ()


def _violations(error: Exception) -> tuple[Violation, ...]:
    if isinstance(error, InvalidArgument):
        return error.violations
    if isinstance(error, InvalidRuleSet):
        return (Violation(error.field, error.message),)
    return ()


def _status(
    code: int, words: str, reason: str, violations: tuple[Violation, ...]
) -> status_pb2.Status:
    details = [_packed(error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN))]
    if violations:
        request = error_details_pb2.BadRequest()
        for violation in violations:
            request.field_violations.add(field=violation.field, description=violation.message)
        details.append(_packed(request))
    return status_pb2.Status(code=code, message=words, details=details)


def _packed(message: Message) -> Any:
    packed = Any()
    packed.Pack(message)
    return packed

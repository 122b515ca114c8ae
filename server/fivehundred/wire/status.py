"""Errors to gRPC codes: the one table."""

import re
from collections.abc import Sequence
from itertools import accumulate

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
    DeadlineExceeded,
    FailedPrecondition,
    InvalidArgument,
    MalformedMessage,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    SpecError,
    Unauthenticated,
    Unimplemented,
    Violation,
)

DOMAIN = "fivehundred"

MOST_BYTES = 1200
"""Bytes of what is wrong. It is sent three times over, and a client takes 8 KiB of trailers."""

MOST_BYTES_EACH = 400
MOST_ECHOED = 80
"""Characters of a quoted text."""

_LONG_QUOTE = re.compile(rf"""(?<!\w)(['"])([^'"\n]{{{MOST_ECHOED}}})[^'"\n]+""")

_TABLE: tuple[tuple[type[Exception], int, str], ...] = (
    (NotFound, code_pb2.NOT_FOUND, "NOT_FOUND"),
    (AlreadyExists, code_pb2.ALREADY_EXISTS, "ALREADY_EXISTS"),
    (FailedPrecondition, code_pb2.FAILED_PRECONDITION, "FAILED_PRECONDITION"),
    (Unauthenticated, code_pb2.UNAUTHENTICATED, "UNAUTHENTICATED"),
    (PermissionDenied, code_pb2.PERMISSION_DENIED, "PERMISSION_DENIED"),
    (ResourceExhausted, code_pb2.RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED"),
    (DeadlineExceeded, code_pb2.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"),
    (Unimplemented, code_pb2.UNIMPLEMENTED, "UNIMPLEMENTED"),
    (SpecError, code_pb2.INVALID_ARGUMENT, "INVALID_TOURNAMENT"),
    (InvalidArgument, code_pb2.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (InvalidRuleSet, code_pb2.INVALID_ARGUMENT, "INVALID_RULE_SET"),
    (RulesError, code_pb2.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (MalformedMessage, code_pb2.INVALID_ARGUMENT, "MALFORMED_MESSAGE"),
)


def to_rpc_status(error: Exception) -> status_pb2.Status:
    """The status of an error: code, words, a reason, and the wrong fields where it lists them.

    An error that the table does not know is INTERNAL, and its words stay here. Long texts and
    lists are cut to what a client takes.
    """
    for kind, code, reason in _TABLE:
        if isinstance(error, kind):
            if isinstance(error, InvalidArgument):
                fitting = _fitting(error.violations)
                return _status(code, "\n".join(map(str, fitting)), reason, fitting)
            if isinstance(error, ResourceExhausted):
                return _come_again(error, code, reason)
            return _status(code, _cut(str(error), MOST_BYTES), reason, _violations(error))
    return _status(code_pb2.INTERNAL, "the daemon failed; its log says how", "INTERNAL", ())


def violations_of(status: status_pb2.Status) -> tuple[Violation, ...]:
    """The wrong fields that a status lists."""
    request = error_details_pb2.BadRequest()
    for detail in status.details:
        if detail.Unpack(request):
            return tuple(Violation(v.field, v.description) for v in request.field_violations)
    return ()


def _violations(error: Exception) -> tuple[Violation, ...]:
    if isinstance(error, InvalidRuleSet):
        return _fitting([Violation(error.field, error.message)])
    return ()


def _fitting(violations: Sequence[Violation]) -> tuple[Violation, ...]:
    """As many violations as fit, each cut, and how many there are besides."""
    cut = [
        Violation(_cut(each.field, MOST_BYTES_EACH // 2), _cut(each.message, MOST_BYTES_EACH))
        for each in violations
    ]
    sizes = accumulate(len(str(each).encode()) + 1 for each in cut)
    fitting = sum(size <= MOST_BYTES for size in sizes)
    if fitting == len(cut):
        return tuple(cut)
    return (*cut[:fitting], Violation("", f"and {len(cut) - fitting} more"))


def _cut(text: str, most: int) -> str:
    """A text with its quotations and itself cut to a length; ``most`` counts bytes."""
    text = _LONG_QUOTE.sub(r"\1\2…", text)
    encoded = text.encode(errors="replace")
    return text if len(encoded) <= most else encoded[: most - 3].decode(errors="ignore") + "…"


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


def _come_again(error: ResourceExhausted, code: int, reason: str) -> status_pb2.Status:
    """With when to ask again, and what a program needs to go on."""
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=error.facts)
    retry = error_details_pb2.RetryInfo()
    retry.retry_delay.FromMilliseconds(round(error.retry_after_s * 1000))
    words = _cut(str(error), MOST_BYTES)
    return status_pb2.Status(code=code, message=words, details=[_packed(info), _packed(retry)])


def _packed(message: Message) -> Any:
    packed = Any()
    packed.Pack(message)
    return packed

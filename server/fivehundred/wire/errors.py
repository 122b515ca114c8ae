"""What goes wrong at the border between values and messages.

WireError
├── MalformedMessage            a message's bytes or fields are no value
│   └── MalformedAnswer         a bot's answer is no answer
└── ServiceError                a request cannot be served; has a gRPC code in `wire.status`
    ├── NotFound                nothing has that name
    ├── AlreadyExists           something else has that name
    ├── FailedPrecondition      it cannot be done in the present state
    ├── Unauthenticated         whoever asks has not proved who it is
    ├── PermissionDenied        whoever asks may not do it
    ├── ResourceExhausted       whoever asks, asks too much at once; says when to ask again
    ├── DeadlineExceeded        it takes longer than anything may
    ├── Unimplemented           there is no such method
    └── InvalidArgument         fields are wrong; lists every one
        └── SpecError           a tournament's definition is wrong
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class WireError(ValueError):
    """Anything that goes wrong at the border."""


class MalformedMessage(WireError):
    """A message's bytes or fields are no value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class MalformedAnswer(MalformedMessage):
    """A bot's answer is no answer: empty, of another kind, or with numbers that mean nothing."""


class ServiceError(WireError):
    """A request cannot be served."""


class NotFound(ServiceError):
    """Nothing has that name."""


class AlreadyExists(ServiceError):
    """Something else has that name."""


class FailedPrecondition(ServiceError):
    """It cannot be done in the present state."""


class Unauthenticated(ServiceError):
    """Whoever asks has not proved who it is."""


class PermissionDenied(ServiceError):
    """Whoever asks may not do it."""


class ResourceExhausted(ServiceError):
    """Whoever asks, asks too much at once."""

    def __init__(
        self, message: str, retry_after_s: float, facts: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.facts = dict(facts or {})
        """What a program needs to go on, by name; sent as the ErrorInfo's metadata."""


class DeadlineExceeded(ServiceError):
    """It takes longer than anything may."""


class Unimplemented(ServiceError):
    """There is no such method."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One wrong field: its path, and what would be right."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class InvalidArgument(ServiceError):
    """Fields of a request are wrong."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__("\n".join(map(str, violations)))
        self.violations = tuple(violations)


class SpecError(InvalidArgument):
    """A tournament's definition is wrong."""

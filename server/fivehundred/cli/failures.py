"""What a command raises, and what is said of every error that is expected.

CliError            a command cannot do what it is asked to
└── ConfigError     it is called or configured wrongly; exit code 2
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

FAILED = 1
MISUSED = 2


class CliError(Exception):
    """A command cannot do what it is asked to."""


class ConfigError(CliError):
    """A command is called or configured wrongly."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What to print of an error, a line each, and the exit code."""

    messages: tuple[str, ...]
    exit_code: int


@runtime_checkable
class _UsageError(Protocol):
    """What the parser raises; its class is in another module from one release to the next."""

    exit_code: int

    def format_message(self) -> str: ...


def failure_of(error: Exception) -> Failure | None:
    """What to say of an error; None for one that nobody expects."""
    if isinstance(error, _UsageError):
        message = error.format_message() or "no command given: see fivehundred --help"
        return _failure(message, error.exit_code)
    if isinstance(error, CliError):
        return _failure(str(error), MISUSED if isinstance(error, ConfigError) else FAILED)
    if isinstance(error, OSError):
        return _failure(str(error), FAILED)
    return _project_failure(error) or _grpc_failure(error)


def _failure(text: str, exit_code: int) -> Failure:
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    return Failure(lines or ("failed without a word",), exit_code)


def _project_failure(error: Exception) -> Failure | None:
    from fivehundred.daemon.errors import StartError
    from fivehundred.rules.errors import RulesError
    from fivehundred.storage.errors import StorageError
    from fivehundred.wire.errors import InvalidArgument, WireError

    if isinstance(error, RulesError | InvalidArgument | StartError):
        return _failure(str(error), MISUSED)
    if isinstance(error, WireError | StorageError):
        return _failure(str(error), FAILED)
    return None


def _grpc_failure(error: Exception) -> Failure | None:
    import grpc

    if not isinstance(error, grpc.RpcError) or not isinstance(error, grpc.Call):
        return None
    if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
        return _failure("\n".join(_violations(error)) or str(error.details()), MISUSED)
    return _failure(error.details() or error.code().name, FAILED)


def _violations(call: object) -> list[str]:
    import grpc
    from grpc_status import rpc_status

    from fivehundred.wire.status import violations_of

    assert isinstance(call, grpc.Call)
    status = rpc_status.from_call(call)
    return [] if status is None else [str(each) for each in violations_of(status)]

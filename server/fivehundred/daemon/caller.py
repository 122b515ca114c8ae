"""Who calls: set before a method runs, for as long as its call lasts."""

from contextvars import ContextVar
from dataclasses import dataclass

from fivehundred.storage.access import AccessToken, Role


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever calls a method, as far as is known."""

    name: str = ""
    """The name of the token; empty where none is wanted."""
    role: Role | None = None
    """None for callers of methods that are open to everybody."""
    bots: frozenset[str] = frozenset()
    """The registered bots that an owner answers for."""


ANYBODY = Caller()
"""Calls a method that is open to everybody."""
EVERYTHING = Caller(role=Role.ADMIN)
"""Calls a daemon that wants no tokens."""
_CALLER: ContextVar[Caller] = ContextVar("caller", default=ANYBODY)


def caller() -> Caller:
    """Who calls the method that runs; `ANYBODY` outside of all methods."""
    return _CALLER.get()


def set_caller(calling: Caller) -> None:
    """Say who calls, for the rest of the call's task."""
    _CALLER.set(calling)


def caller_of_token(token: AccessToken) -> Caller:
    """Who a token says it is."""
    return Caller(token.name, token.role, frozenset(token.bots))

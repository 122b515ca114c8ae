"""The way in which a session's decisions travel, and what it takes from its session."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from fivehundred.table.values import Ask, Fault, Reply

Greet = Callable[[float], Awaitable[Fault | None]]
"""Greets the bot again within some seconds; gives the fault where that fails."""
BeforeAsking = Callable[[], None]
"""Is called before decisions are sent; what it raises is raised by those who wait for them."""


class Line(Protocol):
    """The way in which decisions travel."""

    stray_answers: int
    messages_sent: int

    async def decide(self, ask: Ask) -> Reply: ...

    async def close(self) -> None: ...

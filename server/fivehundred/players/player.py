"""What the table knows of a bot: one method, and who it is."""

from dataclasses import dataclass

from fivehundred.table.runner import Player
from fivehundred.table.values import Fault, FaultKind

__all__ = ["Identity", "Player", "Unreachable", "unreachable"]


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a bot says it is; a new version is a new player."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class Unreachable(Exception):
    """A bot could not be started or greeted; ``fault`` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


def unreachable(reason: str) -> Unreachable:
    """The error of a bot that did not come up, with the reason in words."""
    return Unreachable(Fault(FaultKind.UNREACHABLE, reason))

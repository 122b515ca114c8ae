"""A hand as a text has it, and what is raised where a text is no hand."""

from dataclasses import dataclass, field

from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import HandRecord
from fivehundred.wire.errors import WireError


@dataclass(frozen=True, slots=True)
class WrittenHand:
    """A recorded hand with what its text must say beside it."""

    record: HandRecord
    rules: RuleSet
    tags: tuple[tuple[str, str], ...] = ()
    """Name and value of each tag that means nothing here, in order; they are kept."""
    preset: str = field(default="", compare=False)
    """The preset that the rules are named after; the nearest where it is empty."""


class HandTextError(WireError):
    """A text is no hand, or contradicts itself."""

    def __init__(self, line: int, message: str, hand: int | None = None) -> None:
        place = f"line {line}" if hand is None else f"hand {hand}, line {line}"
        super().__init__(f"{place}: {message}")
        self.line = line
        """Counted from 1."""
        self.message = message
        self.hand = hand
        """Which hand of the text, counted from 1."""

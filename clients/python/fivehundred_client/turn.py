"""A decision as a bot's author sees it."""

import random
import time
from functools import cached_property
from typing import Generic, TypeVar

from fivehundred.rules.actions import Legal, LegalCalls, LegalExchange, LegalPlays
from fivehundred.rules.hand import SeatView
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.asked import Asked

L = TypeVar("L", bound=Legal, covariant=True)


class Turn(Generic[L]):
    """What the seat sees, what it may do and by when; ``note`` may be set to a private remark."""

    def __init__(self, asked: Asked, legal: L, rules: RuleSet) -> None:
        self.asked = asked
        self.legal = legal
        """What may be done; ``action in turn.legal`` tells, ``turn.legal.default()`` always may."""
        self.rules = rules
        self.note = ""
        """A remark of at most 1,000 bytes that is kept for the bot's author."""
        self._received = time.monotonic()

    @property
    def view(self) -> SeatView:
        """All that the seat may see; decoded when it is first looked at."""
        return self.asked.view

    @property
    def time_left(self) -> float:
        """Seconds until the answer must have arrived, the way there included."""
        return self.asked.time_left_us / 1e6 - (time.monotonic() - self._received)

    @cached_property
    def rng(self) -> random.Random:
        """Randomness that is the same whenever this decision is asked again, and for no other."""
        number, kind = self.asked.decision_number, self.asked.kind.value
        return random.Random(self.asked.seed << 16 ^ number << 4 ^ kind)


BidTurn = Turn[LegalCalls]
DiscardTurn = Turn[LegalExchange]
PlayTurn = Turn[LegalPlays]
AnyTurn = Turn[Legal]
"""A turn of any kind; `Turn.legal` tells which."""

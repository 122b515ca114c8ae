"""Suspension: when the matches of an entrant whose bot keeps failing are put off.

Each entrant is in one of five conditions. Times are seconds on any clock; it is never read here.

1. PLAYING: its matches are handed out. So many faults in a row suspend it.
2. SUSPENDED: its matches are put off. Its bot is greeted now and then.
3. GREETED: it has answered. One match is handed out, to see.
4. TRIED: that match is under way; the others are still put off, and the bot is greeted again.
5. ENDURED: the patience that began with the suspension is over; it plays, faults and all.

A decision made without a fault ends every condition but the first. A fault takes GREETED and TRIED
back to SUSPENDED, within the same patience. What is under way goes on in every condition.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Suspension:
    """When a bot that keeps failing is suspended, how often it is greeted, and for how long."""

    faults: int = 10
    """In a row, over all tables of the entrant."""
    probe_us: int = 5_000_000
    patience_us: int = 60_000_000


class Condition(Enum):
    """How an entrant stands."""

    PLAYING = "playing"
    SUSPENDED = "suspended"
    GREETED = "greeted"
    TRIED = "tried"
    ENDURED = "endured"


@dataclass(slots=True)
class _Entrant:
    """What is known of one entrant."""

    condition: Condition = Condition.PLAYING
    faults: int = 0
    """In a row."""
    greet_at: float = 0.0
    endured_from: float = 0.0


class Suspensions:
    """The conditions of a tournament's entrants."""

    def __init__(self, policy: Suspension, entrants: int) -> None:
        self._policy = policy
        self._entrants = [_Entrant() for _ in range(entrants)]

    def condition(self, entrant: int) -> Condition:
        """How an entrant stands."""
        return self._entrants[entrant].condition

    def faults(self, entrant: int) -> int:
        """The faults that it has made in a row."""
        return self._entrants[entrant].faults

    def decided(self, entrant: int, now: float, *, is_fault: bool) -> bool:
        """Take note of a decision; gives whether the entrant's condition has changed."""
        known = self._entrants[entrant]
        before = known.condition
        if is_fault:
            known.faults += 1
            self._failed(known, now)
        else:
            known.faults, known.condition = 0, Condition.PLAYING
        return known.condition is not before

    def greeted(self, entrant: int, *, has_answered: bool) -> bool:
        """Take note of a greeting; gives whether the entrant's condition has changed."""
        known = self._entrants[entrant]
        if known.condition not in _WAITING:
            return False
        before = known.condition
        known.condition = Condition.GREETED if has_answered else Condition.SUSPENDED
        return known.condition is not before

    def pass_time(self, now: float) -> list[int]:
        """The entrants whose patience is over by now: they play from now on."""
        over = [
            number
            for number, known in enumerate(self._entrants)
            if known.condition in _PATIENT and now >= known.endured_from
        ]
        for number in over:
            self._entrants[number].condition = Condition.ENDURED
        return over

    def to_greet(self, now: float) -> list[int]:
        """The entrants whose bots are to be greeted now, each once a probe."""
        due = [
            number
            for number, known in enumerate(self._entrants)
            if known.condition in _WAITING and now >= known.greet_at
        ]
        for number in due:
            self._entrants[number].greet_at = now + self._policy.probe_us / 1e6
        return due

    def next_time(self) -> float | None:
        """When `pass_time` or `to_greet` next gives something; None while nobody is suspended."""
        known = self._entrants
        times = [each.endured_from for each in known if each.condition in _PATIENT]
        times += [each.greet_at for each in known if each.condition in _WAITING]
        return min(times, default=None)

    def put_off_by(self, entrants: Iterable[int]) -> int | None:
        """The first of a match's entrants for whom it is put off; None where it may be played."""
        held = (each for each in entrants if self._entrants[each].condition in _WAITING)
        return next(held, None)

    def handed_out(self, entrants: Iterable[int], now: float) -> None:
        """Take note that a match of these entrants is being played."""
        for each in entrants:
            known = self._entrants[each]
            if known.condition is Condition.GREETED:
                known.condition = Condition.TRIED
                known.greet_at = now + self._policy.probe_us / 1e6

    def _failed(self, known: _Entrant, now: float) -> None:
        if known.condition is Condition.PLAYING:
            if known.faults < self._policy.faults:
                return
            known.endured_from = now + self._policy.patience_us / 1e6
        elif known.condition not in (Condition.GREETED, Condition.TRIED):
            return
        known.condition = Condition.SUSPENDED
        known.greet_at = now + self._policy.probe_us / 1e6


_WAITING = (Condition.SUSPENDED, Condition.TRIED)
"""Whose matches are put off, and whose bots are greeted."""
_PATIENT = (*_WAITING, Condition.GREETED)
"""Whose patience runs."""

"""Sequential matches between two: play until a statistic has a verdict, or to a cap."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from fivehundred.tournament.formats.fixed import ranked_by_means
from fivehundred.tournament.formats.ordered import Meeting, Ordered
from fivehundred.tournament.formats.values import Outcome, Pairing, Size

V = TypeVar("V")
Verdict = Callable[[Sequence[Outcome]], V | None]
"""Says what the outcomes, in the order of their numbers, prove; None while they prove nothing.

Slot 0 is entrant 0 in each. The sequence is the format's own and grows: it is read, not kept.
"""


class Sequential(Ordered, Generic[V]):
    """Matches between entrants 0 and 1; the verdict is asked after each contiguous prefix.

    ``ahead`` matches can be under way at once: match k is played if the verdict on those up to
    ``k - ahead`` is open. The last of them are played in any case, and so the log does not depend
    on which one ended first. The first verdict stands, whatever they say.
    """

    def __init__(self, verdict: Verdict[V], least: int, most: int, ahead: int) -> None:
        super().__init__()
        self._verdict = verdict
        self._least = least
        self._most = most
        self._result: V | None = None
        self._judged: int | None = None
        self._prefix: list[Outcome] = []
        self._ahead = min(most, ahead)

    @property
    def size(self) -> Size:
        """At least until the first look; at most the cap."""
        least = min(self._least + self._ahead - 1, self._most)
        return Size(least, self._most if least == self._most else None, self._most)

    @property
    def result(self) -> V | None:
        """The verdict; None while it is open, and where the cap has come first."""
        return self._result

    @property
    def judged(self) -> int | None:
        """How many matches the verdict is on; None where there is none."""
        return self._judged

    @property
    def evidence(self) -> Sequence[Outcome]:
        """The outcomes up to the verdict, or all so far in their order; slot 0 is entrant 0."""
        return self._prefix[: self._judged]

    def ranking(self) -> tuple[int, ...]:
        """By score, then points, then seed, over the matches before the verdict."""
        return ranked_by_means(2, [(Pairing(at.number, 0, (0, 1)), at) for at in self.evidence])

    @property
    def verdict(self) -> Verdict[V]:
        """What is asked for the verdict."""
        return self._verdict

    def _first(self) -> Iterable[Meeting]:
        return (Meeting(number, _order(number)) for number in range(self._ahead))

    def _take(self, pairing: Pairing, known: Outcome) -> Iterable[Meeting]:
        turned = pairing.entrants == (1, 0)
        self._prefix.append(_reversed(known) if turned else known)
        self._judge()
        number = len(self._pairings)
        if self._result is not None or number == self._most:
            return []
        return [Meeting(number, _order(number))]

    def _judge(self) -> None:
        """Asks for the verdict, as long as there is none."""
        if self._result is None and len(self._prefix) >= self._least:
            self._result = self._verdict(self._prefix)
            if self._result is not None:
                self._judged = len(self._prefix)


def sequential(
    verdict: Verdict[V], *, most: int, least: int = 20, ahead: int = 16
) -> Sequential[V]:
    """The sequential match of entrants 0 and 1, judged from ``least`` matches on, up to a cap."""
    if most < 1:
        raise ValueError(f"a cap of {most} leaves no match: 1 or more are right")
    if not 1 <= least <= most:
        raise ValueError(f"a first look after {least} of {most} matches: 1 to {most} are right")
    if ahead < 1:
        raise ValueError(f"{ahead} matches at once play nothing: 1 or more are right")
    return Sequential(verdict, least, most, ahead)


def _order(number: int) -> tuple[int, int]:
    return (1, 0) if number % 2 else (0, 1)


def _reversed(known: Outcome) -> Outcome:
    return Outcome(known.number, known.scores[::-1], known.points[::-1], known.shares[::-1])

"""What cannot be meant, and what is merely doubtful, about the time of an event."""

from collections.abc import Iterator
from itertools import pairwise
from math import ceil

from fivehundred.tournament.planning.costs import Limits
from fivehundred.tournament.planning.values import Nonsense

YEAR_S = 365 * 86_400
UNITS = (("year", YEAR_S), ("day", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
MOST_YEARS = 10
LEAST_LIMIT_S = 0.001
"""No answer comes back over a network, or from another process, in less."""
TIGHT_LIMIT_S = 0.02
"""The daemon's own lag may be as much."""
LEAST_CONNECT_S = 0.1
LAUNCH_S = 2.0
"""About what a program takes to come up on a busy machine."""


def limit_doubts(limits: Limits, *, is_launched: bool) -> Iterator[str]:
    """What is doubtful about limits, a sentence each; raises `Nonsense`.

    ``is_launched`` says that some bot is a program that has to be started.
    """
    least = limits.least + limits.bank
    if least < LEAST_LIMIT_S:
        raise Nonsense(
            f"a decision limit of {limits.least:g} s without a bank is less than any answer"
            f" takes on its way: allow {TIGHT_LIMIT_S:g} s or more"
        )
    if limits.connect < LEAST_CONNECT_S:
        raise Nonsense(
            f"a connect limit of {limits.connect:g} s is over before a bot has come up: allow"
            f" {LAUNCH_S:g} s or more"
        )
    if least < TIGHT_LIMIT_S:
        yield (
            f"a decision limit of {limits.least:g} s is less than the daemon's own lag may be"
            f" ({TIGHT_LIMIT_S:g} s): decisions may be void"
        )
    if is_launched and limits.connect < LAUNCH_S:
        yield (
            f"a connect limit of {limits.connect:g} s is short for programs that have to be"
            f" started: {LAUNCH_S:g} s or more leave room"
        )


def time_doubts(expected_s: float, worst_s: float | None, within_s: float | None) -> Iterator[str]:
    """What is doubtful about how long an event takes; raises `Nonsense`.

    ``worst_s`` is None where it may go on for ever, ``within_s`` where it may take any time.
    """
    if worst_s is not None and worst_s > MOST_YEARS * YEAR_S:
        raise Nonsense(
            f"with every decision at its limit it takes {worst_s / YEAR_S:,.0f} years: take fewer"
            " boards, more tables or shorter limits"
        )
    if within_s is None:
        return
    if expected_s > within_s:
        yield f"it is expected to take {span(expected_s)}, longer than {span(within_s)}"
    elif worst_s is None:
        yield f"it has no end, and may take longer than {span(within_s)}"
    elif worst_s > within_s:
        yield (
            f"at worst it takes {span(worst_s)}, longer than {span(within_s)}, though"
            f" {span(expected_s)} is expected"
        )


def span(seconds: float) -> str:
    """A time in words: two units at most, rounded up."""
    for (name, size), (after, part) in pairwise(UNITS):
        if seconds >= size:
            parts = ceil(seconds / part)
            whole, rest = divmod(parts, round(size / part))
            return _told(whole, name) + (f" {_told(rest, after)}" if rest else "")
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.2g} s"


def _told(number: int, unit: str) -> str:
    plural = "s" if number > 1 and unit in ("year", "day") else ""
    return f"{number:,} {unit}{plural}"

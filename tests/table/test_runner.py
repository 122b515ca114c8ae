"""The loop of one match, where the daemon stood still."""

from collections.abc import Callable

import pytest

from fivehundred.table.runner import StoodStill, play_match
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import Ask, Event, HandRecord, Reply

MakeSpec = Callable[..., MatchSpec]
S = 1_000_000


class Late:
    """Answers each decision at once by its own clock; one of them while the daemon stood still."""

    def __init__(self, elapsed_us: int, lag_us: int) -> None:
        self.replies = [(1000, 0)] * 3 + [(elapsed_us, lag_us)]

    async def decide(self, ask: Ask) -> Reply:
        elapsed_us, lag_us = self.replies.pop(0) if self.replies else (1000, 0)
        return Reply(ask.legal.default(), elapsed_us, lag_us)


class Kept:
    """A journal in memory."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.records: list[HandRecord] = []

    def append(self, tournament: str, match: int, events: list[Event]) -> None:
        self.events += events

    def finish_hand(self, tournament: str, match: int, record: HandRecord) -> int:
        self.records.append(record)
        return 0

    async def wait(self, ticket: int) -> None:
        """Nothing is waited for."""


async def play(spec: MatchSpec, late: Late) -> tuple[Kept, bool]:
    table, journal = Table(spec), Kept()
    journal.events += table.start()
    players = {(entrant, seat): late for entrant in (0, 1) for seat in range(4)}
    return journal, await play_match(table, players, journal, lambda: False, lambda _: None)


@pytest.mark.parametrize(("elapsed", "lag"), [(30 * S, 30 * S), (3 * S, 31 * S)])
async def test_a_daemon_that_was_late_within_its_bound_goes_on(
    make_spec: MakeSpec, elapsed: int, lag: int
) -> None:
    journal, is_over = await play(make_spec(), Late(elapsed, lag))

    assert is_over
    assert len(journal.records) == 4


async def test_a_daemon_that_stood_still_beyond_its_bound_judges_nobody(
    make_spec: MakeSpec,
) -> None:
    with pytest.raises(StoodStill, match="stood still for 31 s"):
        await play(make_spec(), Late(31 * S, 31 * S))

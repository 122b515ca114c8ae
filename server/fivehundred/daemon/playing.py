"""Plays matches: these ones, against these players, journalled here.

What stands behind `Source` and the journal may be the director in the same process, or a worker's
line to it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fivehundred.daemon.sessions import Sessions
from fivehundred.table.runner import Journal, StoodStill, finish, keep, play_match
from fivehundred.table.table import MatchSpec, ReplayError, Table
from fivehundred.table.values import Event, HandRecord
from fivehundred.wire.errors import FailedPrecondition


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A match to be played from where the log left it."""

    spec: MatchSpec
    hands: Sequence[HandRecord]
    """Its hands that are stored, in order."""
    under_way: Sequence[Event]
    """What has happened since."""

    def events(self) -> list[Event]:
        """All that the log has of it, in order."""
        events: list[Event] = []
        for record in self.hands:
            events += [record.started, *record.decisions, record.ended]
        return events + list(self.under_way)


class Source(Protocol):
    """Where matches come from, and who is told how they go."""

    async def next(self) -> Unfinished | None:
        """A match to be played; None where there is none, or no more are wanted."""
        ...

    def is_ending(self) -> bool:
        """Whether play should end after the hands under way."""
        ...

    def hand_stored(self, record: HandRecord) -> None:
        """Takes note that a hand is durable."""
        ...

    def match_over(self, number: int) -> None:
        """Takes note that a match has been played to its end."""
        ...


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted of an entrant's sessions."""

    messages_sent: int
    stray_answers: int


async def play(tables: int, source: Source, sessions: Sessions, journal: Journal) -> None:
    """Play what a source gives, so many matches at once."""
    async with asyncio.TaskGroup() as group:
        for _ in range(tables):
            group.create_task(_play_in_turn(source, sessions, journal))


async def _play_in_turn(source: Source, sessions: Sessions, journal: Journal) -> None:
    while (match := await source.next()) is not None:
        table = await _resumed(match, journal)
        try:
            over = await play_match(table, sessions, journal, source.is_ending, source.hand_stored)
        except StoodStill as error:
            raise FailedPrecondition(str(error)) from None
        if over:
            source.match_over(match.spec.number)


async def _resumed(match: Unfinished, journal: Journal) -> Table:
    """The match's table, brought to where the log left it; what the log lacks is made up for.

    Raises `FailedPrecondition` where the log is not of the match: its files may be put right.
    """
    table = Table(match.spec)
    try:
        missing = table.replay(match.events())
    except ReplayError as error:
        raise FailedPrecondition(
            f"the log does not replay: {error}; `fivehundred doctor` says what to do"
        ) from error
    await journal.wait(finish(journal, match.spec, table.take_records()))
    keep(journal, match.spec, missing)
    return table


def counts_of(entrants: int, sessions: Sessions) -> Sequence[Counts]:
    """What was counted, by entrant; seats may share a session."""
    counted = []
    for entrant in range(entrants):
        own = {id(each): each for (owner, _), each in sessions.items() if owner == entrant}.values()
        counted.append(
            Counts(
                sum(session.messages_sent for session in own),
                sum(session.stray_answers for session in own),
            )
        )
    return counted

"""The loop of one match: ask the table, await the player, tell the table, write the journal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import Ask, Event, HandEnded, HandRecord, Reply


class Player(Protocol):
    """Whoever decides for a seat."""

    async def decide(self, ask: Ask) -> Reply:
        """Answer within ``ask.limit_us``, or say what the fault was; never raises for a bot."""
        ...


class Journal(Protocol):
    """Where events go. Tickets rise; ``committed`` is the highest that is durable."""

    committed: int

    def append(self, tournament: str, match: int, events: list[Event]) -> int:
        """Write events soon; gives their ticket."""
        ...

    def finish_hand(self, tournament: str, match: int, record: HandRecord) -> int:
        """Store a whole hand in place of its events; gives its ticket."""
        ...

    async def wait(self, ticket: int) -> None:
        """Return once the ticket is durable; raises what the writer raised."""
        ...


async def play_match(
    table: Table,
    players: Mapping[tuple[int, int], Player],
    journal: Journal,
    should_stop: Callable[[], bool],
    on_hand: Callable[[HandRecord], None],
) -> bool:
    """Play a started table to its end, or to the end of a hand after which it should stop.

    ``players`` are by ``(entrant, seat)``. The answer to a decision takes effect only when what
    came before it is durable, so that a resumed match asks no decision twice whose consequences
    anybody has seen. Gives whether the match is over.
    """
    ticket = 0
    while (ask := table.ask()) is not None:
        reply = await players[ask.entrant, ask.seat].decide(ask)
        if journal.committed < ticket:
            await journal.wait(ticket)
        events = table.reply(reply)
        records = table.take_records()
        ticket = write(journal, table.spec, records, events)
        if records:
            await journal.wait(ticket)
            for record in records:
                on_hand(record)
            if should_stop() and not table.over:
                return False
    return True


def write(
    journal: Journal, spec: MatchSpec, records: Sequence[HandRecord], events: Sequence[Event]
) -> int:
    """Store the hands that have ended and journal what follows them; gives the last ticket."""
    ticket = 0
    for record in records:
        ticket = journal.finish_hand(spec.tournament, spec.number, record)
    if under_way := _after_last_end(events):
        ticket = journal.append(spec.tournament, spec.number, under_way)
    return ticket


def _after_last_end(events: Sequence[Event]) -> list[Event]:
    ends = [index for index, event in enumerate(events) if isinstance(event, HandEnded)]
    return list(events[ends[-1] + 1 :] if ends else events)

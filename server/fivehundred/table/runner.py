"""The loop of one match: ask the table, await the player, tell the table, write the journal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import Ask, Event, HandEnded, HandRecord, Reply

MOST_LAG_US = 30_000_000
"""How late the daemon may be in a decision that is over its limit, and the decision be judged."""


class StoodStill(Exception):
    """The daemon was late for so long inside a decision that nobody can be judged by it."""

    def __init__(self, lag_us: int) -> None:
        super().__init__(
            f"the daemon stood still for {lag_us / 1e6:.0f} s while a bot decided, and judges "
            f"nobody after more than {MOST_LAG_US / 1e6:.0f} s: the decision is asked for again "
            "when the tournament is started"
        )


class Player(Protocol):
    """Whoever decides for a seat."""

    async def decide(self, ask: Ask) -> Reply:
        """Answer within ``ask.limit_us``, or say what the fault was; never raises for a bot."""
        ...


class Journal(Protocol):
    """Where events and hands go."""

    def append(self, tournament: str, match: int, events: list[Event]) -> None:
        """Keep events of a hand under way, at the latest before a player asks a bot anything."""
        ...

    def finish_hand(self, tournament: str, match: int, record: HandRecord) -> int:
        """Store a whole hand in place of its events; gives a ticket."""
        ...

    async def wait(self, ticket: int) -> None:
        """Return once the ticket's hand is durable; raises what the writer raised."""
        ...


async def play_match(
    table: Table,
    players: Mapping[tuple[int, int], Player],
    journal: Journal,
    should_stop: Callable[[], bool],
    on_hand: Callable[[HandRecord], None],
) -> bool:
    """Play a started table to its end, or to the end of a hand after which it should stop.

    ``players`` are by ``(entrant, seat)``. A decision is asked for only when what came before it is
    kept, so that a resumed match asks no decision twice whose consequences anybody has seen. Gives
    whether the match is over. Raises `StoodStill` for a decision that is void.
    """
    while (ask := table.ask()) is not None:
        reply = await players[ask.entrant, ask.seat].decide(ask)
        if reply.lag_us > MOST_LAG_US and reply.elapsed_us > ask.limit_us:
            raise StoodStill(reply.lag_us)
        events = table.reply(reply)
        records = table.take_records()
        if records:
            await journal.wait(finish(journal, table.spec, records))
            keep(journal, table.spec, events)
        else:
            journal.append(table.spec.tournament, table.spec.number, events)
        for record in records:
            on_hand(record)
        if records and should_stop() and not table.over:
            return False
    return True


def finish(journal: Journal, spec: MatchSpec, records: Sequence[HandRecord]) -> int:
    """Store the hands that have ended; gives the last one's ticket."""
    ticket = 0
    for record in records:
        ticket = journal.finish_hand(spec.tournament, spec.number, record)
    return ticket


def keep(journal: Journal, spec: MatchSpec, events: Sequence[Event]) -> None:
    """Keep what belongs to the hand under way."""
    ends = [index for index, event in enumerate(events) if isinstance(event, HandEnded)]
    if under_way := list(events[ends[-1] + 1 :] if ends else events):
        journal.append(spec.tournament, spec.number, under_way)

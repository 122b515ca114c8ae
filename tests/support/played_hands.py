"""Matches that Python bots play in this process, without messages or clocks."""

from collections.abc import Iterator, Sequence

from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import Ask, FaultPolicy, HandRecord, Reply, TimeControl
from fivehundred.tournament.seatings import Seating
from fivehundred.wire.asked import Asked
from fivehundred_client import Bot
from fivehundred_client.bot import decide

PLENTY_US = 3_600_000_000
SECRET = bytes(range(32))


def played_hands(
    rules: RuleSet,
    bots: Sequence[Bot],
    seated: Sequence[Seating],
    *,
    boards: int,
    match: int = 0,
    secret: bytes = SECRET,
) -> Iterator[HandRecord]:
    """The hands of a match over boards in these seatings; a bot for each slot is its entrant."""
    table = Table(
        MatchSpec(
            tournament="trial",
            number=match,
            rules=rules,
            rules_hash=b"r" * 32,
            entrants=tuple(range(len(bots))),
            bots=tuple(f"{bot.name}@{bot.version}" for bot in bots),
            boards=tuple(range(match * boards, (match + 1) * boards)),
            seatings=tuple(seated),
            games=False,
            max_deals=1,
            time=TimeControl(),
            policy=FaultPolicy(),
            seed=secret,
        )
    )
    table.start()
    while (ask := table.ask()) is not None:
        action, _ = decide(bots[ask.entrant], _asked(ask), rules)
        table.reply(Reply(action, elapsed_us=100))
        yield from table.take_records()


def _asked(ask: Ask) -> Asked:
    return Asked("1", ask.kind, ask.view, ask.legal, ask.seed, PLENTY_US, 0, None, b"")

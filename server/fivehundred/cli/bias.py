"""`fivehundred bias`: whether anything but the bots has made the results, and what made them."""

import math
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.counting import show_count
from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import Json
from fivehundred.cli.verify import require_database

if TYPE_CHECKING:
    from fivehundred.storage.store import Store
    from fivehundred.tournament.bias import BiasReport
    from fivehundred.tournament.datum import Datum
    from fivehundred.tournament.honesty.facts import FactRows
    from fivehundred.tournament.parts import Parts
    from fivehundred.wire.spec import Plan
    from fivehundred_client import Bot

EXAMPLE = "Example: fivehundred bias fivehundred.db --datum fivehundred_bots.basic:Basic"


@dataclass(frozen=True, slots=True)
class Checked:
    """All that is said of one tournament."""

    tournament: str
    bias: "BiasReport"
    parts: "Parts"
    datum: "Datum | None"
    """None where no datum bot was named."""
    datum_of_one_seating: "Datum | None"
    """The same of the first seating of each board alone, whose luck has not cancelled."""


def bias(
    database: Annotated[Path, typer.Argument(metavar="DATABASE", help="The database to read.")],
    tournament: Annotated[
        str | None,
        typer.Argument(metavar="TOURNAMENT", help="This tournament only.", show_default=False),
    ] = None,
    datum: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:CLASS",
            help="Play every deal with this Python bot in all seats, and take out the luck that "
            "it shows. It must be deterministic.",
        ),
    ] = None,
    coefficient: Annotated[
        float | None,
        typer.Option(
            metavar="B",
            help="How much of the datum to take out, fixed beforehand; fitted where not given.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look for bias by seat, dealer and order, for residuals and for bots that are not themselves.

    Says where each entrant's points came from as well. A flag is a question, not a verdict: the
    exit code is 0 whatever is found, and nothing is written.
    """
    from fivehundred.cli.bias_text import print_checked
    from fivehundred.cli.datum_table import load_datum_bot
    from fivehundred.cli.output import print_json
    from fivehundred.storage.store import read_store

    require_database(database)
    if coefficient is not None and (datum is None or not math.isfinite(coefficient)):
        raise ConfigError("--coefficient says how much of a datum to take out: give --datum too")
    bot = None if datum is None else load_datum_bot(datum)
    with read_store(database) as store:
        checked = [_check(store, name, bot, coefficient) for name in _names(store, tournament)]
    if as_json:
        print_json({"tournaments": [asdict(each) for each in checked]})
        return
    for each in checked:
        print_checked(each)


def _names(store: "Store", wanted: str | None) -> list[str]:
    """The tournament that is wanted, or all that have hands, oldest first."""
    from fivehundred.wire.mistakes import near

    newest_first = [each.name for each in store.all_tournaments()]
    known = [name for name in newest_first[::-1] if name == wanted or store.hand_count(name)]
    if wanted is None:
        return known
    if wanted not in known:
        raise ConfigError(f"there is no tournament {wanted!r}{near(wanted, known)}")
    return [wanted]


def _check(store: "Store", name: str, bot: "Bot | None", coefficient: float | None) -> Checked:
    from fivehundred.daemon.results import plan_of
    from fivehundred.storage.facts import read_facts
    from fivehundred.tournament.bias import bias as bias_report
    from fivehundred.tournament.parts import parts

    plan = plan_of(store, name)
    entrants = [entrant.name for entrant in plan.entrants]
    facts = read_facts(store, name, plan.rules, partial(show_count, what="hands read", of=name))
    counted = facts.counted(games=plan.games)
    whole, single = _datums(store, plan, counted, bot, coefficient)
    return Checked(
        tournament=name,
        bias=bias_report(facts, entrants, games=plan.games),
        parts=parts(counted, entrants, facts.bids),
        datum=whole,
        datum_of_one_seating=single,
    )


def _datums(
    store: "Store", plan: "Plan", counted: "FactRows", bot: "Bot | None", coefficient: float | None
) -> "tuple[Datum | None, Datum | None]":
    """What the datum tells of whole boards, and of their first seatings alone."""
    from fivehundred.cli.datum_table import play_deals
    from fivehundred.storage.facts import read_deals
    from fivehundred.tournament.datum import datum

    if bot is None:
        return None, None
    what = "hands with their deal played by the datum bot"
    tell = partial(show_count, what=what, of=plan.name)
    points = play_deals(bot, plan.rules, read_deals(store, plan.name, tell))
    entrants = [entrant.name for entrant in plan.entrants]
    identity = f"{bot.name}@{bot.version}"
    whole, single = (
        datum(rows, plan.rules, points, entrants, bot=identity, coefficient=coefficient)
        for rows in (counted, counted.chosen(counted.hands.seating == 0))
    )
    return whole, single

"""`fivehundred ratings`: bots rated over many tournaments, in one database or several."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import Json
from fivehundred.cli.verify import require_database

EXAMPLE = "Example: fivehundred ratings fivehundred.db --anchor basic@1.0"


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be rated, and how."""

    tournaments: frozenset[str] = frozenset()
    """Empty for all that are finished."""
    rules: str = ""
    """A preset, or the start of a hash; empty for all."""
    anchor: str | None = None
    prior: float | None = None
    with_sequential: bool = False
    live: bool = False


def ratings(
    databases: Annotated[
        list[Path], typer.Argument(metavar="DATABASE...", help="The databases to read.")
    ],
    tournament: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Count this tournament as far as it goes; may be repeated. All that are finished "
            "count where none is named.",
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="PRESET|HASH", help="Only this rule set: a preset, or the start of its hash."
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            metavar="BOT@VERSION",
            help="The bot whose Elo is 1500; the mean of each pool is where none is given.",
        ),
    ] = None,
    prior: Annotated[
        float | None,
        typer.Option(
            metavar="K",
            help="Add K virtual draws of each bot against an average one to the Elo, for sparse "
            "pools; it is named in the output.",
        ),
    ] = None,
    with_sequential: Annotated[
        bool, typer.Option("--with-sequential", help="Count sequential tests too.")
    ] = False,
    chances: Annotated[
        bool, typer.Option("--chances", help="Print the chance of each to be better than each.")
    ] = False,
    live: Annotated[
        bool,
        typer.Option("--live", help="Show running ratings as well, for live display only."),
    ] = False,
    as_json: Json = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a row for each bot and pool, for spreadsheets.")
    ] = False,
) -> None:
    """Rate bots over tournaments: a bot of a new version is a new player.

    Ratings are kept apart by rule set, table size, team form, and boards or games. Nothing is
    written; whether the logs are right is for `fivehundred verify` to say.
    """
    from fivehundred.cli.output import print_json
    from fivehundred.cli.ratings_data import print_csv, report_json
    from fivehundred.cli.ratings_read import rated_report
    from fivehundred.cli.ratings_text import print_report

    if as_json and as_csv:
        raise ConfigError("--json and --csv are two forms of one answer: give one of them")
    if prior is not None and not (math.isfinite(prior) and prior > 0):
        raise ConfigError(f"a prior of {prior:g} draws is none: give a number above 0")
    for database in databases:
        require_database(database)
    choice = Choice(frozenset(tournament or ()), rules or "", anchor, prior, with_sequential, live)
    report = rated_report(databases, choice)
    if as_json:
        print_json(report_json(report))
    elif as_csv:
        print_csv(report)
    else:
        print_report(report, chances=chances)

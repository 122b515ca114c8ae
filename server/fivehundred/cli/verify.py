"""`fivehundred verify`: prove a whole log, and rank it again."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.counting import show_count
from fivehundred.cli.failures import FAILED, ConfigError
from fivehundred.cli.options import Json

if TYPE_CHECKING:
    from fivehundred.storage.verify import Report, Result

EXAMPLE = "Example: fivehundred verify fivehundred.db"


def verify(
    database: Annotated[Path, typer.Argument(metavar="DATABASE", help="The database to check.")],
    tournament: Annotated[
        str | None, typer.Option(metavar="NAME", help="Check this tournament only.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay every match from the log alone, check every digest, and rank the entrants again.

    A tournament that is not finished is checked as far as it goes. Leaves with exit code 1 where
    anything is wrong.
    """
    from fivehundred.storage.store import read_store
    from fivehundred.storage.verify import verify as verify_log

    require_database(database)
    with read_store(database) as store:
        report = verify_log(store, tournament, partial(show_count, what="hands"))
    _print(report, as_json)
    if not report.is_clean:
        raise typer.Exit(FAILED)


def require_database(database: Path) -> None:
    """Raise `ConfigError` where a file to be read is not there."""
    if "://" not in str(database) and not database.is_file():
        raise ConfigError(f"{database} does not exist: name a database with hands in it")


def _print(report: "Report", as_json: bool) -> None:
    from fivehundred.cli.output import count_text, harmless, print_json

    if as_json:
        print_json(_json(report))
        return
    for result in report.results:
        _print_result(result)
    for problem in report.problems:
        typer.echo(harmless(str(problem)))
    hands = count_text(report.hands, "hand")
    tournaments = count_text(report.tournaments, "tournament")
    if report.is_clean:
        typer.echo(f"verified {hands} of {tournaments}")
    else:
        problems = count_text(len(report.problems), "problem")
        typer.echo(f"{problems} in {hands} of {tournaments}")


def _json(report: "Report") -> dict[str, object]:
    from fivehundred.cli.output import json_of

    return {
        "tournaments": report.tournaments,
        "hands": report.hands,
        "problems": [asdict(problem) for problem in report.problems],
        "results": [
            {
                "tournament": result.tournament,
                "state": result.state.name,
                "seed_commitment": result.commitment.hex(),
                "log_digest": result.log_digest.hex(),
                "standings": json_of(result.standings),
            }
            for result in report.results
        ],
    }


def _print_result(result: "Result") -> None:
    """What strangers compare with what was published, and the ranking."""
    from fivehundred.cli.output import console, harmless
    from fivehundred.cli.standings import print_standings

    typer.echo(f"{harmless(result.tournament)}: {result.state.name}")
    typer.echo(f"  seed commitment {result.commitment.hex()}")
    typer.echo(f"  log digest      {result.log_digest.hex()}")
    if result.standings.hands:
        print_standings(console(), result.standings)

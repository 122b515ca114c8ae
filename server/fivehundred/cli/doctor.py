"""`fivehundred doctor`: what state a database and this machine are in, and what to do."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from fivehundred import __version__
from fivehundred.cli.build import build
from fivehundred.cli.failures import FAILED
from fivehundred.cli.options import Json

EXAMPLE = "Example: fivehundred doctor fivehundred.db"


def doctor(
    database: Annotated[
        Path | None,
        typer.Argument(metavar="DATABASE", help="The database to look at; none: the machine only."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look at a database, its files and this machine, and say what to do about each problem.

    Reads only; works beside a daemon. Leaves with exit code 1 where there is a problem.
    """
    from fivehundred.cli.output import print_json
    from fivehundred.daemon.diagnosis import diagnosis
    from fivehundred.storage.diagnosis import Check

    checks = [Check("fivehundred", f"{__version__}, {build()}"), *diagnosis(database)]
    problems = [check for check in checks if check.is_problem]
    if as_json:
        print_json({"problems": len(problems), "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            _print(check.topic, check.found, check.advice)
    if problems:
        raise typer.Exit(FAILED)


def _print(topic: str, found: str, advice: str) -> None:
    from fivehundred.cli.output import harmless

    mark = "!" if advice else " "
    typer.echo(f"{mark} {harmless(topic) + ':':<17}{harmless(found)}")
    if advice:
        typer.echo(f"{'':19}-> {advice}")

"""`fivehundred run`: a whole tournament in one command."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.failures import CliError
from fivehundred.cli.options import DEFAULT_DATABASE, Database, Json, SpecFile, Workers

if TYPE_CHECKING:
    from fivehundred.v1.tournament_pb2 import Standings, Tournament, TournamentSpec

MAX_TABLES = 4096
"""What a tournament's file may say at most; written here too, since importing it takes long."""

EXAMPLE = "Example: fivehundred run tournaments/demo.textproto --database demo.db"


def run(
    file: SpecFile,
    database: Database = DEFAULT_DATABASE,
    tables: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_TABLES, help="Matches at once, instead of the file's."),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="64 hexadecimal digits, instead of the file's."),
    ] = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Play a tournament to its end and print the standings.

    Run again, it goes on where it stopped, or prints the standings of a finished one.
    """
    from fivehundred.cli.specs import read_spec

    spec = read_spec(file)
    if tables is not None:
        spec.tables = tables
    if seed is not None:
        spec.seed = seed
    played, standings = _play(spec, database, workers)
    _require_finished(played)
    _print(played, standings, as_json)


def _play(spec: "TournamentSpec", database: Path, workers: int) -> tuple["Tournament", "Standings"]:
    import asyncio
    import logging

    from fivehundred.cli.progress import progress_shown
    from fivehundred.daemon import logs
    from fivehundred.daemon.embedded import run_tournament
    from fivehundred.daemon.garbage import look_rarely
    from fivehundred.daemon.results import standings_of
    from fivehundred.storage.store import read_store

    logs.configure(json=False, level=logging.ERROR)
    look_rarely()
    with progress_shown(spec.name) as on_progress:
        played = asyncio.run(run_tournament(spec, database, on_progress, workers))
    with read_store(database) as store:
        return played, standings_of(store, played.spec.name)


def _require_finished(played: "Tournament") -> None:
    from fivehundred.v1.tournament_pb2 import TOURNAMENT_STATE_FINISHED

    if played.state != TOURNAMENT_STATE_FINISHED:
        reason = played.reason or "it was stopped; run the same command again to go on"
        raise CliError(f"{played.spec.name} is not finished: {reason}")


def _print(played: "Tournament", standings: "Standings", as_json: bool) -> None:
    from fivehundred.cli.output import console, json_of, print_json
    from fivehundred.cli.standings import print_standings

    if as_json:
        print_json({"tournament": json_of(played), "standings": json_of(standings)})
        return
    print_standings(console(), standings, played.spec.format.sequential)
    console().print(f"log digest {played.log_digest.hex()}")

"""`fivehundred tournament report`: a tournament as a page, as JSON and as CSV."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred import __version__
from fivehundred.cli.counting import show_count
from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import Json, TournamentName

if TYPE_CHECKING:
    from fivehundred.report.values import Report
    from fivehundred.storage.store import Store
    from fivehundred.storage.values import StoredTournament

EXAMPLE = "Example: fivehundred tournament report fivehundred.db demo --output demo.html"
ENDINGS = (".html", ".json", ".csv")
"""What a directory that is to be made is not called."""


class Format(Enum):
    """What a report can be written as."""

    HTML = "html"
    JSON = "json"
    CSV = "csv"


def report(
    database: Annotated[
        Path, typer.Argument(metavar="DATABASE", help="The database with the hands.")
    ],
    name: TournamentName,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="A file; or a directory, which several files need. NAME-report.html, "
            "NAME-report.json or the directory NAME-report where left out.",
        ),
    ] = None,
    formats: Annotated[
        list[Format] | None,
        typer.Option("--format", help="May be given several times; html where left out."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a tournament's report: results with their error bars, checks, parameters and proofs.

    A function of the log alone: the same log gives the same bytes. Of a tournament that is not
    finished it says so and shows what there is. With --json the report itself is printed; files
    are then written only where --output or --format asks for them.
    """
    from fivehundred.cli.output import print_json
    from fivehundred.cli.verify import require_database
    from fivehundred.report.as_json import as_json as told
    from fivehundred.storage.store import read_store

    require_database(database)
    wanted = list(dict.fromkeys(formats or ()))
    with read_store(database) as store:
        made = _made(store, name)
    if as_json:
        print_json(told(made))
        if not wanted and output is None:
            return
    for path in _write(made, wanted or [Format.HTML], output):
        if not as_json:
            typer.echo(str(path))


def _made(store: "Store", name: str) -> "Report":
    from fivehundred.cli.rules_text import parameter_texts
    from fivehundred.cli.tournament_text import rules_text
    from fivehundred.storage.reports import read_report
    from fivehundred.v1.tournament_pb2 import TournamentSpec

    stored = store.tournament(name)
    return read_report(
        store,
        name,
        __version__,
        rules=rules_text(TournamentSpec.FromString(stored.spec).rules),
        created=_time_text(stored.create_time_us),
        parameters=tuple(_parameters(stored)),
        rule_parameters=tuple(parameter_texts(stored.rules).items()),
        tell=lambda what, done, total: show_count(done, total, what),
    )


def _time_text(microseconds: int) -> str:
    return f"{datetime.fromtimestamp(microseconds // 1_000_000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _parameters(stored: "StoredTournament") -> Iterator[tuple[str, str]]:
    """What the tournament is played with, every default filled in."""
    from google.protobuf import text_format

    from fivehundred.cli.policy_text import policy_text, time_text
    from fivehundred.v1.tournament_pb2 import TournamentSpec
    from fivehundred.wire.spec import check_spec

    spec = TournamentSpec.FromString(stored.spec)
    plan = check_spec(spec, stored.rules)
    play = "games to the target" if plan.games else "boards of one hand"
    yield "Format", text_format.MessageToString(spec.format, as_one_line=True) or "round_robin {}"
    yield "What is played", play
    yield "Boards of a match", str(plan.boards_per_match)
    if plan.games:
        yield "Deals of a game at most", str(plan.max_deals)
    yield "Time", time_text(spec.time_control)
    yield "Faults", policy_text(spec.fault_policy)
    yield "Tables", str(plan.tables)
    yield "Anchor", spec.anchor or "none: the mean of all"


def _write(made: "Report", formats: Sequence[Format], output: Path | None) -> list[Path]:
    """Write the files; gives where they are."""
    files = {name: text for each in formats for name, text in _files(made, each)}
    if len(files) == 1 and not (output is not None and output.is_dir()):
        ((name, text),) = files.items()
        return [_written(output or Path(f"{made.facts.tournament}-{name}"), text)]
    directory = output or Path(f"{made.facts.tournament}-report")
    if directory.exists() and not directory.is_dir():
        raise ConfigError(f"{directory} is a file: {len(files)} files need a directory")
    if not directory.exists() and directory.suffix.lower() in ENDINGS:
        raise ConfigError(f"{directory} is the name of a file: {len(files)} files need a directory")
    directory.mkdir(parents=True, exist_ok=True)
    return [_written(directory / name, text) for name, text in files.items()]


def _files(made: "Report", form: Format) -> Iterator[tuple[str, str]]:
    from fivehundred.report.as_json import as_json
    from fivehundred.report.page import page
    from fivehundred.report.tables import tables

    match form:
        case Format.HTML:
            yield "report.html", page(made)
        case Format.JSON:
            yield "report.json", json.dumps(as_json(made), indent=2, ensure_ascii=False) + "\n"
        case Format.CSV:
            yield from ((f"{table.name}.csv", table.csv()) for table in tables(made))


def _written(path: Path, text: str) -> Path:
    if not path.parent.is_dir():
        raise ConfigError(f"there is no directory {path.parent}: make it, or write elsewhere")
    path.write_text(text, encoding="utf-8", newline="")
    return path

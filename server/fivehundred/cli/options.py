"""The options that several commands share."""

from contextvars import ContextVar
from pathlib import Path
from typing import Annotated

import typer

DEFAULT_DATABASE = Path("fivehundred.db")
DEFAULT_DAEMON = "127.0.0.1:5000"
MAX_WORKERS = 64

TLS_CA: ContextVar[Path | None] = ContextVar("tls_ca", default=None)
"""What stands in --tls-ca before the command."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, for programs.")]
Database = Annotated[
    Path, typer.Option("--database", metavar="FILE", help="The database of hands and results.")
]
Daemon = Annotated[
    str,
    typer.Option(
        "--daemon",
        envvar="FIVEHUNDRED_DAEMON",
        metavar="ADDRESS",
        help="Where the daemon listens: host:port or unix:PATH.",
    ),
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        min=1,
        max=MAX_WORKERS,
        metavar="N",
        help="Processes that play each tournament; 1: this one does.",
    ),
]
SpecFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A tournament as .textproto or .json.")
]
TournamentName = Annotated[str, typer.Argument(metavar="NAME", help="The tournament's name.")]

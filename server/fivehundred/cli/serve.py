"""`fivehundred serve`: the daemon."""

from typing import Annotated

import typer

from fivehundred.cli.options import DEFAULT_DAEMON, DEFAULT_DATABASE, Database, Workers

EXAMPLE = "Example: fivehundred serve --listen 0.0.0.0:5000 --database fivehundred.db"


def serve(
    listen: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen: host:port or unix:PATH.")
    ] = DEFAULT_DAEMON,
    database: Database = DEFAULT_DATABASE,
    log_json: Annotated[
        bool | None,
        typer.Option(
            "--log-json/--log-text", help="How to log; text on a terminal, JSON elsewhere."
        ),
    ] = None,
    keepalive: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0.01, help="Ping every connection that is silent for so long."
        ),
    ] = 30.0,
    workers: Workers = 1,
) -> None:
    """Run the daemon until it is told to stop (SIGTERM or Ctrl-C).

    Tournaments that were under way go on. The address listened at is the first line of output.
    """
    import asyncio

    from fivehundred.daemon import logs
    from fivehundred.daemon.serve import serve as serve_until_stopped

    logs.configure(json=log_json)
    exit_code = asyncio.run(serve_until_stopped(listen, database, _say_ready, keepalive, workers))
    raise typer.Exit(exit_code)


def _say_ready(address: str) -> None:
    print(f"listening on {address}", flush=True)

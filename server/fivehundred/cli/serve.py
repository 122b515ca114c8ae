"""`fivehundred serve`: the daemon."""

from pathlib import Path
from typing import Annotated

import typer

from fivehundred.cli.options import DEFAULT_DAEMON, DEFAULT_DATABASE, Database, Workers

EXAMPLE = "Example: fivehundred serve --listen 127.0.0.1:5000 --database fivehundred.db"


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
    tokens: Annotated[
        bool | None,
        typer.Option(
            "--tokens/--no-tokens",
            help="Whether callers need a token; they do beyond this machine, or once there is one.",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The daemon's certificate, as PEM: listen with TLS."),
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate's private key, as PEM.")
    ] = None,
    client_ca: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Let in whoever has a certificate of this authority."),
    ] = None,
    plaintext: Annotated[
        bool,
        typer.Option("--plaintext", help="Listen without TLS on an address of a network as well."),
    ] = False,
    calls_each: Annotated[
        int, typer.Option(metavar="N", min=1, help="Calls of one address at once.")
    ] = 64,
    rate_each: Annotated[
        float, typer.Option(metavar="N", min=1, help="Calls a second of one address.")
    ] = 200.0,
    watchers: Annotated[
        int, typer.Option(metavar="N", min=1, help="Lasting streams, such as watchers, at once.")
    ] = 1000,
    watchers_each: Annotated[
        int, typer.Option(metavar="N", min=1, help="Lasting streams of one address at once.")
    ] = 200,
    bots: Annotated[
        int, typer.Option(metavar="N", min=1, help="Bots that have dialled in at once.")
    ] = 1000,
    bots_each: Annotated[
        int, typer.Option(metavar="N", min=1, help="Bots of one address that have dialled in.")
    ] = 200,
    unread: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0.01, help="How long a stream may go without reading."),
    ] = 10.0,
) -> None:
    """Run the daemon until it is told to stop (SIGTERM or Ctrl-C).

    Tournaments that were under way go on. The address listened at is the first line of output.
    """
    import asyncio

    from fivehundred.daemon import logs
    from fivehundred.daemon.garbage import look_rarely
    from fivehundred.daemon.limits import Limits
    from fivehundred.daemon.listening import Security
    from fivehundred.daemon.serve import serve as serve_until_stopped

    logs.configure(json=log_json)
    look_rarely()
    security = Security(tokens, tls_cert, tls_key, client_ca, plaintext)
    limits = Limits(
        calls_each=calls_each,
        rate_each=rate_each,
        burst_each=round(2 * rate_each),
        watchers=watchers,
        watchers_each=watchers_each,
        bots=bots,
        bots_each=bots_each,
        unread_s=unread,
    )
    serving = serve_until_stopped(
        listen, database, _say_ready, keepalive, workers, security, limits
    )
    raise typer.Exit(asyncio.run(serving))


def _say_ready(address: str) -> None:
    print(f"listening on {address}", flush=True)

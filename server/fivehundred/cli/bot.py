"""`fivehundred bot …`: serving a bot, and the daemon's register of bots."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import DEFAULT_DAEMON, DEFAULT_DATABASE, Daemon, Database, Json
from fivehundred.cli.verify import require_database

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fivehundred.v1.hands_pb2 import TraceEntrantResponse
    from fivehundred.v1.registry_pb2 import Bot, RegisterBotResponse, RenewBotTokenResponse

ANY_PORT = "127.0.0.1:0"
BotName = Annotated[str, typer.Argument(metavar="NAME", help="The bot's name in the register.")]

app = typer.Typer(
    name="bot",
    help="Serve a bot, and register bots with a daemon.",
    epilog="Example: fivehundred bot serve my_bots:Careful --listen 127.0.0.1:5001",
    no_args_is_help=True,
)


@app.command(epilog="Example: fivehundred bot serve my_bots:Careful --listen 127.0.0.1:5001")
def serve(
    where: Annotated[
        str, typer.Argument(metavar="MODULE:CLASS", help="The bot; ./ is searched for the module.")
    ],
    listen: Annotated[
        str,
        typer.Option(
            envvar="FIVEHUNDRED_LISTEN",
            metavar="ADDRESS",
            help="Where to listen: host:port (port 0 for a free one) or unix:PATH.",
        ),
    ] = ANY_PORT,
    attach: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Dial in to the daemon there instead; FIVEHUNDRED_TOKEN is the token.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What it is registered as there; its own name if unset."),
    ] = None,
) -> None:
    """Serve a Python bot until it is told to stop (SIGTERM or Ctrl-C)."""
    from fivehundred.cli.connection import tls
    from fivehundred.cli.loading import load_bot
    from fivehundred_client import run

    sys.path.insert(0, str(Path.cwd()))
    if name is not None and attach is None:
        raise ConfigError("--name says who dials in: add --attach ADDRESS")
    run(load_bot(where), listen, attach=attach, name=name, tls=tls())


@app.command(epilog="Example: fivehundred bot register careful 127.0.0.1:5001")
def register(
    name: BotName,
    address: Annotated[
        str | None,
        typer.Argument(metavar="ADDRESS", help="Where it listens: host:port or unix:PATH."),
    ] = None,
    attached: Annotated[
        bool, typer.Option("--attached", help="It dials in; prints its token, which is told once.")
    ] = False,
    daemon: Daemon = DEFAULT_DAEMON,
    as_json: Json = False,
) -> None:
    """Register a bot, so that tournaments can name it: one that is being served, or dials in."""
    from fivehundred.cli import remote
    from fivehundred.cli.output import json_of, print_json

    if attached == (address is not None):
        raise ConfigError("a bot is dialled at an ADDRESS or dials in with --attached: give one")
    if address is None:
        _print_token(remote.register_attached_bot(daemon, name), as_json)
        return
    bot = remote.register_bot(daemon, name, address)
    if as_json:
        print_json(json_of(bot))
    else:
        typer.echo(f"{bot.name} is {bot.identity} at {bot.address}")


@app.command(epilog="Example: fivehundred bot token careful")
def token(name: BotName, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Give a bot that dials in a new token; the old one is worth nothing from then on."""
    from fivehundred.cli import remote

    _print_token(remote.renew_token(daemon, name), as_json)


@app.command("list", epilog="Example: fivehundred bot list")
def list_bots(daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """List the registered bots."""
    from fivehundred.cli import remote
    from fivehundred.cli.output import json_of, print_json

    bots = remote.bots(daemon)
    if as_json:
        print_json({"bots": [json_of(bot) for bot in bots]})
    else:
        _print_bots(bots)


@app.command(epilog="Example: fivehundred bot delete careful")
def delete(name: BotName, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Forget a registered bot; the hands it has played stay."""
    from fivehundred.cli import remote
    from fivehundred.cli.output import print_json

    remote.delete_bot(daemon, name)
    if as_json:
        print_json({"deleted": name})
    else:
        typer.echo(f"{name} is forgotten")


@app.command(epilog="Example: fivehundred bot trace demo careful --faults --database demo.db")
def trace(
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament's name.")],
    entrant: Annotated[str, typer.Argument(metavar="ENTRANT", help="The entrant's name in it.")],
    faults: Annotated[
        bool, typer.Option("--faults", help="Only decisions that were faults.")
    ] = False,
    hand: Annotated[
        int | None, typer.Option(metavar="ID", help="Only the hand of this number.")
    ] = None,
    database: Database = DEFAULT_DATABASE,
    daemon: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Ask this daemon instead of reading a database."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show every decision of an entrant: what it was asked, answered, charged, and its faults.

    What it was asked is the request as it was sent, rebuilt from the log. With --json one decision
    a line.
    """
    from fivehundred.cli.output import console, json_of, print_json
    from fivehundred.cli.trace import print_decision

    if daemon is None:
        found = _traced(database, tournament, entrant, faults_only=faults)
    else:
        from fivehundred.cli import remote

        found = remote.trace(daemon, tournament, entrant, faults_only=faults)
    for each in found:
        if hand not in (None, each.hand):
            continue
        if as_json:
            print_json(json_of(each))
        else:
            print_decision(console(), each)


def _traced(
    database: Path, tournament: str, entrant: str, *, faults_only: bool
) -> "Iterator[TraceEntrantResponse]":
    from fivehundred.daemon.trace import trace, trace_messages
    from fivehundred.storage.store import read_store

    require_database(database)
    with read_store(database) as store:
        for traced in trace(store, tournament, entrant):
            yield from trace_messages(traced, faults_only=faults_only)


def _print_token(given: "RegisterBotResponse | RenewBotTokenResponse", as_json: bool) -> None:
    """Print a token: it alone on standard output, so that a script can keep it."""
    from fivehundred.cli.output import json_of, print_json

    if as_json:
        print_json(json_of(given))
        return
    typer.echo(given.token)
    typer.echo(
        f"{given.bot.name} dials in with this token, which is not told again: "
        "keep it in FIVEHUNDRED_TOKEN",
        err=True,
    )


def _print_bots(bots: "Sequence[Bot]") -> None:
    from fivehundred.cli.output import console, plain_table

    table = plain_table("name", "bot", "address")
    for bot in bots:
        away = "dials in, attached" if bot.attached else "dials in, not attached"
        table.add_row(bot.name, bot.identity, away if bot.dials_in else bot.address)
    console().print(table if bots else "no bots are registered")

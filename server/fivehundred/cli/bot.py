"""`fivehundred bot …`: serving a bot, and the daemon's register of bots."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.options import DEFAULT_DAEMON, Daemon, Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fivehundred.v1.registry_pb2 import Bot

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
) -> None:
    """Serve a Python bot until it is told to stop (SIGTERM or Ctrl-C)."""
    from fivehundred.cli.loading import load_bot
    from fivehundred_client import run

    sys.path.insert(0, str(Path.cwd()))
    run(load_bot(where), listen)


@app.command(epilog="Example: fivehundred bot register careful 127.0.0.1:5001")
def register(
    name: BotName,
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Where it listens: host:port or unix:PATH.")
    ],
    daemon: Daemon = DEFAULT_DAEMON,
    as_json: Json = False,
) -> None:
    """Register a bot that is being served, so that tournaments can name it."""
    from fivehundred.cli import remote
    from fivehundred.cli.output import json_of, print_json

    bot = remote.register_bot(daemon, name, address)
    if as_json:
        print_json(json_of(bot))
    else:
        typer.echo(f"{bot.name} is {bot.identity} at {bot.address}")


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


def _print_bots(bots: "Sequence[Bot]") -> None:
    from fivehundred.cli.output import console, plain_table

    table = plain_table("name", "bot", "address")
    for bot in bots:
        table.add_row(bot.name, bot.identity, bot.address)
    console().print(table if bots else "no bots are registered")

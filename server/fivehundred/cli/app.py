"""The program `fivehundred`: its commands, and what it says when one fails.

Command modules import gRPC, the database and numpy inside their functions, so that help is instant.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fivehundred import __version__
from fivehundred.cli import (
    bias,
    bot,
    doctor,
    hand,
    plan,
    ratings,
    referee,
    rules,
    run,
    serve,
    token,
    tournament,
    verify,
)
from fivehundred.cli.build import build
from fivehundred.cli.failures import failure_of
from fivehundred.cli.options import TLS_CA, Json

INTERRUPTED = 130

app = typer.Typer(
    name="fivehundred",
    help="Tournaments of the card game 500 between bots.",
    epilog="Example: fivehundred run tournaments/demo.textproto",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=run.EXAMPLE)(run.run)
app.command(epilog=plan.EXAMPLE)(plan.plan)
app.command(epilog=serve.EXAMPLE)(serve.serve)
app.add_typer(tournament.app)
app.add_typer(bot.app)
app.add_typer(hand.app)
app.add_typer(token.app)
app.command(epilog=verify.EXAMPLE)(verify.verify)
app.command(epilog=bias.EXAMPLE)(bias.bias)
app.command(epilog=doctor.EXAMPLE)(doctor.doctor)
app.command(epilog=ratings.EXAMPLE)(ratings.ratings)
app.add_typer(rules.app)
app.command(epilog=referee.EXAMPLE)(referee.referee)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fivehundred {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_say_version, help="Print the version and stop."
        ),
    ] = False,
    tls_ca: Annotated[
        Path | None,
        typer.Option(
            envvar="FIVEHUNDRED_TLS_CA",
            metavar="FILE",
            help="Speak TLS with the daemon, whose certificate this authority's PEM file proves.",
        ),
    ] = None,
) -> None:
    """Take the options that stand before the command."""
    TLS_CA.set(tls_ca)


@app.command(epilog="Example: fivehundred version --json")
def version(as_json: Json = False) -> None:
    """Print the version, and whether the rules are compiled or pure Python."""
    if as_json:
        typer.echo(json.dumps({"version": __version__, "build": build()}))
    else:
        typer.echo(f"fivehundred {__version__} ({build()})")


def main() -> None:
    """Run the program with the process's arguments and leave with its exit code."""
    sys.exit(execute(sys.argv[1:]))


def execute(arguments: Sequence[str]) -> int:
    """Run the program with some arguments; gives its exit code, also for expected errors."""
    try:
        outcome = app(list(arguments), prog_name="fivehundred", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        failure = failure_of(error)
        if failure is None:
            raise
        _report(failure.messages, as_json="--json" in arguments)
        return failure.exit_code
    return outcome if isinstance(outcome, int) else 0


def _report(messages: Sequence[str], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"error": "; ".join(messages)}, ensure_ascii=False), err=True)
        return
    for message in messages:
        typer.echo(f"error: {message}", err=True)

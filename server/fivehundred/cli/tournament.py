"""`fivehundred tournament …`: what an operator tells a daemon."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli import report
from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import DEFAULT_DAEMON, Daemon, Json, SpecFile, TournamentName

if TYPE_CHECKING:
    from fivehundred.v1.tournament_pb2 import Tournament

app = typer.Typer(
    name="tournament",
    help="Create, run and follow the tournaments of a daemon.",
    epilog="Example: fivehundred tournament create tournaments/demo.textproto --start",
    no_args_is_help=True,
)


@app.command(epilog="Example: fivehundred tournament create tournaments/demo.textproto --start")
def create(
    file: SpecFile,
    start_now: Annotated[bool, typer.Option("--start", help="Start it at once.")] = False,
    daemon: Daemon = DEFAULT_DAEMON,
    as_json: Json = False,
) -> None:
    """Store a tournament with the daemon."""
    from fivehundred.cli import remote
    from fivehundred.cli.specs import read_spec

    _print(remote.create_tournament(daemon, read_spec(file), start=start_now), as_json)


@app.command(epilog="Example: fivehundred tournament validate tournaments/demo.textproto")
def validate(file: SpecFile, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Check a tournament and say what it would play; nothing is stored."""
    from fivehundred.cli import remote
    from fivehundred.cli.specs import read_spec

    _print(remote.validate_tournament(daemon, read_spec(file)), as_json)


@app.command(epilog="Example: fivehundred tournament start demo")
def start(name: TournamentName, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Start a tournament that is created or paused."""
    from fivehundred.cli import remote

    _print(remote.start_tournament(daemon, name), as_json)


@app.command(epilog="Example: fivehundred tournament pause demo")
def pause(name: TournamentName, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Stop at once; the hands under way go on when it is started again."""
    from fivehundred.cli import remote

    _print(remote.pause_tournament(daemon, name), as_json)


@app.command(epilog="Example: fivehundred tournament drain demo")
def drain(name: TournamentName, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Let the hands under way finish, then pause."""
    from fivehundred.cli import remote

    _print(remote.drain_tournament(daemon, name), as_json)


@app.command(epilog="Example: fivehundred tournament join ladder newcomer --address 127.0.0.1:5001")
def join(
    name: TournamentName,
    entrant: Annotated[
        str,
        typer.Argument(metavar="ENTRANT", help="Its name; one that has left is back."),
    ],
    address: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where a new entrant's bot is dialled.")
    ] = None,
    registered: Annotated[
        str | None, typer.Option(metavar="BOT", help="The name of a new entrant's registered bot.")
    ] = None,
    daemon: Daemon = DEFAULT_DAEMON,
    as_json: Json = False,
) -> None:
    """Let an entrant come to a ladder that is created or paused, from its next match on."""
    from fivehundred.cli import remote
    from fivehundred.v1.tournament_pb2 import Entrant

    coming = Entrant(name=entrant)
    if address is not None:
        coming.address = address
    if registered is not None:
        coming.registered = registered
    _print(remote.join_tournament(daemon, name, coming), as_json)


@app.command(epilog="Example: fivehundred tournament leave ladder reckless")
def leave(
    name: TournamentName,
    entrant: Annotated[str, typer.Argument(metavar="ENTRANT", help="The entrant's name.")],
    daemon: Daemon = DEFAULT_DAEMON,
    as_json: Json = False,
) -> None:
    """Let an entrant go from a ladder that is created or paused, before its next match."""
    from fivehundred.cli import remote

    _print(remote.leave_tournament(daemon, name, entrant), as_json)


@app.command(epilog="Example: fivehundred tournament finish ladder")
def finish(name: TournamentName, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Pair no more matches of a ladder without an end; it ends when those paired are played."""
    from fivehundred.cli import remote

    _print(remote.finish_tournament(daemon, name), as_json)


@app.command(epilog="Example: fivehundred tournament stop demo --abort --yes")
def stop(
    name: TournamentName,
    abort: Annotated[
        bool, typer.Option("--abort", help="End it for good; the hands under way are void.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Abort without asking.")] = False,
    daemon: Daemon = DEFAULT_DAEMON,
    as_json: Json = False,
) -> None:
    """Drain a tournament, or end it for good with --abort."""
    from fivehundred.cli import remote

    if not abort:
        _print(remote.drain_tournament(daemon, name), as_json)
        return
    if not yes:
        _confirm_abort(name)
    _print(remote.abort_tournament(daemon, name), as_json)


@app.command(epilog="Example: fivehundred tournament entropy demo careful")
def entropy(
    name: TournamentName,
    entrant: Annotated[str, typer.Argument(metavar="ENTRANT", help="The entrant's name.")],
    digits: Annotated[
        str | None,
        typer.Argument(
            metavar="[HEX]",
            help="16 to 64 bytes that nobody else could know, as hexadecimal digits; drawn at "
            "random where left out.",
        ),
    ] = None,
    daemon: Daemon = DEFAULT_DAEMON,
    as_json: Json = False,
) -> None:
    """Add an entrant's own entropy to the deals, so that nobody can have chosen them."""
    import secrets

    from fivehundred.cli import remote
    from fivehundred.cli.output import json_of, print_json

    added = secrets.token_bytes(32) if digits is None else _bytes_of(digits)
    tournament = remote.add_entropy(daemon, name, entrant, added)
    if as_json:
        print_json({"entropy": added.hex(), "tournament": json_of(tournament)})
    else:
        print(added.hex())


@app.command("list", epilog="Example: fivehundred tournament list --json")
def list_tournaments(daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """List the daemon's tournaments, newest first."""
    from fivehundred.cli import remote
    from fivehundred.cli.output import json_of, print_json
    from fivehundred.cli.tournament_text import print_tournaments

    found = remote.tournaments(daemon)
    if as_json:
        print_json({"tournaments": [json_of(each) for each in found]})
    else:
        print_tournaments(found)


@app.command(epilog="Example: fivehundred tournament show demo")
def show(name: TournamentName, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Show a tournament: its state, its entrants and how far it is."""
    from fivehundred.cli import remote

    _print(remote.tournament(daemon, name), as_json)


@app.command(epilog="Example: fivehundred tournament watch demo --after 120")
def watch(
    name: TournamentName,
    after: Annotated[
        int, typer.Option(min=0, metavar="N", help="Only what came after event N.")
    ] = 0,
    daemon: Daemon = DEFAULT_DAEMON,
    as_json: Json = False,
) -> None:
    """Follow a tournament to its end, a line for every hand and every change of state."""
    from fivehundred.cli import remote
    from fivehundred.cli.output import json_of, print_json
    from fivehundred.cli.tournament_text import event_text

    for event in remote.events(daemon, name, after):
        if as_json:
            print_json(json_of(event))
        else:
            print(event_text(event), flush=True)


@app.command(epilog="Example: fivehundred tournament standings demo")
def standings(name: TournamentName, daemon: Daemon = DEFAULT_DAEMON, as_json: Json = False) -> None:
    """Print the standings as they are now."""
    from fivehundred.cli import remote
    from fivehundred.cli.output import console, json_of, print_json
    from fivehundred.cli.standings import print_standings

    table = remote.standings(daemon, name)
    if as_json:
        print_json(json_of(table))
    elif table.HasField("test"):
        test = remote.tournament(daemon, name).spec.format.sequential
        print_standings(console(), table, test)
    else:
        print_standings(console(), table)


app.command(epilog=report.EXAMPLE)(report.report)


def _bytes_of(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise ConfigError(f"{digits!r} is not hexadecimal: write two digits a byte") from None


def _confirm_abort(name: str) -> None:
    if not sys.stdin.isatty():
        raise ConfigError(f"aborting {name!r} is final: add --yes if that is meant")
    typer.confirm(f"End {name!r} for good? Its hands under way are void.", abort=True)


def _print(tournament: "Tournament", as_json: bool) -> None:
    from fivehundred.cli.output import json_of, print_json
    from fivehundred.cli.tournament_text import print_tournament

    if as_json:
        print_json(json_of(tournament))
    else:
        print_tournament(tournament)

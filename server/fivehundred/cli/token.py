"""`fivehundred token …`: the tokens by which a daemon knows who calls."""

import re
import time
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.failures import CliError, ConfigError
from fivehundred.cli.options import DEFAULT_DAEMON, Daemon, Json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from google.protobuf.timestamp_pb2 import Timestamp

    from fivehundred.storage.access import AccessTokens
    from fivehundred.v1.access_pb2 import AccessToken, CreateTokenRequest, CreateTokenResponse

SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
MOST_DIGITS = 6


class RoleName(StrEnum):
    """What a token's holder may do."""

    READER = "reader"
    OWNER = "owner"
    ORGANISER = "organiser"
    ADMIN = "admin"


TokenName = Annotated[str, typer.Argument(metavar="NAME", help="The token's name.")]
TokenDatabase = Annotated[
    Path | None,
    typer.Option(
        "--database",
        metavar="FILE",
        help="Work on this database instead, which no daemon uses; made where there is none.",
    ),
]

app = typer.Typer(
    name="token",
    help="Make, list and revoke the tokens by which a daemon knows who calls.",
    epilog="Example: fivehundred token create me --role admin --database fivehundred.db",
    no_args_is_help=True,
)


@app.command(epilog="Example: fivehundred token create ada --role owner --bot careful")
def create(
    name: TokenName,
    role: Annotated[RoleName, typer.Option(help="What its holder may do.")],
    bot: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A registered bot that an owner answers for; repeat it."),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="After what it ends, such as 90m, 12h, 30d or 8w."),
    ] = None,
    daemon: Daemon = DEFAULT_DAEMON,
    database: TokenDatabase = None,
    as_json: Json = False,
) -> None:
    """Make a token; prints it, once."""
    from fivehundred.cli.output import json_of, print_json
    from fivehundred.v1 import access_pb2

    request = access_pb2.CreateTokenRequest(
        name=name,
        role=access_pb2.Role.Value(f"ROLE_{role.name}"),
        bots=bot or (),
        expire_time=_expiry(expires),
    )
    made = _create(request, daemon, database)
    if as_json:
        print_json(json_of(made))
    else:
        _print_token(made)


@app.command("list", epilog="Example: fivehundred token list")
def list_tokens(
    daemon: Daemon = DEFAULT_DAEMON, database: TokenDatabase = None, as_json: Json = False
) -> None:
    """List the tokens, without the tokens themselves."""
    from fivehundred.cli.output import json_of, print_json

    found = _listed(daemon, database)
    if as_json:
        print_json({"tokens": [json_of(token) for token in found]})
    else:
        _print_tokens(found)


@app.command(epilog="Example: fivehundred token revoke ada")
def revoke(
    name: TokenName,
    daemon: Daemon = DEFAULT_DAEMON,
    database: TokenDatabase = None,
    as_json: Json = False,
) -> None:
    """End a token at once."""
    from fivehundred.cli import remote
    from fivehundred.cli.output import print_json

    if database is None:
        remote.revoke_token(daemon, name)
    else:
        with _tokens_of(database) as tokens:
            tokens.revoke(name)
    if as_json:
        print_json({"revoked": name})
    else:
        typer.echo(f"{name} is revoked")


def _create(
    request: "CreateTokenRequest", daemon: str, database: Path | None
) -> "CreateTokenResponse":
    from fivehundred.cli import remote
    from fivehundred.daemon.access_service import create_token

    if database is None:
        return remote.create_token(daemon, request)
    with _tokens_of(database) as tokens:
        return create_token(tokens, request)


def _listed(daemon: str, database: Path | None) -> "Sequence[AccessToken]":
    from fivehundred.cli import remote
    from fivehundred.daemon.access_service import token_message
    from fivehundred.storage.access import AccessTokens
    from fivehundred.storage.store import read_store

    if database is None:
        return remote.tokens(daemon)
    with read_store(database) as store:
        return [token_message(each) for each in AccessTokens(store.engine).all()]


@contextmanager
def _tokens_of(database: Path) -> "Iterator[AccessTokens]":
    """The tokens of a database that no daemon uses."""
    from fivehundred.storage.access import AccessTokens
    from fivehundred.storage.errors import DatabaseInUse
    from fivehundred.storage.store import open_store

    try:
        with open_store(database) as store:
            yield AccessTokens(store.engine)
    except DatabaseInUse:
        raise CliError(
            f"a daemon uses {database}: ask it, with --daemon ADDRESS instead of --database"
        ) from None


def _expiry(text: str | None) -> "Timestamp | None":
    """When a token ends; None for never."""
    from google.protobuf.timestamp_pb2 import Timestamp

    if text is None:
        return None
    number, unit = text[:-1], text[-1:]
    if unit not in SECONDS or not re.fullmatch(f"[0-9]{{1,{MOST_DIGITS}}}", number):
        raise ConfigError(f"--expires {text}: write a number and m, h, d or w, such as 30d")
    return Timestamp(seconds=int(time.time()) + int(number) * SECONDS[unit])


def _print_token(made: "CreateTokenResponse") -> None:
    """Print a token: it alone on standard output, so that a script can keep it."""
    typer.echo(made.token)
    typer.echo(
        f"{made.access_token.name} calls with this token, which is not told again: "
        "keep it in FIVEHUNDRED_ACCESS_TOKEN",
        err=True,
    )


def _print_tokens(tokens: "Sequence[AccessToken]") -> None:
    from fivehundred.cli.output import console, plain_table

    table = plain_table("name", "role", "bots", "made", "ends")
    for token in tokens:
        ends = _date(token.expire_time) if token.HasField("expire_time") else "never"
        made, bots = _date(token.create_time), " ".join(token.bots)
        table.add_row(token.name, [*RoleName][token.role - 1], bots, made, ends)
    console().print(table if tokens else "there are no tokens: callers need none on this machine")


def _date(time_of: "Timestamp") -> str:
    return time_of.ToJsonString()[:16].replace("T", " ")

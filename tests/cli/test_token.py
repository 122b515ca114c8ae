"""`fivehundred token`: over a daemon, and on a database that no daemon uses."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TOKEN = re.compile(r"[\w-]{43}\n")


@pytest.fixture
def guarded(
    cli: Callable[..., Any], start_serving: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """The address of a daemon whose first token is in the environment."""
    address = start_serving()
    made = cli("token", "create", "me", "--role", "admin", "--daemon", address)
    monkeypatch.setenv("FIVEHUNDRED_ACCESS_TOKEN", made.out.strip())
    yield address


def test_a_token_is_made_listed_and_revoked_over_a_daemon(
    cli: Callable[..., Any], guarded: str
) -> None:
    made = cli(
        *("token", "create", "ada", "--role", "owner", "--bot", "careful", "--bot", "bold"),
        *("--expires", "30d", "--daemon", guarded),
    )
    listed = cli("token", "list", "--daemon", guarded)
    as_json = cli("token", "list", "--daemon", guarded, "--json").json["tokens"]
    revoked = cli("token", "revoke", "ada", "--daemon", guarded)

    assert TOKEN.fullmatch(made.out)
    assert made.out.strip() not in made.err
    assert "ada calls with this token, which is not told again" in made.err
    assert re.search(r"ada +owner +careful bold +2\S+ \S+ +2", listed.out)
    assert [(each["name"], each["role"], each["bots"]) for each in as_json] == [
        ("ada", "ROLE_OWNER", ["careful", "bold"]),
        ("me", "ROLE_ADMIN", []),
    ]
    assert "token" not in as_json[0]
    assert revoked.out == "ada is revoked\n"
    assert "ada" not in cli("token", "list", "--daemon", guarded).out


def test_a_daemon_that_has_tokens_wants_one(
    cli: Callable[..., Any], guarded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FIVEHUNDRED_ACCESS_TOKEN")

    outcome = cli("tournament", "list", "--daemon", guarded)

    assert outcome.exit_code == 1
    assert outcome.err.startswith("error: no token: send one as the metadata ")


def test_a_token_without_the_right_is_told_what_is_wanted(
    cli: Callable[..., Any], guarded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = cli("token", "create", "ada", "--role", "reader", "--daemon", guarded)
    monkeypatch.setenv("FIVEHUNDRED_ACCESS_TOKEN", made.out.strip())

    assert cli("tournament", "list", "--daemon", guarded).exit_code == 0
    outcome = cli("tournament", "start", "x", "--daemon", guarded)

    assert outcome.exit_code == 1
    assert outcome.err == (
        "error: StartTournament wants the role ORGANISER: the token's is READER\n"
    )


def test_a_token_is_made_before_the_daemon_runs(cli: Callable[..., Any], tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "new.db"))

    made = cli("token", "create", "me", "--role", "admin", *database)
    listed = cli("token", "list", *database, "--json").json["tokens"]
    revoked = cli("token", "revoke", "me", *database, "--json").json
    again = cli("token", "revoke", "me", *database)

    assert TOKEN.fullmatch(made.out)
    assert [each["name"] for each in listed] == ["me"]
    assert revoked == {"revoked": "me"}
    assert (again.exit_code, again.err) == (1, "error: there is no token 'me'\n")
    assert cli("token", "list", *database).out.startswith("there are no tokens: ")


def test_a_database_that_a_daemon_uses_is_the_daemon_s(
    cli: Callable[..., Any], start_serving: Callable[..., str], tmp_path: Path
) -> None:
    start_serving(tmp_path / "used.db")

    outcome = cli(
        "token", "create", "me", "--role", "admin", "--database", str(tmp_path / "used.db")
    )

    assert outcome.exit_code == 1
    assert "used.db: ask it, with --daemon ADDRESS instead of --database" in outcome.err


def test_files_of_tls_that_do_not_fit_are_named(
    cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = tmp_path / "absent.pem"

    by_option = cli("--tls-ca", str(absent), "token", "list", "--daemon", "127.0.0.1:1")
    monkeypatch.setenv("FIVEHUNDRED_TLS_CERT", str(absent))
    without_authority = cli("token", "list", "--daemon", "127.0.0.1:1")

    assert by_option.exit_code == without_authority.exit_code == 2
    assert f"{absent} (FIVEHUNDRED_TLS_CA) holds no certificate" in by_option.err
    assert "set FIVEHUNDRED_TLS_CA as well" in without_authority.err


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("me", "--role", "admin", "--expires", "soon"), "write a number and m, h, d or w"),
        (("me", "--role", "admin", "--expires", "0d"), "expire_time: give one that is to come"),
        (("me", "--role", "owner"), "bots: name at least one for an OWNER"),
        (("me", "--role", "admin", "--bot", "x"), "bots: name at least one for an OWNER, none"),
        (("Me", "--role", "admin"), "name: write 1 to 63 of a-z"),
    ],
)
def test_what_makes_no_token_is_told(
    cli: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], wanted: str
) -> None:
    outcome = cli("token", "create", *arguments, "--database", str(tmp_path / "new.db"))

    assert outcome.exit_code == 2
    assert wanted in outcome.err

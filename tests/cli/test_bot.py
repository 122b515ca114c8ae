import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fivehundred.cli.failures import ConfigError
from fivehundred.cli.loading import load_bot

BOT = """
from fivehundred_client import Bot

class Mine(Bot):
    name = "mine"
    version = "7"
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a bot of the current directory that is being served."""
    (tmp_path / "my_bots.py").write_text(BOT, encoding="utf-8")
    program = Path(sys.executable).parent / "fivehundred"
    process = subprocess.Popen(
        [program, "bot", "serve", "my_bots:Mine"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    with process:
        assert process.stderr is not None
        yield process.stderr.readline().split()[-1]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0


def test_a_bot_of_the_current_directory_is_served_registered_and_deleted(
    cli: Callable[..., Any], daemon: str, served: str
) -> None:
    registered = cli("bot", "register", "mine", served, "--daemon", daemon)
    listed = cli("bot", "list", "--daemon", daemon, "--json").json
    deleted = cli("bot", "delete", "mine", "--daemon", daemon)

    assert registered.out == f"mine is mine@7 at {served}\n"
    assert [(bot["name"], bot["address"]) for bot in listed["bots"]] == [("mine", served)]
    assert deleted.out == "mine is forgotten\n"
    assert cli("bot", "list", "--daemon", daemon).out == "no bots are registered\n"


def test_a_bot_that_dials_in_is_registered_and_gets_a_new_token(
    cli: Callable[..., Any], daemon: str
) -> None:
    registered = cli("bot", "register", "far", "--attached", "--daemon", daemon)
    renewed = cli("bot", "token", "far", "--daemon", daemon, "--json").json
    listed = cli("bot", "list", "--daemon", daemon)
    cli("bot", "delete", "far", "--daemon", daemon)

    token = registered.out.strip()
    assert re.fullmatch(r"[\w-]{43}", token)
    assert token not in registered.err
    assert re.fullmatch(r"[\w-]{43}", renewed["token"])
    assert renewed["token"] != token
    assert (renewed["bot"]["name"], renewed["bot"]["dials_in"]) == ("far", True)
    assert "dials in, not attached" in listed.out


@pytest.mark.parametrize("arguments", [(), ("127.0.0.1:1", "--attached")])
def test_a_bot_is_dialled_or_dials_in(
    cli: Callable[..., Any], daemon: str, arguments: tuple[str, ...]
) -> None:
    outcome = cli("bot", "register", "far", *arguments, "--daemon", daemon)

    assert outcome.exit_code == 2
    assert "dials in with --attached: give one" in outcome.err


def test_a_bot_that_is_dialled_has_no_token(
    cli: Callable[..., Any], daemon: str, served: str
) -> None:
    cli("bot", "register", "near", served, "--daemon", daemon)
    outcome = cli("bot", "token", "near", "--daemon", daemon)
    cli("bot", "delete", "near", "--daemon", daemon)

    assert outcome.exit_code == 1
    assert outcome.err == "error: 'near' is dialled: it has no token\n"


def test_a_name_without_a_daemon_is_refused(cli: Callable[..., Any]) -> None:
    outcome = cli("bot", "serve", "fivehundred_bots.basic:Basic", "--name", "far")

    assert outcome.exit_code == 2
    assert "add --attach ADDRESS" in outcome.err


def test_a_wrong_name_is_told_with_its_field(cli: Callable[..., Any], daemon: str) -> None:
    outcome = cli("bot", "register", "Not a name", "127.0.0.1:1", "--daemon", daemon)

    assert outcome.exit_code == 2
    assert outcome.err.startswith("error: name: ")


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        ("nix", "write MODULE:CLASS"),
        ("nix:Nix", "No module named 'nix'"),
        ("fivehundred_client:Nix", "has no class 'Nix'"),
        ("collections:OrderedDict", "subclass fivehundred_client.Bot"),
    ],
)
def test_what_is_no_bot_is_told(where: str, wanted: str) -> None:
    with pytest.raises(ConfigError, match=wanted):
        load_bot(where)


def test_a_bot_is_found_by_module_and_class() -> None:
    assert type(load_bot("fivehundred_bots.basic:Basic")).__name__ == "Basic"

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer

from fivehundred import __version__
from fivehundred.cli.app import app


def paths(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from paths(inner, (*path, name))


ALL = list(paths(typer.main.get_command(app)))


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_the_help_of_every_command_has_an_example(
    cli: Callable[..., Any], path: tuple[str, ...]
) -> None:
    outcome = cli(*path, "--help")

    assert outcome.exit_code == 0
    assert "Example: fivehundred " in outcome.out


@pytest.mark.parametrize(
    "path",
    [
        "run",
        "serve",
        "version",
        "verify",
        "doctor",
        "tournament create",
        "tournament start",
        "tournament entropy",
        "tournament pause",
        "tournament drain",
        "tournament stop",
        "tournament list",
        "tournament show",
        "tournament watch",
        "tournament standings",
        "tournament validate",
        "bot serve",
        "bot register",
        "bot list",
        "bot delete",
        "hand list",
        "hand show",
        "hand replay",
        "rules list",
        "rules show",
        "rules diff",
        "hand export",
        "hand import",
        "referee",
    ],
)
def test_the_command_exists(path: str) -> None:
    assert tuple(path.split()) in ALL


def test_help_imports_nothing_slow() -> None:
    slow = "{'grpc', 'sqlalchemy', 'numpy', 'scipy', 'google.protobuf', 'structlog'}"
    program = (
        "import sys; from fivehundred.cli.app import execute; execute(sys.argv[1:]);"
        f"print(sorted({slow} & set(sys.modules)), file=sys.stderr)"
    )

    for command in ([], ["run"], ["hand", "show"]):
        arguments = [sys.executable, "-c", program, *command, "--help"]
        ended = subprocess.run(arguments, capture_output=True, text=True, check=True)

        assert "Usage: fivehundred" in ended.stdout
        assert ended.stderr == "[]\n"


def test_version_is_the_package_s(cli: Callable[..., Any]) -> None:
    assert cli("version").out in {
        f"fivehundred {__version__} (pure)\n",
        f"fivehundred {__version__} (compiled)\n",
    }
    assert cli("--version").out == f"fivehundred {__version__}\n"
    assert cli("version", "--json").json["version"] == __version__
    assert cli("version", "--json").json["build"] in ("pure", "compiled")


def test_an_unknown_option_is_one_line_and_exit_code_2(cli: Callable[..., Any]) -> None:
    outcome = cli("rules", "list", "--nope")

    assert outcome.exit_code == 2
    assert outcome.out == ""
    assert outcome.err == "error: No such option: --nope\n"


def test_errors_are_json_where_json_is_asked_for(cli: Callable[..., Any]) -> None:
    outcome = cli("rules", "show", "nope", "--json")

    assert outcome.exit_code == 2
    assert "no preset 'nope'" in json.loads(outcome.err)["error"]

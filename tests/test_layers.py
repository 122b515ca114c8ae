"""The table of layers: who may import whom, and who may touch what (docs/architecture.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SERVER = ROOT / "server" / "fivehundred"
PACKAGES = {
    "fivehundred_client": ROOT / "clients" / "python" / "fivehundred_client",
    "fivehundred_bots": ROOT / "bots" / "python" / "fivehundred_bots",
}

LAYERS: dict[str, set[str]] = {
    "rules": set(),
    "ratings": {"rules"},
    "tournament": {"rules", "ratings"},
    # A report is a function of values; the commands and the storage put them in.
    "report": {"rules", "table", "tournament", "ratings"},
    "table": {"rules"},
    "wire": {"rules", "table", "tournament", "v1"},
    "storage": {"rules", "table", "tournament", "ratings", "report", "wire", "v1"},
    "referee": {"rules", "table", "wire", "v1"},
    "players": {"rules", "table", "wire", "v1"},
    "daemon": {
        "rules",
        "table",
        "tournament",
        "ratings",
        "wire",
        "v1",
        "storage",
        "players",
        "referee",
    },
    # The checks of a log are values of tournament and ratings; the commands print them.
    "cli": {
        "rules",
        "table",
        "wire",
        "v1",
        "referee",
        "storage",
        "daemon",
        "fivehundred_client",
        "report",
        "tournament",
        "ratings",
    },
    "fivehundred_client": {"rules", "table", "wire", "v1"},
    "fivehundred_bots": {"rules", "fivehundred_client"},
}
"""By room, the rooms that it may import beside itself."""

NUMBERS = {"numpy", "scipy"}
PROTOBUF = {"google"}
NETWORK = {"grpc", "grpc_health", "grpc_reflection", "grpc_status", "socket"}
DATABASE = {"sqlalchemy", "alembic", "sqlite3"}
LOGS = {"structlog", "logging"}
TERMINAL = {"typer", "rich"}
CHANCE_AND_TIME = {"random", "secrets", "time", "datetime"}
SYSTEM = {"asyncio", "os", "signal", "subprocess", "threading"}
WATCHED = NUMBERS | PROTOBUF | NETWORK | DATABASE | LOGS | TERMINAL | CHANCE_AND_TIME | SYSTEM

TOUCHES: dict[str, set[str]] = {
    "rules": set(),
    "ratings": NUMBERS,
    "tournament": NUMBERS,
    "report": NUMBERS,
    "table": set(),
    "wire": PROTOBUF,
    "referee": PROTOBUF,
    "storage": PROTOBUF | DATABASE | SYSTEM | CHANCE_AND_TIME,
    "players": PROTOBUF | NETWORK | SYSTEM | CHANCE_AND_TIME,
    "daemon": PROTOBUF | NETWORK | LOGS | SYSTEM | CHANCE_AND_TIME | {"sqlite3"},
    "cli": PROTOBUF | NETWORK | LOGS | TERMINAL | SYSTEM | CHANCE_AND_TIME,
    "fivehundred_client": PROTOBUF | NETWORK | SYSTEM | CHANCE_AND_TIME,
    "fivehundred_bots": {"random", "time"},
}
"""By room, what it may touch of that which makes a program impure or ties it to a library."""

EXCEPTIONS = {
    # The one place in the room that waits.
    "table/runner.py": {"asyncio"},
    # Training and models want arrays; a bot that has none need not wait for numpy to be loaded.
    "fivehundred_client/arrays.py": {"numpy"},
    "fivehundred_client/selfplay.py": {"numpy"},
    "fivehundred_bots/numpy_batch.py": {"numpy"},
    # Bots that misbehave on the wire have to speak it themselves.
    "fivehundred_bots/faulty.py": {"wire", "v1", *NETWORK, *PROTOBUF, *SYSTEM},
}
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers"}


def imported(source: str) -> Iterator[str]:
    """The modules that a source imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "fivehundred":
            yield from (f"fivehundred.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


def violations(room: str, place: str, source: str) -> list[str]:
    """What a file of a room imports against the table."""
    allowed = LAYERS[room] | TOUCHES[room] | EXCEPTIONS.get(place, set()) | {room, "__version__"}
    names = {name: _watched(name) for name in imported(source)}
    wrong = sorted(name for name, watched in names.items() if watched and watched not in allowed)
    return [f"{place} imports {name}" for name in wrong]


def _watched(module: str) -> str:
    """The room or the watched library that a module belongs to; empty for any other."""
    first, *rest = module.split(".")
    if first == "fivehundred":
        return rest[0] if rest else "fivehundred"
    return first if first in WATCHED or first in PACKAGES else ""


def files_of(room: str) -> list[Path]:
    """The sources of a room."""
    return sorted(PACKAGES.get(room, SERVER / room).rglob("*.py"))


@pytest.mark.parametrize("room", LAYERS)
def test_a_room_imports_only_what_lies_below_it(room: str) -> None:
    base = PACKAGES.get(room, SERVER / room)

    found = [
        violation
        for path in files_of(room)
        for violation in violations(room, f"{room}/{path.relative_to(base)}", path.read_text())
    ]

    assert found == []


@pytest.mark.parametrize("room", LAYERS)
def test_every_room_of_the_table_exists(room: str) -> None:
    assert files_of(room)


def test_every_room_is_in_the_table() -> None:
    rooms = {path.parent.name for path in SERVER.glob("*/__init__.py")}

    assert rooms - {"v1"} <= set(LAYERS)


def test_no_module_has_a_name_that_says_nothing() -> None:
    modules = [path for room in LAYERS for path in files_of(room)]

    assert [path for path in modules if path.stem in FORBIDDEN_NAMES] == []


def test_an_import_inside_a_function_counts() -> None:
    source = "def f() -> None:\n    from fivehundred.storage import store\n"

    assert violations("rules", "rules/x.py", source) == ["rules/x.py imports fivehundred.storage"]


def test_only_the_runner_of_the_table_may_wait() -> None:
    source = "import asyncio\n"

    assert violations("table", "table/runner.py", source) == []
    assert violations("table", "table/table.py", source) == ["table/table.py imports asyncio"]

"""What all tests share: golden files, and whether it is night."""

import os
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
MOST_LINES = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the golden files anew."""
    parser.addoption(
        "--rewrite-golden",
        dest="rewrite_golden",
        action="store_true",
        help="write the files of tests/golden anew instead of comparing with them",
    )
    parser.addoption(
        "--nightly",
        action="store_true",
        help="run what is counted in kills, seeds, hands or inputs as often as it is promised",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to rewrite where nobody looks at what has changed."""
    if config.getoption("rewrite_golden") and os.environ.get("CI"):
        raise pytest.UsageError("--rewrite-golden is not for CI: rewrite, read and commit by hand")


@pytest.fixture(scope="session")
def nightly(request: pytest.FixtureRequest) -> bool:
    """Whether the promised counts are wanted, and not those that every change has the time for."""
    return bool(request.config.getoption("nightly"))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with a file of tests/golden, as in ``golden("hands/au-4p-43.txt", text)``.

    With ``--rewrite-golden`` it writes the file instead.
    """
    return _rewrite if request.config.getoption("rewrite_golden") else _compare


def _rewrite(name: str, text: str) -> None:
    path = GOLDEN / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if not path.exists():
        pytest.fail(f"no tests/golden/{name}: make golden writes it", pytrace=False)
    wanted = path.read_text(encoding="utf-8")
    if text == wanted:
        return
    here, there = f"tests/golden/{name}", "what the code gives now"
    lines = [*unified_diff(wanted.splitlines(), text.splitlines(), here, there, lineterm="")]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"… and {len(lines) - MOST_LINES} lines more"]
    hint = "If the change is meant: make golden, then read the diff."
    pytest.fail("\n".join([*lines, hint]), pytrace=False)

"""What the compiled wheel is made of (the mypyc hook in pyproject.toml)."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
HOOK = WHEEL["wheel"]["hooks"]["custom"]


def test_the_rules_are_compiled_only_when_asked_to() -> None:
    assert HOOK["enable-by-default"] is False


def test_every_pattern_of_the_hook_finds_files() -> None:
    patterns = [*HOOK["include"], *(each for each in HOOK["exclude"] if "/" in each)]

    assert [pattern for pattern in patterns if not list(ROOT.glob(pattern))] == []


def test_the_rules_are_compiled_by_the_mypy_that_checks_them() -> None:
    constraints = (ROOT / "constraints.txt").read_text().splitlines()

    pinned = [each for each in HOOK["dependencies"] if each.startswith("mypy==")]

    assert pinned == [line for line in constraints if line.startswith("mypy==")]

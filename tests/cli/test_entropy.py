from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def created(cli: Callable[..., Any], daemon: str, spec_file: Path, tmp_path: Path) -> str:
    """The name of a tournament that waits to be started."""
    name = tmp_path.name.replace("_", "-")[:40]
    spec = tmp_path / "spec.textproto"
    spec.write_text(spec_file.read_text().replace('"small"', f'"{name}"'), encoding="utf-8")
    assert cli("tournament", "create", str(spec), "--daemon", daemon).exit_code == 0
    return name


def test_entropy_is_drawn_where_none_is_given(
    cli: Callable[..., Any], daemon: str, created: str
) -> None:
    outcome = cli("tournament", "entropy", created, "basic", "--daemon", daemon)

    assert outcome.exit_code == 0
    assert len(bytes.fromhex(outcome.out)) == 32
    shown = cli("tournament", "show", created, "--daemon", daemon).out
    assert f"with entropy {outcome.out.strip()}" in shown


def test_entropy_that_is_given_is_kept(cli: Callable[..., Any], daemon: str, created: str) -> None:
    digits = "0f" * 16

    outcome = cli("tournament", "entropy", created, "random", digits, "--json", "--daemon", daemon)

    assert outcome.json["entropy"] == digits
    assert outcome.json["tournament"]["entropy"] == ["Dw8PDw8PDw8PDw8PDw8PDw==", ""]


def test_what_is_not_hexadecimal_is_a_mistake(cli: Callable[..., Any], daemon: str) -> None:
    outcome = cli("tournament", "entropy", "any", "basic", "xyz", "--daemon", daemon)

    assert outcome.exit_code == 2
    assert "not hexadecimal" in outcome.err

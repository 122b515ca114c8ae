"""A daemon that cannot start says why, ends with exit code 2, and leaves the database alone."""

import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

PROGRAM = str(Path(sys.executable).parent / "fivehundred")


def serve(database: Path, *options: str) -> list[str]:
    return [PROGRAM, "serve", "--database", str(database), *options]


def refused(command: list[str]) -> str:
    """What a daemon that must not start says."""
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--listen", "127.0.0.1:99999"], "write host:port"),
        (["--listen", "127.0.0.1"], "write host:port"),
        (["--listen", "192.0.2.1:0"], "192.0.2.1"),
        (["--listen", "127.0.0.1:0", "--tls-cert", "nowhere.pem"], "tls"),
        (["--workers", "0"], "--workers"),
        (["--rate-each", "none"], "--rate-each"),
        (["--nonsense"], "--nonsense"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_options_are_refused_before_there_is_a_database(
    options: list[str], said: str, tmp_path: Path
) -> None:
    words = refused(serve(tmp_path / "d.db", *options))

    assert said in words.lower()
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_refused_before_there_is_a_database(
    start_listening: Callable[..., Any], tmp_path: Path
) -> None:
    first = start_listening(serve(tmp_path / "first.db", "--listen", "127.0.0.1:0"), "stdout")
    room = tmp_path / "second"
    room.mkdir()

    words = refused(serve(room / "d.db", "--listen", first.address))

    assert f"cannot listen at {first.address}" in words
    assert list(room.iterdir()) == []


def test_a_second_daemon_leaves_the_first_ones_database_as_it_is(
    start_listening: Callable[..., Any], tmp_path: Path
) -> None:
    database = tmp_path / "d.db"
    first = start_listening(serve(database, "--listen", "127.0.0.1:0"), "stdout")
    before = {path.name: sha256(path.read_bytes()).digest() for path in tmp_path.iterdir()}

    words = refused(serve(database, "--listen", "127.0.0.1:0"))

    after = {path.name: sha256(path.read_bytes()).digest() for path in tmp_path.iterdir()}
    assert "is in use by another daemon" in words
    assert after == before
    assert first.popen.poll() is None

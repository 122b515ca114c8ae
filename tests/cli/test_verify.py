import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any


def test_a_whole_log_verifies(cli: Callable[..., Any], played: Any) -> None:
    outcome = cli("verify", str(played.database))

    assert outcome.exit_code == 0
    first, *_, last = outcome.out.splitlines()
    assert first == "small: FINISHED"
    assert "ranked by points per hand; 95% intervals; 4 hands" in outcome.out
    assert last == "verified 4 hands of 1 tournament"


def test_one_tournament_verifies_as_json(cli: Callable[..., Any], played: Any) -> None:
    outcome = cli("verify", str(played.database), "--tournament", "small", "--json")

    report = outcome.json
    (result,) = report.pop("results")
    assert report == {"tournaments": 1, "hands": 4, "problems": []}
    assert (result["tournament"], result["state"]) == ("small", "FINISHED")
    assert len(result["seed_commitment"]) == len(result["log_digest"]) == 64
    assert {row["entrant"] for row in result["standings"]["rows"]} == {"basic", "random"}


def test_the_ranking_is_the_one_of_the_daemon(cli: Callable[..., Any], played: Any) -> None:
    outcome = cli("verify", str(played.database))

    table = [line for line in played.outcome.out.splitlines() if "basic" in line]
    assert table
    assert table[0] in outcome.out.splitlines()


def test_a_damaged_hand_is_named_with_exit_code_1(
    cli: Callable[..., Any], played: Any, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.db"
    shutil.copy(played.database, damaged)
    with closing(sqlite3.connect(damaged)) as connection, connection:
        connection.execute("UPDATE hands SET record = zeroblob(40) WHERE id = 3")

    outcome = cli("verify", str(damaged))

    assert outcome.exit_code == 1
    assert "hand 3 (small match 0 board 1 seating 0" in outcome.out
    assert "of 1 tournament" in outcome.out.splitlines()[-1]


def test_an_empty_file_is_named_as_such(cli: Callable[..., Any], tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()

    outcome = cli("verify", str(empty))

    assert outcome.exit_code == 1
    assert outcome.err == f"error: {empty} is empty: not a fivehundred database\n"


def test_a_database_that_is_not_there_is_a_mistake(cli: Callable[..., Any], tmp_path: Path) -> None:
    outcome = cli("verify", str(tmp_path / "nix.db"))

    assert outcome.exit_code == 2
    assert "nix.db does not exist" in outcome.err

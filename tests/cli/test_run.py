import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fivehundred.wire.spec import MAX_TABLES


def test_run_plays_to_the_end_and_prints_the_standings(played: Any) -> None:
    outcome = played.outcome

    assert outcome.exit_code == 0, outcome.err
    assert "basic@1" in outcome.out
    assert "ranked by points per hand; 95% intervals; 4 hands" in outcome.out
    assert "small: 4/4 hands, 1/1 matches" in outcome.err


def test_as_many_tables_are_allowed_as_in_a_file(cli: Callable[..., Any], spec_file: Path) -> None:
    outcome = cli("run", str(spec_file), "--tables", str(MAX_TABLES + 1))

    assert outcome.exit_code == 2
    assert f"less than or equal to {MAX_TABLES}" in outcome.err


def test_run_again_prints_the_same_standings(
    program: Callable[..., Any], spec_file: Path, played: Any
) -> None:
    again = program("run", str(spec_file), "--database", str(played.database))

    assert again.exit_code == 0
    assert again.out == played.outcome.out


def test_run_as_json_is_one_document(
    program: Callable[..., Any], spec_file: Path, played: Any
) -> None:
    outcome = program("run", str(spec_file), "--database", str(played.database), "--json")

    assert outcome.json["tournament"]["state"] == "TOURNAMENT_STATE_FINISHED"
    assert [row["rank_best"] for row in outcome.json["standings"]["rows"]] == [1, 1]
    assert outcome.json["standings"]["hands"] == "4"


def test_another_tournament_of_the_same_name_is_refused(
    program: Callable[..., Any], spec_file: Path, played: Any
) -> None:
    database = str(played.database)

    outcome = program("run", str(spec_file), "--database", database, "--seed", "ab" * 32)

    assert outcome.exit_code == 1
    assert outcome.err.startswith("error: ")
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('name: "x" foo: 3', "no field `foo`"),
        ('name: "X y"', "is no name"),
        ('name: "x" rules { preset: "au" }', "no preset 'au'"),
    ],
)
def test_a_bad_file_is_told_in_one_line_each_with_exit_code_2(
    program: Callable[..., Any], tmp_path: Path, text: str, wanted: str
) -> None:
    path = tmp_path / "bad.textproto"
    path.write_text(text, encoding="utf-8")

    outcome = program("run", str(path), "--database", str(tmp_path / "x.db"))

    assert outcome.exit_code == 2
    assert wanted in outcome.err
    assert all(line.startswith("error: ") for line in outcome.err.splitlines())


def test_a_file_that_is_not_there_or_no_text_is_told(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")

    missing, unreadable = cli("run", str(tmp_path / "nix")), cli("run", str(binary))

    assert (missing.exit_code, unreadable.exit_code) == (2, 2)
    assert "No such file" in missing.err
    assert "is no text" in unreadable.err


def test_a_bad_file_is_told_as_json(program: Callable[..., Any], tmp_path: Path) -> None:
    outcome = program("run", str(tmp_path / "nix.textproto"), "--json")

    assert "nix.textproto cannot be read" in json.loads(outcome.err)["error"]

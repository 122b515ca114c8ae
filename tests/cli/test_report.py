import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory that reports may be written to."""
    monkeypatch.chdir(tmp_path)


def report(cli: Callable[..., Any], played: Any, *options: str) -> Any:
    return cli("tournament", "report", str(played.database), "small", *options)


def test_the_page_is_written_and_its_path_printed(cli: Callable[..., Any], played: Any) -> None:
    outcome = report(cli, played)

    assert (outcome.exit_code, outcome.out, outcome.err) == (0, "small-report.html\n", "")
    text = Path("small-report.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "au-4p-43" in text
    assert "basic@" in text


def test_the_same_log_gives_the_same_bytes(cli: Callable[..., Any], played: Any) -> None:
    forms = ("html", "json", "csv")
    options = [option for form in forms for option in ("--format", form)]

    written = [
        report(cli, played, *options, "--output", name).out.splitlines() for name in ("one", "two")
    ]

    assert len(written[0]) == 14
    for first, second in zip(*written, strict=True):
        assert Path(first).read_bytes() == Path(second).read_bytes()


def test_several_formats_need_a_directory(cli: Callable[..., Any], played: Any) -> None:
    Path("taken").write_text("", encoding="utf-8")

    written = report(cli, played, "--format", "json", "--format", "csv")
    refused = report(cli, played, "--format", "csv", "--output", "taken")
    misnamed = report(cli, played, "--format", "csv", "--output", "small.csv")

    paths = {Path(line) for line in written.out.splitlines()}
    assert {path.parent for path in paths} == {Path("small-report")}
    assert {"report.json", "standings.csv", "crosstable.csv", "times.csv"} <= {
        path.name for path in paths
    }
    assert all(path.is_file() for path in paths)
    assert refused.exit_code == 2
    assert "taken is a file: 12 files need a directory" in refused.err
    assert misnamed.exit_code == 2
    assert "small.csv is the name of a file: 12 files need a directory" in misnamed.err
    assert not Path("small.csv").exists()


def test_one_file_goes_where_it_is_told_to(cli: Callable[..., Any], played: Any) -> None:
    Path("reports").mkdir()

    file = report(cli, played, "--output", "here.html")
    directory = report(cli, played, "--output", "reports", "--format", "json")
    nowhere = report(cli, played, "--output", "nix/here.html")

    assert (file.out, directory.out) == ("here.html\n", "reports/report.json\n")
    assert json.loads(Path("reports/report.json").read_text(encoding="utf-8"))["format"] == 1
    assert nowhere.exit_code == 2
    assert "there is no directory nix" in nowhere.err


def test_json_prints_the_report_with_the_numbers_of_verify(
    cli: Callable[..., Any], played: Any
) -> None:
    told = report(cli, played, "--json").json
    (verified,) = cli("verify", str(played.database), "--json").json["results"]

    assert not list(Path().iterdir())
    assert told["tournament"]["seed_commitment"] == verified["seed_commitment"]
    assert told["tournament"]["log_digest"] == verified["log_digest"]
    assert {"players", "target", "strain_order"} <= told["tournament"]["rule_parameters"].keys()
    rows = {row["entrant"]: row for row in verified["standings"]["rows"]}
    for row in told["standings"]:
        points = rows[row["entrant"]]["points_per_hand"]
        assert row["points_per_hand"]["value"] == points["value"]
        assert row["bot"] == rows[row["entrant"]]["bot"]


def test_a_damaged_log_is_one_clear_error(cli: Callable[..., Any], played: Any) -> None:
    shutil.copy(played.database, "damaged.db")
    with closing(sqlite3.connect("damaged.db")) as connection, connection:
        connection.execute("UPDATE hands SET record = zeroblob(40) WHERE id = 3")

    outcome = cli("tournament", "report", "damaged.db", "small")

    assert outcome.exit_code == 1
    assert "a hand of 'small' cannot be read" in outcome.err
    assert "`fivehundred verify` says which one" in outcome.err


def test_what_is_not_there_is_one_clear_error(cli: Callable[..., Any], played: Any) -> None:
    nobody = cli("tournament", "report", str(played.database), "nix")
    nothing = cli("tournament", "report", "nix.db", "small")
    odd = report(cli, played, "--format", "pdf")

    assert (nobody.exit_code, nothing.exit_code, odd.exit_code) == (1, 2, 2)
    assert nobody.err == "error: there is no tournament 'nix'\n"
    assert "nix.db does not exist" in nothing.err
    assert "'pdf' is not one of" in odd.err

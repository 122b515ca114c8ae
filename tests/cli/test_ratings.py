"""`fivehundred ratings`, over databases that the program has made."""

import csv
import io
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fivehundred.cli.ratings import Choice
from fivehundred.cli.ratings_read import Counter, rated_report
from fivehundred.cli.ratings_text import chance_text, fit_lines
from fivehundred.storage.store import open_store
from fivehundred.storage.values import RegisteredBot
from fivehundred.tournament.pool_ratings import Fit
from fivehundred.v1 import record_pb2

Cli = Callable[..., Any]


@pytest.fixture
def copy(played: Any, tmp_path: Path) -> Path:
    """A copy of the small tournament's database that may be changed."""
    path = tmp_path / "copy.db"
    shutil.copy(played.database, path)
    return path


def _rename(database: Path, name: str) -> None:
    """Give one bot another name in every hand."""
    with closing(sqlite3.connect(database)) as connection, connection:
        for number, blob in connection.execute("SELECT id, record FROM hands").fetchall():
            message = record_pb2.HandRecord.FromString(blob)
            bots = [name if bot.startswith("basic") else bot for bot in message.facts.bots]
            message.facts.ClearField("bots")
            message.facts.bots.extend(bots)
            values = message.SerializeToString(), number
            connection.execute("UPDATE hands SET record = ? WHERE id = ?", values)


def test_a_pool_is_a_table_that_says_what_ranks(cli: Cli, played: Any) -> None:
    outcome = cli("ratings", str(played.database))

    assert outcome.exit_code == 0
    title, scope, *_ = outcome.out.splitlines()
    assert title == "au-4p-43, tables of 2, partners who are one bot, boards of one hand"
    assert scope == "2 boards, 4 hands, 2 deals: small (2 boards)"
    assert "ranked by points per hand; 95% intervals, errors by deal" in outcome.out
    assert "Elo: Bradley–Terry; mean 1500" in outcome.out
    assert outcome.err == ""


def test_the_numbers_are_those_of_the_standings(cli: Cli, played: Any) -> None:
    (pool,) = cli("ratings", str(played.database), "--json").json["pools"]

    (result,) = cli("verify", str(played.database), "--json").json["results"]
    standings = {row["bot"]: row for row in result["standings"]["rows"]}
    for row in pool["players"]:
        for kind in ("points_per_hand", "elo"):
            told = {name: number for name, number in row[kind].items() if number is not None}
            told["remark"] = told["remark"].replace("@1", "")
            assert told == standings[row["player"]][kind]


def test_the_document_names_everything(cli: Cli, played: Any) -> None:
    document = cli("ratings", str(played.database), "--json", "--anchor", "basic@1").json

    (pool,) = document["pools"]
    assert (pool["rules"], pool["table_size"], pool["team_form"], pool["event_form"]) == (
        *("au-4p-43", 2),
        *("sides", "boards"),
    )
    assert (pool["ranked_by"], pool["elo_anchor"], pool["prior"]) == (
        *("points_per_hand", "basic@1"),
        None,
    )
    assert [(each["name"], each["boards"]) for each in pool["tournaments"]] == [("small", 2)]
    assert {len(row) for matrix in pool["chances"].values() for row in matrix} == {2}
    assert "live" not in pool


def test_a_database_and_its_copy_count_once(cli: Cli, played: Any, copy: Path) -> None:
    once = cli("ratings", str(played.database), "--json").json
    twice = cli("ratings", str(copy), str(played.database), str(copy), "--json").json

    assert twice["pools"][0].pop("exact_repeats") == 4
    assert once["pools"][0].pop("exact_repeats") == 0
    assert twice == once
    text = cli("ratings", str(copy), str(played.database)).out
    assert "2 boards are exact repeats, counted once" in text


def test_a_new_version_is_a_new_player(cli: Cli, played: Any, copy: Path) -> None:
    _rename(copy, "basic@2")

    (pool,) = cli("ratings", str(played.database), str(copy), "--json").json["pools"]

    assert {row["player"] for row in pool["players"]} == {"basic@1", "basic@2", "random@1"}
    assert (pool["boards"], pool["deals"]) == (4, 2)


def test_a_hostile_name_is_printed_harmlessly(cli: Cli, copy: Path) -> None:
    _rename(copy, "\x1b[2J[bold]=evil\n@1")

    text = cli("ratings", str(copy), "--chances", "--live")
    rows = list(csv.DictReader(io.StringIO(cli("ratings", str(copy), "--csv").out)))
    document = cli("ratings", str(copy), "--json").json

    assert "\x1b" not in text.out
    assert r"\x1b[2J[bold]=evil\n@1" in text.out
    assert r"'\x1b[2J[bold]=evil\n@1'" in {row["player"] for row in rows}
    players = {row["player"] for row in document["pools"][0]["players"]}
    assert "\x1b[2J[bold]=evil\n@1" in players
    wrong = cli("ratings", str(copy), "--anchor", "[2J[bold]=evil@1")
    assert (wrong.exit_code, "\x1b" in wrong.err) == (2, False)


def test_csv_has_a_row_for_each_bot(cli: Cli, played: Any) -> None:
    outcome = cli("ratings", str(played.database), "--csv", "--live")

    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert {row["player"] for row in rows} == {"basic@1", "random@1"}
    assert {row["ranked_by"] for row in rows} == {"points_per_hand"}
    assert sum(float(row["points_per_hand_value"]) for row in rows) == pytest.approx(0)
    assert sum(float(row["live_display_elo"]) for row in rows) == pytest.approx(3000)


def test_live_ratings_are_labelled(cli: Cli, played: Any) -> None:
    text = cli("ratings", str(played.database), "--live").out
    (pool,) = cli("ratings", str(played.database), "--live", "--json").json["pools"]

    assert "for live display only" in text
    assert "for live display only" in pool["live"]["remark"]
    assert {row["player"] for row in pool["live"]["players"]} == {"basic@1", "random@1"}


def test_chances_are_a_table(cli: Cli, played: Any) -> None:
    out = cli("ratings", str(played.database), "--chances").out

    assert "chance of the row's bot to be better, by points per hand:" in out


@pytest.mark.parametrize(
    ("fit", "deals", "told"),
    [
        (
            Fit(chi_square=26.3, freedom=3, probability=8e-6),
            2,
            [
                "fit: chi-square 26.3, 3 degrees of freedom, p < 0.0001",
                "note: the order holds, but",
            ],
        ),
        (
            Fit(chi_square=8.6, freedom=3, probability=0.035),
            1,
            ["fit: chi-square 8.6, 3 degrees of freedom, p = 0.035 (too small: boards of one deal"],
        ),
        (
            Fit(cycles=(("a", "b", "c"),), remark="no test"),
            2,
            [
                "fit: no test",
                "warning: no order of a, b, c",
                "warning: one Elo a bot does not tell",
            ],
        ),
    ],
    ids=["without a cycle", "common deals", "cycle"],
)
def test_a_bad_fit_is_a_warning_only_where_clear_wins_go_round(
    played: Any, fit: Fit, deals: int, told: list[str]
) -> None:
    (pool,) = rated_report([played.database], Choice()).pools

    lines = list(fit_lines(replace(pool.ratings, fit=fit, deals=deals)))

    assert len(lines) == len(told)
    assert [line[: len(start)] for line, start in zip(lines, told, strict=True)] == told


@pytest.mark.parametrize(
    ("chance", "text"), [(0.0, "<1%"), (0.004, "<1%"), (0.5, "50%"), (0.994, ">99%"), (1.0, ">99%")]
)
def test_no_chance_is_a_certainty(chance: float, text: str) -> None:
    assert chance_text(chance) == text


def test_a_prior_is_named(cli: Cli, played: Any) -> None:
    text = cli("ratings", str(played.database), "--prior", "2").out
    (pool,) = cli("ratings", str(played.database), "--prior", "2", "--json").json["pools"]

    assert "with a prior of 2 virtual draws" in text
    assert pool["prior"] == {"virtual_draws": 2}


def test_registered_bots_without_a_board_are_listed(cli: Cli, copy: Path) -> None:
    with open_store(copy) as store:
        for name, identity in (("old", "basic@1"), ("new", "basic@3"), ("shy", "")):
            store.register_bot(RegisteredBot(name, "127.0.0.1:1", identity, 1))

    outcome = cli("ratings", str(copy))

    assert "registered without a board here: new (basic@3)" in outcome.out
    assert "registered without a board here: shy (its version is not known yet)" in outcome.out
    assert "here: old" not in outcome.out


def test_what_is_not_finished_is_left_out_and_said(cli: Cli, copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE tournaments SET state = 4")

    left = cli("ratings", str(copy))
    named = cli("ratings", str(copy), "--tournament", "small", "--json")

    assert left.exit_code == 0
    assert left.out.startswith("no whole boards to rate\nsmall of ")
    assert "it is PAUSED, not finished" in left.out
    assert named.json["pools"][0]["boards"] == 2


@pytest.mark.parametrize("rules", ["au-4p-43", "{hash}"])
def test_rules_are_named_by_preset_or_hash(cli: Cli, played: Any, rules: str) -> None:
    (pool,) = cli("ratings", str(played.database), "--json").json["pools"]

    named = rules.format(hash=pool["rules_hash"][:8].upper())
    (again,) = cli("ratings", str(played.database), "--json", "--rules", named).json["pools"]

    assert again == pool


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--tournament", "smal"], 2, "no tournament 'smal'; did you mean `small`?"),
        (["--anchor", "basic@2"], 2, "'basic@2' has no whole board here; did you mean `basic@1`?"),
        (["--rules", "au-4p-44"], 2, "no rules 'au-4p-44'; did you mean"),
        (["--rules", "ko-3p-33"], 1, "no tournament is played by ko-3p-33: there are au-4p-43"),
        (["--prior", "0"], 2, "a prior of 0 draws is none: give a number above 0"),
        (["--prior", "nan"], 2, "a prior of nan draws is none"),
        (["--json", "--csv"], 2, "--json and --csv are two forms of one answer"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_is_wrong_is_said(
    cli: Cli, played: Any, options: list[str], code: int, message: str
) -> None:
    outcome = cli("ratings", str(played.database), *options)

    assert (outcome.exit_code, outcome.out) == (code, "")
    assert message in outcome.err


def test_a_database_that_is_not_there_is_not_made(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("ratings", str(tmp_path / "nix.db"))

    assert outcome.exit_code == 2
    assert "nix.db does not exist" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_help_has_an_example(cli: Cli) -> None:
    assert "Example: fivehundred ratings" in cli("ratings", "--help").out


def test_only_what_takes_long_is_counted_aloud() -> None:
    told: list[str] = []
    times = iter([0.0, 4.0, 5.0, 5.0, 6.0, 11.0, 11.0])
    counter = Counter(lambda: next(times), told.append)

    for done in (1, 2, 3, 4):
        counter.show(done, 9)

    assert told == ["2/9 hands read", "4/9 hands read"]

"""`fivehundred plan`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
TOURNAMENTS = Path(__file__).resolve().parents[2] / "tournaments"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Writes a definition of a format between some entrants; gives its path."""

    def written(rest: str, entrants: str = "abcd") -> str:
        bots = "".join(f'entrants {{ name: "{name}" address: "x:1" }}\n' for name in entrants)
        path = tmp_path / "event.textproto"
        path.write_text(f'name: "event"\n{bots}{rest}', encoding="utf-8")
        return str(path)

    return written


def test_a_plan_says_what_is_played_what_it_costs_and_what_it_finds(
    cli: Cli, write: Callable[[str], str]
) -> None:
    path = write("format { round_robin { rounds: 25 } boards { boards_per_match: 8 } } tables: 64")

    outcome = cli("plan", path)

    assert outcome.exit_code == 0, outcome.err
    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert lines[0] == (
        "event: 4 entrants, everybody against everybody 25 times; a match is 8 boards in"
        " 2 seatings; points per hand tell who is better"
    )
    assert "hands 2,400 2,400 2,400" in lines
    assert "similar bots 45 ±2.7 6.3 ±6.3 9.0" in lines
    assert any("expected on a quiet machine; " in line for line in lines)
    assert any(line.startswith("time ") and line.endswith("takes its limit") for line in lines)
    assert "assumed: 1,500 bytes a hand" in lines
    assert not [line for line in lines if line.startswith("warning")]


def test_a_plan_measures_on_earlier_tournaments(
    cli: Cli, write: Callable[..., str], played: Any
) -> None:
    path = write('rules { preset: "au-4p-43" }', "ab")

    outcome = cli("plan", path, "--database", str(played.database), "--json")

    plan = outcome.json
    assert outcome.exit_code == 0
    assert plan["measured_on"] == ["small (4 hands)"]
    assert len(plan["resolutions"]) == 3
    assert plan["decisions"]["plays"] <= 8 * 40
    assert not [each for each in plan["assumptions"] if "decisions a hand" in each]


def test_a_database_that_nothing_is_used_of_is_said_to_be_none(
    cli: Cli, write: Callable[..., str], played: Any, tmp_path: Path
) -> None:
    path = Path(write('rules { preset: "au-4p-43" }', "ab"))
    path.write_text(path.read_text().replace('"event"', '"small"'))

    before = cli("plan", str(path), "--database", str(played.database))
    path.write_text(path.read_text().replace("au-4p-43", "hist-4p-44"))
    unlike = cli("plan", str(path), "--database", str(played.database), "--json").json

    assert "nothing of the database is used: 'small' is in it, so that only" in before.out
    assert unlike["measured_on"] == []
    assert "same rules, table size and play" in unlike["not_measured"]


PAIR_SCORES = "format { sequential { most_matches: 90 pair_scores { elo1: 60 } } %s }"


@pytest.mark.parametrize(
    ("play", "decided", "units"),
    [
        (
            "boards { boards_per_match: 1 }",
            "boards won (Elo) decide the test, points per hand rank",
            ["in Elo", "in points per hand"],
        ),
        ("games { boards_per_match: 1 }", "games won (Elo) decide the test", ["in Elo"]),
    ],
)
def test_a_test_of_shares_is_planned_in_elo(
    cli: Cli, write: Callable[..., str], play: str, decided: str, units: list[str]
) -> None:
    lines = cli("plan", write(PAIR_SCORES % play, "ab")).out.splitlines()

    assert lines[0].endswith(decided)
    assert "which rests on 20 to 90 matches" in lines[0]
    assert any(line.startswith("up to 15 matches are under way") for line in lines)
    assert [line.partition(";")[0] for line in lines if line.startswith("in ")] == units


@pytest.mark.parametrize("name", ["ladder", "games-test"])
def test_a_plan_is_whole_on_a_narrow_terminal(
    cli: Cli, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(TOURNAMENTS / f"{name}.textproto")
    wide = cli("plan", path).out
    monkeypatch.setattr("fivehundred.cli.output.WIDTH_OF_PIPES", 80)
    narrow = cli("plan", path).out

    rows = [line.split() for line in wide.splitlines() if "bots  " in line]
    words = set(narrow.split())
    assert rows
    assert [word for row in rows for word in row if word not in words] == []
    assert max(len(line) for line in narrow.splitlines() if "bots  " in line) <= 80


def test_a_plan_as_json_has_every_figure(cli: Cli, write: Callable[..., str]) -> None:
    path = write(
        "format { sequential { most_matches: 2000 margins { margin0: 0 margin1: 10 } } }", "ab"
    )

    plan = cli("plan", path, "--json").json

    assert plan["name"] == "event"
    assert plan["matches"]["most"] == 2000
    assert [each["truth"] for each in plan["stoppings"][0]["stops"]] == ["h0", "h1", "midway"]
    assert plan["resolutions"][1]["half_width"]["median"] > 0


@pytest.mark.parametrize(
    ("rest", "entrants", "right"),
    [
        ("", "a", "name at least two"),
        ("format { boards { boards_per_match: 1 } }", "ab", "play 2 boards or more"),
        ("time_control { play { nanos: 100000 } }", "ab", "allow 0.02 s or more"),
        ("time_control { connect { nanos: 1000000 } }", "ab", "allow 2 s or more"),
        (
            "format { boards { boards_per_match: 100000 } } time_control { play { seconds: 60 } }",
            "ab",
            "shorter limits",
        ),
    ],
    ids=["one entrant", "one board", "no time", "no time to connect", "years"],
)
def test_nonsense_is_refused_in_one_line_with_exit_code_2(
    cli: Cli, write: Callable[..., str], rest: str, entrants: str, right: str
) -> None:
    outcome = cli("plan", write(rest, entrants))

    assert outcome.exit_code == 2
    assert right in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert outcome.out == ""


def test_nonsense_is_refused_as_json(cli: Cli, write: Callable[..., str]) -> None:
    outcome = cli("plan", write("format { boards { boards_per_match: 1 } }", "ab"), "--json")

    assert outcome.exit_code == 2
    assert "one board in all" in json.loads(outcome.err)["error"]


def test_what_is_doubtful_is_a_warning(cli: Cli, write: Callable[..., str]) -> None:
    outcome = cli("plan", write("", "ab"), "--within", "1min")

    assert outcome.exit_code == 0
    warnings = [line for line in outcome.out.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 2
    assert "no more than 4 boards" in warnings[0]
    assert "longer than 1 min" in warnings[1]


def test_a_time_that_is_none_is_refused(cli: Cli, write: Callable[..., str]) -> None:
    outcome = cli("plan", write("", "ab"), "--within", "soon")

    assert outcome.exit_code == 2
    assert "'soon' is no time: write 90s, 45min, 2h, 1d or 1h30min" in outcome.err


def test_a_database_that_is_not_there_is_refused(cli: Cli, write: Callable[..., str]) -> None:
    outcome = cli("plan", write("", "ab"), "--database", "nowhere.db")

    assert outcome.exit_code == 2
    assert "nowhere.db does not exist" in outcome.err


@pytest.mark.parametrize(
    "path", sorted(TOURNAMENTS.glob("*.textproto")), ids=lambda path: path.stem
)
def test_every_example_can_be_planned(cli: Cli, path: Path) -> None:
    outcome = cli("plan", str(path), "--json")

    assert outcome.exit_code == 0, outcome.err
    assert outcome.json["hands"]["expected"] > 0

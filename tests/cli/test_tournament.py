import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def tournament(cli: Callable[..., Any], daemon: str) -> Callable[..., Any]:
    """Runs `fivehundred tournament …` on the daemon."""
    return lambda *arguments: cli("tournament", *arguments, "--daemon", daemon)


@pytest.fixture(scope="session")
def other_file(spec_file: Path) -> Path:
    """The small tournament under another name."""
    path = spec_file.with_name("other.textproto")
    path.write_text(spec_file.read_text().replace('"small"', '"other"'), encoding="utf-8")
    return path


def test_a_tournament_is_created_started_watched_and_ranked(
    tournament: Callable[..., Any], cli: Callable[..., Any], spec_file: Path, daemon: str
) -> None:
    created = tournament("create", str(spec_file), "--start", "--json").json
    events = [json.loads(line) for line in tournament("watch", "small", "--json").out.splitlines()]
    standings = tournament("standings", "small", "--json").json
    hands = cli("hand", "list", "--daemon", daemon, "--tournament", "small", "--json")

    assert created["spec"]["name"] == "small"
    assert [event["event"] for event in events] == [str(n) for n in range(1, len(events) + 1)]
    assert events[-1]["tournament"]["state"] == "TOURNAMENT_STATE_FINISHED"
    assert standings["hands"] == "4"
    assert len(hands.out.splitlines()) == 4
    assert tournament("watch", "small", "--after", "6").out.startswith("7 small is FINISHED")
    assert "ranked by points per hand" in tournament("standings", "small").out


def test_a_created_tournament_waits_and_can_be_aborted(
    tournament: Callable[..., Any], other_file: Path
) -> None:
    created = tournament("create", str(other_file))
    refused = tournament("stop", "other", "--abort")
    aborted = tournament("stop", "other", "--abort", "--yes")

    assert "state       CREATED" in created.out
    assert "tables      16" in created.out
    assert refused.exit_code == 2
    assert "add --yes" in refused.err
    assert "state       ABORTED" in aborted.out
    assert "other" in tournament("list").out
    assert "ABORTED" in tournament("show", "other").out


def test_validate_stores_nothing(tournament: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "bad.textproto"
    path.write_text('name: "B" rules { preset: "au-4p-43" }', encoding="utf-8")

    outcome = tournament("validate", str(path))

    assert outcome.exit_code == 2
    assert "error: entrants: " in outcome.err
    assert "error: name: " in outcome.err
    assert all(
        each["spec"]["name"] != "B" for each in tournament("list", "--json").json["tournaments"]
    )


def test_validate_says_what_would_be_played(
    tournament: Callable[..., Any], spec_file: Path
) -> None:
    out = tournament("validate", str(spec_file)).out

    assert "would play  4 hands in 1 matches" in out
    assert "rules       au-4p-43\n" in out
    assert "tables      16" in out
    assert "time        bid " in out
    assert "faults      10 faults of an entrant in a match forfeit the rest of the match\n" in out
    assert "progress" not in out


def test_validate_says_that_rules_are_changed(
    tournament: Callable[..., Any], spec_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "house.textproto"
    house = 'preset: "us-4p-45" override { target: 1000 }'
    text = spec_file.read_text(encoding="utf-8").replace('preset: "au-4p-43"', house)
    path.write_text(text, encoding="utf-8")

    out = tournament("validate", str(path)).out

    assert "rules       us-4p-45 with changes\n" in out


def test_validate_of_games_says_how_many_matches(
    tournament: Callable[..., Any], spec_file: Path, tmp_path: Path
) -> None:
    text = spec_file.read_text().replace("boards { boards_per_match: 2 }", "games {}")
    path = tmp_path / "games.textproto"
    path.write_text(text.replace('"small"', '"games"'), encoding="utf-8")

    assert "would play  games in 1 matches" in tournament("validate", str(path)).out


@pytest.mark.parametrize("verb", ["start", "pause", "drain", "stop", "show", "standings", "watch"])
def test_an_unknown_tournament_is_told_in_one_line(
    tournament: Callable[..., Any], verb: str
) -> None:
    outcome = tournament(verb, "nix")

    assert outcome.exit_code == 1
    assert outcome.err == "error: there is no tournament 'nix'\n"


def test_where_no_daemon_answers_a_way_out_is_named(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    address = f"unix:{tmp_path}/nobody.sock"

    outcome = cli("tournament", "list", "--daemon", address)

    assert outcome.exit_code == 1
    assert outcome.err.startswith(f"error: no daemon answers at {address}: start one with ")


def test_the_environment_names_the_daemon(
    cli: Callable[..., Any], daemon: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVEHUNDRED_DAEMON", daemon)

    assert cli("tournament", "list", "--json").exit_code == 0

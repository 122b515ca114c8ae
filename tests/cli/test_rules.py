import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fivehundred.wire.presets import load_preset, preset_names
from fivehundred.wire.ruleset import rules_hash

PRESETS = Path(__file__).parents[2] / "server" / "fivehundred" / "rules" / "presets"
HOUSE = """
name: "house"
rules { preset: "us-4p-45" override { target: 1000 } }
"""


def squeezed(text: str) -> list[str]:
    """The lines of a text with single spaces."""
    return [" ".join(line.split()) for line in text.splitlines()]


def test_list_says_what_each_rule_set_is(cli: Callable[..., Any]) -> None:
    rows = cli("rules", "list", "--json").json["rules"]

    assert [row["name"] for row in rows] == list(preset_names())
    assert rows[preset_names().index("au-4p-43")] == {
        "name": "au-4p-43",
        "description": "Australian, 4 players",
        "players": 4,
        "cards": 43,
        "kitty": 3,
        "personal_kitty": 0,
        "dead_hands": 0,
        "sides": "two teams",
        "auction": "until passed",
        "target": 500,
    }


def test_list_has_a_line_for_each(cli: Callable[..., Any]) -> None:
    lines = squeezed(cli("rules", "list").out)

    assert "qc-4p-46-vi Québec, 4 players 46 6 two teams until passed 1000" in lines
    assert "ko-3p-33 Korean, 3 players 33 3 each alone until passed 500" in lines
    assert "hist-5p-52 historical, 5 players 52 2 called partner one call each 500" in lines


def test_the_cards_of_the_list_add_up(cli: Callable[..., Any]) -> None:
    lines = squeezed(cli("rules", "list", "--players", "2").out)

    assert "hist-2p-24 historical, 2 players 24 0 + 2 each each alone one call each 500" in lines
    assert "hist-2p-25 historical, 2 players 25 1 + 2 each each alone one call each 500" in lines
    dead = "uspc-2p-33-dead US Playing Card Co., 2 players 33 3 + dead 10 each alone"
    assert any(line.startswith(dead) for line in lines)


def test_list_can_keep_to_a_number_of_players(cli: Callable[..., Any]) -> None:
    rows = cli("rules", "list", "--players", "5", "--json").json["rules"]

    assert [row["name"] for row in rows] == ["au-5p-53", "hist-5p-52", "ko-5p-53", "uspc-5p-53"]
    assert cli("rules", "list", "--players", "7").exit_code == 2


def test_show_tells_the_rules_and_the_scoring_table(cli: Callable[..., Any]) -> None:
    out = cli("rules", "show", "au-4p-43").out

    assert out.startswith("au-4p-43: Australian, 4 players\n\nThe game\n500 is a game of tricks")
    assert "There are two teams of two; partners sit opposite" in out
    assert "contract S C D H NT" in squeezed(out)
    assert "10 440 460 480 500 520" in squeezed(out)
    assert "MIS 250" in squeezed(out)


def test_show_can_list_the_parameters(cli: Callable[..., Any]) -> None:
    lines = squeezed(cli("rules", "show", "au-4p-43", "--parameters").out)

    assert "lowest_pip S 5 C 5 D 4 H 4" in lines
    assert "several_reach CONTRACTOR_THEN_HIGHEST" in lines
    assert "contract S C D H NT" in lines
    assert "6 40 60 80 100 120" in lines


def test_contracts_that_cannot_be_played_score_nothing(cli: Callable[..., Any]) -> None:
    lines = squeezed(cli("rules", "show", "qc-4p-46-vi").out)

    assert "8 240 260 280 300 320" in lines
    assert "7 140 160 180 200 220" not in lines
    assert "GAME 1000 1000 1000 1000 1000" in lines


def test_show_as_json_has_name_hash_parameters_and_text(cli: Callable[..., Any]) -> None:
    shown = cli("rules", "show", "au-4p-43", "--json").json

    assert set(shown) == {"name", "hash", "parameters", "text"}
    assert shown["hash"] == rules_hash(load_preset("au-4p-43")).hex()
    assert shown["parameters"]["base_value"]["no_trump"] == 120
    assert shown["parameters"]["special_bids"][0]["name"] == "MIS"
    assert shown["text"][0].startswith("500 is a game of tricks with an auction.")


@pytest.mark.parametrize("command", [("show", "au-4p"), ("diff", "au-4p-43", "au-4p")])
def test_an_unknown_rule_set_is_answered_with_near_ones(
    command: tuple[str, ...], cli: Callable[..., Any]
) -> None:
    outcome = cli("rules", *command)

    assert outcome.exit_code == 2
    assert "no preset 'au-4p'; did you mean au-4p-43" in outcome.err


def test_the_rules_of_a_tournament_s_file_are_shown(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "house.textproto"
    file.write_text(HOUSE, encoding="utf-8")

    shown = cli("rules", "show", str(file), "--json").json
    found = cli("rules", "diff", "us-4p-45", str(file), "--json").json

    assert shown["parameters"]["target"] == 1000
    assert [row["name"] for row in found["differences"]] == ["target"]


def test_the_rules_of_a_tournament_in_json_are_shown(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "house.json"
    house = {"name": "house", "rules": {"preset": "us-4p-45", "override": {"target": 1000}}}
    file.write_text(json.dumps(house), encoding="utf-8")

    shown = cli("rules", "show", str(file), "--json").json

    assert shown["parameters"]["target"] == 1000


def test_a_rule_set_in_a_file_is_shown(cli: Callable[..., Any]) -> None:
    shown = cli("rules", "show", str(PRESETS / "hist-2p-24.textproto"), "--json").json

    assert shown["hash"] == rules_hash(load_preset("hist-2p-24")).hex()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('rules { preset: "au-4p" }', "x.textproto: rules.preset: no preset 'au-4p'; did you mean"),
        ("rules { override { target: 0 } }", "x.textproto: rules.target: 0: give 1 to 100000"),
        ("\nruls { }", "x.textproto:2: no field `ruls` in TournamentSpec; did you mean `rules`?"),
        (
            "# proto-message: fivehundred.v1.RuleSet\ntarget: 0",
            "x.textproto: target: 0: give 1 to 100000",
        ),
        (
            "# proto-message: fivehundred.v1.RuleSet\ntaget: 0",
            "x.textproto:2: no field `taget` in RuleSet; did you mean `target`?",
        ),
        (
            "players: 4\ntarget: 1000",
            "for a rule set, put the line # proto-message: fivehundred.v1.RuleSet in it",
        ),
    ],
)
def test_a_file_that_is_wrong_is_told(
    text: str, message: str, cli: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "x.textproto"
    file.write_text(text, encoding="utf-8")

    outcome = cli("rules", "show", str(file))

    assert outcome.exit_code == 2
    assert message in outcome.err


def test_a_file_that_is_missing_is_told(cli: Callable[..., Any]) -> None:
    outcome = cli("rules", "show", "missing.textproto", "--json")

    assert outcome.exit_code == 2
    assert json.loads(outcome.err)["error"].startswith("missing.textproto cannot be read")

from collections.abc import Callable
from typing import Any

from fivehundred.wire.presets import preset_names


def test_list_names_every_rule_set(cli: Callable[..., Any]) -> None:
    assert cli("rules", "list", "--json").json == {"rules": list(preset_names())}
    assert all(name in cli("rules", "list").out for name in ("au-4p-43", "ko-3p-33"))


def test_show_has_every_parameter_and_the_scoring_table(cli: Callable[..., Any]) -> None:
    lines = [" ".join(line.split()) for line in cli("rules", "show", "au-4p-43").out.splitlines()]

    assert "lowest_pip S 5 C 5 D 4 H 4" in lines
    assert "several_reach CONTRACTOR_THEN_HIGHEST" in lines
    assert "contract S C D H NT" in lines
    assert "6 40 60 80 100 120" in lines
    assert "10 440 460 480 500 520" in lines
    assert "MIS 250" in lines


def test_show_as_json_is_the_contract_s_rule_set(cli: Callable[..., Any]) -> None:
    rules = cli("rules", "show", "au-4p-43", "--json").json

    assert rules["players"] == 4
    assert rules["base_value"]["no_trump"] == 120
    assert rules["special_bids"][0]["name"] == "MIS"


def test_an_unknown_rule_set_is_answered_with_near_ones(cli: Callable[..., Any]) -> None:
    outcome = cli("rules", "show", "au-4p")

    assert outcome.exit_code == 2
    assert "did you mean au-4p-43" in outcome.err

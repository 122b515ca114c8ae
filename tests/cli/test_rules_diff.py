"""What differs between two rule sets is told, and nothing else."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fivehundred.cli.rules_diff import Difference, compare
from fivehundred.rules.ruleset import (
    MISERE,
    CallRules,
    JokerLead,
    Reveal,
    RuleSet,
    SideModel,
)
from fivehundred.wire.presets import load_preset, preset_names


@pytest.mark.parametrize("name", preset_names())
def test_a_rule_set_does_not_differ_from_itself(name: str) -> None:
    found = compare(load_preset(name), load_preset(name))

    assert found.play_alike
    assert (found.differences, found.only_a, found.only_b) == ((), (), ())


def test_a_parameter_differs_with_its_sentences() -> None:
    found = compare(RuleSet(), replace(RuleSet(), slam_minimum=0))

    assert not found.play_alike
    assert found.differences == (Difference("slam_minimum", "250", "0", True),)
    assert [str(each) for each in found.only_a] == [
        "But a numbered contract made with all ten tricks scores at least 250."
    ]
    assert found.only_b == ()


def test_a_special_bid_s_part_goes_by_the_bid_s_name() -> None:
    dearer = replace(RuleSet(), special_bids=(replace(MISERE, value=300),))

    found = compare(replace(RuleSet(), special_bids=(MISERE,)), dearer)

    assert found.differences == (Difference("MIS.value", "250", "300", True),)
    assert [(each.bid, str(each)) for each in found.only_b] == [("MIS", "It is worth 300.")]


def test_a_special_bid_that_only_one_has_is_named_once() -> None:
    found = compare(RuleSet(), replace(RuleSet(), special_bids=(MISERE,)))

    assert found.differences == (Difference("special_bids", "MIS OM", "MIS", True),)
    assert "OM" in {each.bid for each in found.only_a}


def test_what_has_no_effect_is_listed_as_such() -> None:
    plain = load_preset("hist-4p-44")

    found = compare(plain, replace(plain, joker_lead=JokerLead.AS_TRUMP))

    assert found.play_alike
    assert found.differences == (
        Difference("joker_lead", "NAME_UNLED_SUIT", "AS_TRUMP", has_effect=False),
    )
    assert found.only_a == found.only_b == ()


def test_a_part_of_the_call_may_have_no_effect() -> None:
    plain = load_preset("uspc-5p-53")
    assert plain.call is not None

    found = compare(plain, replace(plain, call=replace(plain.call, reveal=Reveal.WHEN_PLAYED)))

    assert found.play_alike
    assert found.differences == (Difference("call.reveal", "AT_ONCE", "WHEN_PLAYED", False),)


def test_a_call_that_only_one_has_is_told_in_parts() -> None:
    solo = load_preset("ko-3p-33")

    found = compare(solo, replace(solo, side_model=SideModel.CALLED, call=CallRules()))

    told = {each.name: (each.a, each.b) for each in found.differences}
    assert told["side_model"] == ("SOLO", "CALLED")
    assert told["call.share"] == ("-", "HALF")
    assert "call" not in told


def test_the_command_prints_parameters_and_sentences(cli: Callable[..., Any]) -> None:
    outcome = cli("rules", "diff", "au-4p-43", "uspc-4p-43")

    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert outcome.exit_code == 0
    assert "auction_rounds UNTIL_PASSED ONE_EACH" in lines
    assert "The auction: Each player speaks once." in lines
    assert not any(line.startswith("players ") for line in lines)


def test_rule_sets_that_play_alike_are_said_to(cli: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "same.textproto"
    same = 'rules { preset: "hist-4p-44" override { joker_lead: JOKER_LEAD_AS_TRUMP } }'
    file.write_text(same, encoding="utf-8")

    outcome = cli("rules", "diff", "hist-4p-44", str(file))
    found = cli("rules", "diff", "hist-4p-44", str(file), "--json").json

    assert outcome.exit_code == 0
    assert "play alike" in outcome.out
    assert "joker_lead (no effect)" in outcome.out
    assert found["play_alike"] is True
    assert found["a"]["hash"] == found["b"]["hash"]
    assert found["differences"] == [
        {"name": "joker_lead", "a": "NAME_UNLED_SUIT", "b": "AS_TRUMP", "has_effect": False}
    ]


def test_json_has_the_sentences_of_each(cli: Callable[..., Any]) -> None:
    found = cli("rules", "diff", "au-4p-43", "ko-4p-43", "--json").json

    assert found["play_alike"] is False
    assert {"chapter", "bid", "sentences"} == set(found["a"]["only"][0])
    assert "No score, however low, ends the game." in str(found["b"]["only"])

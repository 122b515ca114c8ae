from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fivehundred.referee.rule_choice import choose
from fivehundred.rules.ruleset import (
    BidOrder,
    CallRules,
    Exposure,
    JokerLead,
    Reveal,
    RuleSet,
    Share,
    SideModel,
    SpecialBid,
    SpecialKind,
)
from fivehundred.wire.presets import load_preset, preset_names

Refused = Callable[..., tuple[str, str]]


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_chosen_by_its_name(name: str) -> None:
    assert choose(name) == load_preset(name)
    assert choose({"preset": name}) == load_preset(name)


def test_the_default_is_the_australian_game() -> None:
    assert choose(None) == choose({}) == choose({"override": None}) == RuleSet()


@pytest.mark.parametrize(
    ("override", "changes"),
    [
        ({"bid_order": "VALUE"}, {"bid_order": BidOrder.VALUE}),
        ({"bid_order": "BID_ORDER_VALUE"}, {"bid_order": BidOrder.VALUE}),
        ({"joker_lead": "as_trump"}, {"joker_lead": JokerLead.AS_TRUMP}),
        ({"target": 1000.0}, {"target": 1000}),
        ({"set_back": False}, {"set_back": False}),
        ({"floor": None, "defender_ceiling": 490}, {"floor": None, "defender_ceiling": 490}),
        ({"floor": -400}, {"floor": -400}),
        ({"lowest_pip": [5, 5, 5, 5]}, {"lowest_pip": (5, 5, 5, 5)}),
        (
            {"lowest_pip": {"spades": 6, "clubs": 5, "diamonds": 4, "hearts": 4}},
            {"lowest_pip": (6, 5, 4, 4)},
        ),
        ({"base_value": [20, 40, 60, 80, 100]}, {"base_value": (20, 40, 60, 80, 100)}),
        ({"strain_order": ["C", "S", "H", "D", "NT"]}, {"strain_order": (1, 0, 3, 2, 4)}),
        ({"special_bids": []}, {"special_bids": ()}),
        (
            {"side_model": "CALLED", "call": {"reveal": "AT_ONCE", "secret_solo": True}},
            {
                "side_model": SideModel.CALLED,
                "call": CallRules(reveal=Reveal.AT_ONCE, secret_solo=True),
            },
        ),
    ],
)
def test_an_override_is_written_as_people_write_it(
    override: dict[str, Any], changes: dict[str, Any]
) -> None:
    assert choose({"override": override}) == replace(RuleSet(), **changes)


def test_a_part_of_the_call_changes_alone() -> None:
    preset = load_preset("uspc-5p-53")
    assert preset.call is not None

    halved = choose({"preset": "uspc-5p-53", "override": {"call": {"share": "HALF"}}})
    never = choose({"preset": "uspc-5p-53", "override": {"call": {"second_partner_from": 0}}})

    assert halved.call == replace(preset.call, share=Share.HALF)
    assert never.call == replace(preset.call, second_partner_from=0)


def test_special_bids_replace_the_preset_s() -> None:
    special = {
        "name": "NULLO",
        "kind": "LOSE_ALL",
        "value": 250,
        "ranks_above": "10NT",
        "needs_level": 7,
        "takes_kitty": True,
        "exposure": "BEFORE_LEAD",
        "points_per_forced_trick": 10,
    }

    rules = choose({"override": {"special_bids": [special]}})

    nullo = SpecialBid("NULLO", SpecialKind.LOSE_ALL, 250, (10, 4), needs_level=7)
    expected = replace(nullo, exposure=Exposure.BEFORE_LEAD, points_per_forced_trick=10)
    assert rules.special_bids == (expected,)


def test_null_takes_the_call_away() -> None:
    rules = choose({"preset": "au-5p-53", "override": {"side_model": "SOLO", "call": None}})

    assert (rules.side_model, rules.call) == (SideModel.SOLO, None)


SPECIAL = {"name": "X", "kind": "LOSE_ALL", "value": 9, "ranks_above": "7S"}


@pytest.mark.parametrize(
    ("rules", "field", "part"),
    [
        ("au-4p-42", "rules", "did you mean au-4p-43"),
        ("", "rules", "no preset ''; the presets are"),
        ("\ud800", "rules", "no preset '\\ud800'"),
        ("x" * 1000, "rules", "a text of 1000 characters"),
        (7, "rules", "7: give a preset's name"),
        ([], "rules", "a list: give a preset's name"),
        ({"preset": "nope"}, "rules.preset", "no preset 'nope'"),
        ({"preset": 3}, "rules.preset", "3: give a preset's name"),
        ({"overide": {}}, "rules.overide", "did you mean `override`"),
        ({"override": []}, "rules.override", "a list: give an object"),
    ],
)
def test_a_wrong_choice_names_the_member(
    refused: Refused, rules: object, field: str, part: str
) -> None:
    found, message = refused("deck", rules=rules)

    assert found == field
    assert part in message


@pytest.mark.parametrize(
    ("override", "field", "part"),
    [
        ({"joker_led": 1}, "joker_led", "did you mean `joker_lead`"),
        ({"joker_lead": "ANY"}, "joker_lead", "is none of NAME_UNLED_SUIT"),
        ({"joker_lead": 2}, "joker_lead", "2: give one of"),
        ({"joker_lead": None}, "joker_lead", "null: give one of"),
        ({"joker_lead": "UNSPECIFIED"}, "joker_lead", "is none of"),
        ({"set_back": 1}, "set_back", "give true or false"),
        ({"target": True}, "target", "true: give a whole number"),
        ({"target": None}, "target", "null: give a whole number from 1 to 100000"),
        ({"target": -1}, "target", "give 1 to 100000"),
        ({"target": 1 << 40}, "target", "give 1 to 100000"),
        ({"target": 0}, "target", "0: give 1 to"),
        ({"players": 7}, "players", "2 to 6 play"),
        ({"lowest_pip": [5, 5]}, "lowest_pip", "2 numbers: give one for each of spades"),
        ({"lowest_pip": [5, 5, 5, "4"]}, "lowest_pip[3]", "give a whole number"),
        ({"lowest_pip": {"spade": 5}}, "lowest_pip.spade", "did you mean `spades`"),
        ({"lowest_pip": 5}, "lowest_pip", "give a list"),
        ({"strain_order": []}, "strain_order", "0 strains"),
        ({"strain_order": ["S", "C", "D", "H", "H"]}, "strain_order", "once"),
        ({"strain_order": ["S", "C", "D", "H", "X"]}, "strain_order[4]", "no strain"),
        ({"call": {}}, "call", "only where side_model is CALLED"),
        ({"call": []}, "call", "a list: give an object"),
        ({"call": {"method": "X"}}, "call.method", "is none of CALL_CARD"),
        ({"special_bids": None}, "special_bids", "null: give a list"),
        ({"special_bids": [1]}, "special_bids[0]", "1: give an object"),
        ({"special_bids": [{}]}, "special_bids[0].name", "is missing"),
        ({"special_bids": [SPECIAL] * 33}, "special_bids", "at most 32"),
        ({"special_bids": [SPECIAL] * 2}, "special_bids[0].name", "occurs 2 times"),
        ({"special_bids": [{**SPECIAL, "name": "É"}]}, "special_bids[0].name", "A to Z"),
        ({"special_bids": [{**SPECIAL, "ranks_above": "S"}]}, "special_bids[0].ranks_above", "8S"),
        (
            {"special_bids": [{**SPECIAL, "ranks_above": "7X"}]},
            "special_bids[0].ranks_above",
            "'7X' is no numbered bid: write a level of 6 to 10",
        ),
        (
            {"special_bids": [{**SPECIAL, "ranks_above": "11S"}]},
            "special_bids[0].ranks_above",
            "'11S' is no numbered bid: write a level of 6 to 10",
        ),
    ],
)
def test_a_wrong_override_names_the_field(
    refused: Refused, override: dict[str, Any], field: str, part: str
) -> None:
    found, message = refused("deck", rules={"override": override})

    assert found == f"rules.override.{field}"
    assert part in message

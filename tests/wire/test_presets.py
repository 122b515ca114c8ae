"""Every preset is what the rules reference says."""

import re

import pytest

from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import MISERE, OPEN_MISERE, RuleSet, SideModel
from fivehundred.rules.validate import validate
from fivehundred.v1 import ruleset_pb2
from fivehundred.wire.presets import choose_rules, load_preset, preset_names
from fivehundred.wire.ruleset import EMPTY, rules_hash, ruleset_from_proto, ruleset_to_proto

PACKS = {
    "ko-2p-23": (2, 23, 3),
    "hist-2p-24": (2, 24, 0),
    "hist-2p-25": (2, 25, 1),
    "uspc-2p-24": (2, 24, 4),
    "uspc-2p-33-dead": (2, 33, 3),
    "hist-3p-32": (3, 32, 2),
    "ko-3p-33": (3, 33, 3),
    "au-3p-33": (3, 33, 3),
    "uspc-3p-33": (3, 33, 3),
    "uspc-4p-42": (4, 42, 2),
    "au-4p-43": (4, 43, 3),
    "uspc-4p-43": (4, 43, 3),
    "ko-4p-43": (4, 43, 3),
    "us-4p-43-nullo": (4, 43, 3),
    "hist-4p-44": (4, 44, 4),
    "us-4p-45": (4, 45, 5),
    "us-4p-45-inkle": (4, 45, 5),
    "qc-4p-46-vi": (4, 46, 6),
    "qc-4p-46-mcgill": (4, 46, 6),
    "hist-5p-52": (5, 52, 2),
    "uspc-5p-53": (5, 53, 3),
    "au-5p-53": (5, 53, 3),
    "ko-5p-53": (5, 53, 3),
    "hist-6p-60": (6, 60, 0),
    "hist-6p-61": (6, 61, 1),
    "uspc-6p-62": (6, 62, 2),
    "au-6p-63": (6, 63, 3),
    "ko-6p-63": (6, 63, 3),
    "uspc-6p-63": (6, 63, 3),
    "ext-6p-63-pairs": (6, 63, 3),
}
"""Vectors A01-A18: players, cards, kitty."""


def test_the_thirty_presets_are_there() -> None:
    assert set(preset_names()) == set(PACKS)


@pytest.mark.parametrize("name", PACKS)
def test_a_preset_has_the_reference_s_pack(name: str) -> None:
    rules = load_preset(name)

    assert (rules.players, rules.deck_size, rules.kitty_size) == PACKS[name]
    validate(rules)


@pytest.mark.parametrize("name", PACKS)
def test_a_preset_survives_the_wire(name: str) -> None:
    rules = load_preset(name)

    assert ruleset_from_proto(ruleset_to_proto(rules), EMPTY) == rules


def test_no_two_presets_play_alike() -> None:
    assert len({rules_hash(load_preset(name)) for name in preset_names()}) == len(PACKS)


def test_the_australian_game_is_the_default() -> None:
    assert load_preset("au-4p-43") == RuleSet()
    assert choose_rules(ruleset_pb2.RulesChoice()) == RuleSet()


def test_special_bids_are_the_reference_s() -> None:
    names = {name: [bid.name for bid in load_preset(name).special_bids] for name in PACKS}

    australian = {"au-3p-33", "au-4p-43", "au-5p-53", "au-6p-63", "ext-6p-63-pairs"}
    assert {name for name, bids in names.items() if bids == ["MIS", "OM"]} == australian
    assert names["us-4p-43-nullo"] == ["NULLO", "DBL", "BAR"]
    assert names["qc-4p-46-vi"] == ["GAME"]
    assert sum(1 for bids in names.values() if bids) == 7
    assert load_preset("au-5p-53").special_bids == (MISERE, OPEN_MISERE)


def test_only_called_games_have_call_rules() -> None:
    called = {name for name in PACKS if load_preset(name).call is not None}

    assert called == {name for name in PACKS if load_preset(name).side_model is SideModel.CALLED}
    assert called == {"au-5p-53", "ko-5p-53", "uspc-5p-53", "hist-5p-52"}


@pytest.mark.parametrize("name", [name for name in PACKS if name.startswith("hist")])
def test_the_old_count_ranks_clubs_lowest(name: str) -> None:
    rules = load_preset(name)

    assert rules.strain_order == (1, 0, 3, 2, 4)
    assert rules.base_value == (60, 40, 100, 80, 120)


def choose(preset: str = "", clear: list[str] | None = None, **changes: int) -> RuleSet:
    override = ruleset_pb2.RuleSet(**changes)  # type: ignore[arg-type]  # some are enums
    choice = ruleset_pb2.RulesChoice(preset=preset, override=override, clear=clear or [])
    return choose_rules(choice)


def test_a_choice_overrides_its_preset() -> None:
    rules = choose("us-4p-45", target=1000)

    assert (rules.deck_size, rules.target) == (45, 1000)


def test_a_choice_can_clear_special_bids() -> None:
    assert choose(clear=["special_bids"]).special_bids == ()


def test_a_choice_can_turn_a_called_game_into_a_solo_one() -> None:
    rules = choose("au-5p-53", ["call"], side_model=ruleset_pb2.SIDE_MODEL_SOLO)

    assert (rules.call, rules.side_model) == (None, SideModel.SOLO)


def test_a_choice_is_validated() -> None:
    with pytest.raises(InvalidRuleSet):
        choose(players=6)


def test_an_unknown_preset_is_told_with_near_names() -> None:
    wanted = "no preset 'au-4p-34'; did you mean au-4p-43 or"
    with pytest.raises(InvalidRuleSet, match=re.escape(wanted)):
        load_preset("au-4p-34")


def test_only_lists_and_messages_can_be_cleared() -> None:
    with pytest.raises(InvalidRuleSet, match="'target' cannot be cleared: only special_bids and"):
        choose(clear=["target"])

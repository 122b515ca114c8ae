"""What a rule set may not say, and the one form that equal games share."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import (
    MISERE,
    OPEN_MISERE,
    AuctionRounds,
    CallMethod,
    CallRules,
    FloorEffect,
    JokerForced,
    JokerLead,
    PersonalKittyUse,
    Reentry,
    Reveal,
    RuleSet,
    SeveralReach,
    SideModel,
    SpecialKind,
)
from fivehundred.rules.validate import canonical, validate
from fivehundred.wire.presets import load_preset

House = Callable[..., RuleSet]


def test_presets_are_valid(preset: RuleSet) -> None:
    validate(preset)
    validate(canonical(preset))


def test_the_canonical_form_is_its_own(preset: RuleSet) -> None:
    assert canonical(canonical(preset)) == canonical(preset)


WRONG: list[tuple[str, dict[str, object]]] = [
    ("players", {"players": 7}),
    ("players", {"players": 1}),
    ("lowest_pip", {"lowest_pip": (1, 5, 4, 4)}),
    ("lowest_pip", {"lowest_pip": (11, 5, 4, 4)}),
    ("lowest_pip", {"lowest_pip": (5, 5, 4)}),
    ("lowest_pip", {"lowest_pip": (10, 10, 4, 4)}),
    ("highest_pip", {"highest_pip": (14, 10, 10, 10)}),
    ("highest_pip", {"highest_pip": (9, 10, 10, 10)}),
    ("jokers", {"jokers": 3}),
    ("dead_hands", {"dead_hands": 2}),
    ("personal_kitty", {"personal_kitty": 3}),
    ("side_model", {"side_model": SideModel.TEAMS_3}),
    ("side_model", {"side_model": SideModel.TEAMS_2, "players": 3}),
    ("side_model", {"side_model": SideModel.TEAMS_2, "players": 2}),
    ("call", {"side_model": SideModel.CALLED}),
    ("call", {"call": CallRules()}),
    ("strain_order", {"strain_order": (0, 1, 2, 3, 3)}),
    ("min_bid", {"min_bid": 5}),
    ("min_contract", {"min_bid": 7}),
    ("min_contract", {"min_contract": 11}),
    ("signal_seats", {"signal_seats": 2}),
    ("signal_seats", {"signal_seats": 5, "min_contract": 7}),
    ("special_bids[0].name", {"special_bids": (replace(MISERE, name="P"),)}),
    ("special_bids[0].name", {"special_bids": (replace(MISERE, name="open"),)}),
    ("special_bids[0].name", {"special_bids": (MISERE, MISERE)}),
    ("special_bids[1].value", {"special_bids": (MISERE, replace(OPEN_MISERE, value=0))}),
    ("special_bids[0].ranks_above", {"special_bids": (replace(MISERE, ranks_above=(5, 0)),)}),
    ("special_bids[0].needs_level", {"special_bids": (replace(MISERE, needs_level=11),)}),
    (
        "special_bids[0].needs_partner_bid",
        {"special_bids": (replace(MISERE, needs_partner_bid="OM"),)},
    ),
    (
        "special_bids[0].points_per_forced_trick",
        {"special_bids": (replace(MISERE, kind=SpecialKind.TAKE_ALL, points_per_forced_trick=10),)},
    ),
    ("special_bids[0].value", {"special_bids": (replace(MISERE, value=100_001),)}),
    (
        "special_bids[0].points_per_forced_trick",
        {"special_bids": (replace(MISERE, points_per_forced_trick=100_001),)},
    ),
    ("base_value", {"base_value": (40, 60, 80, 100, 0)}),
    ("base_value", {"base_value": (40, 60, 80, 100, 100_001)}),
    ("slam_minimum", {"slam_minimum": -1}),
    ("defender_trick_points", {"defender_trick_points": 11}),
    ("target", {"target": 0}),
    ("floor", {"floor": 0}),
    ("defender_ceiling", {"defender_ceiling": -5}),
]


@pytest.mark.parametrize(("field", "fields"), WRONG)
def test_a_contradiction_names_its_field(
    field: str, fields: dict[str, object], house: House
) -> None:
    with pytest.raises(InvalidRuleSet) as caught:
        validate(house(**fields))

    assert caught.value.field == field


def test_partner_bids_need_fixed_partners() -> None:
    bids = (OPEN_MISERE, replace(MISERE, needs_partner_bid="OM"))
    rules = replace(load_preset("au-3p-33"), special_bids=bids)

    with pytest.raises(InvalidRuleSet, match="TEAMS"):
        validate(rules)


def test_two_partners_need_four_players() -> None:
    call = CallRules(CallMethod.CHOOSE_PLAYER, second_partner_from=8)
    rules = replace(load_preset("ko-3p-33"), side_model=SideModel.CALLED, call=call)

    with pytest.raises(InvalidRuleSet, match=r"call\.second_partner_from"):
        validate(rules)


def test_joker_fields_have_no_effect_without_jokers() -> None:
    rules = load_preset("hist-4p-44")

    assert canonical(replace(rules, joker_lead=JokerLead.AS_TRUMP)) == canonical(rules)


def test_other_fields_without_effect(house: House) -> None:
    plain = house(auction_rounds=AuctionRounds.ONE_EACH, floor=None)

    odd = replace(
        plain,
        personal_kitty_use=PersonalKittyUse.CONTRACTOR,
        reentry=Reentry.FREE,
        floor_effect=FloorEffect.LOSES_UNLESS_ALL_NEGATIVE,
        several_reach=SeveralReach.HIGHEST,
    )

    assert canonical(odd) == canonical(plain)
    numbered = replace(plain, special_bids=())
    assert canonical(replace(numbered, misere_joker_low=True)) == canonical(numbered)


@pytest.mark.parametrize(
    ("plain", "odd"),
    [
        ({"special_bids": ()}, {"joker_forced": JokerForced.NEVER}),
        ({"min_contract": 8}, {"min_bid": 7}),
        ({"defender_trick_points": 0}, {"defender_ceiling": 490}),
        (
            {"side_model": SideModel.SOLO},
            {"special_bids": (MISERE, replace(OPEN_MISERE, partner_plays=True))},
        ),
        (
            {"lowest_pip": (5, 5, 5, 5), "jokers": 0, "highest_pip": (10, 10, 10, 10)},
            {"special_bids": (MISERE, replace(OPEN_MISERE, takes_kitty=False))},
        ),
    ],
)
def test_a_field_is_without_effect_where_another_says_so(
    plain: dict[str, object], odd: dict[str, object], house: House
) -> None:
    assert canonical(house(**plain)) == canonical(house(**plain, **odd))
    assert canonical(house()) != canonical(house(**odd)) or "min_bid" in odd


def test_call_fields_without_effect() -> None:
    rules = load_preset("uspc-5p-53")
    assert rules.call is not None

    odd = replace(rules, call=replace(rules.call, reveal=Reveal.WHEN_PLAYED, secret_solo=True))

    assert canonical(odd) == canonical(rules)


def test_fields_with_effect_stay() -> None:
    rules = load_preset("qc-4p-46-vi")

    assert canonical(rules).joker_lead is JokerLead.AS_TRUMP
    assert canonical(rules).several_reach is rules.several_reach

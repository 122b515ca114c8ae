"""Rule sets survive the wire, and their hash sees what matters."""

from dataclasses import fields, replace

import pytest

from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import (
    CallMethod,
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
from fivehundred.v1 import cards_pb2, ruleset_pb2
from fivehundred.wire.ruleset import EMPTY, rules_hash, ruleset_from_proto, ruleset_to_proto

UNUSUAL = RuleSet(
    players=5,
    lowest_pip=(2, 3, 4, 5),
    highest_pip=(10, 11, 12, 13),
    jokers=2,
    dead_hands=1,
    personal_kitty=2,
    side_model=SideModel.CALLED,
    call=CallRules(
        CallMethod.CHOOSE_PLAYER, reveal=Reveal.AT_ONCE, secret_solo=True, second_partner_from=8
    ),
    winner_may_raise=True,
    strain_order=(1, 0, 3, 2, 4),
    min_bid=7,
    min_contract=8,
    signal_seats=2,
    special_bids=(
        SpecialBid(
            "HOUSE",
            SpecialKind.TAKE_ALL,
            700,
            (8, 3),
            needs_level=7,
            needs_partner_bid="MIS",
            takes_kitty=False,
            partner_plays=True,
            exposure=Exposure.BEFORE_LEAD,
            points_per_forced_trick=10,
        ),
    ),
    nominate_before_lead=False,
    joker_lead=JokerLead.AS_TRUMP,
    misere_joker_low=True,
    base_value=(20, 40, 60, 80, 100),
    slam_minimum=0,
    set_back=False,
    defenders_collect=True,
    defender_trick_points=0,
    defender_ceiling=490,
    target=1000,
    floor=None,
)


@pytest.mark.parametrize("rules", [RuleSet(), UNUSUAL], ids=["default", "unusual"])
@pytest.mark.parametrize("base", [RuleSet(), EMPTY, UNUSUAL], ids=["default", "empty", "unusual"])
def test_a_rule_set_survives_the_wire_whatever_the_base(rules: RuleSet, base: RuleSet) -> None:
    data = ruleset_to_proto(rules).SerializeToString()

    read = ruleset_from_proto(ruleset_pb2.RuleSet.FromString(data), base)

    lists_left_out = {"special_bids", "call"} if rules is not UNUSUAL else set()
    unset = {name for name in lists_left_out if not getattr(rules, name)}
    assert read == replace(rules, **{name: getattr(base, name) for name in unset})


def test_an_empty_message_is_the_base() -> None:
    assert ruleset_from_proto(ruleset_pb2.RuleSet(), UNUSUAL) == UNUSUAL


def test_every_field_is_set_in_the_message() -> None:
    message = ruleset_to_proto(UNUSUAL)

    present = {descriptor.name for descriptor, _ in message.ListFields()}

    assert present == {field.name for field in fields(RuleSet)}


def test_zero_is_no_ceiling_and_no_floor() -> None:
    message = ruleset_pb2.RuleSet(defender_ceiling=0, floor=0)

    rules = ruleset_from_proto(message, replace(RuleSet(), defender_ceiling=490))

    assert (rules.defender_ceiling, rules.floor) == (None, None)


def test_an_unset_part_of_a_call_is_the_base_s() -> None:
    message = ruleset_pb2.RuleSet(
        call=ruleset_pb2.CallRules(method=ruleset_pb2.CALL_METHOD_CHOOSE_PLAYER)
    )
    base = replace(RuleSet(), call=CallRules(share=Share.FULL))

    call = ruleset_from_proto(message, base).call

    assert call == CallRules(CallMethod.CHOOSE_PLAYER, share=Share.FULL)


WHOLE_CALL = CallRules(
    CallMethod.CHOOSE_PLAYER, reveal=Reveal.AT_ONCE, secret_solo=True, second_partner_from=8
)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (ruleset_pb2.CallRules(), WHOLE_CALL),
        (
            ruleset_pb2.CallRules(share=ruleset_pb2.SHARE_FULL),
            replace(WHOLE_CALL, share=Share.FULL),
        ),
        (ruleset_pb2.CallRules(secret_solo=False), replace(WHOLE_CALL, secret_solo=False)),
        (ruleset_pb2.CallRules(second_partner_from=0), replace(WHOLE_CALL, second_partner_from=0)),
    ],
    ids=["none", "share", "secret_solo", "second_partner_from"],
)
def test_one_part_of_a_call_changes_alone(message: ruleset_pb2.CallRules, call: CallRules) -> None:
    base = replace(RuleSet(), call=WHOLE_CALL)

    assert ruleset_from_proto(ruleset_pb2.RuleSet(call=message), base).call == call


NO_STRAIN = ruleset_pb2.SpecialBid(
    name="X", kind=ruleset_pb2.SPECIAL_KIND_LOSE_ALL, ranks_above=cards_pb2.Call(level=7)
)


SIXTH_STRAIN = ruleset_pb2.SpecialBid(
    name="X",
    kind=ruleset_pb2.SPECIAL_KIND_LOSE_ALL,
    ranks_above=cards_pb2.Call(level=7, strain=cards_pb2.Strain.ValueType(6)),
)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (ruleset_pb2.RuleSet(side_model=ruleset_pb2.SideModel.ValueType(9)), "side_model"),
        (ruleset_pb2.RuleSet(growth=ruleset_pb2.GROWTH_UNSPECIFIED), "growth"),
        (ruleset_pb2.RuleSet(strain_order=[cards_pb2.STRAIN_UNSPECIFIED]), "strain_order"),
        (ruleset_pb2.RuleSet(special_bids=[ruleset_pb2.SpecialBid()]), "special_bids[0].kind"),
        (ruleset_pb2.RuleSet(special_bids=[NO_STRAIN]), "special_bids[0].ranks_above"),
        (ruleset_pb2.RuleSet(special_bids=[SIXTH_STRAIN]), "special_bids[0].ranks_above.strain"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_number_that_means_nothing_is_refused(message: ruleset_pb2.RuleSet, field: str) -> None:
    with pytest.raises(InvalidRuleSet) as refused:
        ruleset_from_proto(message, RuleSet())

    assert refused.value.field == field


def test_the_hash_tells_rule_sets_apart() -> None:
    assert len(rules_hash(RuleSet())) == 32
    assert rules_hash(RuleSet()) == rules_hash(RuleSet())
    assert rules_hash(RuleSet()) != rules_hash(replace(RuleSet(), target=1000))


def test_the_hash_does_not_see_what_plays_no_part() -> None:
    without_joker = replace(RuleSet(), jokers=0)

    hashed = rules_hash(replace(without_joker, joker_lead=JokerLead.AS_TRUMP))

    assert hashed == rules_hash(without_joker)

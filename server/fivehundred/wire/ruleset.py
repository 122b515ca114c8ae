"""Rule sets to and from v1, and their hash.

A Python enum of a rule set has the numbers of its v1 enum, so one converts to the other by number.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from hashlib import sha256
from typing import Any, TypeVar

from fivehundred.rules.cards import STRAINS
from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import (
    AllPass,
    AuctionRounds,
    BidOrder,
    CallRules,
    Exposure,
    FirstLead,
    FloorEffect,
    Growth,
    JokerFollow,
    JokerForced,
    JokerLead,
    PersonalKittyUse,
    Pips,
    Reentry,
    RuleSet,
    SeveralReach,
    SideModel,
    SpecialBid,
    SpecialKind,
    WinCondition,
)
from fivehundred.rules.validate import canonical
from fivehundred.v1 import cards_pb2, ruleset_pb2
from fivehundred.wire.cards import STRAIN_NUMBERS

EMPTY = RuleSet(special_bids=())
"""The base of a message that leaves nothing to a preset: no special bids unless it lists them."""

_NUMBERS = (
    "players",
    "jokers",
    "dead_hands",
    "personal_kitty",
    "min_bid",
    "min_contract",
    "signal_seats",
    "slam_minimum",
    "defender_trick_points",
    "target",
    "winner_may_raise",
    "nominate_before_lead",
    "misere_joker_low",
    "set_back",
    "defenders_collect",
)
NUMBERS_OR_NONE = ("defender_ceiling", "floor")
"""The fields whose zero in a message stands for none."""
_ENUMS: Mapping[str, type[Enum]] = {
    "side_model": SideModel,
    "auction_rounds": AuctionRounds,
    "reentry": Reentry,
    "bid_order": BidOrder,
    "all_pass": AllPass,
    "personal_kitty_use": PersonalKittyUse,
    "first_lead": FirstLead,
    "joker_lead": JokerLead,
    "joker_follow": JokerFollow,
    "joker_forced": JokerForced,
    "growth": Growth,
    "floor_effect": FloorEffect,
    "win_condition": WinCondition,
    "several_reach": SeveralReach,
}

E = TypeVar("E", bound=Enum)


def rules_hash(rules: RuleSet) -> bytes:
    """The SHA-256 of the canonical rule set: equal exactly for rule sets that play alike."""
    message = ruleset_to_proto(canonical(rules))
    return sha256(message.SerializeToString(deterministic=True)).digest()


def ruleset_to_proto(rules: RuleSet) -> ruleset_pb2.RuleSet:
    """The message of a rule set, with every field set."""
    message = ruleset_pb2.RuleSet(
        lowest_pip=_suit_numbers(rules.lowest_pip),
        highest_pip=_suit_numbers(rules.highest_pip),
        strain_order=[STRAIN_NUMBERS[strain] for strain in rules.strain_order],
        special_bids=[_special_to_proto(special) for special in rules.special_bids],
        base_value=_strain_numbers(rules.base_value),
    )
    for name in _NUMBERS:
        setattr(message, name, getattr(rules, name))
    for name in NUMBERS_OR_NONE:
        setattr(message, name, getattr(rules, name) or 0)
    for name in _ENUMS:
        setattr(message, name, getattr(rules, name).value)
    if rules.call is not None:
        message.call.CopyFrom(_call_to_proto(rules.call))
    return message


def ruleset_from_proto(message: ruleset_pb2.RuleSet, base: RuleSet) -> RuleSet:
    """The rule set of a message; what it leaves unset is taken from ``base``.

    Raises `InvalidRuleSet` where a number means nothing; `fivehundred.rules.validate` says whether
    the parameters agree.
    """
    changes: dict[str, Any] = {}
    for name in (*_NUMBERS, *NUMBERS_OR_NONE):
        if message.HasField(name):  # type: ignore[arg-type]  # the stubs list literals
            changes[name] = getattr(message, name)
    for name in set(NUMBERS_OR_NONE) & set(changes):
        changes[name] = changes[name] or None
    for name, enum in _ENUMS.items():
        if message.HasField(name):  # type: ignore[arg-type]  # the stubs list literals
            changes[name] = _enum(name, enum, getattr(message, name))
    return replace(base, **changes, **_composite_changes(message, base))


def _composite_changes(message: ruleset_pb2.RuleSet, base: RuleSet) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if message.HasField("lowest_pip"):
        changes["lowest_pip"] = _pips(message.lowest_pip)
    if message.HasField("highest_pip"):
        changes["highest_pip"] = _pips(message.highest_pip)
    if message.HasField("base_value"):
        value = message.base_value
        changes["base_value"] = (*_pips(value), value.no_trump)
    if message.HasField("call"):
        changes["call"] = _call_from_proto(message.call, base.call or CallRules())
    if message.strain_order:
        changes["strain_order"] = tuple(_strain("strain_order", n) for n in message.strain_order)
    if message.special_bids:
        specials = enumerate(message.special_bids)
        changes["special_bids"] = tuple(_special_from_proto(n, special) for n, special in specials)
    return changes


def _enum(field: str, enum: type[E], number: int) -> E:
    try:
        return enum(number)
    except ValueError:
        known = ", ".join(member.name for member in enum)
        raise InvalidRuleSet(field, f"{number} is none of {known}") from None


def _enum_or(field: str, default: E, number: int) -> E:
    return _enum(field, type(default), number) if number else default


def _strain(field: str, number: int) -> int:
    if not 1 <= number <= len(STRAINS):
        raise InvalidRuleSet(field, f"{number} is no strain")
    return number - 1


def _suit_numbers(pips: Pips) -> ruleset_pb2.SuitNumbers:
    spades, clubs, diamonds, hearts = pips
    return ruleset_pb2.SuitNumbers(spades=spades, clubs=clubs, diamonds=diamonds, hearts=hearts)


def _strain_numbers(numbers: tuple[int, int, int, int, int]) -> ruleset_pb2.StrainNumbers:
    spades, clubs, diamonds, hearts, no_trump = numbers
    return ruleset_pb2.StrainNumbers(
        spades=spades, clubs=clubs, diamonds=diamonds, hearts=hearts, no_trump=no_trump
    )


def _pips(numbers: ruleset_pb2.SuitNumbers | ruleset_pb2.StrainNumbers) -> Pips:
    return numbers.spades, numbers.clubs, numbers.diamonds, numbers.hearts


def _call_to_proto(call: CallRules) -> ruleset_pb2.CallRules:
    return ruleset_pb2.CallRules(
        method=ruleset_pb2.CallMethod.ValueType(call.method.value),
        callable=ruleset_pb2.CallableCards.ValueType(call.callable.value),
        reveal=ruleset_pb2.Reveal.ValueType(call.reveal.value),
        secret_solo=call.secret_solo,
        second_partner_from=call.second_partner_from,
        share=ruleset_pb2.Share.ValueType(call.share.value),
    )


def _call_from_proto(message: ruleset_pb2.CallRules, base: CallRules) -> CallRules:
    return CallRules(
        method=_enum_or("call.method", base.method, message.method),
        callable=_enum_or("call.callable", base.callable, message.callable),
        reveal=_enum_or("call.reveal", base.reveal, message.reveal),
        secret_solo=message.secret_solo if message.HasField("secret_solo") else base.secret_solo,
        second_partner_from=(
            message.second_partner_from
            if message.HasField("second_partner_from")
            else base.second_partner_from
        ),
        share=_enum_or("call.share", base.share, message.share),
    )


def _special_to_proto(special: SpecialBid) -> ruleset_pb2.SpecialBid:
    level, strain = special.ranks_above
    return ruleset_pb2.SpecialBid(
        name=special.name,
        kind=ruleset_pb2.SpecialKind.ValueType(special.kind.value),
        value=special.value,
        ranks_above=cards_pb2.Call(level=level, strain=STRAIN_NUMBERS[strain]),
        needs_level=special.needs_level,
        needs_partner_bid=special.needs_partner_bid,
        takes_kitty=special.takes_kitty,
        partner_plays=special.partner_plays,
        exposure=ruleset_pb2.Exposure.ValueType(special.exposure.value),
        points_per_forced_trick=special.points_per_forced_trick,
    )


def _special_from_proto(number: int, message: ruleset_pb2.SpecialBid) -> SpecialBid:
    field = f"special_bids[{number}]"
    return SpecialBid(
        name=message.name,
        kind=_enum(f"{field}.kind", SpecialKind, message.kind),
        value=message.value,
        ranks_above=_ranks_above(f"{field}.ranks_above", message.ranks_above),
        needs_level=message.needs_level,
        needs_partner_bid=message.needs_partner_bid,
        takes_kitty=message.takes_kitty,
        partner_plays=message.partner_plays,
        exposure=_enum_or(f"{field}.exposure", Exposure.NONE, message.exposure),
        points_per_forced_trick=message.points_per_forced_trick,
    )


def _ranks_above(field: str, call: cards_pb2.Call) -> tuple[int, int]:
    if call.special or not call.level or not call.strain:
        wrong = f"{call.special} is no numbered bid: " if call.special else ""
        example = "as in level: 7 strain: STRAIN_NO_TRUMP"
        raise InvalidRuleSet(
            field, f"{wrong}give the level and strain of a numbered bid, {example}"
        )
    return call.level, _strain(f"{field}.strain", call.strain)

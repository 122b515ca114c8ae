"""The rule set that a question is asked under, from JSON written by people."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import (
    counted,
    read_integer,
    read_list,
    read_object,
    read_text,
    read_truth,
    shortened,
    told,
)
from fivehundred.referee.questions import notation
from fivehundred.rules.bids import TOP_LEVEL
from fivehundred.rules.cards import parse_strain
from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.validate import MOST_POINTS
from fivehundred.v1 import cards_pb2, ruleset_pb2
from fivehundred.wire.cards import STRAIN_NUMBERS
from fivehundred.wire.mistakes import near
from fivehundred.wire.presets import DEFAULT_PRESET, choose_rules, load_preset
from fivehundred.wire.ruleset import NUMBERS_OR_NONE

MOST_SPECIAL_BIDS = 32
NUMBERED_BID = re.compile("([6-9]|10)([SCDH]|NT)", re.ASCII | re.IGNORECASE)
MOST_UNSIGNED = (1 << 32) - 1
MOST_SIGNED = (1 << 31) - 1


ALLOWED: Mapping[str, tuple[int, int]] = {
    "players": (2, 6),
    "jokers": (0, 2),
    "dead_hands": (0, 1),
    "personal_kitty": (0, 2),
    "min_bid": (6, 8),
    "min_contract": (6, TOP_LEVEL),
    "signal_seats": (0, 6),
    "needs_level": (0, TOP_LEVEL),
    "second_partner_from": (0, TOP_LEVEL),
    "value": (1, MOST_POINTS),
    "points_per_forced_trick": (0, MOST_POINTS),
    "slam_minimum": (0, MOST_POINTS),
    "defender_trick_points": (0, 10),
    "target": (1, MOST_POINTS),
    "floor": (-MOST_POINTS, -1),
    "defender_ceiling": (1, MOST_POINTS),
}
"""The least and the greatest number of a field, if other fields allow it."""


def choose(value: object) -> RuleSet:
    """The rule set of a question's ``rules``: a preset's name, or a preset with changes."""
    if value is None:
        return load_preset(DEFAULT_PRESET)
    if isinstance(value, str):
        return load_preset(_preset(value, "rules"))
    wanted = "a preset's name, or an object of preset and override"
    members = read_object(value, "rules", wanted)
    check_names(members, ("preset", "override"), "rules")
    choice = ruleset_pb2.RulesChoice()
    if members.get("preset") is not None:
        choice.preset = _preset(members["preset"], "rules.preset")
    if members.get("override") is not None:
        field = "rules.override"
        _override(choice, read_object(members["override"], field, "an object of fields"), field)
    return _chosen(choice)


def check_names(members: Mapping[str, Any], known: tuple[str, ...], path: str) -> None:
    """Refuse a member that means nothing, and say what it may have meant."""
    for name in members:
        if name not in known:
            short = shortened(str(name))
            hint = near(short, known) or f"; there are {', '.join(known)}"
            raise BadQuestion(f"{path}.{short}" if path else short, f"no such member{hint}")


def _preset(value: object, field: str) -> str:
    """The name of a preset that there is."""
    name = shortened(read_text(value, field, "a preset's name"))
    try:
        load_preset(name)
    except InvalidRuleSet as error:
        raise BadQuestion(field, error.message) from None
    return name


def _chosen(choice: ruleset_pb2.RulesChoice) -> RuleSet:
    try:
        return choose_rules(choice)
    except InvalidRuleSet as error:
        raise BadQuestion(f"rules.override.{error.field}", error.message) from None


def _override(choice: ruleset_pb2.RulesChoice, members: Mapping[str, Any], path: str) -> None:
    choice.override.SetInParent()
    for name, value in members.items():
        if value is None and name == "call":
            choice.clear.append(name)
        elif value is None and name in NUMBERS_OR_NONE:
            setattr(choice.override, name, 0)
        elif name == "special_bids" and not read_list(value, f"{path}.{name}", "special bids"):
            choice.clear.append(name)
        else:
            _set(choice.override, name, value, path)


def _fill(message: Message, members: Mapping[str, Any], path: str) -> None:
    message.SetInParent()
    for name, value in members.items():
        _set(message, name, value, path)


def _set(message: Message, name: str, value: object, path: str) -> None:
    """Write one member into the field of its name."""
    check_names({name: value}, tuple(message.DESCRIPTOR.fields_by_name), path)
    field = f"{path}.{name}"
    if name in _COMPOSITE:
        _COMPOSITE[name](getattr(message, name), value, field)
    else:
        setattr(message, name, _plain(message, name, value, field))


def _plain(message: Message, name: str, value: object, field: str) -> bool | int | str:
    known = message.DESCRIPTOR.fields_by_name[name]
    if known.enum_type is not None:
        return _enum({each.name: each.number for each in known.enum_type.values}, value, field)
    match known.cpp_type:
        case FieldDescriptor.CPPTYPE_BOOL:
            return read_truth(value, field)
        case FieldDescriptor.CPPTYPE_STRING:
            return _well_formed(read_text(value, field, "a name"), field)
        case FieldDescriptor.CPPTYPE_INT32:
            return _integer(name, value, field, -MOST_SIGNED, MOST_SIGNED)
        case _:
            return _integer(name, value, field, 0, MOST_UNSIGNED)


def _integer(name: str, value: object, field: str, least: int, most: int) -> int:
    """The number of a field; one that a message cannot hold is told what the rules allow."""
    try:
        return read_integer(value, field, least, most)
    except BadQuestion:
        return read_integer(value, field, *ALLOWED.get(name, (least, most)))


def _well_formed(text: str, field: str) -> str:
    if not text.isascii():
        raise BadQuestion(field, f"{told(text)}: use capital letters A to Z")
    return text


def _enum(values: Mapping[str, int], value: object, field: str) -> int:
    """The number of a value's name, written with the enum's name before it or without."""
    prefix = next(name for name, number in values.items() if not number)
    prefix = prefix.removesuffix("UNSPECIFIED")
    short = [name.removeprefix(prefix) for name, number in values.items() if number]
    text = read_text(value, field, f"one of {', '.join(short)}")
    name = text.upper().removeprefix(prefix)
    if name not in short:
        raise BadQuestion(field, f"{told(text)} is none of {', '.join(short)}")
    return values[prefix + name]


def _numbers(message: Message, value: object, field: str) -> None:
    """One number a suit or strain: a list in their order, or an object by their names."""
    places = [each.name for each in message.DESCRIPTOR.fields]
    if isinstance(value, Mapping):
        _fill(message, value, field)
        return
    values = read_list(value, field, f"{len(places)} numbers")
    if len(values) != len(places):
        order = ", ".join(places)
        raise BadQuestion(field, f"{counted(len(values), 'number')}: give one for each of {order}")
    message.SetInParent()
    for place, (name, each) in enumerate(zip(places, values, strict=True)):
        setattr(message, name, read_integer(each, f"{field}[{place}]", 0, MOST_UNSIGNED))


def _strains(numbers: Any, value: object, field: str) -> None:
    strains = read_list(value, field, "strains")
    if len(strains) != len(STRAIN_NUMBERS):
        raise BadQuestion(field, f"{counted(len(strains), 'strain')}: name each of S C D H NT once")
    for place, each in enumerate(strains):
        where = f"{field}[{place}]"
        strain = notation(parse_strain, read_text(each, where, "a strain"), where)
        numbers.append(STRAIN_NUMBERS[strain])


def _special_bids(messages: Any, value: object, field: str) -> None:
    specials = read_list(value, field, "special bids")
    if len(specials) > MOST_SPECIAL_BIDS:
        raise BadQuestion(field, f"{len(specials)} bids: at most {MOST_SPECIAL_BIDS}")
    for place, each in enumerate(specials):
        where = f"{field}[{place}]"
        members = read_object(each, where, "an object such as {'name': 'MIS', …}")
        for needed in ("name", "kind", "value", "ranks_above"):
            if members.get(needed) is None:
                raise BadQuestion(f"{where}.{needed}", "is missing: a special bid needs it")
        _fill(messages.add(), members, where)


def _ranks_above(message: cards_pb2.Call, value: object, field: str) -> None:
    text = read_text(value, field, "a numbered bid such as 8S")
    bid = NUMBERED_BID.fullmatch(text)
    if bid is None:
        wrong = f"{told(text)} is no numbered bid"
        raise BadQuestion(
            field, f"{wrong}: write a level of 6 to 10 and S, C, D, H or NT, as in 8S"
        )
    message.level = int(bid[1])
    message.strain = STRAIN_NUMBERS[parse_strain(bid[2])]


def _call(message: ruleset_pb2.CallRules, value: object, field: str) -> None:
    _fill(message, read_object(value, field, "an object, or null"), field)


_COMPOSITE: Mapping[str, Callable[[Any, object, str], None]] = {
    "lowest_pip": _numbers,
    "highest_pip": _numbers,
    "base_value": _numbers,
    "strain_order": _strains,
    "special_bids": _special_bids,
    "ranks_above": _ranks_above,
    "call": _call,
}

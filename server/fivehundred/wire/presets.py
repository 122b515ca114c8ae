"""Rule sets by name, from rules/presets, and the choice of one with changes."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from google.protobuf import text_format

from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.validate import validate
from fivehundred.v1 import ruleset_pb2
from fivehundred.wire.ruleset import EMPTY, ruleset_from_proto

DEFAULT_PRESET = "au-4p-43"
CLEARABLE: Mapping[str, object] = {"special_bids": (), "call": None}
"""The fields that a choice can empty, with what they are then."""
_SUFFIX = ".textproto"


@cache
def preset_names() -> tuple[str, ...]:
    """The names of all presets, in alphabetical order."""
    files = (entry.name for entry in _directory().iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)))


@cache
def load_preset(name: str) -> RuleSet:
    """The rule set of a preset; raises `InvalidRuleSet` with near matches for an unknown name."""
    if name not in preset_names():
        raise InvalidRuleSet("preset", _unknown(name))
    return parse_rules((_directory() / f"{name}{_SUFFIX}").read_text(encoding="utf-8"))


def parse_rules(text: str) -> RuleSet:
    """The rule set of a text in the form of the presets.

    Raises `text_format.ParseError` or `InvalidRuleSet` where there is none.
    """
    rules = ruleset_from_proto(text_format.Parse(text, ruleset_pb2.RuleSet()), EMPTY)
    validate(rules)
    return rules


def choose_rules(choice: ruleset_pb2.RulesChoice) -> RuleSet:
    """The rule set of a choice: the preset, emptied of what is cleared, overridden, validated."""
    rules = _cleared(load_preset(choice.preset or DEFAULT_PRESET), list(choice.clear))
    if choice.HasField("override"):
        rules = ruleset_from_proto(choice.override, rules)
    validate(rules)
    return rules


def _cleared(rules: RuleSet, fields: list[str]) -> RuleSet:
    for field in fields:
        if field not in CLEARABLE:
            wrong = f"{field!r} cannot be cleared: only {' and '.join(CLEARABLE)} can"
            raise InvalidRuleSet("clear", wrong)
    cleared: dict[str, Any] = {field: CLEARABLE[field] for field in fields}
    return replace(rules, **cleared)


def _directory() -> Traversable:
    return resources.files("fivehundred.rules") / "presets"


def _unknown(name: str) -> str:
    near = get_close_matches(name, preset_names(), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "the presets are: "
    return f"no preset {name!r}; {hint if near else hint + ', '.join(preset_names())}"

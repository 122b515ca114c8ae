"""What tells two rule sets apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from fivehundred.cli.rules_english import Paragraph, describe, missing
from fivehundred.cli.rules_text import ABSENT, parameter_texts
from fivehundred.rules.ruleset import CallRules, RuleSet
from fivehundred.rules.validate import canonical

V = TypeVar("V", RuleSet, CallRules)


@dataclass(frozen=True, slots=True)
class Difference:
    """A parameter, or a part of one, that two rule sets do not have alike."""

    name: str
    a: str
    b: str
    has_effect: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rule sets side by side: only what differs, and what only one of them says."""

    play_alike: bool
    differences: tuple[Difference, ...]
    only_a: tuple[Paragraph, ...]
    only_b: tuple[Paragraph, ...]


def compare(a: RuleSet, b: RuleSet) -> Comparison:
    """The parameters and the sentences that differ."""
    text_a, text_b = describe(a), describe(b)
    return Comparison(
        play_alike=canonical(a) == canonical(b),
        differences=tuple(_differences(a, b)),
        only_a=missing(text_a, text_b),
        only_b=missing(text_b, text_a),
    )


def _differences(a: RuleSet, b: RuleSet) -> Iterator[Difference]:
    texts_a, texts_b = parameter_texts(a), parameter_texts(b)
    for name in _names(texts_a, texts_b):
        value_a, value_b = texts_a.get(name, ABSENT), texts_b.get(name, ABSENT)
        if value_a != value_b:
            has_effect = not (_is_idle(a, name) and _is_idle(b, name))
            yield Difference(name, value_a, value_b, has_effect)


def _names(a: Mapping[str, str], b: Mapping[str, str]) -> list[str]:
    """The parameters of both, in order; of a special bid that one lacks only its name."""
    whole = {name.partition(".")[0] for name in a} & {name.partition(".")[0] for name in b}
    ordered = [*a, *(name for name in b if name not in a)]
    return [name for name in ordered if "." not in name or name.partition(".")[0] in whole]


def _is_idle(rules: RuleSet, name: str) -> bool:
    """Whether a parameter, or a part of the call, has no effect in a rule set."""
    changed = _variations(rules, name)
    return bool(changed) and all(canonical(each) == canonical(rules) for each in changed)


def _variations(rules: RuleSet, name: str) -> list[RuleSet]:
    """The rule set with other values of a parameter; none of those that always have an effect."""
    first, _, part = name.partition(".")
    if first == "call" and part and rules.call is not None:
        calls = [_with(rules.call, part, other) for other in _others(rules.call, part)]
        return [replace(rules, call=call) for call in calls]
    return [] if part else [_with(rules, name, other) for other in _others(rules, name)]


def _with(value: V, name: str, part: object) -> V:
    changes: dict[str, Any] = {name: part}
    return replace(value, **changes)


def _others(value: RuleSet | CallRules, name: str) -> list[object]:
    now = getattr(value, name)
    if isinstance(now, bool):
        return [not now]
    if isinstance(now, Enum):
        return [each for each in type(now) if each is not now]
    return [now + 1] if name == "second_partner_from" else []

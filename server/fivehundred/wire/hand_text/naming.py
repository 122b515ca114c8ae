"""Rule sets as tags name them: a preset, what of it is cleared, and what is overridden."""

from dataclasses import dataclass
from functools import lru_cache

from google.protobuf import text_format

from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.validate import canonical
from fivehundred.v1 import ruleset_pb2
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.presets import CLEARABLE, choose_rules, load_preset, preset_names
from fivehundred.wire.ruleset import rules_hash, ruleset_to_proto


@dataclass(frozen=True, slots=True)
class RulesName:
    """What names a rule set; ``override`` has a field a text, in protobuf text format."""

    preset: str
    clear: tuple[str, ...] = ()
    override: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def rules_of(name: RulesName) -> RuleSet:
    """The rule set of a name; raises `InvalidRuleSet` or `MalformedMessage` where there is none."""
    choice = ruleset_pb2.RulesChoice(preset=name.preset, clear=name.clear)
    if name.override:
        try:
            text_format.Parse("\n".join(name.override), choice.override)
        except (text_format.ParseError, ValueError, RecursionError) as error:
            raise MalformedMessage(f"no fields of a rule set: {error}") from None
        choice.override.SetInParent()
    return choose_rules(choice)


@lru_cache(maxsize=256)
def name_of(rules: RuleSet, preset: str = "") -> RulesName:
    """The name of a rule set: its own preset's, or that of a ``preset`` with what differs.

    Without one it is the nearest preset, of several as near the first by alphabet.
    """
    named = preset_of(hash_of(rules))
    if named is not None:
        return RulesName(named)
    wanted = ruleset_to_proto(canonical(rules))
    nearest = preset or min(preset_names(), key=lambda name: len(_changed(name, wanted)))
    return _without_idle(RulesName(nearest), _changed(nearest, wanted), wanted)


@lru_cache(maxsize=256)
def hash_of(rules: RuleSet) -> bytes:
    """The hash of a rule set, kept for the next hand."""
    return rules_hash(rules)


def preset_of(wanted: bytes) -> str | None:
    """The preset whose rules have a hash; None where no preset has."""
    return next((name for name in preset_names() if hash_of(load_preset(name)) == wanted), None)


def _changed(preset: str, wanted: ruleset_pb2.RuleSet) -> list[str]:
    base = ruleset_to_proto(load_preset(preset))
    fields = [field.name for field in wanted.DESCRIPTOR.fields]
    return [each for each in fields if getattr(base, each) != getattr(wanted, each)]


def _without_idle(name: RulesName, changed: list[str], wanted: ruleset_pb2.RuleSet) -> RulesName:
    """The name with the changes that have an effect; most changes have."""
    needed = list(changed)
    full = _named(name.preset, needed, wanted)
    goal = rules_hash(rules_of(full))
    for field in changed:
        fewer = [each for each in needed if each != field]
        if _hash_or_none(_named(name.preset, fewer, wanted)) == goal:
            needed = fewer
    return _named(name.preset, needed, wanted)


def _hash_or_none(name: RulesName) -> bytes | None:
    try:
        return rules_hash(rules_of(name))
    except InvalidRuleSet:
        return None


def _named(preset: str, changed: list[str], wanted: ruleset_pb2.RuleSet) -> RulesName:
    clear = tuple(
        each for each in sorted(CLEARABLE) if each in changed and not _is_set(wanted, each)
    )
    texts = tuple(_field_text(wanted, each) for each in changed if each not in clear)
    return RulesName(preset, clear, texts)


def _is_set(message: ruleset_pb2.RuleSet, field: str) -> bool:
    return field in {descriptor.name for descriptor, _ in message.ListFields()}


def _field_text(message: ruleset_pb2.RuleSet, field: str) -> str:
    one = ruleset_pb2.RuleSet()
    one.CopyFrom(message)
    for descriptor, _ in message.ListFields():
        if descriptor.name != field:
            one.ClearField(descriptor.name)  # type: ignore[arg-type]  # the stubs list literals
    return text_format.MessageToString(one, as_one_line=True)

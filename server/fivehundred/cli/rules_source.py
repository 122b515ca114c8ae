"""Rule sets that a command names: a preset, or a file."""

from dataclasses import dataclass
from pathlib import Path

from google.protobuf import text_format

from fivehundred.cli.failures import ConfigError
from fivehundred.cli.specs import read_text
from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import RuleSet
from fivehundred.v1 import ruleset_pb2
from fivehundred.wire.errors import SpecError
from fivehundred.wire.mistakes import explain_text_error
from fivehundred.wire.presets import choose_rules, load_preset, parse_rules
from fivehundred.wire.ruleset import rules_hash
from fivehundred.wire.spec import parse_spec

SUFFIXES = (".textproto", ".json")
HEADER = "# proto-message: fivehundred.v1.RuleSet"

FAMILIES = {
    "au": "Australian",
    "ext": "extended",
    "hist": "historical",
    "ko": "Korean",
    "qc": "Québec",
    "us": "American",
    "uspc": "US Playing Card Co.",
}
"""What the first part of a preset's name says."""


@dataclass(frozen=True, slots=True)
class NamedRules:
    """A rule set under the name by which it was asked for."""

    name: str
    rules: RuleSet

    @property
    def hash(self) -> str:
        """The rule set's hash in hexadecimal digits: equal for those that play alike."""
        return rules_hash(self.rules).hex()


def find_rules(name: str) -> NamedRules:
    """The preset of a name, or the rules of a file that ends in ``.textproto`` or ``.json``.

    A file holds a tournament, whose rules are taken, or with the header of the presets a rule set.
    """
    if not name.endswith(SUFFIXES):
        return NamedRules(name, load_preset(name))
    path = Path(name)
    text = read_text(path)
    read = _rule_set if HEADER in text.splitlines() else _rules_of_tournament
    return NamedRules(name, read(text, path.name))


def family(name: str, rules: RuleSet) -> str:
    """``Australian, 4 players``."""
    first = name.partition("-")[0]
    players = f"{rules.players} players"
    return f"{FAMILIES[first]}, {players}" if first in FAMILIES else players


def _rule_set(text: str, file: str) -> RuleSet:
    try:
        return parse_rules(text)
    except text_format.ParseError as error:
        line, mistake = explain_text_error(error)
        place = file if line is None else f"{file}:{line}"
        raise ConfigError(f"{place}: {mistake}") from None
    except InvalidRuleSet as error:
        raise ConfigError(f"{file}: {error}") from None


def _rules_of_tournament(text: str, file: str) -> RuleSet:
    try:
        spec = parse_spec(text, file)
    except SpecError as error:
        hint = f"\nfor a rule set, put the line {HEADER} in it" if _is_rule_set(text) else ""
        raise ConfigError(f"{error}{hint}") from None
    try:
        return choose_rules(spec.rules)
    except InvalidRuleSet as error:
        raise ConfigError(f"{file}: rules.{error}") from None


def _is_rule_set(text: str) -> bool:
    try:
        text_format.Parse(text, ruleset_pb2.RuleSet())
    except (text_format.ParseError, ValueError):
        return False
    return True

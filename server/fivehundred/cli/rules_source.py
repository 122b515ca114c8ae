"""Rule sets that a command names: a preset, or a file."""

from dataclasses import dataclass
from pathlib import Path

from google.protobuf import text_format

from fivehundred.cli.failures import ConfigError
from fivehundred.cli.specs import read_spec
from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.validate import validate
from fivehundred.v1 import ruleset_pb2
from fivehundred.wire.mistakes import explain_text_error
from fivehundred.wire.presets import choose_rules, load_preset
from fivehundred.wire.ruleset import EMPTY, rules_hash, ruleset_from_proto

SUFFIX = ".textproto"
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
    """The preset of a name, or the rules of a file that ends in ``.textproto``.

    A file holds a tournament, whose rules are taken, or with the header of the presets a rule set.
    """
    if not name.endswith(SUFFIX):
        return NamedRules(name, load_preset(name))
    path = Path(name)
    if _is_rule_set(path):
        return NamedRules(name, _read_rule_set(path))
    spec = read_spec(path)
    try:
        return NamedRules(name, choose_rules(spec.rules))
    except InvalidRuleSet as error:
        raise ConfigError(f"{path.name}: rules.{error}") from None


def family(name: str, rules: RuleSet) -> str:
    """``Australian, 4 players``."""
    first = name.partition("-")[0]
    players = f"{rules.players} players"
    return f"{FAMILIES[first]}, {players}" if first in FAMILIES else players


def _is_rule_set(path: Path) -> bool:
    try:
        return HEADER in path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return False


def _read_rule_set(path: Path) -> RuleSet:
    text = path.read_text(encoding="utf-8")
    try:
        message = text_format.Parse(text, ruleset_pb2.RuleSet())
        rules = ruleset_from_proto(message, EMPTY)
        validate(rules)
    except text_format.ParseError as error:
        line, mistake = explain_text_error(error)
        place = path.name if line is None else f"{path.name}:{line}"
        raise ConfigError(f"{place}: {mistake}") from None
    except InvalidRuleSet as error:
        raise ConfigError(f"{path.name}: {error}") from None
    return rules

"""Files of hands: text (docs/hand-format.md), or JSON lines of v1 HandRecord."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fivehundred.cli.failures import CliError, ConfigError
from fivehundred.cli.rules_source import find_rules
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.check import Mismatch
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text import HandTextError, WrittenHand, check, loads
from fivehundred.wire.hand_text.naming import hash_of, preset_of
from fivehundred.wire.presets import load_preset
from fivehundred.wire.record_json import record_from_json

STDIN = "-"


def read_hands(path: Path, rules: Sequence[str] = ()) -> list[WrittenHand]:
    """The hands of a file, all checked; raises `HandTextError` for the first thing wrong.

    ``rules`` name those of JSON hands that no preset has: presets, or tournaments' files.
    """
    text = _text(path)
    is_json = text.lstrip().startswith("{")
    hands = list(_json_hands(text, rules)) if is_json else loads(text)
    if not hands:
        raise CliError(f"{path} has no hand")
    return hands


def _text(path: Path) -> str:
    try:
        read = sys.stdin.buffer.read() if str(path) == STDIN else path.read_bytes()
        return read.decode().removeprefix("\ufeff")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no UTF-8: hands are text or JSON lines") from None


def _json_hands(text: str, rules: Sequence[str]) -> Iterator[WrittenHand]:
    named = {hash_of(each): each for each in (find_rules(name).rules for name in rules)}
    hand = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        hand += 1
        try:
            yield _json_hand(line, named)
        except (MalformedMessage, Mismatch) as error:
            raise HandTextError(number, error.reason, hand) from None


def _json_hand(line: str, named: Mapping[bytes, RuleSet]) -> WrittenHand:
    read = record_from_json(line)
    read.require_digest()
    rules = _rules_of(read.record.rules_hash, named)
    check(read.record, rules)
    return WrittenHand(read.record, rules)


def _rules_of(wanted: bytes, named: Mapping[bytes, RuleSet]) -> RuleSet:
    if wanted in named:
        return named[wanted]
    preset = preset_of(wanted)
    if preset is None:
        raise MalformedMessage(f"no preset has the rules hash {wanted.hex()}: name them by --rules")
    return load_preset(preset)

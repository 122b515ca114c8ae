"""Files of hands: text (docs/hand-format.md), or JSON lines of v1 HandRecord."""

import sys
from collections.abc import Iterator
from pathlib import Path

from google.protobuf import json_format

from fivehundred.cli.failures import CliError, ConfigError
from fivehundred.cli.specs import read_spec
from fivehundred.rules.ruleset import RuleSet
from fivehundred.v1.record_pb2 import HandRecord
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text import HandTextError, WrittenHand, check, loads
from fivehundred.wire.hand_text.naming import hash_of, preset_of
from fivehundred.wire.presets import choose_rules, load_preset
from fivehundred.wire.record import facts_digest, record_from_proto

STDIN = "-"


def read_hands(path: Path, rules: str = "") -> list[WrittenHand]:
    """The hands of a file, all checked; raises `HandTextError` for the first thing wrong.

    ``rules`` names those of JSON hands that no preset has: a preset, or a tournament's file.
    """
    text = _text(path)
    is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    hands = list(_json_hands(text, rules)) if is_json else loads(text)
    if not hands:
        raise CliError(f"{path} has no hand")
    return hands


def _text(path: Path) -> str:
    try:
        read = sys.stdin.buffer.read() if str(path) == STDIN else path.read_bytes()
        return read.decode()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no UTF-8: hands are text or JSON lines") from None


def _json_hands(text: str, rules: str) -> Iterator[WrittenHand]:
    named = _named_rules(rules) if rules else None
    hand = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        hand += 1
        try:
            yield _json_hand(line, named)
        except MalformedMessage as error:
            raise HandTextError(number, error.reason, hand) from None


def _json_hand(line: str, named: RuleSet | None) -> WrittenHand:
    message = HandRecord()
    try:
        json_format.Parse(line, message)
    except json_format.ParseError as error:
        raise MalformedMessage(f"no HandRecord in JSON: {error}") from None
    record = record_from_proto(message)
    if message.digest and message.digest != facts_digest(message):
        raise MalformedMessage(
            f"digest {message.digest.hex()}: the facts have {facts_digest(message).hex()}"
        )
    rules = _rules_of(record.rules_hash, named)
    check(record, rules)
    return WrittenHand(record, rules)


def _rules_of(wanted: bytes, named: RuleSet | None) -> RuleSet:
    if named is not None and hash_of(named) == wanted:
        return named
    preset = preset_of(wanted)
    if preset is None:
        raise MalformedMessage(f"no preset has the rules hash {wanted.hex()}: name them by --rules")
    return load_preset(preset)


def _named_rules(name: str) -> RuleSet:
    path = Path(name)
    return choose_rules(read_spec(path).rules) if path.is_file() else load_preset(name)

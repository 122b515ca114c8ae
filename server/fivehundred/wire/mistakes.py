"""Mistakes in a text that should be a message: the line, the field, and what was meant."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from google.protobuf import descriptor_pool, json_format, text_format
from google.protobuf.descriptor import Descriptor

_UNKNOWN_FIELD = re.compile(r'Message type "([\w.]+)" has no field named "(\w+)"')
_UNKNOWN_VALUE = re.compile(
    r'Enum type "([\w.]+)" has no value named (\w+)'
    r"|Invalid enum value (\w+) for enum type ([\w.]+\w)"
)
_TEXT_PREFIX = re.compile(r"^\d+:\d+ : ('.*': (?=[A-Z]))?", re.DOTALL)
_JSON_PREFIX = re.compile(r"^(Failed to (parse \w+ field|load JSON): )+")
_JSON_LINE = re.compile(r": line (\d+) column \d+ \(char \d+\)\.?$")


def explain_text_error(error: text_format.ParseError) -> tuple[int | None, str]:
    """The line and the mistake of a protobuf text that does not parse."""
    message = str(error)
    plain = _TEXT_PREFIX.sub("", message).rstrip(".")
    return error.GetLine(), _explain_name(message, json=False) or plain


def explain_json_error(error: json_format.ParseError, text: str) -> tuple[int | None, str]:
    """The line, where it can be found, and the mistake of a JSON text that does not parse."""
    message = str(error)
    if line := _JSON_LINE.search(message):
        return int(line[1]), _JSON_PREFIX.sub("", _JSON_LINE.sub("", message))
    name = _wrong_name(message)
    explained = _explain_name(message, json=True) or _JSON_PREFIX.sub("", message).rstrip(".")
    return _line_of(f'"{name}"', text) if name else None, explained


def near(name: str, known: Iterable[str]) -> str:
    """What a misspelt name may have meant, to end a sentence; empty where nothing is near."""
    matches = get_close_matches(name, list(known), n=2, cutoff=0.6)
    return f"; did you mean {' or '.join(f'`{match}`' for match in matches)}?" if matches else ""


def _wrong_name(message: str) -> str:
    if found := _UNKNOWN_FIELD.search(message):
        return str(found[2])
    found = _UNKNOWN_VALUE.search(message)
    return str(found[2] or found[3]) if found else ""


def _explain_name(message: str, *, json: bool) -> str:
    pool = descriptor_pool.Default()
    if found := _UNKNOWN_FIELD.search(message):
        descriptor = pool.FindMessageTypeByName(found[1])
        fields = _field_names(descriptor, json=json)
        hint = near(found[2], fields) or f"; its fields are {', '.join(fields)}"
        return f"no field `{found[2]}` in {descriptor.name}{hint}"
    if found := _UNKNOWN_VALUE.search(message):
        enum = pool.FindEnumTypeByName(found[1] or found[4])
        values = [value.name for value in enum.values if value.number]
        name = found[2] or found[3]
        hint = near(name, values) or f"; its values are {', '.join(values)}"
        return f"no value `{name}` in {enum.name}{hint}"
    return ""


def _field_names(descriptor: Descriptor, *, json: bool) -> list[str]:
    return [field.json_name if json else field.name for field in descriptor.fields]


def _line_of(word: str, text: str) -> int | None:
    start = text.find(word)
    return None if start < 0 else text.count("\n", 0, start) + 1

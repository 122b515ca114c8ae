"""Reads single JSON values; whatever is wrong is told with the member's name.

Numbers that are whole count as integers however they are written, since some senders have only
floating point.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fivehundred.referee.errors import BadQuestion

MOST_TEXT = 300
MOST_ITEMS = 2000
"""More than any list of a question can need."""
SHOWN = 60


def read_integer(value: object, field: str, least: int, most: int) -> int:
    """The whole number of a value, within bounds."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadQuestion(field, f"{told(value)}: give a whole number from {least} to {most}")
    if not least <= value <= most:
        raise BadQuestion(field, f"{told(value)}: give {least} to {most}")
    return value


def read_truth(value: object, field: str) -> bool:
    """The truth value of a value."""
    if not isinstance(value, bool):
        raise BadQuestion(field, f"{told(value)}: give true or false")
    return value


def read_text(value: object, field: str, wanted: str) -> str:
    """The text of a value; ``wanted`` says what it should be."""
    if not isinstance(value, str):
        raise BadQuestion(field, f"{told(value)}: give {wanted} as text")
    if len(value) > MOST_TEXT:
        raise BadQuestion(field, f"a text of {len(value)} characters: give {wanted}")
    return value


def read_list(value: object, field: str, wanted: str) -> Sequence[Any]:
    """The list of a value; ``wanted`` says what it should hold."""
    if not isinstance(value, list | tuple):
        raise BadQuestion(field, f"{told(value)}: give a list of {wanted}")
    if len(value) > MOST_ITEMS:
        raise BadQuestion(field, f"a list of {len(value)}: give at most {MOST_ITEMS}")
    return value


def read_object(value: object, field: str, wanted: str) -> Mapping[str, Any]:
    """The object of a value; ``wanted`` says what it should be."""
    if not isinstance(value, Mapping):
        raise BadQuestion(field, f"{told(value)}: give {wanted}")
    return value


def counted(number: int, thing: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def told(value: object) -> str:
    """A value in a few words, however large it is."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"the text {shortened(value)!r}"
    if isinstance(value, int | float):
        return shortened(str(value))
    return "an object" if isinstance(value, Mapping) else "a list"


def shortened(text: str) -> str:
    """A text's beginning, with a mark where it has been cut."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"

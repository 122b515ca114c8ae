"""The lines of a text of hands: tags, then sections of rows; what is common to every hand."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fivehundred.rules.errors import RulesError
from fivehundred.table.check import Mismatch
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text.values import HandTextError

SECTIONS = ("Deal", "Auction", "Exchange", "Play", "Result", "Faults", "Notes", "Times")
STRING = r'"(?:[^"\\]|\\.)*+"'
TAG_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)

_LINE_END = re.compile(r"\r\n|\n|\r")
_BEFORE_COMMENT = re.compile(rf'(?:[^;#"]|{STRING})*+')
_TAG = re.compile(rf"\[\s*({TAG_NAME.pattern})\s+({STRING})\s*\]", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,20}", re.ASCII)
_LONE_WORD = re.compile(r"[A-Za-z]{4,}\s*:?", re.ASCII)
_SECTIONS_BY_WORD = {name.lower(): name for name in SECTIONS}
_SYMBOLS = str.maketrans("♠♤♣♧♦♢♥♡", "SSCCDDHH", "\ufe0f")


@dataclass(frozen=True, slots=True)
class Tag:
    """``[Name "value"]`` and its line."""

    name: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a section, without comment and outer spaces, and its line."""

    text: str
    line: int


@dataclass(slots=True)
class Block:
    """The lines of one hand."""

    line: int
    last_line: int
    tags: list[Tag] = field(default_factory=list)
    sections: dict[str, list[Row]] = field(default_factory=dict)

    def rows(self, section: str) -> list[Row]:
        """The rows of a section; none where it is missing."""
        return self.sections.get(section, [])


def blocks(text: str) -> Iterator[Block]:
    """The hands of a text, line by line; raises `HandTextError`."""
    gathered = _Gathered()
    for line, raw in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1):
        content = _without_comment(raw, line)
        if content.startswith("["):
            yield from gathered.take_tag(_tag(content, line))
        elif content:
            gathered.take_row(Row(content, line))
    if gathered.block is not None:
        yield gathered.block


class _Gathered:
    """The lines of the hand that is being gathered."""

    def __init__(self) -> None:
        self.block: Block | None = None
        self._rows: list[Row] | None = None

    def take_tag(self, tag: Tag) -> Iterator[Block]:
        """Take a tag; gives the hand before where the tag begins one."""
        if self.block is None or _begins_hand(self.block, tag):
            if self.block is not None:
                yield self.block
            self.block, self._rows = Block(tag.line, tag.line), None
        self.block.tags.append(tag)
        self.block.last_line = tag.line

    def take_row(self, row: Row) -> None:
        """Take the head or a row of a section."""
        section = _SECTIONS_BY_WORD.get(row.text.rstrip(": \t").lower())
        if self.block is None:
            wrong = f'{row.text[:40]!r}: a hand begins with a tag as in [Rules "au-4p-43"]'
            raise HandTextError(row.line, wrong)
        if section is not None:
            self._rows = _open(self.block, section, row.line)
        elif self._rows is None:
            wrong = f"{row.text[:40]!r}: write a tag or one of {', '.join(SECTIONS)}"
            raise HandTextError(row.line, wrong)
        else:
            self._rows.append(row)
        self.block.last_line = row.line


def sections_after(block: Block, line: int) -> str:
    """The sections there are, to end what is said of a row that may have been meant for one."""
    rows = (row.text for rows in block.sections.values() for row in rows if row.line == line)
    words = (text for text in rows if _LONE_WORD.fullmatch(text))
    return "".join(f"; the sections are {', '.join(SECTIONS)}" for _ in words)


@contextmanager
def at(line: int) -> Iterator[None]:
    """Tell the line of what is refused inside the block."""
    try:
        yield
    except (MalformedMessage, Mismatch, RulesError) as error:
        raise HandTextError(line, str(error)) from None


def quote(text: str) -> str:
    """A text as a string on one line; what does not print is escaped as in JSON."""
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isprintable():
        return quoted
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in quoted)


def unquote(quoted: str) -> str:
    """The text of a string; raises `MalformedMessage`."""
    try:
        text: str = json.loads(quoted)
        text.encode()
    except ValueError:
        raise MalformedMessage(
            f'{quoted[:40]} is no string: write \\" for a quote, \\\\ for a backslash, \\n for '
            "a line's end"
        ) from None
    return text


def whole(text: str, what: str, low: int, high: int) -> int:
    """The whole number of a text; raises `MalformedMessage`."""
    if _NUMBER.fullmatch(text) and low <= int(text) <= high:
        return int(text)
    raise MalformedMessage(f"{what} {text[:40]!r}: write a whole number from {low} to {high}")


def wholes(text: str, what: str, low: int, high: int) -> tuple[int, ...]:
    """The whole numbers of a text, separated by spaces."""
    return tuple(whole(word, what, low, high) for word in text.split())


def in_letters(text: str) -> str:
    """A text in capitals, with letters for the symbols of the suits.

    Raises `MalformedMessage` where letters are left that only look like these in capitals.
    """
    letters = capitals(text)
    if not letters.isascii():
        raise MalformedMessage(f"{text[:40]!r}: write with the letters A to Z and ♠ ♣ ♦ ♥")
    return letters


def capitals(text: str) -> str:
    """A text in capitals, unless it has letters that only look like A to Z in capitals."""
    letters = text.translate(_SYMBOLS)
    return letters.upper() if letters.isascii() else letters


def _begins_hand(block: Block, tag: Tag) -> bool:
    names = [each.name.lower() for each in block.tags]
    return bool(block.sections) or (tag.name.lower() == names[0] and "rules" in names)


def _open(block: Block, name: str, line: int) -> list[Row]:
    if name in block.sections:
        raise HandTextError(
            line, f"{name} is here twice: write one section, or a tag to begin a hand"
        )
    return block.sections.setdefault(name, [])


def _without_comment(raw: str, line: int) -> str:
    match = _BEFORE_COMMENT.match(raw)
    end = match.end() if match else 0
    if raw[end : end + 1] == '"':
        raise HandTextError(line, f"{raw[end : end + 40]!r} has no closing quote")
    return raw[:end].strip()


def _tag(content: str, line: int) -> Tag:
    match = _TAG.fullmatch(content)
    if match is None:
        raise HandTextError(
            line, f'{content[:40]!r} is no tag: write [Name "value"] on its own line'
        )
    with at(line):
        return Tag(match[1], unquote(match[2]), line)

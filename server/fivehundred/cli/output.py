"""Writing to standard output: JSON for programs, tables for people."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table

WIDTH_OF_PIPES = 400
"""Columns where standard output is no terminal, so that nothing is cut."""
GAP = 3
"""Columns between two columns of a table."""


def harmless(text: str) -> str:
    """A text of a stranger's; escaped where it holds what a terminal would obey."""
    return text if text.isprintable() else ascii(text)


def count_text(number: int, noun: str) -> str:
    """``1 hand``, ``2 hands``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def json_of(message: Message) -> dict[str, Any]:
    """A message in the proto JSON mapping, with the contract's own names and every plain field."""
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def print_json(value: object) -> None:
    """Print one JSON document, on one line."""
    sys.stdout.write(json_line(value))


def json_line(value: object) -> str:
    """One JSON document as a line."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def console() -> Console:
    """Standard output as a console; markup in names stays text."""
    width = None if sys.stdout.isatty() else WIDTH_OF_PIPES
    return Console(width=width, markup=False, highlight=False)


def plain_table(*columns: str, numbers: tuple[str, ...] = (), title: str | None = None) -> Table:
    """An empty table; the columns named in ``numbers`` stand to the right."""
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for column in columns:
        is_number = column in numbers
        table.add_column(
            column,
            justify="right" if is_number else "left",
            no_wrap=is_number,
            overflow="fold",
        )
    return table


def print_table(out: Console, table: Table, *, keys: Sequence[str] = ()) -> None:
    """Print a table so that no column vanishes, no number is cut and no word is broken.

    Heads and texts are wrapped between words first. What is still too wide is printed in several
    tables one below the other, each of which begins with the columns named in ``keys``.
    """
    columns = [_Fitted.of(column) for column in table.columns]
    first = [column for column in columns if column.column.header in keys]
    for part in _parts(columns, first, out.width):
        _narrow(part, out.width)
        out.print(_as_table(part))


@dataclass(slots=True)
class _Fitted:
    """A column and how wide it is."""

    column: Column
    cells: list[str]
    least: int
    """The width at which no word and no number is broken."""
    width: int

    @classmethod
    def of(cls, column: Column) -> "_Fitted":
        """A column at its full width."""
        cells, head = [str(cell) for cell in column.cells], str(column.header)
        whole = max(map(cell_len, cells), default=0)
        words = head.split() if column.no_wrap else [*head.split(), *" ".join(cells).split()]
        longest = max(map(cell_len, words), default=0)
        least = max(longest, whole) if column.no_wrap else longest
        return cls(column, cells, least, max(whole, cell_len(head)))


def _parts(columns: list[_Fitted], first: list[_Fitted], width: int) -> Iterator[list[_Fitted]]:
    """The columns in runs that fit; each but the first run begins with ``first``."""
    part: list[_Fitted] = []
    for column in columns:
        if part and _least_width([*part, column]) > width and part != first:
            yield part
            part = list(first)
        if column not in part:
            part.append(column)
    yield part


def _least_width(part: list[_Fitted]) -> int:
    return sum(column.least for column in part) + GAP * len(part)


def _narrow(part: list[_Fitted], width: int) -> None:
    """Take from the column that has most to spare until the whole fits."""
    left = width - GAP * len(part)
    for column in part:
        column.width = max(column.width, column.least)
    while sum(column.width for column in part) > left:
        widest = max(part, key=lambda column: column.width - column.least)
        if widest.width == widest.least:
            return
        widest.width -= 1


def _as_table(part: list[_Fitted]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for each in part:
        head = "\n".join(wrap(str(each.column.header), each.width, break_long_words=False))
        justify, no_wrap = each.column.justify, each.column.no_wrap
        table.add_column(head, justify=justify, width=each.width, no_wrap=no_wrap, overflow="fold")
    for cells in zip(*(each.cells for each in part), strict=True):
        table.add_row(*cells)
    return table

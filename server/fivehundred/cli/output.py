"""Writing to standard output: JSON for programs, tables for people."""

import json
import sys
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich import box
from rich.console import Console
from rich.table import Table

WIDTH_OF_PIPES = 400
"""Columns where standard output is no terminal, so that nothing is cut."""


def harmless(text: str) -> str:
    """A text of a stranger's; escaped where it holds what a terminal would obey."""
    return text if text.isprintable() else ascii(text)


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

"""`fivehundred referee`: the rules answer questions, a line of JSON each."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import Json

EXAMPLE = "Example: fivehundred referee questions.jsonl"
STANDARD_INPUT = Path("-")


def referee(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Questions, one JSON object a line; - for a pipe."),
    ] = STANDARD_INPUT,
    as_json: Json = False,
) -> None:
    """Answer questions about the rules: one JSON object a line in, one a line out.

    A question is a line such as {"ask": "calls", "dealer": 0, "calls": ["6S", "P"]}; what can be
    asked is in docs/referee.md. A question that cannot be answered is answered with an error.
    """
    try:
        with _opened(file) as questions:
            _answer_all(questions)
    except BrokenPipeError:
        _leave_quietly()


def _opened(file: Path) -> AbstractContextManager[BinaryIO]:
    """The questions of a file, or of standard input, which stays open."""
    if file == STANDARD_INPUT:
        return nullcontext(sys.stdin.buffer)
    try:
        return file.open("rb")
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None


def _answer_all(questions: BinaryIO) -> None:
    from fivehundred.referee import answer_bytes, read_lines

    for line in read_lines(questions):
        sys.stdout.write(answer_bytes(line) + "\n")
        sys.stdout.flush()


def _leave_quietly() -> None:
    """Let what is still to be written go nowhere, so that nothing is said at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

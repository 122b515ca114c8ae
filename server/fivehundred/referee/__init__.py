"""The rules answer questions: one JSON object in, one JSON object out (docs/referee.md)."""

from fivehundred.referee.asks import answer
from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.lines import MAX_LINE_BYTES, answer_bytes, answer_line, read_lines

__all__ = [
    "MAX_LINE_BYTES",
    "BadQuestion",
    "answer",
    "answer_bytes",
    "answer_line",
    "read_lines",
]

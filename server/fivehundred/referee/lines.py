"""Questions and answers as lines of JSON: one line in, one line out, whatever the line holds."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Never

from fivehundred.referee.asks import answer
from fivehundred.referee.errors import BadQuestion

MAX_LINE_BYTES = 1 << 20


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream that are not blank, each as soon as it is there.

    One that is too long is cut to one byte more than `MAX_LINE_BYTES`, so that it can be refused.
    A byte order mark before the first is left out.
    """
    mark = BOM_UTF8
    while line := stream.readline(MAX_LINE_BYTES + 1):
        rest = line
        while not rest.endswith(b"\n") and len(rest) > MAX_LINE_BYTES:
            rest = stream.readline(MAX_LINE_BYTES + 1)
        if len(line) <= MAX_LINE_BYTES:
            line = line.removeprefix(mark)
        mark = b""
        if line.strip():
            yield line


def answer_bytes(line: bytes) -> str:
    """The answer to a line as it was received, which may be too long or no text at all."""
    if len(line) > MAX_LINE_BYTES:
        return _refused(None, BadQuestion("", f"a line of more than {MAX_LINE_BYTES} bytes"))
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = f"byte {error.start} of the line is no UTF-8: send UTF-8"
        return _refused(None, BadQuestion("", wrong))
    return answer_line(text)


def answer_line(line: str) -> str:
    """The answer to one line, however long it is; an error is an answer too."""
    reader = _Reader()
    try:
        question = reader.read(line)
    except BadQuestion as error:
        return _refused(None, error)
    identity = reader.identity(question)
    try:
        reader.check()
        answered = answer(question)
    except BadQuestion as error:
        return _refused(identity, error)
    return _dumped({"id": identity, "answer": answered})


@dataclass(slots=True)
class _Reader:
    """Reads one line, strictly: what JSON leaves open is refused."""

    repeated: list[str] = field(default_factory=list)
    """The members that stand twice in one object."""
    outermost: list[tuple[str, Any]] = field(default_factory=list)
    """The members of the object that was closed last, which is the question."""

    def read(self, line: str) -> Any:
        try:
            return json.loads(
                line,
                object_pairs_hook=self._object,
                parse_constant=_no_number,
                parse_float=_finite,
            )
        except json.JSONDecodeError as error:
            wrong = f"no JSON: {error.msg} at character {error.pos}"
            raise BadQuestion("", f"{wrong}; send one object a line") from None
        except RecursionError:
            raise BadQuestion("", "lists or objects are nested too deep") from None
        except BadQuestion:
            raise
        except ValueError:
            raise BadQuestion("", "a number has too many digits") from None

    def identity(self, question: object) -> Any:
        """The question's id, where it can be told."""
        if not isinstance(question, dict):
            return None
        given = [value for name, value in self.outermost if name == "id"]
        return given[0] if len(given) == 1 else None

    def check(self) -> None:
        """Refuse a question that says one thing twice."""
        if self.repeated:
            raise BadQuestion(self.repeated[0][:60], "stands twice in one object: give it once")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self.outermost = pairs
        members = dict(pairs)
        if len(members) != len(pairs):
            counts = Counter(name for name, _ in pairs)
            self.repeated += [name for name, count in counts.items() if count > 1]
        return members


def _no_number(text: str) -> Never:
    raise BadQuestion("", f"no JSON: {text} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise BadQuestion("", f"the number {text[:20]} is too large")
    return number


def _refused(identity: object, error: BadQuestion) -> str:
    return _dumped({"id": identity, "error": {"field": error.field, "message": error.message}})


def _dumped(envelope: dict[str, Any]) -> str:
    """One line; the id alone can be too deep to be written, since it alone is echoed."""
    try:
        return json.dumps(envelope)
    except RecursionError:
        return _refused(None, BadQuestion("id", "is nested too deep: give a number or a text"))

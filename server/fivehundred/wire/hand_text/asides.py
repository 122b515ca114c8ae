"""What lies beside the decisions: evidence of faults, notes and times, by the decision's number."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from fivehundred.table.values import Decided, Fault, FaultKind, Receipt
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text.lines import STRING, Block, Row, at, unquote, whole, wholes
from fivehundred.wire.hand_text.values import HandTextError
from fivehundred.wire.record import MAX_EVIDENCE_BYTES, MAX_REASON_CHARACTERS

LONGEST = (1 << 64) - 1

_ROW = re.compile(r"([^\s:.]+)\s*[:.]\s*(.*)")
_EVIDENCE = re.compile(rf"([A-Za-z]+)\s+({STRING})(?:\s+((?:[0-9a-fA-F]{{2}})+))?", re.ASCII)

_Amend = Callable[[Decided, str], Decided]


def with_asides(block: Block, decisions: Sequence[Decided]) -> tuple[Decided, ...]:
    """The decisions with what the block says of each; raises `HandTextError`."""
    amended = list(decisions)
    _amend(amended, block.rows("Faults"), _with_evidence)
    _amend(amended, block.rows("Notes"), _with_note)
    _amend(amended, block.rows("Times"), _with_times)
    return tuple(amended)


def _amend(decisions: list[Decided], rows: Sequence[Row], amend: _Amend) -> None:
    lines: dict[int, int] = {}
    for row in rows:
        with at(row.line):
            match = _ROW.fullmatch(row.text)
            if match is None:
                raise MalformedMessage(f"{row.text[:40]!r}: write a decision's number and a colon")
            number = whole(match[1], "decision", 1, len(decisions))
            decided = amend(decisions[number - 1], match[2])
        if number in lines:
            raise HandTextError(row.line, f"decision {number} is on line {lines[number]} already")
        lines[number] = row.line
        decisions[number - 1] = decided


def _with_evidence(decided: Decided, text: str) -> Decided:
    match = _EVIDENCE.fullmatch(text)
    if match is None:
        raise MalformedMessage(
            f"{text[:40]!r}: write the kind of fault, the reason as a string and, where there is "
            "one, the answer in pairs of hexadecimal digits"
        )
    kind, reason, answer = match[1].upper(), unquote(match[2]), bytes.fromhex(match[3] or "")
    if decided.fault is None or decided.fault.kind.name != kind:
        raise MalformedMessage(f"{decided.action} is not marked as {_kind_word(kind)}")
    if len(reason) > MAX_REASON_CHARACTERS or len(answer) > MAX_EVIDENCE_BYTES:
        raise MalformedMessage(
            f"a reason has at most {MAX_REASON_CHARACTERS} characters, "
            f"an answer {MAX_EVIDENCE_BYTES} bytes"
        )
    return replace(decided, fault=Fault(decided.fault.kind, reason, answer))


def _kind_word(kind: str) -> str:
    known = [each.name for each in FaultKind]
    return f"!{kind}" if kind in known else f"a fault; the kinds are {', '.join(known)}"


def _with_note(decided: Decided, text: str) -> Decided:
    if re.fullmatch(STRING, text) is None:
        raise MalformedMessage(f"{text[:40]!r}: write the note as a string in quotes")
    return replace(decided, note=unquote(text))


def _with_times(decided: Decided, text: str) -> Decided:
    times = wholes(text, "time", 0, LONGEST)
    if len(times) != 4:
        raise MalformedMessage(f"{len(times)} numbers: write elapsed, lag, charged and bank left")
    return Decided(decided.seat, decided.action, Receipt(*times), decided.fault, decided.note)

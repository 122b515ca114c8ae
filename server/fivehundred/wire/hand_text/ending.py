"""How a read hand ends: by its own course, a forfeit or a cap; all that is stated is checked."""

import re
from collections.abc import Mapping

from fivehundred.rules.hand import Hand
from fivehundred.table.check import end_of
from fivehundred.table.values import Decided, HandRecord, HandStarted
from fivehundred.wire.hand_text.lines import Block, Row, at, whole
from fivehundred.wire.hand_text.naming import hash_of
from fivehundred.wire.hand_text.result import NONE, RESULT_WORDS, plain, result_lines
from fivehundred.wire.hand_text.start import MOST_ENTRANTS
from fivehundred.wire.hand_text.values import HandTextError

_WORDS = {word: word for word in RESULT_WORDS} | {
    re.sub(" (by seat|by side|entrant)$", "", word): word for word in RESULT_WORDS
}


def read_end(
    block: Block, started: HandStarted, hand: Hand, decisions: tuple[Decided, ...]
) -> HandRecord:
    """The record of a hand that has been played to its end; raises `HandTextError`."""
    stated = _stated(block)
    capped = "game over" in stated and plain(stated["game over"].text) == "YES"
    forfeited_by = _forfeited_by(stated)
    blamed = stated["forfeited by entrant"].line if forfeited_by is not None else block.last_line
    with at(blamed):
        goes_on = _goes_on(stated, (started.dealer + 1) % hand.rules.players)
        ended = end_of(hand, started, forfeited_by, capped=capped, goes_on=goes_on)
    record = HandRecord(hash_of(hand.rules), started, decisions, ended)
    _compare(record, stated)
    return record


def _stated(block: Block) -> dict[str, Row]:
    """What the result says, each as a row whose text is the value alone."""
    stated: dict[str, Row] = {}
    for row in block.rows("Result"):
        name, colon, value = row.text.partition(":")
        word = _WORDS.get(" ".join(name.lower().split()))
        if word is None or not colon:
            wrong = f"{row.text[:40]!r}: write one of {', '.join(RESULT_WORDS)}, and a colon"
            raise HandTextError(row.line, wrong)
        if word in stated:
            raise HandTextError(row.line, f"{word} is on line {stated[word].line} already")
        stated[word] = Row(value.strip(), row.line)
    return stated


def _goes_on(stated: Mapping[str, Row], following: int) -> bool:
    """Whether a forfeit is said to be of the hand alone: its game goes on, with the next dealer."""
    said = {word: plain(row.text) for word, row in stated.items()}
    return said.get("game over") == "NO" or said.get("next dealer") == str(following)


def _forfeited_by(stated: Mapping[str, Row]) -> int | None:
    row, outcome = stated.get("forfeited by entrant"), stated.get("outcome")
    if row is not None and row.text != NONE:
        with at(row.line):
            return whole(row.text, "entrant", 0, MOST_ENTRANTS)
    if outcome is not None and plain(outcome.text) == "FORFEITED":
        raise HandTextError(outcome.line, "say who forfeits: write forfeited by entrant: N")
    return None


def _compare(record: HandRecord, stated: Mapping[str, Row]) -> None:
    lines = result_lines(record)
    for word, row in stated.items():
        if plain(row.text) != plain(lines[word]):
            wrong = f"{word} {row.text[:80]!r}: the hand as written gives {lines[word]!r}"
            raise HandTextError(row.line, wrong)

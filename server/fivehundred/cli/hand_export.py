"""Writing hands out: as text for people, or as JSON lines of v1 HandRecord."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from fivehundred.cli.failures import CliError
from fivehundred.cli.output import json_of, print_json
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredHand
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text import WrittenHand, dump, dumps
from fivehundred.wire.record import record_to_proto

HANDS_BETWEEN_COUNTS = 100


def export_hands(
    store: Store, tournaments: Sequence[str], output: Path | None, *, as_json: bool
) -> None:
    """Write the hands of tournaments to a file, or to standard output."""
    total = sum(map(store.hand_count, tournaments))
    pieces = _pieces(store, tournaments, as_json=as_json)
    with _opened(output) as stream:
        for piece in _counted(pieces, total):
            stream.write(piece)


def print_written(hands: Iterable[WrittenHand], *, as_json: bool) -> None:
    """Print hands on standard output."""
    if not as_json:
        dump(hands, sys.stdout)
        return
    for hand in hands:
        print_json(json_of(record_to_proto(hand.record)))


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    with output.open("w", encoding="utf-8", newline="\n") as stream:
        yield stream


def _pieces(store: Store, tournaments: Iterable[str], *, as_json: bool) -> Iterator[str]:
    """What is written of each hand, in order."""
    between = ""
    for name in tournaments:
        rules = store.tournament(name).rules
        for hand in store.hands(name):
            if as_json:
                value = json_of(record_to_proto(hand.record))
                yield json.dumps(value, ensure_ascii=False) + "\n"
            else:
                yield between + _text(hand, rules)
                between = "\n"


def _text(hand: StoredHand, rules: RuleSet) -> str:
    try:
        return dumps([WrittenHand(hand.record, rules)])
    except MalformedMessage as error:
        raise CliError(f"hand {hand.id}: {error.reason}; see `fivehundred verify`") from None


def _counted(pieces: Iterable[str], total: int) -> Iterator[str]:
    """The pieces, with their count on one line of a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield from pieces
        return
    for number, piece in enumerate(pieces, start=1):
        yield piece
        if number % HANDS_BETWEEN_COUNTS == 0 or number == total:
            end = "\n" if number == total else ""
            print(f"\r{number}/{total} hands", end=end, file=sys.stderr, flush=True)

"""Writing hands out: as text for people, or as JSON lines of v1 HandRecord."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from fivehundred.cli.counting import show_count
from fivehundred.cli.failures import CliError
from fivehundred.cli.output import json_line, json_of
from fivehundred.storage.store import Store
from fivehundred.v1.tournament_pb2 import TournamentSpec
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text import WrittenHand, dumps
from fivehundred.wire.presets import DEFAULT_PRESET
from fivehundred.wire.record import record_to_proto

HANDS_BETWEEN_COUNTS = 100

_Numbered = tuple[int, WrittenHand]


def export_hands(
    store: Store, tournaments: Sequence[str], output: Path | None, *, as_json: bool
) -> None:
    """Write the hands of tournaments to a file, or to standard output."""
    total = sum(map(store.hand_count, tournaments))
    pieces = _pieces(_stored(store, tournaments), as_json=as_json)
    with _opened(output) as stream:
        for piece in _counted(pieces, total):
            stream.write(piece)


def print_written(hands: Iterable[WrittenHand], *, as_json: bool) -> None:
    """Print hands on standard output."""
    for piece in _pieces(enumerate(hands, start=1), as_json=as_json):
        sys.stdout.write(piece)


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    with output.open("w", encoding="utf-8", newline="\n") as stream:
        yield stream


def _stored(store: Store, tournaments: Iterable[str]) -> Iterator[_Numbered]:
    for name in tournaments:
        stored = store.tournament(name)
        preset = TournamentSpec.FromString(stored.spec).rules.preset or DEFAULT_PRESET
        for hand in store.hands(name):
            yield hand.id, WrittenHand(hand.record, stored.rules, preset=preset)


def _pieces(hands: Iterable[_Numbered], *, as_json: bool) -> Iterator[str]:
    """What is written of each hand, in order."""
    between = ""
    for number, hand in hands:
        if as_json:
            yield json_line(json_of(record_to_proto(hand.record)))
        else:
            yield between + _text(number, hand)
            between = "\n"


def _text(number: int, hand: WrittenHand) -> str:
    try:
        return dumps([hand])
    except MalformedMessage as error:
        raise CliError(f"hand {number}: {error.reason}; see `fivehundred verify`") from None


def _counted(pieces: Iterable[str], total: int) -> Iterator[str]:
    """The pieces, with their count shown."""
    for number, piece in enumerate(pieces, start=1):
        yield piece
        if number % HANDS_BETWEEN_COUNTS == 0 or number == total:
            show_count(number, total, "hands")

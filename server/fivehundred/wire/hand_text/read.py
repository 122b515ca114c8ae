"""Text to hands: every decision is carried out as it is read, so that a line can be blamed."""

from fivehundred.table.check import dealt
from fivehundred.wire.hand_text.asides import with_asides
from fivehundred.wire.hand_text.course import played
from fivehundred.wire.hand_text.ending import read_end
from fivehundred.wire.hand_text.lines import Block, at, blocks, sections_after
from fivehundred.wire.hand_text.start import read_rules, read_start
from fivehundred.wire.hand_text.tags import Tags
from fivehundred.wire.hand_text.values import HandTextError, WrittenHand


def loads(text: str) -> list[WrittenHand]:
    """The hands of a text; raises `HandTextError` for the first line that is wrong."""
    hands: list[WrittenHand] = []
    try:
        for block in blocks(text):
            hands.append(_hand(block))  # noqa: PERF401  # counted where one is refused
    except HandTextError as error:
        raise HandTextError(error.line, error.message, len(hands) + 1) from None
    return hands


def _hand(block: Block) -> WrittenHand:
    try:
        return _read(block)
    except HandTextError as error:
        raise HandTextError(error.line, error.message + sections_after(block, error.line)) from None


def _read(block: Block) -> WrittenHand:
    tags = Tags(block)
    rules = read_rules(tags)
    started = read_start(tags, rules, block)
    with at(block.line):
        hand = dealt(rules, started)
    decisions = with_asides(block, tuple(played(block, hand)))
    return WrittenHand(
        read_end(block, started, hand, decisions), rules, tags.unknown, tags.need("Rules").value
    )

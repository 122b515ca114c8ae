"""The tags of a hand: what they are called, and in which order they are written."""

import re
from collections.abc import Iterator

from fivehundred.rules.cards import card_name
from fivehundred.table.values import HandStarted
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text.lines import TAG_NAME, Block, Tag, quote
from fivehundred.wire.hand_text.naming import name_of
from fivehundred.wire.hand_text.values import HandTextError, WrittenHand

PLACE = ("Tournament", "Match", "Board", "Seating", "Hand", "Attempt")
ONCE = (*PLACE, "Rules", "RulesHash", "Dealer", "Entrants", "ScoresBefore", "Deck")
OFTEN = ("Clear", "Override")

_SEAT = re.compile(r"seat\d+", re.ASCII)
_KNOWN = {name.lower() for name in (*ONCE, *OFTEN)}


class Tags:
    """The tags of one hand by name; raises `HandTextError` where one that is known is repeated."""

    def __init__(self, block: Block) -> None:
        self.line = block.line
        self.unknown = tuple((tag.name, tag.value) for tag in block.tags if not _is_known(tag.name))
        self._once: dict[str, Tag] = {}
        self._often: dict[str, list[Tag]] = {name.lower(): [] for name in OFTEN}
        for tag in block.tags:
            self._take(tag, tag.name.lower())

    def find(self, name: str) -> Tag | None:
        """A tag; None where it is missing."""
        return self._once.get(name.lower())

    def need(self, name: str) -> Tag:
        """A tag; raises `HandTextError` where it is missing."""
        tag = self.find(name)
        if tag is None:
            raise HandTextError(self.line, f'the hand has no {name}: write [{name} "…"]')
        return tag

    def all(self, name: str) -> list[Tag]:
        """All tags of a name that may be repeated."""
        return self._often[name.lower()]

    def seats(self) -> Iterator[tuple[int, Tag]]:
        """The tags that name what sits at a seat, with the seat."""
        for name, tag in self._once.items():
            if _SEAT.fullmatch(name):
                yield int(name.removeprefix("seat")[:4]), tag

    def _take(self, tag: Tag, name: str) -> None:
        if _SEAT.fullmatch(name) and name != f"seat{_seat_digits(name)}":
            raise HandTextError(tag.line, f"{tag.name[:40]}: write Seat{_seat_digits(name)[:20]}")
        if name in self._often:
            self._often[name].append(tag)
        elif name in self._once and _is_known(name):
            first = self._once[name].line
            raise HandTextError(tag.line, f"{tag.name} is given on line {first} already")
        else:
            self._once.setdefault(name, tag)


def tag_lines(hand: WrittenHand) -> Iterator[str]:
    """The tags as they are written; raises `MalformedMessage` for one that would read otherwise."""
    started = hand.record.started
    yield from (_line(*pair) for pair in _place(started))
    yield from (_line(*pair) for pair in _rules(hand))
    yield _line("Dealer", str(started.dealer))
    yield from (_line(f"Seat{seat}", bot) for seat, bot in enumerate(started.bots))
    yield _line("Entrants", " ".join(map(str, started.entrants)))
    yield _line("ScoresBefore", " ".join(map(str, started.scores_before)))
    yield _line("Deck", " ".join(map(card_name, started.deck)))
    for name, value in hand.tags:
        if _is_known(name) or not TAG_NAME.fullmatch(name):
            raise MalformedMessage(f"{name!r} cannot be a tag beside those of a hand")
        yield _line(name, value)


def _place(started: HandStarted) -> Iterator[tuple[str, str]]:
    key = started.key
    values = (key.tournament, key.match, key.board, key.seating, key.hand, key.attempt)
    yield from zip(PLACE, map(str, values), strict=True)


def _rules(hand: WrittenHand) -> Iterator[tuple[str, str]]:
    name = name_of(hand.rules, hand.preset)
    yield "Rules", name.preset
    yield from (("Clear", field) for field in name.clear)
    yield from (("Override", text) for text in name.override)
    yield "RulesHash", hand.record.rules_hash.hex()


def _line(name: str, value: str) -> str:
    return f"[{name} {quote(value)}]"


def _seat_digits(name: str) -> str:
    """The number of a seat's tag in its one spelling."""
    return name.removeprefix("seat").lstrip("0") or "0"


def _is_known(name: str) -> bool:
    lowered = name.lower()
    return lowered in _KNOWN or _SEAT.fullmatch(lowered) is not None

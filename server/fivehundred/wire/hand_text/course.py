"""Auction, exchange and play: the rows read in order, each decision carried out at once."""

import re
from collections.abc import Callable, Iterator, Sequence

from fivehundred.rules.actions import Action, Pass
from fivehundred.rules.hand import Hand
from fivehundred.rules.notation import parse_call, parse_exchange, parse_play
from fivehundred.rules.values import Phase
from fivehundred.table.check import carry_out
from fivehundred.table.values import Decided, Fault, FaultKind, Receipt
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text.lines import Block, Row, at, in_letters, whole

ABSENT = "-"
LEADER = ">"
NO_TIME = Receipt(0, 0, 0, 0)

_SPACED_MARK = re.compile(r"\s*!\s*")
_SPACED_LEADER = re.compile(r">\s+")
_NUMBERED = re.compile(r"(\d{1,9})\s*[:.](?:\s+|$)", re.ASCII)
_SETTLED = re.compile(r"[A-Z]+=")
_WORDS = {Phase.AUCTION: "call", Phase.EXCHANGE: "exchange", Phase.PLAY: "play"}


def columns(dealer: int, players: int) -> list[int]:
    """The seats in the order of the columns: from the dealer's left."""
    return [(dealer + 1 + place) % players for place in range(players)]


def played(block: Block, hand: Hand) -> Iterator[Decided]:
    """The decisions of a hand, carried out on it; raises `HandTextError`."""
    order = columns(hand.dealer, hand.rules.players)
    for row in block.rows("Auction"):
        with at(row.line):
            yield from _round(row, hand, order)
    for row in block.rows("Exchange"):
        with at(row.line):
            yield _exchange(row, hand)
    yield from _tricks(block.rows("Play"), hand, order)


def _round(row: Row, hand: Hand, order: Sequence[int]) -> Iterator[Decided]:
    for column, cell in enumerate(_cells(row.text)):
        seat = order[column % len(order)]
        if cell != ABSENT and seat == hand.turn:
            yield _decide(
                hand, Phase.AUCTION, seat, cell, lambda text: parse_call(hand.rules, text)
            )
        elif cell != ABSENT or seat == hand.turn:
            raise MalformedMessage(_out_of_column(hand, seat, cell))


def _out_of_column(hand: Hand, seat: int, cell: str) -> str:
    where = f"{cell[:40]!r} in the column of seat {seat}"
    if hand.turn is None or hand.phase is not Phase.AUCTION:
        return f"{where}: {_auction_over(hand)}"
    return f"{where}: seat {hand.turn} is to call; write {ABSENT} for a seat that is not"


def _exchange(row: Row, hand: Hand) -> Decided:
    label, colon, text = in_letters(row.text).partition(":")
    words = label.split()
    if not colon or words[:-1] not in ([], ["SEAT"]) or not words:
        raise MalformedMessage(f"{row.text[:40]!r}: write a seat, a colon and the cards it throws")
    seat = whole(words[-1], "seat", 0, hand.rules.players - 1)
    settled = _SETTLED.sub(lambda match: match[0].lower(), text)
    return _decide(hand, Phase.EXCHANGE, seat, _SPACED_MARK.sub("!", settled), parse_exchange)


def _tricks(rows: Sequence[Row], hand: Hand, order: Sequence[int]) -> Iterator[Decided]:
    is_complete = True
    for number, row in enumerate(rows, start=1):
        with at(row.line):
            if not is_complete:
                raise MalformedMessage(f"trick {number - 1} lacks a card: write it first")
            made = list(_trick(_unnumbered(row.text, number), hand, order))
        is_complete = len(made) == len(hand.playing_seats)
        yield from made


def _unnumbered(text: str, number: int) -> str:
    match = _NUMBERED.match(text)
    if match is None:
        return text
    if int(match[1]) != number:
        raise MalformedMessage(f"trick {match[1]} stands where trick {number} should")
    return text[match.end() :]


def _trick(text: str, hand: Hand, order: Sequence[int]) -> Iterator[Decided]:
    cells = _cells(_SPACED_LEADER.sub(LEADER, text))
    if len(cells) != len(order):
        raise MalformedMessage(f"{len(cells)} cells: write one for each of {len(order)} seats")
    by_seat = dict(zip(order, cells, strict=True))
    leader = hand.turn
    if hand.phase is not Phase.PLAY or leader is None:
        raise MalformedMessage(f"no card may be played: {_standing(hand)}")
    for seat, cell in by_seat.items():
        if cell.startswith(LEADER) and seat != leader:
            raise MalformedMessage(f"seat {seat} is marked as the leader: seat {leader} leads")
    for place in range(len(order)):
        seat = (leader + place) % len(order)
        cell = by_seat[seat].removeprefix(LEADER)
        if cell != ABSENT:
            yield _decide(hand, Phase.PLAY, seat, cell, parse_play)


def _cells(text: str) -> list[str]:
    return _SPACED_MARK.sub("!", in_letters(text)).split()


def _decide(
    hand: Hand, phase: Phase, seat: int, text: str, parse: Callable[[str], Action]
) -> Decided:
    """Read a decision and carry it out."""
    action_text, mark, kind = text.partition("!")
    if hand.phase is not phase:
        raise MalformedMessage(_out_of_phase(hand, phase, f"{text.strip()[:40]!r}"))
    fault = Fault(_fault_kind(kind), "") if mark else None
    decided = Decided(seat, parse(action_text), NO_TIME, fault)
    carry_out(hand, decided)
    return decided


def _out_of_phase(hand: Hand, phase: Phase, text: str) -> str:
    if phase is Phase.AUCTION:
        return f"{text}: {_auction_over(hand)}"
    return f"{text} is no {_WORDS.get(hand.phase, 'decision')}: {_standing(hand)}"


def _auction_over(hand: Hand) -> str:
    """``the auction is over: 7H by seat 2; seat 2 is to exchange``."""
    contract = hand.contract
    if contract is None:
        return "the auction is over: nobody has bid enough"
    what = f"{contract.bid} by seat {contract.contractor}"
    if isinstance(contract.bid, Pass):
        what = "nobody has bid"
    return f"the auction is over: {what}; {_standing(hand)}"


def _standing(hand: Hand) -> str:
    if hand.turn is None:
        return "the hand is over"
    return f"seat {hand.turn} is to {_WORDS[hand.phase]}"


def _fault_kind(text: str) -> FaultKind:
    try:
        return FaultKind[text.strip()]
    except KeyError:
        known = ", ".join(kind.name for kind in FaultKind)
        raise MalformedMessage(f"{text.strip()[:40]!r} is no fault: write one of {known}") from None

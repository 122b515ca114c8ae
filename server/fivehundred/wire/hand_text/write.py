"""Hands to text: one record has one text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fivehundred.rules.actions import Bid, Exchange, Pass, Play
from fivehundred.rules.cards import Cards, card_name, is_joker, members, suit_of
from fivehundred.rules.hand import Hand
from fivehundred.rules.scoring import side_tricks
from fivehundred.rules.values import Deal, Trick
from fivehundred.table.values import Decided, HandRecord
from fivehundred.wire.hand_text.check import check
from fivehundred.wire.hand_text.course import ABSENT, LEADER, NO_TIME, columns
from fivehundred.wire.hand_text.deal import places
from fivehundred.wire.hand_text.lines import quote
from fivehundred.wire.hand_text.result import result_lines
from fivehundred.wire.hand_text.tags import tag_lines
from fivehundred.wire.hand_text.values import WrittenHand

WIDTH = 8


def dumps(hands: Iterable[WrittenHand]) -> str:
    """The text of hands; raises `MalformedMessage` for one that its rules do not allow."""
    return "\n".join(map(_text, hands))


def _text(hand: WrittenHand) -> str:
    played = check(hand.record, hand.rules)
    parts = [list(tag_lines(hand)), *_sections(hand.record, played)]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def _sections(record: HandRecord, hand: Hand) -> Iterator[list[str]]:
    decisions = list(enumerate(record.decisions, start=1))
    for head, rows in (
        ("Deal", _deal_rows(hand.deal)),
        ("Auction", _auction_rows(hand, record.decisions)),
        ("Exchange", _exchange_rows(record.decisions)),
        ("Play", _play_rows(hand, record.decisions)),
        ("Result", _result_rows(record)),
        ("Faults", _fault_rows(decisions)),
        ("Notes", _note_rows(decisions)),
        ("Times", _time_rows(decisions)),
    ):
        if lines := list(rows):
            yield [head, *lines]


def _deal_rows(deal: Deal) -> Iterator[str]:
    yield from (f"{place}: {_suits(cards)}" for place, cards in places(deal).items())


def _suits(cards: Cards) -> str:
    """The cards from high to low, a wider space between suits."""
    suits: dict[int, list[str]] = {}
    for card in sorted(members(cards), reverse=True):
        suits.setdefault(-1 if is_joker(card) else suit_of(card), []).append(card_name(card))
    return "  ".join(" ".join(suits[suit]) for suit in sorted(suits))


def _auction_rows(hand: Hand, decisions: Sequence[Decided]) -> Iterator[str]:
    order = columns(hand.dealer, hand.rules.players)
    rows: list[list[str]] = []
    for decided in decisions:
        if not isinstance(decided.action, Pass | Bid):
            continue
        column = order.index(decided.seat)
        if not rows or len(rows[-1]) > column:
            rows.append([])
        rows[-1] += [ABSENT] * (column - len(rows[-1]))
        rows[-1].append(f"{decided.action}{_mark(decided)}")
    if rows:
        yield "; " + _cells([f"seat {seat}" for seat in order])
        yield from ("  " + _cells(row) for row in rows)


def _exchange_rows(decisions: Sequence[Decided]) -> Iterator[str]:
    for decided in decisions:
        if isinstance(decided.action, Exchange):
            fault = _mark(decided)
            yield f"seat {decided.seat}: {decided.action}{fault and ' ' + fault}"


@dataclass(slots=True)
class _TrickRow:
    """A trick as it is written."""

    cells: dict[int, str]
    winner: str = ""


def _play_rows(hand: Hand, decisions: Sequence[Decided]) -> Iterator[str]:
    order = columns(hand.dealer, hand.rules.players)
    plays = (decided for decided in decisions if isinstance(decided.action, Play))
    rows = [_trick_row(trick, plays) for trick in hand.view(0).tricks]
    if not rows:
        return
    _tell_winners(hand, rows)
    yield ";    " + _cells([f" seat {seat}" for seat in order])
    for number, row in enumerate(rows, start=1):
        cells = _cells([row.cells.get(seat, f" {ABSENT}") for seat in order])
        yield f"{number:>3}: {cells}{row.winner}"


def _trick_row(trick: Trick, plays: Iterator[Decided]) -> _TrickRow:
    cells: dict[int, str] = {}
    for seat in trick.seats:
        decided = next(plays)
        lead = " " if cells else LEADER
        cells[seat] = f"{lead}{decided.action}{_mark(decided)}"
    return _TrickRow(cells)


def _tell_winners(hand: Hand, rows: Sequence[_TrickRow]) -> None:
    won = [0] * hand.rules.players
    for row, winner in zip(rows, hand.taken, strict=False):
        won[winner] += 1
        score = "-".join(map(str, side_tricks(hand.rules, won)))
        row.winner = f"  ; seat {winner}, {score}"


def _result_rows(record: HandRecord) -> Iterator[str]:
    yield from (f"{what}: {text}" for what, text in result_lines(record).items())


def _fault_rows(decisions: Sequence[tuple[int, Decided]]) -> Iterator[str]:
    for number, decided in decisions:
        if (fault := decided.fault) is not None:
            evidence = f" {fault.answer.hex()}" if fault.answer else ""
            yield f"{number:>3}: {fault.kind.name} {quote(fault.reason)}{evidence}"


def _note_rows(decisions: Sequence[tuple[int, Decided]]) -> Iterator[str]:
    for number, decided in decisions:
        if decided.note:
            yield f"{number:>3}: {quote(decided.note)}"


def _time_rows(decisions: Sequence[tuple[int, Decided]]) -> Iterator[str]:
    if all(decided.receipt == NO_TIME for _, decided in decisions):
        return
    yield f";    {'elapsed':>9} {'lag':>9} {'charged':>9} {'bank left':>9}  microseconds"
    for number, decided in decisions:
        receipt = decided.receipt
        numbers = (receipt.elapsed_us, receipt.lag_us, receipt.charged_us, receipt.bank_left_us)
        yield f"{number:>3}: " + " ".join(f"{each:>9}" for each in numbers)


def _mark(decided: Decided) -> str:
    return "" if decided.fault is None else f"!{decided.fault.kind.name}"


def _cells(cells: Sequence[str]) -> str:
    return " ".join(f"{cell:<{WIDTH}}" for cell in cells)

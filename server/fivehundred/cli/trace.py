"""One decision of an entrant as lines: what the bot saw, what came back, what it cost."""

from collections.abc import Iterator

from rich.console import Console

from fivehundred.cli.hand_text import SUIT_SYMBOLS, decision_text
from fivehundred.cli.output import harmless
from fivehundred.rules.actions import Legal, LegalCalls, LegalPlays
from fivehundred.rules.cards import card_name, names
from fivehundred.rules.values import Contract, SeatView, Trick
from fivehundred.table.values import Decided
from fivehundred.v1 import bot_pb2, hands_pb2, record_pb2
from fivehundred.wire.asked import Asked
from fivehundred.wire.codec import ask_from_proto
from fivehundred.wire.record import event_from_bytes

LABEL = 10
NOBODY = "–"


def print_decision(console: Console, traced: hands_pb2.TraceEntrantResponse) -> None:
    """Print a decision and an empty line; what comes from the bot never moves the cursor."""
    for line in _lines(traced):
        console.print(line, soft_wrap=True)
    console.print()


def _lines(traced: hands_pb2.TraceEntrantResponse) -> Iterator[str]:
    asked = ask_from_proto(_decision(traced))
    decided = _decided(traced)
    key = traced.key
    where = f"match {key.match}, board {key.board}, seating {key.seating}"
    place = f"{where}, hand {key.hand} of its game" if key.hand else where
    kind = asked.kind.name.lower()
    yield f"Hand {traced.hand}, decision {traced.decision}, seat {traced.seat}: {kind} ({place})"
    facts = (*_seen(asked.view), ("legal", _legal_text(asked.legal)), *_answered(traced, decided))
    for label, text in (*facts, ("time", _time_text(traced, asked))):
        yield f"  {label:{LABEL}}{text}"


def _decision(traced: hands_pb2.TraceEntrantResponse) -> bot_pb2.Decision:
    match traced.WhichOneof("request"):
        case "bid":
            return bot_pb2.Decision(bid=traced.bid)
        case "discard":
            return bot_pb2.Decision(discard=traced.discard)
        case _:
            return bot_pb2.Decision(play=traced.play)


def _decided(traced: hands_pb2.TraceEntrantResponse) -> Decided:
    taken = record_pb2.DecisionTaken(
        made=traced.made, receipt=traced.receipt, note=traced.note, evidence=traced.evidence
    )
    event = event_from_bytes(record_pb2.JournalEvent(decided=taken).SerializeToString())
    assert isinstance(event, Decided)
    return event


def _seen(view: SeatView) -> Iterator[tuple[str, str]]:
    yield "holding", names(view.holding) or NOBODY
    yield "auction", _seats_text((seat, str(call)) for seat, call in view.auction)
    if view.contract is not None:
        yield "contract", _contract_text(view.contract)
    for number, trick in enumerate(view.tricks, start=1):
        yield f"trick {number}", _trick_text(trick)
    if view.contract is not None:
        yield "won", " ".join(map(str, view.tricks_won))
    if view.thrown:
        yield "thrown", names(view.thrown)
    if view.exposed:
        yield "exposed", names(view.exposed)
    yield "scores", " ".join(map(str, view.scores))


def _seats_text(said: Iterator[tuple[int, str]]) -> str:
    return ", ".join(f"seat {seat} {what}" for seat, what in said) or NOBODY


def _contract_text(contract: Contract) -> str:
    parts = [f"{contract.bid} by seat {contract.contractor}"]
    if contract.joker_suit is not None:
        parts.append(f"joker is {SUIT_SYMBOLS[contract.joker_suit]}")
    if contract.called is not None:
        parts.append(f"calls {card_name(contract.called)}")
    if contract.partners:
        parts.append(f"partner {', '.join(f'seat {seat}' for seat in contract.partners)}")
    return ", ".join(parts)


def _trick_text(trick: Trick) -> str:
    pairs = zip(trick.seats, map(card_name, trick.cards), strict=True)
    named = "" if trick.named is None else f", names {SUIT_SYMBOLS[trick.named]}"
    return _seats_text(pairs) + named


def _legal_text(legal: Legal) -> str:
    if isinstance(legal, LegalCalls):
        return " ".join(map(str, legal.calls))
    if isinstance(legal, LegalPlays):
        suits = " ".join(SUIT_SYMBOLS[suit] for suit in range(4) if legal.nameable >> suit & 1)
        return names(legal.cards) + (f"; a joker names one of {suits}" if suits else "")
    choices = [f"throw {legal.throw} of the holding"]
    if legal.nominable:
        choices.append(f"give a suit to {names(legal.nominable)}")
    if legal.callable:
        own = ", its own too" if legal.may_call_own else ""
        choices.append(f"call one of {names(legal.callable)}{own}")
    if legal.partners:
        choices.append(f"choose {legal.partners} of seats {' '.join(map(str, legal.choosable))}")
    return "; ".join(choices)


def _answered(
    traced: hands_pb2.TraceEntrantResponse, decided: Decided
) -> Iterator[tuple[str, str]]:
    fault = decided.fault
    if fault is None:
        yield "answer", decision_text(decided)
    else:
        yield "fault", f"{fault.kind.name}: {harmless(fault.reason)}"
        if fault.answer:
            yield "evidence", f"{len(fault.answer)} bytes: {_shown(fault.answer)}"
        yield "instead", decision_text(decided)
    if traced.note:
        yield "note", harmless(traced.note)


def _time_text(traced: hands_pb2.TraceEntrantResponse, asked: Asked) -> str:
    receipt = traced.receipt
    had = f"had {_ms(asked.time_left_us)}, bank {_ms(asked.bank_left_us)} of it"
    took = f"took {_ms(receipt.elapsed_us)}, the daemon's lag {_ms(receipt.lag_us)} of it"
    return (
        f"{had}; {took}; charged {_ms(receipt.charged_us)}, bank left {_ms(receipt.bank_left_us)}"
    )


def _ms(microseconds: int) -> str:
    return f"{microseconds / 1000:.1f} ms"


def _shown(answer: bytes) -> str:
    """Bytes as Python writes them, which is readable where they hold text."""
    return ascii(answer)

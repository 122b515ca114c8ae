"""Hand records and journal events to and from v1.

A record's facts are digested; receipts, notes and evidence lie beside them, so that equal play has
equal digests whatever the clocks did.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import assert_never

from google.protobuf.message import DecodeError

from fivehundred.rules.actions import Action, Call, Exchange, Play
from fivehundred.rules.cards import Card, Suit
from fivehundred.rules.hand import HandResult, Outcome
from fivehundred.table.values import (
    Decided,
    Event,
    Fault,
    FaultKind,
    HandEnded,
    HandKey,
    HandRecord,
    HandStarted,
    Receipt,
)
from fivehundred.v1 import record_pb2
from fivehundred.wire.cards import (
    CARD_NUMBERS,
    call_from_proto,
    call_to_proto,
    card_from_number,
    card_list_from_numbers,
    card_numbers,
    cards_from_numbers,
    optional_card,
    optional_card_number,
    optional_suit,
    optional_suit_number,
)
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.fields import part, receipt_bytes
from fivehundred.wire.views import (
    contract_from_proto,
    fill_contract,
    receipt_from_proto,
    receipt_to_proto,
)

SCHEMA_VERSION = 1
MAX_EVIDENCE_BYTES = 256
MAX_REASON_CHARACTERS = 500


def record_to_proto(record: HandRecord) -> record_pb2.HandRecord:
    """The message of a record, with its digest."""
    message = record_pb2.HandRecord()
    _fill_facts(message.facts, record)
    message.digest = facts_digest(message)
    for decided in record.decisions:
        message.receipts.append(receipt_to_proto(decided.receipt))
    _fill_remarks(message, record)
    return message


def record_to_bytes(record: HandRecord) -> tuple[bytes, bytes]:
    """The bytes of a record's message, as protobuf would serialise it, and its digest."""
    facts = _facts_bytes(record)
    digest = sha256(facts).digest()
    rest = record_pb2.HandRecord()
    _fill_remarks(rest, record)
    receipts = [part(b"\x1a", receipt_bytes(decided.receipt)) for decided in record.decisions]
    parts = (part(b"\x0a", facts), part(b"\x12", digest), *receipts)
    return b"".join(parts) + rest.SerializeToString(deterministic=True), digest


def record_from_proto(message: record_pb2.HandRecord) -> HandRecord:
    """The record of a message; raises `MalformedMessage` where it is none."""
    facts = message.facts
    if facts.schema_version != SCHEMA_VERSION:
        raise MalformedMessage(
            f"schema version {facts.schema_version}: only {SCHEMA_VERSION} is known"
        )
    if len(message.receipts) != len(facts.decisions):
        count = f"{len(message.receipts)} receipts for {len(facts.decisions)} decisions"
        raise MalformedMessage(count)
    notes = {note.decision: note.text for note in message.notes}
    evidence = {entry.decision: entry for entry in message.evidence}
    return HandRecord(
        rules_hash=facts.rules_hash,
        started=_started_from_proto(facts),
        decisions=tuple(_decisions(message, notes, evidence)),
        ended=ended_from_proto(facts.result),
    )


def facts_digest(message: record_pb2.HandRecord) -> bytes:
    """The SHA-256 of the deterministic serialisation of a record's facts."""
    return sha256(message.facts.SerializeToString(deterministic=True)).digest()


def event_to_bytes(event: Event) -> bytes:
    """The bytes of an event for the journal."""
    if isinstance(event, Decided):
        return part(b"\x12", _taken_bytes(event))
    message = record_pb2.JournalEvent()
    match event:
        case HandStarted():
            _fill_started(message.started, event)
        case HandEnded():
            _fill_ended(message.ended, event)
        case _:
            assert_never(event)
    return message.SerializeToString(deterministic=True)


def event_from_bytes(serialised: bytes) -> Event:
    """The event of a journal entry's bytes; raises `MalformedMessage` where they are none."""
    try:
        message = record_pb2.JournalEvent.FromString(serialised)
    except DecodeError:
        raise MalformedMessage(f"{len(serialised)} bytes that are no journal event") from None
    match message.WhichOneof("event"):
        case "started":
            return _started_from_proto(message.started)
        case "decided":
            return _taken_from_proto(message.decided)
        case "ended":
            return ended_from_proto(message.ended)
        case _:
            raise MalformedMessage("a journal event of no known kind")


def key_to_proto(key: HandKey) -> record_pb2.HandKey:
    """The message of a hand's key."""
    return record_pb2.HandKey(
        tournament=key.tournament,
        match=key.match,
        board=key.board,
        seating=key.seating,
        hand=key.hand,
        attempt=key.attempt,
    )


def key_from_proto(message: record_pb2.HandKey) -> HandKey:
    """The hand's key of a message."""
    return HandKey(
        tournament=message.tournament,
        match=message.match,
        board=message.board,
        seating=message.seating,
        hand=message.hand,
        attempt=message.attempt,
    )


def result_to_proto(ended: HandEnded) -> record_pb2.HandResult:
    """The message of a hand's end."""
    message = record_pb2.HandResult()
    _fill_ended(message, ended)
    return message


def _fill_facts(facts: record_pb2.HandFacts, record: HandRecord) -> None:
    facts.schema_version = SCHEMA_VERSION
    facts.rules_hash = record.rules_hash
    _fill_started(facts, record.started)
    for decided in record.decisions:
        _fill_made(facts.decisions.add(), decided)
    _fill_ended(facts.result, record.ended)


def _fill_started(
    message: record_pb2.HandFacts | record_pb2.HandStarted, started: HandStarted
) -> None:
    message.key.CopyFrom(key_to_proto(started.key))
    message.bots.extend(started.bots)
    message.entrants.extend(started.entrants)
    message.dealer = started.dealer
    message.deck.extend([CARD_NUMBERS[card] for card in started.deck])
    message.scores_before.extend(started.scores_before)


def _started_from_proto(message: record_pb2.HandFacts | record_pb2.HandStarted) -> HandStarted:
    return HandStarted(
        key=key_from_proto(message.key),
        bots=tuple(message.bots),
        entrants=tuple(message.entrants),
        dealer=message.dealer,
        deck=card_list_from_numbers(message.deck),
        scores_before=tuple(message.scores_before),
    )


def _fill_made(message: record_pb2.DecisionMade, decided: Decided) -> None:
    message.seat = decided.seat
    action = decided.action
    if isinstance(action, Play):
        message.play.card = CARD_NUMBERS[action.card]
        message.play.named_suit = optional_suit_number(action.named)
    elif isinstance(action, Exchange):
        _fill_exchanged(message.exchange, action)
    else:
        message.call.CopyFrom(call_to_proto(action))
    if decided.fault is not None:
        message.fault = record_pb2.FaultKind.ValueType(decided.fault.kind.value)


def _fill_exchanged(message: record_pb2.Exchanged, exchange: Exchange) -> None:
    message.SetInParent()
    message.cards.extend(card_numbers(exchange.thrown))
    message.joker_suit = optional_suit_number(exchange.joker_suit)
    message.called = optional_card_number(exchange.called)
    message.partners.extend(exchange.partners)


def _action_from_proto(message: record_pb2.DecisionMade) -> Action:
    match message.WhichOneof("action"):
        case "call":
            return call_from_proto(message.call)
        case "exchange":
            return _exchange_from_proto(message.exchange)
        case "play":
            play = message.play
            return Play(card_from_number(play.card), optional_suit(play.named_suit))
        case _:
            raise MalformedMessage("a decision without an action")


def _exchange_from_proto(message: record_pb2.Exchanged) -> Exchange:
    return Exchange(
        thrown=cards_from_numbers(message.cards),
        joker_suit=optional_suit(message.joker_suit),
        called=optional_card(message.called),
        partners=tuple(message.partners),
    )


def _decisions(
    message: record_pb2.HandRecord,
    notes: Mapping[int, str],
    evidence: Mapping[int, record_pb2.Evidence],
) -> Iterable[Decided]:
    pairs = zip(message.facts.decisions, message.receipts, strict=True)
    for number, (made, receipt) in enumerate(pairs):
        fault = _fault_from_proto(made.fault, evidence.get(number, record_pb2.Evidence()))
        yield _decided(made, receipt_from_proto(receipt), fault, notes.get(number, ""))


def _decided(
    made: record_pb2.DecisionMade, receipt: Receipt, fault: Fault | None, note: str
) -> Decided:
    return Decided(made.seat, _action_from_proto(made), receipt, fault, note)


def _facts_bytes(record: HandRecord) -> bytes:
    head = record_pb2.HandFacts(schema_version=SCHEMA_VERSION, rules_hash=record.rules_hash)
    _fill_started(head, record.started)
    decisions = [part(b"\x4a", _made_bytes(decided)) for decided in record.decisions]
    end = part(b"\x52", result_to_proto(record.ended).SerializeToString(deterministic=True))
    return b"".join((head.SerializeToString(deterministic=True), *decisions, end))


def _taken_bytes(decided: Decided) -> bytes:
    taken = part(b"\x0a", _made_bytes(decided)) + part(b"\x12", receipt_bytes(decided.receipt))
    if decided.note:
        taken += part(b"\x1a", decided.note.encode())
    if decided.fault is not None:
        evidence = record_pb2.Evidence()
        _fill_evidence(evidence, decided.fault)
        taken += part(b"\x22", evidence.SerializeToString())
    return taken


def _made_bytes(decided: Decided) -> bytes:
    action = decided.action
    if decided.fault is None:
        if isinstance(action, Play):
            return _play_made(decided.seat, action.card, action.named)
        if not isinstance(action, Exchange):
            return _call_made(decided.seat, action)
    made = record_pb2.DecisionMade()
    _fill_made(made, decided)
    return made.SerializeToString()


@lru_cache(maxsize=1 << 12)
def _play_made(seat: int, card: Card, named: Suit | None) -> bytes:
    play = record_pb2.CardPlayed(card=CARD_NUMBERS[card], named_suit=optional_suit_number(named))
    return record_pb2.DecisionMade(seat=seat, play=play).SerializeToString()


@lru_cache(maxsize=1 << 10)
def _call_made(seat: int, call: Call) -> bytes:
    return record_pb2.DecisionMade(seat=seat, call=call_to_proto(call)).SerializeToString()


def _fill_remarks(message: record_pb2.HandRecord, record: HandRecord) -> None:
    for number, decided in enumerate(record.decisions):
        if decided.note:
            message.notes.add(decision=number, text=decided.note)
        if decided.fault is not None:
            _fill_evidence(message.evidence.add(decision=number), decided.fault)


def _taken_from_proto(message: record_pb2.DecisionTaken) -> Decided:
    made = message.made
    fault = _fault_from_proto(made.fault, message.evidence)
    return _decided(made, receipt_from_proto(message.receipt), fault, message.note)


def _fill_evidence(message: record_pb2.Evidence, fault: Fault) -> None:
    message.reason = fault.reason[:MAX_REASON_CHARACTERS]
    message.answer = fault.answer[:MAX_EVIDENCE_BYTES]


def _fault_from_proto(kind: int, evidence: record_pb2.Evidence) -> Fault | None:
    if not kind:
        return None
    try:
        return Fault(FaultKind(kind), evidence.reason, evidence.answer)
    except ValueError:
        raise MalformedMessage(f"{kind} is no fault's number") from None


def _fill_ended(message: record_pb2.HandResult, ended: HandEnded) -> None:
    result = ended.result
    message.outcome = record_pb2.HandOutcome.ValueType(result.outcome.value)
    if result.contract is not None:
        fill_contract(message.contract, result.contract)
    message.tricks_won.extend(result.tricks_won)
    message.change.extend(result.change)
    message.game_over = result.game_over
    message.winners.extend(result.winners)
    message.next_dealer = result.next_dealer
    message.forfeited_by = 0 if ended.forfeited_by is None else ended.forfeited_by + 1


def ended_from_proto(message: record_pb2.HandResult) -> HandEnded:
    """The end of a hand; raises `MalformedMessage` where it is none."""
    if not record_pb2.HAND_OUTCOME_PLAYED <= message.outcome <= record_pb2.HAND_OUTCOME_FORFEITED:
        raise MalformedMessage(f"{message.outcome} is no outcome's number")
    contract = contract_from_proto(message.contract) if message.HasField("contract") else None
    result = HandResult(
        outcome=Outcome(message.outcome),
        contract=contract,
        tricks_won=tuple(message.tricks_won),
        change=tuple(message.change),
        game_over=message.game_over,
        winners=tuple(message.winners),
        next_dealer=message.next_dealer,
    )
    return HandEnded(result, message.forfeited_by - 1 if message.forfeited_by else None)

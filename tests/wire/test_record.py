"""Records and journal events survive being stored, and the digest sees the facts alone."""

import random
from dataclasses import replace

import pytest

from fivehundred.rules.actions import PASS, Action, Bid, Exchange, Play
from fivehundred.rules.cards import parse_card, parse_cards
from fivehundred.rules.hand import Contract, HandResult, Outcome
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
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.record import (
    event_from_bytes,
    event_to_bytes,
    facts_digest,
    record_from_proto,
    record_to_bytes,
    record_to_proto,
)

ACTIONS: tuple[Action, ...] = (
    PASS,
    Bid(8, 3),
    Bid(0, 4, "OM", carries_strain=False),
    Exchange(0),
    Exchange(parse_cards("AS 4D JKR"), 1, parse_card("KH"), (2, 0)),
    Play(parse_card("2S")),
    Play(parse_card("JK2"), 0),
)


def random_decided(rng: random.Random) -> Decided:
    answer = rng.randbytes(rng.choice([0, 256]))
    fault = Fault(rng.choice(list(FaultKind)), rng.choice(["", "late"]), answer)
    receipt = Receipt(*(rng.randrange(10**9) for _ in range(4)))
    note = rng.choice(["", "", "trumps are out ♠"])
    return Decided(rng.randrange(6), rng.choice(ACTIONS), receipt, rng.choice([None, fault]), note)


def random_record(rng: random.Random) -> HandRecord:
    started = HandStarted(
        key=HandKey("demo", rng.randrange(99), rng.randrange(99), 1, rng.randrange(3), 2),
        bots=("basic@1", "careful@2", "basic@1", "careful@2"),
        entrants=(0, 1, 0, 1),
        dealer=rng.randrange(4),
        deck=tuple(rng.sample(range(66), 43)),
        scores_before=(-60, rng.randrange(500)),
    )
    contract = Contract(Bid(7, 4), 2, 1, None, (0,))
    result = HandResult(
        outcome=rng.choice(list(Outcome)),
        contract=rng.choice([None, contract, Contract(PASS, 0)]),
        tricks_won=(4, 3, 3, 0),
        change=(-220, 30),
        game_over=rng.random() < 0.5,
        winners=rng.choice([(), (1,), (0, 1)]),
        next_dealer=rng.randrange(4),
    )
    decisions = tuple(random_decided(rng) for _ in range(rng.randrange(60)))
    return HandRecord(b"h" * 32, started, decisions, HandEnded(result, rng.choice([None, 0, 3])))


@pytest.mark.parametrize("seed", range(40))
def test_a_record_survives_storage(seed: int) -> None:
    record = random_record(random.Random(seed))

    data = record_to_proto(record).SerializeToString()
    assert record_to_bytes(record) == (data, facts_digest(record_to_proto(record)))

    assert record_from_proto(record_pb2.HandRecord.FromString(data)) == record


@pytest.mark.parametrize("seed", range(20))
def test_every_event_survives_the_journal(seed: int) -> None:
    record = random_record(random.Random(seed))
    events: tuple[Event, ...] = (record.started, *record.decisions, record.ended)

    written = [event_to_bytes(event) for event in events]

    assert [event_from_bytes(data) for data in written] == list(events)
    for data in written:
        message = record_pb2.JournalEvent.FromString(data)
        assert message.SerializeToString(deterministic=True) == data


def test_the_digest_does_not_see_clocks_notes_and_evidence() -> None:
    record = random_record(random.Random(2))
    calm = [replace(decided, receipt=Receipt(0, 0, 0, 0), note="") for decided in record.decisions]

    message = record_to_proto(record)
    other = record_to_proto(replace(record, decisions=tuple(calm)))

    assert message.digest == facts_digest(message) == other.digest
    assert message != other


def test_the_digest_sees_every_decision() -> None:
    record = random_record(random.Random(2))

    shorter = replace(record, decisions=record.decisions[:-1])

    assert record_to_proto(shorter).digest != record_to_proto(record).digest


def test_evidence_is_kept_short() -> None:
    fault = Fault(FaultKind.MALFORMED, "x" * 900, b"y" * 900)
    decided = Decided(0, PASS, Receipt(1, 2, 3, 4), fault)

    kept = event_from_bytes(event_to_bytes(decided))

    assert isinstance(kept, Decided)
    assert kept.fault == Fault(FaultKind.MALFORMED, "x" * 500, b"y" * 256)


def test_what_is_no_event_is_malformed() -> None:
    with pytest.raises(MalformedMessage, match="2 bytes that are no journal event"):
        event_from_bytes(b"\xff\xff")
    with pytest.raises(MalformedMessage, match="of no known kind"):
        event_from_bytes(b"")


def test_a_record_of_another_schema_is_refused() -> None:
    message = record_to_proto(random_record(random.Random(3)))
    message.facts.schema_version = 2

    with pytest.raises(MalformedMessage, match="schema version 2: only 1 is known"):
        record_from_proto(message)


def test_a_record_without_its_receipts_is_refused() -> None:
    message = record_to_proto(random_record(random.Random(3)))
    message.receipts.append(message.receipts[0])

    with pytest.raises(MalformedMessage, match="receipts for"):
        record_from_proto(message)


def test_scores_of_any_size_survive() -> None:
    record = random_record(random.Random(7))
    scores = (-(1 << 40), 1 << 40)
    started = replace(record.started, scores_before=scores)
    result = replace(record.ended.result, change=scores)
    large = replace(record, started=started, ended=replace(record.ended, result=result))

    assert record_from_proto(record_to_proto(large)) == large
    assert event_from_bytes(event_to_bytes(large.ended)) == large.ended

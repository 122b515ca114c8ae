"""What an entrant was asked and answered, rebuilt from the log by playing its matches again.

A request is a function of the match and of the decisions before it, so nothing of it is stored: the
table that wrote the log asks again, and the bytes are what was sent but for the decision's id.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from fivehundred.daemon.results import schedule_of
from fivehundred.rules.errors import RulesError
from fivehundred.storage.errors import StorageError
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredHand
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import Ask, AskKind, Decided, Reply
from fivehundred.v1 import bot_pb2, hands_pb2
from fivehundred.wire.errors import NotFound
from fivehundred.wire.record import record_to_proto
from fivehundred.wire.requests import encode_request
from fivehundred.wire.spec import Plan


@dataclass(frozen=True, slots=True)
class TracedHand:
    """A hand, and what an entrant was asked in it by the number of the decision."""

    hand: StoredHand
    asks: Mapping[int, Ask]


def trace(store: Store, tournament: str, entrant: str) -> Iterator[TracedHand]:
    """The stored hands of an entrant in order, each with what it was asked.

    Raises `NotFound` where there is no such entrant, `StorageError` where the log is not what its
    matches would have written.
    """
    planned = schedule_of(store, tournament)
    number = _number_of(entrant, planned.plan)
    bots = store.tournament(tournament).bots
    for match, hands in groupby(store.hands(tournament), lambda hand: hand.key.match):
        spec = planned.match(match, bots)
        if number in spec.entrants:
            yield from _traced(spec, hands, number)


def trace_messages(
    traced: TracedHand, *, faults_only: bool
) -> Iterator[hands_pb2.TraceEntrantResponse]:
    """A message for every decision of a traced hand, or for those that were faults."""
    record = record_to_proto(traced.hand.record)
    notes = {note.decision: note.text for note in record.notes}
    evidence = {entry.decision: entry for entry in record.evidence}
    for number, ask in traced.asks.items():
        if faults_only and number not in evidence:
            continue
        message = hands_pb2.TraceEntrantResponse(
            key=record.facts.key,
            hand=traced.hand.id,
            decision=number,
            seat=ask.seat,
            made=record.facts.decisions[number],
            receipt=record.receipts[number],
            evidence=evidence.get(number),
            note=notes.get(number, ""),
        )
        _fill_request(message, ask, record.facts.rules_hash)
        yield message


def _fill_request(message: hands_pb2.TraceEntrantResponse, ask: Ask, rules_hash: bytes) -> None:
    request = encode_request(ask, "", rules_hash)
    match ask.kind:
        case AskKind.BID:
            message.bid.CopyFrom(bot_pb2.BidRequest.FromString(request))
        case AskKind.DISCARD:
            message.discard.CopyFrom(bot_pb2.DiscardRequest.FromString(request))
        case AskKind.PLAY:
            message.play.CopyFrom(bot_pb2.PlayRequest.FromString(request))


def _number_of(entrant: str, plan: Plan) -> int:
    names = [each.name for each in plan.entrants]
    if entrant not in names:
        raise NotFound(f"{plan.name!r} has no entrant {entrant!r}: it has {', '.join(names)}")
    return names.index(entrant)


def _traced(spec: MatchSpec, hands: Iterable[StoredHand], entrant: int) -> Iterator[TracedHand]:
    """The hands of one match."""
    table = Table(spec)
    table.start()
    for hand in hands:
        try:
            asks = dict(_asked(table, hand.record.decisions))
        except RulesError:
            raise _other(hand) from None
        if not table.records or table.records.pop(0) != hand.record:
            raise _other(hand)
        yield TracedHand(hand, {at: ask for at, ask in asks.items() if ask.entrant == entrant})


def _asked(table: Table, decisions: Iterable[Decided]) -> Iterator[tuple[int, Ask]]:
    """What the table asks for, decision by decision, as it is given those of the log."""
    for number, decided in enumerate(decisions):
        if (ask := table.ask()) is None:
            return
        yield number, ask
        receipt = decided.receipt
        answer = decided.fault or decided.action
        table.reply(Reply(answer, receipt.elapsed_us, receipt.lag_us, decided.note))


def _other(hand: StoredHand) -> StorageError:
    return StorageError(
        f"hand {hand.id} is not what its match would have written: see `fivehundred verify`"
    )

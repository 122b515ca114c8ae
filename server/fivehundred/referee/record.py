"""The question whether a recorded hand is what the rules give: dealt, decided and scored again."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from google.protobuf import json_format

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import read_object
from fivehundred.referee.questions import Question
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import HandResult, Outcome
from fivehundred.table.forfeit import forfeit_result
from fivehundred.table.table import decided_by_score
from fivehundred.table.values import HandRecord, HandStarted
from fivehundred.v1 import record_pb2
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.mistakes import explain_json_error
from fivehundred.wire.record import facts_digest, record_from_proto
from fivehundred.wire.ruleset import rules_hash


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with a record: the field, why, and in which decision, from 0."""

    field: str
    reason: str
    decision: int | None = None


def answer_hand(question: Question) -> dict[str, Any]:
    """Whether a record is in order; where it is not, the first thing that is wrong."""
    message = _message(question.value("record"))
    wrong = next(_wrongs(question.rules, message), None)
    if wrong is None:
        return {"verified": True, "digest": message.digest.hex()}
    place = {} if wrong.decision is None else {"decision": wrong.decision}
    return {"verified": False, "wrong": {**place, "field": wrong.field, "reason": wrong.reason}}


def _message(value: object) -> record_pb2.HandRecord:
    members = dict(read_object(value, "record", "a hand's record as an object"))
    message = record_pb2.HandRecord()
    try:
        json.dumps(members, ensure_ascii=False).encode()  # protobuf trips over lone surrogates
        json_format.ParseDict(members, message)
    except json_format.ParseError as error:
        raise BadQuestion("record", explain_json_error(error, "")[1]) from None
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise BadQuestion("record", "is no HandRecord of fivehundred.v1 in JSON") from None
    return message


def _wrongs(rules: RuleSet, message: record_pb2.HandRecord) -> Iterator[Wrong]:
    """What is wrong, first things first; what follows a wrong thing is not to be relied on."""
    if message.digest != facts_digest(message):
        given = message.digest.hex() or "none"
        yield Wrong("digest", f"{given}, the facts give {facts_digest(message).hex()}")
    try:
        record = record_from_proto(message)
    except MalformedMessage as error:
        yield Wrong("facts", error.reason)
        return
    if record.rules_hash != rules_hash(rules):
        yield Wrong(
            "rules_hash", f"{record.rules_hash.hex()}, these rules' is {rules_hash(rules).hex()}"
        )
    yield from _wrong_start(rules, record.started)
    started = record.started
    dealt = deal(rules, started.deck, started.dealer)
    hand = Hand(rules, dealt, started.dealer, started.scores_before)
    yield from _wrong_decisions(hand, record)
    yield from _wrong_end(hand, record)


def _wrong_start(rules: RuleSet, started: HandStarted) -> Iterator[Wrong]:
    if not 0 <= started.dealer < rules.players:
        yield Wrong("dealer", f"{started.dealer}: there are {rules.players} seats")
    if sorted(started.deck) != list(deck(rules)):
        yield Wrong("deck", f"{len(started.deck)} cards that are not the pack of {rules.deck_size}")
    if len(started.scores_before) != rules.sides:
        yield Wrong("scores_before", f"{len(started.scores_before)} for {rules.sides} sides")
    for name in ("bots", "entrants"):
        if len(getattr(started, name)) != rules.players:
            yield Wrong(name, f"{len(getattr(started, name))} at {rules.players} seats")


def _wrong_decisions(hand: Hand, record: HandRecord) -> Iterator[Wrong]:
    """What is wrong with the decisions, each before it is carried out on the hand."""
    for number, decided in enumerate(record.decisions):
        if hand.turn is None:
            yield Wrong("decisions", "it follows the hand's end", number)
        elif hand.turn != decided.seat:
            yield Wrong("seat", f"seat {decided.seat}: it is seat {hand.turn}'s turn", number)
        elif decided.action not in (legal := hand.legal()):
            yield Wrong("action", f"{decided.action} is not legal here", number)
        elif decided.fault is not None and decided.action != legal.default():
            why = f"{decided.action} played for a fault, {legal.default()} is declared"
            yield Wrong("action", why, number)
        hand.apply(decided.action)


def _wrong_end(hand: Hand, record: HandRecord) -> Iterator[Wrong]:
    logged = record.ended.result
    expected = _expected(hand, record)
    if expected is None:
        yield Wrong("result", "the hand ends before it is over")
        return
    for name in (each.name for each in fields(HandResult)):
        right, given = getattr(expected, name), getattr(logged, name)
        if right != given:
            yield Wrong(f"result.{name}", f"{given}, the rules give {right}")


def _expected(hand: Hand, record: HandRecord) -> HandResult | None:
    """The result that the rules give; a game may also be ended by its cap on deals."""
    started, ended = record.started, record.ended
    if ended.forfeited_by is not None or ended.result.outcome is Outcome.FORFEITED:
        if ended.forfeited_by not in started.entrants:
            return None
        side = hand.rules.side_of(started.entrants.index(ended.forfeited_by))
        return forfeit_result(hand.rules, side, started.dealer)
    result = hand.result
    if result is None or result.game_over or not ended.result.game_over:
        return result
    after = zip(started.scores_before, result.change, strict=True)
    return decided_by_score(result, tuple(map(sum, after)))

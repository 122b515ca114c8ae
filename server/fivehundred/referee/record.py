"""The question whether a recorded hand is what the rules give: dealt, decided and scored again."""

import json
from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import read_object
from fivehundred.referee.questions import Question
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.check import Mismatch, check_record
from fivehundred.table.values import HandRecord
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.record_json import record_from_json
from fivehundred.wire.ruleset import rules_hash


def answer_hand(question: Question) -> dict[str, Any]:
    """Whether a record is in order; where it is not, the first thing that is wrong."""
    members = read_object(question.value("record"), "record", "a hand's record as an object")
    try:
        read = record_from_json(_text(members))
        _check(question.rules, read.record)
        read.require_digest()
    except MalformedMessage as error:
        raise BadQuestion("record", error.reason) from None
    except Mismatch as error:
        place = {} if error.decision is None else {"decision": error.decision}
        return {"verified": False, "wrong": {**place, "field": error.field, "reason": error.reason}}
    return {"verified": True, "digest": read.digest.hex()}


def _text(members: object) -> str:
    """Members as JSON again, which they are not where they come from Python."""
    try:
        return json.dumps(members)
    except (ValueError, TypeError, RecursionError):
        raise BadQuestion("record", "cannot be written as JSON") from None


def _check(rules: RuleSet, record: HandRecord) -> None:
    own = rules_hash(rules)
    if record.rules_hash != own:
        why = f"rules hash {record.rules_hash.hex()}: these rules' is {own.hex()}"
        raise Mismatch("rules_hash", why)
    check_record(rules, record, capped=record.ended.result.game_over)

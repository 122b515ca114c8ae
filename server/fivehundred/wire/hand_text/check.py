"""A recorded hand played again under its rules: whether it can have gone as it says."""

from fivehundred.rules.hand import Hand
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.check import Mismatch, check_record
from fivehundred.table.values import HandRecord
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text.naming import hash_of


def check(record: HandRecord, rules: RuleSet) -> Hand:
    """The hand played again to its end; raises `MalformedMessage` for the first thing wrong."""
    if record.rules_hash != hash_of(rules):
        raise MalformedMessage(f"rules hash {record.rules_hash.hex()} is not these rules'")
    try:
        return check_record(rules, record, capped=record.ended.result.game_over)
    except Mismatch as error:
        raise MalformedMessage(str(error)) from None

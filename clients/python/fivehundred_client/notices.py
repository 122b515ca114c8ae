"""What a daemon tells a bot that dials in, of results and faults."""

from dataclasses import dataclass

from fivehundred.rules.hand import HandResult
from fivehundred.table.values import FaultKind, HandKey
from fivehundred.v1 import attach_pb2
from fivehundred.wire.record import ended_from_proto, key_from_proto


@dataclass(frozen=True, slots=True)
class HandNotice:
    """A hand that the bot has played has been stored."""

    key: HandKey
    seats: tuple[int, ...]
    """The seats that the bot played."""
    result: HandResult
    changes: tuple[int, ...]
    """By how much the score of each of these seats' sides changed."""


@dataclass(frozen=True, slots=True)
class FaultNotice:
    """A decision of the bot was a fault and was replaced by a legal action."""

    decision_id: str
    seat: int
    kind: FaultKind
    reason: str


def hand_notice(message: attach_pb2.HandNotice) -> HandNotice:
    """The notice of a message; raises `MalformedMessage` where it is none."""
    return HandNotice(
        key=key_from_proto(message.key),
        seats=tuple(message.seats),
        result=ended_from_proto(message.result).result,
        changes=tuple(message.changes),
    )


def fault_notice(message: attach_pb2.FaultNotice) -> FaultNotice:
    """The notice of a message."""
    kind = FaultKind(message.kind)
    return FaultNotice(message.decision_id, message.seat, kind, message.reason)

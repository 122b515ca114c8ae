"""What passes over the stream of an attached bot.

Decisions and their answers are handed on as the bytes that they are: a frame is put around them, or
taken off, without decoding them.
"""

from collections.abc import Iterable

from google.protobuf.message import DecodeError

from fivehundred.table.values import Fault, HandRecord
from fivehundred.v1 import attach_pb2, bot_pb2, record_pb2
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.fields import varint
from fivehundred.wire.record import key_to_proto, result_to_proto

MOST_REASON = 300

_SESSION = b"\x08"
_FRAMED = b"\x22"
"""The tags of field 1, a number, and field 4, a message: decisions one way, answers the other."""
_LONGEST_NUMBER = 10


def framed(session: int, message: bytes) -> bytes:
    """The bytes of an AttachResponse around a DecideRequest, or an AttachRequest around answers."""
    return b"".join((_SESSION, varint(session), _FRAMED, varint(len(message)), message))


def greeting_frame(session: int, greeting: bot_pb2.HelloRequest) -> bytes:
    """The bytes of an AttachResponse that greets a seat."""
    return attach_pb2.AttachResponse(session=session, greeting=greeting).SerializeToString()


def read_frame(message: bytes) -> tuple[int, bytes | bot_pb2.HelloResponse]:
    """The session of an AttachRequest, and the bytes of its answers or the greeting's answer.

    Raises `MalformedMessage` where it is neither.
    """
    return _answers(message) or _decoded(message)


def read_hello(message: bytes) -> attach_pb2.AttachHello:
    """The first message of a stream; raises `MalformedMessage` where it is no AttachHello."""
    request = _request(message)
    if request.WhichOneof("message") != "hello":
        raise MalformedMessage("the first message is no AttachHello")
    return request.hello


def hand_notice(record: HandRecord, entrant: int) -> attach_pb2.HandNotice:
    """What an entrant's bot is told of a hand."""
    change = record.ended.result.change
    seats = [seat for seat, each in enumerate(record.started.entrants) if each == entrant]
    return attach_pb2.HandNotice(
        key=key_to_proto(record.started.key),
        seats=seats,
        result=result_to_proto(record.ended),
        changes=[change[seat % len(change)] for seat in seats],
    )


def fault_notice(decision_id: str, seat: int, fault: Fault) -> attach_pb2.FaultNotice:
    """What a bot is told of a fault."""
    return attach_pb2.FaultNotice(
        decision_id=decision_id,
        seat=seat,
        kind=record_pb2.FaultKind.ValueType(fault.kind.value),
        reason=fault.reason[:MOST_REASON],
    )


Notice = attach_pb2.HandNotice | attach_pb2.FaultNotice


def notices_frame(notices: Iterable[Notice]) -> bytes:
    """The bytes of an AttachResponse that tells of results and faults."""
    response = attach_pb2.AttachResponse()
    response.notices.SetInParent()
    for notice in notices:
        if isinstance(notice, attach_pb2.HandNotice):
            response.notices.hands.append(notice)
        else:
            response.notices.faults.append(notice)
    return response.SerializeToString()


def _answers(message: bytes) -> tuple[int, bytes] | None:
    """The session and the answers of a message that is laid out as it usually is."""
    if not message.startswith(_SESSION):
        return None
    session, at = _read_varint(message, 1)
    if not message.startswith(_FRAMED, at):
        return None
    length, start = _read_varint(message, at + 1)
    return (session, message[start:]) if start + length == len(message) else None


def _decoded(message: bytes) -> tuple[int, bytes | bot_pb2.HelloResponse]:
    request = _request(message)
    match request.WhichOneof("message"):
        case "answers":
            return request.session, request.answers.SerializeToString()
        case "greeted":
            return request.session, request.greeted
        case "hello":
            raise MalformedMessage("a second AttachHello")
        case _:
            raise MalformedMessage("an AttachRequest without answers")


def _request(message: bytes) -> attach_pb2.AttachRequest:
    try:
        return attach_pb2.AttachRequest.FromString(message)
    except DecodeError:
        raise MalformedMessage("a message does not decode as an AttachRequest") from None


def _read_varint(message: bytes, start: int) -> tuple[int, int]:
    """A number and where it ends; one that is cut off or too long ends beyond the message."""
    number = 0
    for at, byte in enumerate(message[start : start + _LONGEST_NUMBER]):
        number |= (byte & 0x7F) << 7 * at
        if byte < 0x80:
            return number, start + at + 1
    return 0, len(message) + 1

"""Hand records from JSON, checked against their digest."""

from google.protobuf import json_format

from fivehundred.table.check import Mismatch
from fivehundred.table.values import HandRecord
from fivehundred.v1 import record_pb2
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.mistakes import explain_json_error
from fivehundred.wire.record import facts_digest, record_from_proto


def record_from_json(text: str) -> tuple[HandRecord, bytes]:
    """The record of a v1 HandRecord in JSON, and the digest of its facts.

    Raises `MalformedMessage` where the text is no such message, `Mismatch` where its facts make no
    record or do not have the digest that it states.
    """
    message = _message(text)
    try:
        record = record_from_proto(message)
    except MalformedMessage as error:
        raise Mismatch("facts", error.reason) from None
    digest = facts_digest(message)
    if message.digest != digest:
        given = message.digest.hex() or "none"
        raise Mismatch("digest", f"digest {given}: the facts have {digest.hex()}")
    return record, digest


def _message(text: str) -> record_pb2.HandRecord:
    message = record_pb2.HandRecord()
    try:
        json_format.Parse(text, message)
    except json_format.ParseError as error:
        raise MalformedMessage(f"no HandRecord in JSON: {_mistake(error, text)}") from None
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise MalformedMessage("no HandRecord of fivehundred.v1 in JSON") from None
    return message


def _mistake(error: json_format.ParseError, text: str) -> str:
    return explain_json_error(error, text)[1]

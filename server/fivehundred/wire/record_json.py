"""Hand records from JSON, with the digest of their facts."""

from dataclasses import dataclass

from google.protobuf import json_format

from fivehundred.table.check import Mismatch
from fivehundred.table.values import HandRecord
from fivehundred.v1 import record_pb2
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.mistakes import explain_json_error
from fivehundred.wire.record import facts_digest, record_from_proto


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """A record as a JSON text has it."""

    record: HandRecord
    digest: bytes
    """That of its facts."""
    stated: bytes
    """The digest that the text states."""

    def require_digest(self) -> None:
        """Raise `Mismatch` where the facts do not have the digest that is stated."""
        if self.stated != self.digest:
            given = self.stated.hex() or "none"
            raise Mismatch("digest", f"digest {given}: the facts have {self.digest.hex()}")


def record_from_json(text: str) -> JsonRecord:
    """The record of a v1 HandRecord in JSON.

    Raises `MalformedMessage` where the text is no such message, `Mismatch` where its facts make no
    record.
    """
    message = _message(text)
    try:
        record = record_from_proto(message)
    except MalformedMessage as error:
        raise Mismatch("facts", error.reason) from None
    return JsonRecord(record, facts_digest(message), message.digest)


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

"""Hands as rows: what is stored beside a record so that no changed byte goes unseen."""

import hashlib
import json
from collections.abc import Mapping

from fivehundred.storage.values import StoredHand
from fivehundred.table.values import HandRecord
from fivehundred.v1 import record_pb2
from fivehundred.wire.record import record_from_proto, record_to_bytes

HandRow = Mapping[str, int | str | bytes]

SEALED = (
    "name",
    "spec",
    "rules",
    "rules_hash",
    "seed",
    "commitment",
    "state",
    "reason",
    "create_time_us",
    "request_id",
    "bots",
    "log_digest",
    "entropy",
    "standings",
)
"""The columns of a tournament that its seal covers, for ever."""


def hand_row(number: int, record: HandRecord) -> HandRow:
    """The row of a hand. ``number`` is its id."""
    blob, digest = record_to_bytes(record)
    key = record.started.key
    return {
        "id": number,
        "tournament": key.tournament,
        "match": key.match,
        "board": key.board,
        "seating": key.seating,
        "hand": key.hand,
        "attempt": key.attempt,
        "digest": digest,
        "checksum": row_checksum(number, blob),
        "record": blob,
    }


def row_checksum(number: int, blob: bytes) -> bytes:
    """The SHA-256 over a hand's id, as 8 bytes big-endian, and its whole record."""
    return hashlib.sha256(number.to_bytes(8, "big", signed=True) + blob).digest()


def tournament_seal(row: Mapping[str, object]) -> bytes:
    """The SHA-256 over what a tournament's row holds at its end: a JSON of it, bytes in hex."""
    sealed = {name: row[name] for name in SEALED}
    text = json.dumps(sealed, sort_keys=True, ensure_ascii=True, default=bytes.hex)
    return hashlib.sha256(text.encode()).digest()


def stored_hand(number: int, digest: bytes, blob: bytes) -> StoredHand:
    """The hand of a row's id, digest and record."""
    return StoredHand(number, digest, record_from_proto(record_pb2.HandRecord.FromString(blob)))

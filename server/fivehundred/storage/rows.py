"""Hands as rows: what is stored beside a record so that no changed byte goes unseen."""

import hashlib
import json
import platform
from collections.abc import Mapping

from fivehundred.storage.values import StoredHand
from fivehundred.table.values import HandRecord
from fivehundred.v1 import record_pb2
from fivehundred.wire.record import record_from_proto, record_to_bytes

HandRow = Mapping[str, int | str | bytes]
MACHINE = platform.node() or "unknown"
"""What this machine calls itself."""

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
    """What a record makes of its row: all but its origin. ``number`` is the hand's id."""
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


def player_name(worker: int | None) -> str:
    """Who plays on this machine: a worker process by its number, or the daemon itself."""
    return MACHINE if worker is None else f"{MACHINE}/{worker}"


def row_checksum(number: int, blob: bytes) -> bytes:
    """The SHA-256 over a hand's id, as 8 bytes big-endian, and its whole record."""
    return hashlib.sha256(number.to_bytes(8, "big", signed=True) + blob).digest()


def tournament_seal(row: Mapping[str, object]) -> bytes:
    """The SHA-256 over what a tournament's row holds at its end: a JSON of it, bytes in hex."""
    sealed = {name: row[name] for name in SEALED}
    text = json.dumps(sealed, sort_keys=True, ensure_ascii=True, default=bytes.hex)
    return hashlib.sha256(text.encode()).digest()


def stored_hand(
    number: int, digest: bytes, blob: bytes, stored_time_us: object, player: object
) -> StoredHand:
    """The hand of a row's id, digest, record and origin; an origin that is none is not known."""
    return StoredHand(
        number,
        digest,
        record_from_proto(record_pb2.HandRecord.FromString(blob)),
        stored_time_us if isinstance(stored_time_us, int) and stored_time_us >= 0 else None,
        player if isinstance(player, str) and player else None,
    )

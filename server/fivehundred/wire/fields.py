"""Fields of messages as bytes, for the few messages that are written at every decision.

A ``tag`` is a field's number and wire type as protobuf writes them, ``number << 3 | type``.
"""

from typing import Final

from fivehundred.table.values import Receipt

MOST_KEPT: Final = 1 << 14
_VARINTS: Final = [
    bytes((n,)) if n < 128 else bytes((n & 127 | 128, n >> 7)) for n in range(MOST_KEPT)
]


def varint(value: int) -> bytes:
    """A number of at most 64 bits as protobuf writes it."""
    if value < MOST_KEPT:
        return _VARINTS[value]
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def part(tag: bytes, content: bytes) -> bytes:
    """A message or bytes field that is set."""
    return tag + varint(len(content)) + content


def packed(tag: bytes, content: bytes) -> bytes:
    """A packed, bytes or string field; nothing where it is empty."""
    return tag + varint(len(content)) + content if content else b""


def number(tag: bytes, value: int) -> bytes:
    """A number's field; nothing for 0."""
    return tag + varint(value) if value else b""


def receipt_bytes(receipt: Receipt) -> bytes:
    """The bytes of a Receipt."""
    return (
        number(b"\x08", receipt.elapsed_us)
        + number(b"\x10", receipt.lag_us)
        + number(b"\x18", receipt.charged_us)
        + number(b"\x20", receipt.bank_left_us)
    )

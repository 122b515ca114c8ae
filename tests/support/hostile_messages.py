"""Bytes that are no good requests, made from the contract's own descriptors.

Whatever is added to the contract is attacked as well: nothing here knows any message by name.
"""

import struct
from functools import cache

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

DEPTH = 4
"""So deep messages lie in one another; `deep` goes deeper."""
MOST_FIELDS = 5
LAST_FIELD = (1 << 29) - 1
VARINT, FIXED64, BYTES, START, END, FIXED32 = range(6)
NUMBERS = (0, 1, 2, 127, 128, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, (1 << 64) - 1)
TEXTS = (
    b"",
    b"test",
    b"a",
    b"Not A Name",
    b"a" * 64,
    b"\0",
    b"127.0.0.1:1",
    b"unix:/nowhere",
    b"au-4p-43",
    b"' OR 1=1 --",
    b"../../etc/passwd",
    b"5a" * 32,
    b"9" * 30,
    "♠".encode() * 1000,
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"x" * 100_000,
)
FLOATS = (0.0, -0.0, 1.5, 1e308, float("inf"), float("-inf"), float("nan"))

_FIXED64 = {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FIXED64}
_FIXED64 |= {FieldDescriptor.TYPE_SFIXED64}
_FIXED32 = {FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_FIXED32}
_FIXED32 |= {FieldDescriptor.TYPE_SFIXED32}
_TEXT = {FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES}

numbers = st.sampled_from(NUMBERS) | st.integers(0, (1 << 64) - 1)
texts = st.sampled_from(TEXTS) | st.binary(max_size=20)
eights = st.sampled_from(FLOATS).map(lambda number: struct.pack("<d", number)) | st.binary(
    min_size=8, max_size=8
)
fours = st.binary(min_size=4, max_size=4)


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    return bytes((*encoded, number))


def field(number: int, kind: int, content: bytes) -> bytes:
    """One field; content of bytes gets its length."""
    length = varint(len(content)) if kind == BYTES else b""
    return varint(number << 3 | kind) + length + content


def hostile(message: Descriptor, valid: bytes) -> SearchStrategy[bytes]:
    """Requests of a kind that are wrong in any way, or nearly right; ``valid`` is a right one."""
    return st.one_of(
        messages(message, DEPTH),
        st.builds(bytes.__add__, st.just(valid), messages(message, DEPTH)),
        mutated(st.just(valid) | messages(message, DEPTH)),
        st.binary(max_size=40),
        deep(message),
        enormous(message),
    )


@cache
def messages(message: Descriptor, depth: int) -> SearchStrategy[bytes]:
    """Some of a message's fields, in any order and number, with values of their types or not."""
    fields = [_values(each, depth) for each in message.fields]
    return st.lists(st.one_of(*fields, _strangers()), max_size=MOST_FIELDS).map(b"".join)


@st.composite
def mutated(draw: st.DrawFn, originals: SearchStrategy[bytes]) -> bytes:
    """A message with bytes changed, put in or cut off."""
    content = bytearray(draw(originals))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(content)))
        how = draw(st.integers(0, 2))
        if how == 0:
            del content[place:]
        elif how == 1:
            content[place:place] = draw(st.binary(min_size=1, max_size=3))
        elif place < len(content):
            content[place] ^= draw(st.integers(1, 255))
    return bytes(content)


def deep(message: Descriptor) -> SearchStrategy[bytes]:
    """A field in a field in a field, deeper than anybody reads."""
    return st.builds(_nested, st.sampled_from(_numbers_of(message)), st.sampled_from((90, 5000)))


def enormous(message: Descriptor) -> SearchStrategy[bytes]:
    """A field again and again, empty or not."""
    kinds = st.sampled_from((field(1, VARINT, b"\1")[1:], b"\0"))
    return st.builds(
        lambda number, kind, times: (varint(number << 3 | BYTES) + kind) * times,
        st.sampled_from(_numbers_of(message)),
        kinds,
        st.sampled_from((1000, 100_000, 600_000)),
    )


@cache
def _nested(number: int, depth: int) -> bytes:
    content = b""
    for _ in range(depth):
        content = field(number, BYTES, content)
        if len(content) > 200_000:
            break
    return content


def _numbers_of(message: Descriptor) -> tuple[int, ...]:
    return tuple(each.number for each in message.fields) or (1,)


def _values(each: FieldDescriptor, depth: int) -> SearchStrategy[bytes]:
    """A field with a value of its type most of the time, and of another now and then."""
    right = _right(each, depth)
    return right | right | right | _anything(each.number)


def _right(each: FieldDescriptor, depth: int) -> SearchStrategy[bytes]:
    number = each.number
    if each.message_type is not None:
        inner = st.just(b"") if depth == 0 else messages(each.message_type, depth - 1)
        return inner.map(lambda content: field(number, BYTES, content))
    if each.type in _TEXT:
        return texts.map(lambda content: field(number, BYTES, content))
    if each.type in _FIXED64:
        return eights.map(lambda content: field(number, FIXED64, content))
    if each.type in _FIXED32:
        return fours.map(lambda content: field(number, FIXED32, content))
    return numbers.map(lambda value: field(number, VARINT, varint(value)))


def _anything(number: int) -> SearchStrategy[bytes]:
    return st.one_of(
        numbers.map(lambda value: field(number, VARINT, varint(value))),
        eights.map(lambda content: field(number, FIXED64, content)),
        texts.map(lambda content: field(number, BYTES, content)),
        st.just(field(number, START, b"")),
        st.just(field(number, END, b"")),
        fours.map(lambda content: field(number, FIXED32, content)),
    )


def _strangers() -> SearchStrategy[bytes]:
    """Fields that no message has."""
    return st.sampled_from((0, 999, 19_000, LAST_FIELD)).flatmap(_anything)

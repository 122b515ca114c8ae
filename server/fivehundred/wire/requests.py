"""Asks to the bytes of v1 requests, the daemon's busiest path.

The bytes are written straight from the values, in the order of the fields' numbers, as protobuf
would serialise them; what recurs from decision to decision is kept. ``tests/wire/test_codec.py``
holds them against protobuf's own.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, Generic, TypeVar

from fivehundred.rules.actions import Call, Legal, LegalCalls, LegalExchange, LegalPlays
from fivehundred.rules.cards import Cards
from fivehundred.rules.values import Contract, SeatView, Trick
from fivehundred.table.values import Ask
from fivehundred.v1 import bot_pb2
from fivehundred.wire.cards import call_to_proto
from fivehundred.wire.fields import number, packed, part, receipt_bytes, varint
from fivehundred.wire.views import contract_to_proto

Auction = tuple[tuple[int, Call], ...]

T = TypeVar("T")
MOST_KEPT: Final = 1 << 14

_SUIT_BITS: Final = 0xFFFF
_TRICKS_SO_FAR: Final[dict[int, tuple[Trick, int, bytes]]] = {}
_DURATIONS: Final[dict[int, bytes]] = {}
_SUITS: Final = tuple(
    bytes(suit + 1 for suit in range(4) if mask >> suit & 1) for mask in range(16)
)


def encode_decide(decisions: Sequence[bytes]) -> bytes:
    """The bytes of a DecideRequest of decisions."""
    parts: list[bytes] = []
    for decision in decisions:
        parts += (b"\x0a", varint(len(decision)), decision)
    return b"".join(parts)


def encode_decision(ask: Ask, decision_id: str, rules_hash: bytes) -> bytes:
    """The bytes of a Decision."""
    return part(_decision_tag(ask.legal), encode_request(ask, decision_id, rules_hash))


def _decision_tag(legal: Legal) -> bytes:
    """The tag of a Decision's kind."""
    if isinstance(legal, LegalPlays):
        return b"\x1a"
    return b"\x0a" if isinstance(legal, LegalCalls) else b"\x12"


def encode_request(ask: Ask, decision_id: str, rules_hash: bytes) -> bytes:
    """The bytes of a BidRequest, DiscardRequest or PlayRequest, as the ask's kind says."""
    parts = [
        packed(b"\x0a", decision_id.encode()),
        packed(b"\x12", rules_hash),
        part(b"\x1a", _view(ask.view)),
        part(b"\x22", _duration(ask.limit_us)),
        part(b"\x2a", _duration(ask.bank_left_us)),
    ]
    if ask.seed:
        parts.append(b"\x31" + ask.seed.to_bytes(8, "little"))
    if ask.last_receipt is not None:
        parts.append(part(b"\x3a", receipt_bytes(ask.last_receipt)))
    return part(b"\x0a", b"".join(parts)) + _legal(ask.legal)


def _view(view: SeatView) -> bytes:
    parts = [
        number(b"\x08", view.seat),
        number(b"\x10", view.dealer),
        packed(b"\x1a", cards_bytes(view.holding)),
        _auction(view.auction),
    ]
    if view.contract is not None:
        parts.append(_contract(view.contract))
    parts += (
        _playing_seats(view.playing_seats),
        _tricks(view.tricks, len(view.playing_seats)),
        packed(b"\x42", bytes(view.tricks_won)),
        _scores(view.scores),
    )
    if view.thrown:
        parts.append(packed(b"\x52", cards_bytes(view.thrown)))
    if view.exposed:
        parts.append(packed(b"\x5a", cards_bytes(view.exposed)))
    parts.append(number(b"\x60", view.decision_number))
    return b"".join(parts)


class _Kept(Generic[T]):
    """The bytes of values that come again as the same objects, which costs less than hashing."""

    def __init__(self, encode: Callable[[T], bytes]) -> None:
        self._encode = encode
        self._kept: dict[int, tuple[T, bytes]] = {}

    def __call__(self, value: T) -> bytes:
        found = self._kept.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        encoded = self._encode(value)
        self._kept[id(value)] = value, encoded
        return encoded


_SUIT_BYTES: Final[list[dict[int, bytes]]] = [{0: b""} for _ in range(5)]
"""By suit, and the jokers, the wire numbers of its cards by their bits; made when first wanted."""


def cards_bytes(cards: Cards) -> bytes:
    """The wire numbers of a set of cards, lowest first, a byte each."""
    found = b""
    suit = 0
    while cards:
        if bits := cards & _SUIT_BITS:
            found += _suit_bytes(suit, bits)
        cards >>= 16
        suit += 1
    return found


def _suit_bytes(suit: int, bits: int) -> bytes:
    known = _SUIT_BYTES[suit]
    found = known.get(bits)
    if found is None:
        first = 1 + 16 * suit
        found = known[bits] = bytes([first + place for place in range(16) if bits >> place & 1])
    return found


@_Kept
def _auction(auction: Auction) -> bytes:
    return b"".join(map(_call_made, auction))


@_Kept
def _call_made(made: tuple[int, Call]) -> bytes:
    return _made_bytes(*made)


@lru_cache(maxsize=1 << 12)
def _made_bytes(seat: int, call: Call) -> bytes:
    message = bot_pb2.CallMade(seat=seat, call=call_to_proto(call))
    return bot_pb2.SeatView(auction=[message]).SerializeToString()


@_Kept
def _contract(contract: Contract) -> bytes:
    return bot_pb2.SeatView(contract=contract_to_proto(contract)).SerializeToString()


def _tricks(tricks: tuple[Trick, ...], playing: int) -> bytes:
    """The bytes of all tricks; the last may be under way and is then not the same next time."""
    if not tricks or len(tricks[-1].cards) == playing:
        return _whole_tricks(tricks)
    return _whole_tricks(tricks[:-1]) + _trick(tricks[-1])


def _whole_tricks(tricks: tuple[Trick, ...]) -> bytes:
    """The bytes of tricks that are complete, kept with the last of them: it has one past only."""
    if not tricks:
        return b""
    last = tricks[-1]
    found = _TRICKS_SO_FAR.get(id(last))
    if found is not None and found[0] is last and found[1] == len(tricks):
        return found[2]
    so_far = _whole_tricks(tricks[:-1]) + _trick(last)
    if len(_TRICKS_SO_FAR) >= MOST_KEPT:
        _TRICKS_SO_FAR.clear()
    _TRICKS_SO_FAR[id(last)] = last, len(tricks), so_far
    return so_far


def _trick(trick: Trick) -> bytes:
    content = packed(b"\x0a", bytes(trick.seats))
    content += packed(b"\x12", bytes([card + 1 for card in trick.cards]))
    if trick.named is not None:
        content += b"\x18" + varint(trick.named + 1)
    return part(b"\x3a", content)


@_Kept
def _playing_seats(seats: tuple[int, ...]) -> bytes:
    return packed(b"\x32", bytes(seats))


@_Kept
def _scores(scores: tuple[int, ...]) -> bytes:
    return bot_pb2.SeatView(scores=scores).SerializeToString()


def _duration(microseconds: int) -> bytes:
    found = _DURATIONS.get(microseconds)
    if found is None:
        if len(_DURATIONS) >= MOST_KEPT:
            _DURATIONS.clear()
        seconds, rest = divmod(microseconds, 1_000_000)
        found = number(b"\x08", seconds) + number(b"\x10", rest * 1000)
        _DURATIONS[microseconds] = found
    return found


def _legal(legal: Legal) -> bytes:
    if isinstance(legal, LegalPlays):
        nameable = _SUITS[legal.nameable]
        return packed(b"\x12", cards_bytes(legal.cards)) + packed(b"\x1a", nameable)
    if isinstance(legal, LegalCalls):
        return _calls(legal.calls)
    return _exchange(legal)


@_Kept
def _calls(calls: tuple[Call, ...]) -> bytes:
    return bot_pb2.BidRequest(legal=map(call_to_proto, calls)).SerializeToString()


def _exchange(legal: LegalExchange) -> bytes:
    return (
        number(b"\x10", legal.throw)
        + packed(b"\x1a", cards_bytes(legal.nominable))
        + packed(b"\x22", cards_bytes(legal.callable))
        + number(b"\x28", legal.may_call_own)
        + packed(b"\x32", bytes(legal.choosable))
        + number(b"\x38", legal.partners)
    )

"""Asks to the bytes of v1 requests, the daemon's busiest path.

The bytes are written straight from the values, in the order of the fields' numbers, as protobuf
would serialise them; what recurs from decision to decision is kept. ``tests/wire/test_codec.py``
holds them against protobuf's own.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from fivehundred.rules.actions import Call, Legal, LegalCalls, LegalExchange, LegalPlays
from fivehundred.rules.cards import Cards
from fivehundred.rules.values import Contract, SeatView, Trick
from fivehundred.table.values import Ask, AskKind
from fivehundred.v1 import bot_pb2
from fivehundred.wire.cards import call_to_proto
from fivehundred.wire.fields import number, packed, part, receipt_bytes, varint
from fivehundred.wire.views import contract_to_proto

Auction = tuple[tuple[int, Call], ...]

T = TypeVar("T")
MOST_KEPT = 1 << 14

_SUIT_BITS = 0xFFFF
_DECISION_TAGS = {AskKind.BID: b"\x0a", AskKind.DISCARD: b"\x12", AskKind.PLAY: b"\x1a"}
_TRICKS_SO_FAR: dict[int, tuple[Trick, int, bytes]] = {}
_SUITS = tuple(bytes(suit + 1 for suit in range(4) if mask >> suit & 1) for mask in range(16))


def encode_decide(decisions: Sequence[bytes]) -> bytes:
    """The bytes of a DecideRequest of decisions."""
    parts: list[bytes] = []
    for decision in decisions:
        parts += (b"\x0a", varint(len(decision)), decision)
    return b"".join(parts)


def encode_decision(ask: Ask, decision_id: str, rules_hash: bytes) -> bytes:
    """The bytes of a Decision."""
    return part(_DECISION_TAGS[ask.kind], encode_request(ask, decision_id, rules_hash))


def encode_request(ask: Ask, decision_id: str, rules_hash: bytes) -> bytes:
    """The bytes of a BidRequest, DiscardRequest or PlayRequest, as the ask's kind says."""
    parts = [
        packed(b"\x0a", decision_id.encode()),
        packed(b"\x12", rules_hash),
        part(b"\x1a", _view(ask.view)),
        _duration(b"\x22", ask.limit_us),
        _duration(b"\x2a", ask.bank_left_us),
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
        packed(b"\x32", bytes(view.playing_seats)),
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


class _SuitBytes(dict[int, bytes]):
    """The wire numbers of the cards of one suit, by their bits; made when first wanted."""

    def __init__(self, first: int) -> None:
        self._first = first

    def __missing__(self, bits: int) -> bytes:
        numbers = bytes(self._first + place for place in range(16) if bits >> place & 1)
        return self.setdefault(bits, numbers)


_SPADES, _CLUBS, _DIAMONDS, _HEARTS, _JOKERS = (_SuitBytes(1 + 16 * suit) for suit in range(5))


def cards_bytes(cards: Cards) -> bytes:
    """The wire numbers of a set of cards, lowest first, a byte each."""
    return (
        _SPADES[cards & _SUIT_BITS]
        + _CLUBS[cards >> 16 & _SUIT_BITS]
        + _DIAMONDS[cards >> 32 & _SUIT_BITS]
        + _HEARTS[cards >> 48 & _SUIT_BITS]
        + _JOKERS[cards >> 64]
    )


@_Kept
def _auction(auction: Auction) -> bytes:
    made = [bot_pb2.CallMade(seat=seat, call=call_to_proto(call)) for seat, call in auction]
    return bot_pb2.SeatView(auction=made).SerializeToString()


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


@lru_cache(maxsize=1 << 12)
def _scores(scores: tuple[int, ...]) -> bytes:
    return bot_pb2.SeatView(scores=scores).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _duration(tag: bytes, microseconds: int) -> bytes:
    seconds, rest = divmod(microseconds, 1_000_000)
    return part(tag, number(b"\x08", seconds) + number(b"\x10", rest * 1000))


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

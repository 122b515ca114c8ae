"""What a seat sees, and receipts, to and from v1.

Calls and tricks recur in view after view of a hand, so their bytes are kept, and those of a view
are joined and parsed at once.
"""

from functools import lru_cache

from fivehundred.rules.actions import Call
from fivehundred.rules.hand import Contract, SeatView, Trick
from fivehundred.table.values import Receipt
from fivehundred.v1 import bot_pb2
from fivehundred.wire.cards import (
    CARD_NUMBERS,
    call_from_proto,
    call_to_proto,
    card_list_from_numbers,
    card_numbers,
    cards_from_numbers,
    optional_card,
    optional_card_number,
    optional_suit,
    optional_suit_number,
)

Auction = tuple[tuple[int, Call], ...]


def trick_to_proto(trick: Trick) -> bot_pb2.Trick:
    """The message of a trick."""
    return bot_pb2.Trick(
        seats=trick.seats,
        cards=[CARD_NUMBERS[card] for card in trick.cards],
        named_suit=optional_suit_number(trick.named),
    )


def trick_from_proto(message: bot_pb2.Trick) -> Trick:
    """The trick of a message."""
    cards = card_list_from_numbers(message.cards)
    return Trick(tuple(message.seats), cards, optional_suit(message.named_suit))


def fill_contract(message: bot_pb2.Contract, contract: Contract) -> None:
    """Write a contract into an empty message."""
    message.bid.CopyFrom(call_to_proto(contract.bid))
    message.contractor = contract.contractor
    message.joker_suit = optional_suit_number(contract.joker_suit)
    message.called = optional_card_number(contract.called)
    message.partners.extend(contract.partners)


def contract_from_proto(message: bot_pb2.Contract) -> Contract:
    """The contract of a message."""
    return Contract(
        bid=call_from_proto(message.bid),
        contractor=message.contractor,
        joker_suit=optional_suit(message.joker_suit),
        called=optional_card(message.called),
        partners=tuple(message.partners),
    )


def receipt_to_proto(receipt: Receipt) -> bot_pb2.Receipt:
    """The message of a receipt."""
    return bot_pb2.Receipt(
        elapsed_us=receipt.elapsed_us,
        lag_us=receipt.lag_us,
        charged_us=receipt.charged_us,
        bank_left_us=receipt.bank_left_us,
    )


def receipt_from_proto(message: bot_pb2.Receipt) -> Receipt:
    """The receipt of a message."""
    return Receipt(message.elapsed_us, message.lag_us, message.charged_us, message.bank_left_us)


@lru_cache(maxsize=1 << 12)
def _trick_bytes(trick: Trick) -> bytes:
    return bot_pb2.SeatView(tricks=[trick_to_proto(trick)]).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _auction_bytes(auction: Auction) -> bytes:
    made = [bot_pb2.CallMade(seat=seat, call=call_to_proto(call)) for seat, call in auction]
    return bot_pb2.SeatView(auction=made).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _contract_bytes(contract: Contract) -> bytes:
    view = bot_pb2.SeatView()
    fill_contract(view.contract, contract)
    return view.SerializeToString()


@lru_cache(maxsize=1 << 12)
def _trick(serialised: bytes) -> Trick:
    return trick_from_proto(bot_pb2.Trick.FromString(serialised))


@lru_cache(maxsize=1 << 12)
def _call_made(serialised: bytes) -> tuple[int, Call]:
    made = bot_pb2.CallMade.FromString(serialised)
    return made.seat, call_from_proto(made.call)


@lru_cache(maxsize=1 << 12)
def _contract(serialised: bytes) -> Contract:
    return contract_from_proto(bot_pb2.Contract.FromString(serialised))


def fill_view(message: bot_pb2.SeatView, view: SeatView) -> None:
    """Write a view into an empty message."""
    parts = [_trick_bytes(trick) for trick in view.tricks]
    parts.append(_auction_bytes(view.auction))
    if view.contract is not None:
        parts.append(_contract_bytes(view.contract))
    message.MergeFromString(b"".join(parts))
    message.seat = view.seat
    message.dealer = view.dealer
    message.decision_number = view.decision_number
    message.holding.extend(card_numbers(view.holding))
    message.playing_seats.extend(view.playing_seats)
    message.tricks_won.extend(view.tricks_won)
    message.scores.extend(view.scores)
    if view.thrown:
        message.thrown.extend(card_numbers(view.thrown))
    if view.exposed:
        message.exposed.extend(card_numbers(view.exposed))


def view_to_proto(view: SeatView) -> bot_pb2.SeatView:
    """The message of a view."""
    message = bot_pb2.SeatView()
    fill_view(message, view)
    return message


def view_from_proto(message: bot_pb2.SeatView) -> SeatView:
    """The view of a message."""
    contract = message.contract.SerializeToString() if message.HasField("contract") else None
    return SeatView(
        seat=message.seat,
        dealer=message.dealer,
        holding=cards_from_numbers(message.holding),
        auction=tuple([_call_made(made.SerializeToString()) for made in message.auction]),
        contract=None if contract is None else _contract(contract),
        playing_seats=tuple(message.playing_seats),
        tricks=tuple([_trick(trick.SerializeToString()) for trick in message.tricks]),
        tricks_won=tuple(message.tricks_won),
        scores=tuple(message.scores),
        thrown=cards_from_numbers(message.thrown),
        exposed=cards_from_numbers(message.exposed),
        decision_number=message.decision_number,
    )

"""What a seat sees, and receipts, to and from v1.

Auctions and tricks recur in view after view of a hand, so the values are kept by their bytes.
"""

from functools import lru_cache

from fivehundred.rules.actions import Call
from fivehundred.rules.hand import Contract, SeatView, Trick
from fivehundred.table.values import Receipt
from fivehundred.v1 import bot_pb2
from fivehundred.wire.cards import (
    call_from_proto,
    call_to_proto,
    card_list_from_numbers,
    cards_from_numbers,
    optional_card,
    optional_card_number,
    optional_suit,
    optional_suit_number,
)

Auction = tuple[tuple[int, Call], ...]


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


def contract_to_proto(contract: Contract) -> bot_pb2.Contract:
    """The message of a contract."""
    message = bot_pb2.Contract()
    fill_contract(message, contract)
    return message


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
def _trick(serialised: bytes) -> Trick:
    return trick_from_proto(bot_pb2.Trick.FromString(serialised))


@lru_cache(maxsize=1 << 12)
def _auction(serialised: bytes) -> Auction:
    """The auction of a view of which all else has been left out."""
    auction = bot_pb2.SeatView.FromString(serialised).auction
    return tuple([(made.seat, call_from_proto(made.call)) for made in auction])


@lru_cache(maxsize=1 << 12)
def _contract(serialised: bytes) -> Contract:
    return contract_from_proto(bot_pb2.Contract.FromString(serialised))


def view_from_proto(message: bot_pb2.SeatView) -> SeatView:
    """The view of a message."""
    contract = message.contract.SerializeToString() if message.HasField("contract") else None
    return SeatView(
        seat=message.seat,
        dealer=message.dealer,
        holding=cards_from_numbers(message.holding),
        auction=_auction(bot_pb2.SeatView(auction=message.auction).SerializeToString()),
        contract=None if contract is None else _contract(contract),
        playing_seats=tuple(message.playing_seats),
        tricks=tuple([_trick(trick.SerializeToString()) for trick in message.tricks]),
        tricks_won=tuple(message.tricks_won),
        scores=tuple(message.scores),
        thrown=cards_from_numbers(message.thrown),
        exposed=cards_from_numbers(message.exposed),
        decision_number=message.decision_number,
    )

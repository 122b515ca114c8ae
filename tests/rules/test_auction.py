"""The auction: vectors C of the rules reference, and the variants of its end."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.rules.actions import Bid
from fivehundred.rules.auction import Auction
from fivehundred.rules.cards import SPADES
from fivehundred.rules.notation import parse_call
from fivehundred.rules.ruleset import MISERE, OPEN_MISERE, AuctionRounds, Reentry, RuleSet
from fivehundred.wire.presets import load_preset

LEGAL_CALLS = [
    ("C01", "au-4p-43", "", 1, "6S OM 10NT P", "MIS"),
    ("C03", "au-4p-43", "6NT", 2, "7S", "MIS"),
    ("C05", "au-4p-43", "7NT", 2, "MIS 8S", ""),
    ("C06", "au-4p-43", "8S", 2, "8C", "MIS"),
    ("C08", "au-4p-43", "6S P 7S", 0, "MIS", ""),
    ("C10", "au-4p-43", "10H", 2, "10NT", "OM"),
    ("C11", "au-4p-43", "OM", 2, "10H 10NT", "10D OM"),
    ("C15", "us-4p-45-inkle", "P P", 3, "7S", "6S 6NT"),
    ("C16", "us-4p-45-inkle", "6H 6NT P", 0, "7S", "6NT"),
    ("C18", "us-4p-43-nullo", "8C", 2, "8D", "NULLO"),
    ("C20", "us-4p-43-nullo", "NULLO", 2, "BAR", "DBL"),
    ("C21", "qc-4p-46-vi", "", 1, "6S 10NT GAME-S", "5NT"),
    ("C23", "qc-4p-46-vi", "GAME-H", 2, "GAME-NT", "10NT GAME-D GAME-H"),
    ("C25", "hist-3p-32", "6C", 2, "6S", ""),
    ("C26", "hist-3p-32", "8C", 2, "7H", "7S 6NT"),
]


def auction_after(rules: RuleSet, calls: str) -> Auction:
    """The auction after some calls, dealer being seat 0."""
    auction = Auction(rules, dealer=0)
    for word in calls.split():
        call = parse_call(rules, word)
        assert auction.allows(call), f"{word} is not legal"
        auction.apply(call)
    return auction


@pytest.mark.parametrize(
    ("name", "calls", "turn", "legal", "illegal"),
    [row[1:] for row in LEGAL_CALLS],
    ids=[row[0] for row in LEGAL_CALLS],
)
def test_legal_calls(name: str, calls: str, turn: int, legal: str, illegal: str) -> None:
    auction = auction_after(load_preset(name), calls)

    found = {str(call) for call in auction.legal()}

    assert auction.turn == turn
    assert set(legal.split()) <= found
    assert not set(illegal.split()) & found


def test_c13_misere_above_eight_spades(house: Callable[..., RuleSet]) -> None:
    rules = house(special_bids=(replace(MISERE, ranks_above=(8, SPADES)), OPEN_MISERE))

    auction = auction_after(rules, "7H MIS")

    assert auction.turn == 3
    assert not auction.allows(Bid(8, SPADES))
    assert auction.allows(parse_call(rules, "8C"))


@pytest.mark.parametrize(
    ("name", "calls", "seat", "bid"),
    [
        ("au-4p-43", "P 6H 6NT P 7H P", 2, "7H"),
        ("us-4p-45-inkle", "7S 7C P P", 2, "7C"),
        ("ko-3p-33", "6S 6D P P", 2, "6D"),
        ("au-4p-43", "10NT", 1, "10NT"),
        ("au-4p-43", "P P P 6S", 0, "6S"),
    ],
    ids=["C28", "C31", "C36", "top bid ends it", "last seat ends it"],
)
def test_contract(name: str, calls: str, seat: int, bid: str) -> None:
    auction = auction_after(load_preset(name), calls)

    assert auction.turn is None
    assert (auction.high_seat, str(auction.contract)) == (seat, bid)


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("au-4p-43", "P P P P"),
        ("qc-4p-46-vi", "6S 7H P 7NT P P"),
        ("qc-4p-46-mcgill", "P P P P"),
    ],
    ids=["C30", "C33", "C35"],
)
def test_no_contract(name: str, calls: str) -> None:
    auction = auction_after(load_preset(name), calls)

    assert auction.turn is None
    assert auction.contract is None


def test_c38_those_who_passed_are_out() -> None:
    assert auction_after(load_preset("au-4p-43"), "P 6S P 7S").turn == 2


def test_partner_who_bid_nullo_allows_double_nullo() -> None:
    auction = auction_after(load_preset("us-4p-43-nullo"), "NULLO P")

    assert auction.turn == 3
    assert "DBL" in map(str, auction.legal())


def test_winner_may_raise_once_after_all_others_have_passed(house: Callable[..., RuleSet]) -> None:
    auction = auction_after(house(winner_may_raise=True), "7S P P P")

    assert auction.turn == 1
    auction.apply(parse_call(auction.rules, "8H"))
    assert auction.turn is None
    assert str(auction.contract) == "8H"


def test_winner_may_leave_his_bid(house: Callable[..., RuleSet]) -> None:
    rules = house(winner_may_raise=True, auction_rounds=AuctionRounds.ONE_EACH)

    auction = auction_after(rules, "P 7S P P P")

    assert auction.turn is None
    assert (auction.high_seat, str(auction.contract)) == (2, "7S")


def test_free_reentry_lets_all_who_passed_call_again(house: Callable[..., RuleSet]) -> None:
    rules = house(reentry=Reentry.FREE)

    assert auction_after(rules, "P 6S 6C").turn == 0
    assert auction_after(rules, "P 6S 6C P").turn == 1
    assert auction_after(rules, "P 6S 6C P P P").turn is None


def test_reentry_after_a_change_of_strain(house: Callable[..., RuleSet]) -> None:
    rules = house(reentry=Reentry.AFTER_STRAIN_CHANGE)

    assert auction_after(rules, "6S P P 7S").turn == 1
    assert auction_after(rules, "6S P P 7S P").turn is None
    assert auction_after(rules, "6S P P 7C P").turn == 2

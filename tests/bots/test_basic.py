"""The beginner and the gambler in simple situations."""

from collections.abc import Callable

from fivehundred.rules.actions import (
    PASS,
    Action,
    Bid,
    Exchange,
    Legal,
    LegalCalls,
    LegalExchange,
    LegalPlays,
    Play,
)
from fivehundred.rules.cards import HEARTS, SPADES, parse_card, parse_cards
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Contract, SeatView
from fivehundred_bots.basic import Basic
from fivehundred_bots.reckless import Reckless
from fivehundred_client import Bot

Ask = Callable[[Bot, RuleSet, SeatView, Legal], Action]
ViewOf = Callable[..., SeatView]
AU = RuleSet()
SPADES_BY_FOE = Contract(Bid(7, SPADES), 1)


def test_passes_on_rubbish(ask: Ask, view_of: ViewOf, all_calls: LegalCalls) -> None:
    view = view_of("5S 6S 7C 8C 4D 6D 7D 4H 6H 9H")

    assert ask(Basic(), AU, view, all_calls) == PASS


def test_counts_high_and_long_trumps(ask: Ask, view_of: ViewOf, all_calls: LegalCalls) -> None:
    view = view_of("JKR JH AH 10H 9H AS 8C 7C 6D 5D")

    assert ask(Basic(), AU, view, all_calls) == Bid(6, HEARTS)


def test_reckless_bids_more_on_the_same_holding(
    ask: Ask, view_of: ViewOf, all_calls: LegalCalls
) -> None:
    view = view_of("JKR JH AH 10H 9H AS 8C 7C 6D 5D")

    assert ask(Reckless(), AU, view, all_calls) == Bid(8, HEARTS)


def test_throws_the_shortest_low_cards(ask: Ask, view_of: ViewOf) -> None:
    held = "JKR JS JC AS KS 9S AH 9H 8H 7H 9D 8D 7C"
    view = view_of(held, contract=Contract(Bid(7, SPADES), 0))

    exchange = ask(Basic(), AU, view, LegalExchange(parse_cards(held), 3))

    assert exchange == Exchange(parse_cards("7C 8D 9D"))


def test_follows_high(ask: Ask, view_of: ViewOf) -> None:
    view = view_of("AH QH 4H", contract=SPADES_BY_FOE, tricks=(((1, 2, 3), "JH 4H 5H"),))

    play = ask(Basic(), AU, view, LegalPlays(parse_cards("AH QH 4H")))

    assert play == Play(parse_card("AH"))


def test_saves_its_trump_where_the_partner_wins(ask: Ask, view_of: ViewOf) -> None:
    view = view_of("9S 7D 4C", contract=SPADES_BY_FOE, tricks=(((2, 3), "AH 5H"),))

    play = ask(Basic(), AU, view, LegalPlays(parse_cards("9S 7D 4C")))

    assert play != Play(parse_card("9S"))

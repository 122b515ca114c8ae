"""Which cards the careful bot throws."""

from collections.abc import Callable
from dataclasses import replace

from fivehundred.rules.actions import PASS, Bid, Exchange, LegalExchange
from fivehundred.rules.cards import (
    CLUBS,
    HEARTS,
    NO_TRUMP,
    SPADES,
    names,
    parse_card,
    parse_cards,
)
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Contract, SeatView
from fivehundred.wire.presets import load_preset
from fivehundred_bots.card_ranking import ranking
from fivehundred_bots.discarding import choose_exchange, discards

ViewOf = Callable[..., SeatView]
CALLING = load_preset("au-5p-53")
CHOOSING = load_preset("uspc-5p-53")
SEATS = (0, 1, 2, 3, 4)
SPADES_BY_ME = Contract(Bid(7, SPADES), 0)
MISERE_BY_ME = Contract(Bid(0, NO_TRUMP, "MIS", carries_strain=False), 0)


def test_throws_a_whole_suit_of_losers_before_parts_of_longer_ones() -> None:
    holding = parse_cards("JKR JH JD AH KH 9S 8S AC KC 6D 5D 4D")

    assert names(discards(ranking(HEARTS), holding, 2)) == "9S 8S"


def test_throws_low_trumps_only_when_nothing_else_is_left() -> None:
    holding = parse_cards("JC JS AC KC QC 10C 9C 8C 7C 6C 5C 4D 4H")

    assert names(discards(ranking(CLUBS), holding, 3)) == "5C 4D 4H"


def test_keeps_the_long_suit_at_no_trump() -> None:
    holding = parse_cards("AS KS QS 9S 8S 7S AH KH AD 5C 6C 7D 4H")

    thrown = discards(ranking(NO_TRUMP), holding, 3)

    assert not thrown & parse_cards("AS KS QS 9S 8S 7S AH KH AD")


def test_calls_the_ace_of_trumps_that_it_lacks(view_of: ViewOf) -> None:
    held = "JKR JS KS QS 9S AH 9H 8H 9D 8D 7C 6C 4C"
    callable_cards = parse_cards("AS AD AC KH")

    exchange = _called_with(view_of, held, LegalExchange(0, 3, callable=callable_cards))

    assert exchange.called == parse_card("AS")


def test_calls_the_side_ace_that_helps_its_long_suit(view_of: ViewOf) -> None:
    held = "JKR JS AS 8S 7S KD QD 8D 7D 9H 6C 4C 3C"
    callable_cards = parse_cards("AH AD AC")

    exchange = _called_with(view_of, held, LegalExchange(0, 3, callable=callable_cards))

    assert exchange.called == parse_card("AD")


def test_shares_a_contract_with_nobody_that_it_makes_alone(view_of: ViewOf) -> None:
    held = "JKR JS JC AS KS QS 9S AH KH AC 4D 3D 2D"
    callable_cards = parse_cards("10S AD KC")

    exchange = _called_with(view_of, held, LegalExchange(0, 3, callable=callable_cards))

    assert exchange.called is None


def test_chooses_who_has_bid_its_suit(view_of: ViewOf) -> None:
    held = "JKR JS KS QS 9S AH 9H 8H 9D 8D 7C 6C 4C"
    auction = ((1, Bid(6, HEARTS)), (2, PASS), (3, Bid(6, SPADES)), (4, PASS))
    view = view_of(held, contract=SPADES_BY_ME, playing=SEATS, auction=auction)
    legal = LegalExchange(parse_cards(held), 3, choosable=(1, 2, 3, 4), partners=1)

    assert choose_exchange(CHOOSING, view, legal).partners == (3,)


def test_names_the_longest_suit_for_a_joker_that_it_must_keep(view_of: ViewOf) -> None:
    held = "JKR 5S 6S 7S 8S 5C 6C 4D 5D 4H"
    view = view_of(held, contract=MISERE_BY_ME, playing=(0, 1, 3))
    joker = parse_cards("JKR")

    exchange = choose_exchange(RuleSet(), view, LegalExchange(parse_cards(held), 0, joker))

    assert exchange.joker_suit == SPADES


def test_leaves_a_joker_that_is_the_lowest_card_without_a_suit(view_of: ViewOf) -> None:
    held = "JKR 5S 6S 7S 8S 5C 6C 4D 5D 4H"
    view = view_of(held, contract=MISERE_BY_ME, playing=(0, 1, 3))
    rules = replace(RuleSet(), misere_joker_low=True)
    joker = parse_cards("JKR")

    exchange = choose_exchange(rules, view, LegalExchange(parse_cards(held), 0, joker))

    assert exchange.joker_suit is None


def test_keeps_the_joker_free_at_no_trump(view_of: ViewOf) -> None:
    held = "JKR AS KS QS 9S AH KH AD 5C 6C 7D 4H 5H"
    view = view_of(held, contract=Contract(Bid(7, NO_TRUMP), 0))
    legal = LegalExchange(parse_cards(held), 3, parse_cards("JKR"))

    assert choose_exchange(RuleSet(), view, legal).joker_suit is None


def _called_with(view_of: ViewOf, held: str, legal: LegalExchange) -> Exchange:
    view = view_of(held, contract=SPADES_BY_ME, playing=SEATS)
    return choose_exchange(CALLING, view, replace(legal, holding=parse_cards(held)))

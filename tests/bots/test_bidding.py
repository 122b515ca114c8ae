"""Which call the careful bot makes, and how the score of the game moves it."""

from collections.abc import Callable
from dataclasses import replace

from fivehundred.rules.actions import PASS, Bid, Call, LegalCalls
from fivehundred.rules.bids import ladder
from fivehundred.rules.cards import CLUBS, DIAMONDS, HEARTS, NO_TRUMP, SPADES
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import SeatView
from fivehundred.wire.presets import load_preset
from fivehundred_bots.bidding import choose_call, prospects

ViewOf = Callable[..., SeatView]
AU = RuleSet()
ANY_POINTS = load_preset("uspc-4p-43")
FAIR = "JH AH KH 9H 8H AS 8C 7C 9D 6D"
GOOD = "JH AH KH QH 9H 8H AS KS 8C 7C"
POOR = "QS 9S 8S QC 9C 8C JD 9D QH 8H"
STRONG = "JKR JH JD AH KH QH 10H AS AC 4D"


def test_bids_all_ten_for_the_game_on_a_sure_holding(view_of: ViewOf) -> None:
    rules = load_preset("qc-4p-46-vi")
    view = view_of("JKR JK2 JH JD AH KH QH AS AC AD")

    call = choose_call(rules, view, _all(rules))

    assert call == Bid(0, HEARTS, "GAME")


def test_bids_less_than_the_game_on_a_good_holding(view_of: ViewOf) -> None:
    rules = load_preset("qc-4p-46-vi")
    view = view_of("JKR JH JD AH KH 10H AS AC 9D 4D")

    call = choose_call(rules, view, _all(rules))

    assert isinstance(call, Bid)
    assert call.level in (8, 9)
    assert call.strain == HEARTS


def test_inkles_on_a_holding_too_weak_for_seven(view_of: ViewOf) -> None:
    rules = load_preset("us-4p-45-inkle")
    view = view_of("JD 10H 9H 8H AS 8S QC 7C 9D 6C")

    call = choose_call(rules, view, _all(rules))

    assert call == Bid(6, HEARTS)


def test_an_inkle_lets_the_partner_bid(view_of: ViewOf) -> None:
    rules = load_preset("us-4p-45-inkle")
    legal = LegalCalls((PASS, Bid(7, SPADES), Bid(7, CLUBS), Bid(7, HEARTS)))
    told = view_of("JD 10H 9H 8H AS 8S QC 7C 9D 6C", auction=((2, Bid(6, HEARTS)), (3, PASS)))
    untold = replace(told, auction=((2, PASS), (3, PASS)))

    assert choose_call(rules, told, legal) == Bid(7, HEARTS)
    assert choose_call(rules, untold, legal) == PASS


def test_values_bids_as_the_rules_do(view_of: ViewOf) -> None:
    rules = load_preset("hist-4p-44")
    view = view_of("JD JH AD KD QD 10D AS AC 9H 4H")

    call = choose_call(rules, view, _all(rules))

    assert isinstance(call, Bid)
    assert call.strain == DIAMONDS


def test_a_second_partner_makes_eight_likelier_than_seven(view_of: ViewOf) -> None:
    rules = load_preset("uspc-5p-53")
    view = view_of("JH AH KH 10H 9H AS 8S 8C 7C 9D", playing=(0, 1, 2, 3, 4))

    hopes = prospects(rules, view)

    assert hopes.chance(Bid(8, HEARTS)) > hopes.chance(Bid(7, HEARTS))


def test_bids_more_where_the_foes_are_about_to_win(view_of: ViewOf) -> None:
    auction = ((1, Bid(8, SPADES)), (2, PASS), (3, PASS))
    legal = LegalCalls((PASS, Bid(8, CLUBS), Bid(8, DIAMONDS), Bid(8, HEARTS)))
    view = view_of(FAIR, auction=auction)

    assert choose_call(AU, view, legal) == PASS
    assert choose_call(AU, _at(view, 0, 480), legal) == Bid(8, HEARTS)


def test_bids_no_more_than_wins_the_game(view_of: ViewOf) -> None:
    view = view_of(STRONG)

    usual, near = (choose_call(AU, _at(view, own, 0), _all(AU)) for own in (0, 400))

    assert isinstance(usual, Bid)
    assert isinstance(near, Bid)
    assert near.level < usual.level


def test_leaves_the_foes_a_contract_against_which_tricks_win(view_of: ViewOf) -> None:
    auction = ((1, Bid(7, SPADES)), (2, PASS), (3, PASS))
    legal = LegalCalls((PASS, *(bid for bid in ladder(ANY_POINTS) if bid.level >= 8)))
    view = view_of(GOOD, auction=auction)

    assert choose_call(ANY_POINTS, view, legal) != PASS
    assert choose_call(ANY_POINTS, _at(view, 490, 0), legal) == PASS


def test_only_a_contract_wins_where_the_rules_say_so(view_of: ViewOf) -> None:
    auction = ((1, Bid(7, SPADES)), (2, PASS), (3, PASS))
    legal = LegalCalls((PASS, *(bid for bid in ladder(AU) if bid.level >= 8)))
    view = view_of(GOOD, auction=auction)

    assert choose_call(AU, _at(view, 490, 0), legal) != PASS


def test_keeps_off_the_floor(view_of: ViewOf) -> None:
    view = view_of("JH AH 10H 9H 8H AS 8S 8C 7C 9D")
    legal = LegalCalls((PASS, Bid(7, HEARTS)))

    assert choose_call(AU, view, legal) == Bid(7, HEARTS)
    assert choose_call(AU, _at(view, -450, 200), legal) == PASS


def test_passes_on_a_poor_holding_that_wins_nothing(view_of: ViewOf) -> None:
    for own, theirs in ((0, 0), (-490, 0), (200, 200)):
        assert choose_call(AU, _at(view_of(POOR), own, theirs), _all(AU)) == PASS


def test_bids_open_misere_only_on_low_cards(view_of: ViewOf) -> None:
    low = view_of("5S 6S 7S 5C 6C 7C 4D 5D 6D 4H")
    open_misere: Call = Bid(0, NO_TRUMP, "OM", carries_strain=False)

    assert choose_call(AU, low, LegalCalls((PASS, open_misere))) == open_misere
    assert choose_call(AU, view_of(POOR), LegalCalls((PASS, open_misere))) == PASS


def _all(rules: RuleSet) -> LegalCalls:
    return LegalCalls((PASS, *ladder(rules)))


def _at(view: SeatView, own: int, theirs: int) -> SeatView:
    return replace(view, scores=(own, theirs))

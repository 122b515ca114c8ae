"""The careful bot in situations with one right answer."""

from collections.abc import Callable

import pytest

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
from fivehundred_bots.careful import Careful
from fivehundred_client import Bot

Ask = Callable[[Bot, RuleSet, SeatView, Legal], Action]
ViewOf = Callable[..., SeatView]
AU = RuleSet()
SPADES_BY_ME = Contract(Bid(7, SPADES), 0)
SPADES_BY_FOE = Contract(Bid(7, SPADES), 1)
MISERE_BY_ME = Contract(Bid(0, NO_TRUMP, "MIS", carries_strain=False), 0)
MISERE_BY_FOE = Contract(Bid(0, NO_TRUMP, "MIS", carries_strain=False), 1)


def test_passes_on_rubbish(ask: Ask, view_of: ViewOf, all_calls: LegalCalls) -> None:
    view = view_of("QS 9S 8S QC 9C 8C JD 9D QH 8H")

    assert ask(Careful(), AU, view, all_calls) == PASS


def test_bids_its_long_suit_high(ask: Ask, view_of: ViewOf, all_calls: LegalCalls) -> None:
    view = view_of("JKR JH JD AH KH QH 10H AS AC 4D")

    call = ask(Careful(), AU, view, all_calls)

    assert isinstance(call, Bid)
    assert call.strain == HEARTS
    assert call.level >= 9


def test_raises_its_partner(ask: Ask, view_of: ViewOf) -> None:
    legal = LegalCalls((PASS, Bid(7, SPADES), Bid(7, CLUBS), Bid(7, HEARTS), Bid(8, HEARTS)))
    view = view_of(
        "JH AH KH 9H AS AC 8D 7D 6D 5C", auction=((1, PASS), (2, Bid(6, HEARTS)), (3, PASS))
    )

    call = ask(Careful(), AU, view, legal)

    assert isinstance(call, Bid)
    assert call.strain == HEARTS


def test_bids_misere_on_a_misere_holding(ask: Ask, view_of: ViewOf) -> None:
    misere = Bid(0, NO_TRUMP, "MIS", carries_strain=False)
    legal = LegalCalls((PASS, misere, Bid(8, SPADES)))
    view = view_of("5S 6S 8S 5C 6C 8C 4D 5D 7D 4H", auction=((3, Bid(7, HEARTS)),))

    assert ask(Careful(), AU, view, legal) == misere


def test_throws_to_be_void(ask: Ask, view_of: ViewOf) -> None:
    held = "JKR JS JC AS KS 9S AH KH 9D 8D 7C AC 6C"
    view = view_of(held, contract=SPADES_BY_ME)

    exchange = ask(Careful(), AU, view, LegalExchange(parse_cards(held), 3))

    assert isinstance(exchange, Exchange)
    assert exchange.thrown & parse_cards("9D 8D") == parse_cards("9D 8D")
    assert not exchange.thrown & parse_cards("JKR JS JC AS KS 9S AH KH AC")


def test_throws_joker_and_aces_before_a_misere(ask: Ask, view_of: ViewOf) -> None:
    held = "JKR AS KH 5S 6S 8S 5C 6C 8C 4D 5D 7D 4H"
    view = view_of(held, contract=MISERE_BY_ME)

    exchange = ask(Careful(), AU, view, LegalExchange(parse_cards(held), 3))

    assert isinstance(exchange, Exchange)
    assert names(exchange.thrown) == "JKR AS KH"


@pytest.mark.parametrize(
    ("contract", "holding", "trick", "legal", "expected"),
    [
        pytest.param(
            SPADES_BY_FOE, "KH 4H 9D", ((2, 3), "AH 5H"), "KH 4H", "4H", id="partners ace stands"
        ),
        pytest.param(
            SPADES_BY_FOE, "9S 7D 4C", ((2, 3), "AH 5H"), "9S 7D 4C", "4C", id="no ruff of partner"
        ),
        pytest.param(
            SPADES_BY_ME, "9S 6S 7D", ((1, 2, 3), "AH 4H 5H"), "9S 6S 7D", "6S", id="ruffs low"
        ),
        pytest.param(
            SPADES_BY_FOE, "AH QH 4H", ((1, 2, 3), "JH 4H 5H"), "AH QH 4H", "QH", id="wins cheaply"
        ),
        pytest.param(
            SPADES_BY_FOE, "KH QH 4H", ((3,), "8H"), "KH QH 4H", "4H", id="second hand low"
        ),
        pytest.param(SPADES_BY_ME, "JKR 5S AH 4D", None, "JKR 5S AH 4D", "JKR", id="draws trumps"),
        pytest.param(SPADES_BY_FOE, "9S 7D AH 6H", None, "9S 7D AH 6H", "AH", id="leads an ace"),
        pytest.param(
            MISERE_BY_ME, "QH 9H 4H", ((3,), "10H"), "QH 9H 4H", "9H", id="highest that loses"
        ),
        pytest.param(
            MISERE_BY_FOE, "QH 9H 4H", ((1,), "10H"), "QH 9H 4H", "9H", id="gets under misere"
        ),
    ],
)
def test_plays(
    ask: Ask,
    view_of: ViewOf,
    contract: Contract,
    holding: str,
    trick: tuple[tuple[int, ...], str] | None,
    legal: str,
    expected: str,
) -> None:
    view = view_of(holding, contract=contract, tricks=() if trick is None else (trick,))

    play = ask(Careful(), AU, view, LegalPlays(parse_cards(legal)))

    assert play == Play(parse_card(expected))


def test_knows_that_its_queen_has_become_the_boss(ask: Ask, view_of: ViewOf) -> None:
    seats = (0, 1, 2, 3)
    tricks = ((seats, "KH AH 4H 5H"), (seats, "9D JKR JS JC"))
    view = view_of("QH 8C 7C", contract=Contract(Bid(6, CLUBS), 1), tricks=tricks)

    play = ask(Careful(), AU, view, LegalPlays(parse_cards("QH 8C 7C")))

    assert play == Play(parse_card("QH"))


def test_leads_joker_naming_a_suit_that_may_be_named(ask: Ask, view_of: ViewOf) -> None:
    view = view_of("JKR", contract=Contract(Bid(7, NO_TRUMP), 0))

    play = ask(Careful(), AU, view, LegalPlays(parse_cards("JKR"), nameable=0b0100))

    assert play == Play(parse_card("JKR"), 2)


def test_the_called_partner_leaves_the_contractor_his_trick(ask: Ask, view_of: ViewOf) -> None:
    play = _last_to_the_contractors_king(ask, view_of, called="AH")

    assert play == Play(parse_card("4D"))


def test_who_is_not_the_partner_takes_the_contractors_trick(ask: Ask, view_of: ViewOf) -> None:
    play = _last_to_the_contractors_king(ask, view_of, called="AC")

    assert play == Play(parse_card("AD"))


def test_names_its_longest_suit_for_a_joker_led(ask: Ask, view_of: ViewOf) -> None:
    view = view_of("JKR KS QS 9S", contract=Contract(Bid(7, NO_TRUMP), 0))

    play = ask(Careful(), AU, view, LegalPlays(parse_cards("JKR"), nameable=0b1111))

    assert play == Play(parse_card("JKR"), SPADES)


def _last_to_the_contractors_king(ask: Ask, view_of: ViewOf, *, called: str) -> Action:
    """What seat 0 plays last to the contractor's king, holding the aces of hearts and diamonds."""
    contract = Contract(Bid(7, SPADES), 1, called=parse_card(called))
    view = view_of(
        "AH AD 4D",
        contract=contract,
        tricks=(((1, 2, 3, 4), "KD 5D 6D 7D"),),
        playing=(0, 1, 2, 3, 4),
    )
    return ask(Careful(), load_preset("au-5p-53"), view, LegalPlays(parse_cards("AD 4D")))

"""What the bots make of a view."""

from collections.abc import Callable

from fivehundred.rules.actions import Bid
from fivehundred.rules.cards import HEARTS, SPADES, parse_card
from fivehundred.rules.ruleset import CallRules, RuleSet, SideModel
from fivehundred.rules.values import Contract, SeatView
from fivehundred_bots.table_reading import read

ViewOf = Callable[..., SeatView]
SPADES_BY_FOE = Contract(Bid(7, SPADES), 1)


def test_the_partner_sits_opposite(view_of: ViewOf) -> None:
    reading = read(RuleSet(), view_of("AH", contract=SPADES_BY_FOE))

    assert reading.friends == 0b0100
    assert reading.foes == 0b1010
    assert not reading.declaring


def test_who_follows_with_another_suit_is_void(view_of: ViewOf) -> None:
    tricks = (((1, 2, 3, 0), "AH 5H 9D 4H"),)

    reading = read(RuleSet(), view_of("KH", contract=SPADES_BY_FOE, tricks=tricks))

    assert reading.voids[HEARTS] == 0b1000
    assert reading.led == -1


def test_a_card_is_boss_once_those_above_are_gone(view_of: ViewOf) -> None:
    tricks = (((1, 2, 3, 0), "AH 5H 9D 4H"),)

    reading = read(RuleSet(), view_of("KH QD", contract=SPADES_BY_FOE, tricks=tricks))

    assert reading.is_boss(parse_card("KH"))
    assert not reading.is_boss(parse_card("QD"))


def test_the_holder_of_the_called_card_is_with_the_contractor(view_of: ViewOf) -> None:
    rules = RuleSet(
        players=5, lowest_pip=(2, 2, 2, 2), side_model=SideModel.CALLED, call=CallRules()
    )
    contract = Contract(Bid(7, SPADES), 1, called=parse_card("AH"))

    reading = read(rules, view_of("AH 4D", contract=contract, playing=(0, 1, 2, 3, 4)))

    assert reading.declaring
    assert reading.friends == 0b00010

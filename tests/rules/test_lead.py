from collections.abc import Callable

import pytest

from fivehundred.rules.actions import PASS, Bid
from fivehundred.rules.cards import SPADES
from fivehundred.rules.lead import first_leader, order_from
from fivehundred.rules.ruleset import FirstLead, RuleSet
from fivehundred.rules.values import Contract

House = Callable[..., RuleSet]


def test_the_contractor_leads_first(house: House) -> None:
    assert first_leader(house(), Contract(Bid(7, SPADES), 3), 0, (0, 1, 2, 3)) == 3


@pytest.mark.parametrize(("dealer", "leader"), [(0, 2), (1, 2), (2, 3), (3, 0)])
def test_the_dealer_s_left_leads_unless_it_sits_out(house: House, dealer: int, leader: int) -> None:
    rules = house(first_lead=FirstLead.DEALERS_LEFT)

    assert first_leader(rules, Contract(Bid(7, SPADES), 3), dealer, (0, 2, 3)) == leader


def test_without_a_contract_its_seat_leads(house: House) -> None:
    assert first_leader(house(), Contract(PASS, 2), 1, (0, 1, 2, 3)) == 2


def test_the_others_follow_in_turn() -> None:
    assert order_from((0, 2, 3), 2) == (2, 3, 0)

"""The bids and their values: vectors G45 and G46 of the rules reference."""

import pytest

from fivehundred.rules.actions import Bid
from fivehundred.rules.bids import bid_value, ladder
from fivehundred.rules.cards import parse_strain
from fivehundred.wire.presets import load_preset

AVONDALE = {
    6: (40, 60, 80, 100, 120),
    7: (140, 160, 180, 200, 220),
    8: (240, 260, 280, 300, 320),
    9: (340, 360, 380, 400, 420),
    10: (440, 460, 480, 500, 520),
}
OLD_COUNT = {
    "C": (40, 80, 120, 160, 200),
    "S": (60, 120, 180, 240, 300),
    "H": (80, 160, 240, 320, 400),
    "D": (100, 200, 300, 400, 500),
    "NT": (120, 240, 360, 480, 600),
}


@pytest.mark.parametrize("level", AVONDALE)
def test_g45_avondale(level: int) -> None:
    rules = load_preset("au-4p-43")

    assert tuple(bid_value(rules, Bid(level, strain)) for strain in range(5)) == AVONDALE[level]


@pytest.mark.parametrize("strain", OLD_COUNT)
def test_g46_old_count(strain: str) -> None:
    rules = load_preset("hist-3p-32")

    values = tuple(bid_value(rules, Bid(level, parse_strain(strain))) for level in range(6, 11))

    assert values == OLD_COUNT[strain]


def test_specials_stand_just_over_their_bids() -> None:
    bids = " ".join(map(str, ladder(load_preset("au-4p-43"))))

    assert "7H 7NT MIS 8S 8C" in bids
    assert "10C 10D OM 10H 10NT" in bids


def test_several_specials_over_one_bid_stand_in_list_order() -> None:
    assert "10D DBL BAR 10H" in " ".join(map(str, ladder(load_preset("us-4p-43-nullo"))))


def test_game_bids_stand_in_strain_order() -> None:
    bids = [str(bid) for bid in ladder(load_preset("qc-4p-46-vi"))]

    assert bids[-6:] == ["10NT", "GAME-S", "GAME-C", "GAME-D", "GAME-H", "GAME-NT"]


def test_old_count_orders_bids_by_value() -> None:
    rules = load_preset("hist-3p-32")

    values = [bid_value(rules, bid) for bid in ladder(rules)]

    assert values == sorted(values)
    assert [str(bid) for bid in ladder(rules)[:6]] == ["6C", "6S", "6H", "7C", "6D", "6NT"]

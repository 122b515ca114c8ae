"""Hand scores: vectors G of the rules reference."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.rules.actions import PASS
from fivehundred.rules.notation import parse_call
from fivehundred.rules.ruleset import MISERE, RuleSet
from fivehundred.rules.scoring import is_made, score
from fivehundred.rules.values import Contract
from fivehundred.wire.presets import load_preset

SCORES: list[tuple[str, str, str, int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = [
    ("G01", "au-4p-43", "8D", 0, (), (5, 1, 3, 1), (280, 20)),
    ("G03", "au-4p-43", "6S", 1, (), (0, 6, 0, 4), (0, 250)),
    ("G05", "au-4p-43", "8C", 1, (), (0, 6, 0, 4), (0, 260)),
    ("G06", "au-4p-43", "6S", 1, (), (1, 6, 0, 3), (10, 40)),
    ("G08", "au-4p-43", "10NT", 3, (), (0, 6, 0, 4), (0, 520)),
    ("G10", "au-4p-43", "MIS", 0, (), (0, 4, 0, 6), (250, 0)),
    ("G11", "au-4p-43", "MIS", 0, (), (1, 4, 0, 5), (-250, 0)),
    ("G13", "au-4p-43", "OM", 3, (), (6, 0, 3, 1), (0, -500)),
    ("G15", "ko-3p-33", "7H", 0, (), (6, 3, 1), (-200, 30, 10)),
    ("G16", "ko-3p-33", "6C", 2, (), (0, 0, 10), (0, 0, 250)),
    ("G18", "ko-2p-23", "6NT", 0, (), (6, 4), (120, 40)),
    ("G20", "qc-4p-46-vi", "8S", 0, (), (5, 1, 4, 0), (240, 0)),
    ("G21", "qc-4p-46-vi", "8S", 0, (), (4, 2, 3, 1), (0, 240)),
    ("G23", "qc-4p-46-vi", "GAME-H", 1, (), (0, 6, 0, 4), (0, 1000)),
    ("G25", "au-5p-53", "8H", 0, (2,), (5, 0, 3, 1, 1), (150, 0, 150, 10, 10)),
    ("G26", "au-5p-53", "8H", 0, (2,), (4, 1, 3, 1, 1), (-150, 10, -150, 10, 10)),
    ("G28", "au-5p-53", "6S", 3, (0,), (4, 0, 0, 6, 0), (125, 0, 0, 125, 0)),
    ("G30", "au-6p-63", "7D", 2, (), (2, 1, 3, 1, 2, 1), (180, 30)),
    ("G31", "ext-6p-63-pairs", "7D", 1, (), (1, 5, 0, 1, 2, 1), (20, 180, 10)),
    ("G33", "hist-3p-32", "9C", 0, (), (8, 1, 1), (-160, 10, 10)),
    ("G35", "hist-3p-32", "10D", 0, (), (10, 0, 0), (500, 0, 0)),
]

PERFECT = (20, 40, 60, 80, 100)


def scored(
    rules: RuleSet,
    bid: str,
    contractor: int,
    tricks: tuple[int, ...],
    *,
    partners: tuple[int, ...] = (),
    before: tuple[int, ...] = (),
) -> tuple[int, ...]:
    """The change of a hand."""
    contract = Contract(parse_call(rules, bid), contractor, partners=partners)
    return score(rules, contract, tricks, before or (0,) * rules.sides)


@pytest.mark.parametrize(
    ("name", "bid", "contractor", "partners", "tricks", "change"),
    [row[1:] for row in SCORES],
    ids=[row[0] for row in SCORES],
)
def test_score(
    name: str,
    bid: str,
    contractor: int,
    partners: tuple[int, ...],
    tricks: tuple[int, ...],
    change: tuple[int, ...],
) -> None:
    assert scored(load_preset(name), bid, contractor, tricks, partners=partners) == change


@pytest.mark.parametrize(
    ("bid", "tricks", "change"),
    [("6S", (4, 2, 2, 2), (20, 40)), ("8C", (6, 0, 4, 0), (250, 0))],
    ids=["G36", "G38"],
)
def test_perfect_table(
    house: Callable[..., RuleSet], bid: str, tricks: tuple[int, ...], change: tuple[int, ...]
) -> None:
    assert scored(house(base_value=PERFECT), bid, 0, tricks) == change


@pytest.mark.parametrize("taker", [0, 2])
def test_g40_bar_nullo_fails_by_one_trick_of_the_side(taker: int) -> None:
    tricks = tuple(1 if seat == taker else 0 for seat in range(4))

    assert scored(load_preset("us-4p-43-nullo"), "BAR", 2, tricks) == (-500, 0)


def test_g41_ceiling_for_trick_points(house: Callable[..., RuleSet]) -> None:
    rules = house(defender_ceiling=490)

    assert scored(rules, "8D", 0, (4, 2, 3, 1), before=(0, 480)) == (-280, 10)
    assert scored(rules, "8D", 0, (4, 2, 3, 1), before=(0, 495)) == (-280, 0)


def test_g43_points_for_each_trick_forced_on_the_contractor(house: Callable[..., RuleSet]) -> None:
    rules = house(special_bids=(replace(MISERE, points_per_forced_trick=10),))

    assert scored(rules, "MIS", 0, (2, 3, 0, 5)) == (-250, 20)


def test_a_hand_played_out_scores_each_trick_to_its_taker() -> None:
    rules = load_preset("ko-3p-33")

    assert score(rules, Contract(PASS, 1), (5, 3, 2), (0, 0, 0)) == (50, 30, 20)


def test_a_contractor_who_plays_alone_keeps_the_whole_value() -> None:
    assert scored(load_preset("au-5p-53"), "8H", 0, (8, 1, 1, 0, 0)) == (300, 10, 10, 0, 0)


def test_partners_with_full_share_score_the_whole_value_each() -> None:
    change = scored(load_preset("uspc-5p-53"), "7D", 0, (4, 1, 3, 2, 0), partners=(2,))

    assert change == (180, 10, 180, 20, 0)


def test_a_game_bid_needs_every_trick() -> None:
    rules = load_preset("qc-4p-46-vi")
    contract = Contract(parse_call(rules, "GAME-S"), 0)

    assert is_made(rules, contract, (10, 0, 0, 0))
    assert not is_made(rules, contract, (9, 1, 0, 0))

"""The end of a game: vectors H of the rules reference."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.rules.actions import PASS
from fivehundred.rules.game import Ending, game_end
from fivehundred.rules.notation import parse_call
from fivehundred.rules.ruleset import FloorEffect, RuleSet, SeveralReach, WinCondition
from fivehundred.rules.scoring import is_made, score
from fivehundred.rules.values import Contract
from fivehundred.wire.presets import load_preset

Numbers = tuple[int, ...]
PLAY_ON: Ending = (False, (), ())
GAMES: list[tuple[str, str, Numbers, str, int, Numbers, Numbers, Numbers, Numbers, Numbers]] = [
    ("H01", "au-4p-43", (460, 100), "7S", 0, (), (4, 2, 3, 1), (600, 130), (0,), ()),
    ("H03", "au-4p-43", (490, 0), "6S", 1, (), (2, 4, 1, 3), (520, 40), (), ()),
    ("H05", "au-4p-43", (520, 0), "6S", 0, (), (3, 3, 2, 2), (480, 50), (), ()),
    ("H06", "au-4p-43", (360, 0), "7S", 0, (), (4, 2, 3, 1), (500, 30), (0,), ()),
    ("H08", "au-4p-43", (-240, 0), "8S", 0, (), (4, 2, 3, 1), (-480, 30), (), ()),
    ("H10", "au-4p-43", (-300, -200), "8C", 0, (), (4, 2, 3, 1), (-560, -170), (1,), (0,)),
    ("H11", "au-4p-43", (0, 0), "OM", 0, (), (0, 5, 0, 5), (500, 0), (0,), ()),
    ("H13", "au-4p-43", (0, 0), "10H", 0, (), (6, 0, 4, 0), (500, 0), (0,), ()),
    ("H15", "uspc-4p-43", (360, 490), "7S", 0, (), (4, 2, 3, 1), (500, 520), (0,), ()),
    ("H20", "ko-3p-33", (400, 490, 0), "6H", 0, (), (7, 2, 1), (500, 510, 10), (1,), ()),
    ("H21", "ko-3p-33", (-400, 0, 0), "7S", 0, (), (5, 3, 2), (-540, 30, 20), (), ()),
    ("H23", "uspc-3p-33", (-400, 0, 0), "7S", 0, (), (5, 3, 2), (-540, 30, 20), (), ()),
    (
        "H25",
        "au-5p-53",
        (-400, 50, -380, 60, 20),
        "8H",
        0,
        (2,),
        (4, 0, 3, 2, 1),
        (-550, 50, -530, 80, 30),
        (3,),
        (0, 2),
    ),
    (
        "H26",
        "au-5p-53",
        (0, 495, 400, 0, 0),
        "8H",
        0,
        (2,),
        (5, 1, 3, 1, 0),
        (150, 505, 550, 10, 0),
        (2,),
        (),
    ),
    ("H28", "qc-4p-46-vi", (900, 760), "8S", 0, (), (4, 2, 3, 1), (900, 1000), (1,), ()),
    ("H30", "qc-4p-46-vi", (900, 0), "GAME-NT", 0, (), (6, 1, 3, 0), (900, 1000), (1,), ()),
    ("H31", "qc-4p-46-vi", (740, 0), "8S", 0, (), (5, 1, 4, 0), (980, 0), (), ()),
    ("H35", "au-6p-63", (340, 0), "7C", 4, (), (2, 1, 3, 1, 2, 1), (500, 30), (0,), ()),
]


def ended(
    rules: RuleSet, before: Numbers, contract: Contract, tricks: Numbers, taken: Numbers = ()
) -> tuple[Numbers, Ending]:
    """The totals after a hand, and whether the game is over."""
    change = score(rules, contract, tricks, before)
    after = tuple(a + b for a, b in zip(before, change, strict=True))
    order = taken or tuple(seat for seat, count in enumerate(tricks) for _ in range(count))
    made = is_made(rules, contract, tricks)
    return after, game_end(rules, before, change, contract, made, order)


@pytest.mark.parametrize(
    (
        "name",
        "before",
        "bid",
        "contractor",
        "partners",
        "tricks",
        "after",
        "winners",
        "losers",
    ),
    [row[1:] for row in GAMES],
    ids=[row[0] for row in GAMES],
)
def test_game_end(
    name: str,
    before: Numbers,
    bid: str,
    contractor: int,
    partners: Numbers,
    tricks: Numbers,
    after: Numbers,
    winners: Numbers,
    losers: Numbers,
) -> None:
    rules = load_preset(name)
    contract = Contract(parse_call(rules, bid), contractor, partners=partners)

    assert ended(rules, before, contract, tricks) == (after, (bool(winners), winners, losers))


def test_h16_highest_total_wins() -> None:
    rules = replace(load_preset("uspc-4p-43"), several_reach=SeveralReach.HIGHEST)
    contract = Contract(parse_call(rules, "7S"), 0)

    after, ending = ended(rules, (360, 490), contract, (4, 2, 3, 1))

    assert after == (500, 520)
    assert ending == (True, (1,), ())


def test_h18_the_earliest_to_get_there_wins() -> None:
    rules = load_preset("uspc-3p-33")
    contract = Contract(parse_call(rules, "7H"), 0)

    after, ending = ended(rules, (0, 480, 490), contract, (5, 3, 2), (0, 1, 0, 2, 0, 1, 0, 1, 2, 0))

    assert after == (-200, 510, 510)
    assert ending == (True, (2,), ())


@pytest.mark.parametrize(
    ("before", "after", "ending"),
    [
        ((-300, 0), (-540, 30), (True, (1,), (0,))),
        ((-300, -100), (-540, -70), PLAY_ON),
    ],
    ids=["H33", "all negative"],
)
def test_floor_unless_all_are_negative(
    house: Callable[..., RuleSet], before: Numbers, after: Numbers, ending: Ending
) -> None:
    rules = house(floor_effect=FloorEffect.LOSES_UNLESS_ALL_NEGATIVE)
    contract = Contract(parse_call(rules, "8S"), 0)

    assert ended(rules, before, contract, (4, 2, 3, 1)) == (after, ending)


def test_equal_totals_where_the_highest_decides_play_on() -> None:
    rules = load_preset("ko-3p-33")
    contract = Contract(parse_call(rules, "7H"), 0)

    after, ending = ended(rules, (0, 480, 490), contract, (5, 3, 2))

    assert after == (-200, 510, 510)
    assert ending == PLAY_ON


def test_at_the_floor_the_best_of_the_rest_win_jointly() -> None:
    rules = load_preset("au-5p-53")
    contract = Contract(parse_call(rules, "8H"), 0)

    after, ending = ended(rules, (-300, 50, 50, 0, 0), contract, (6, 1, 1, 1, 1))

    assert after == (-600, 60, 60, 10, 10)
    assert ending == (True, (1, 2), (0,))


def test_contractor_and_partner_may_both_win() -> None:
    rules = load_preset("au-5p-53")
    contract = Contract(parse_call(rules, "8H"), 0, partners=(2,))

    after, ending = ended(rules, (400, 0, 450, 0, 0), contract, (5, 1, 3, 1, 0))

    assert after == (550, 10, 600, 10, 0)
    assert ending == (True, (0, 2), ())


def test_a_hand_played_out_may_end_a_game() -> None:
    rules = replace(load_preset("ko-3p-33"), win_condition=WinCondition.ANY_POINTS)

    after, ending = ended(rules, (480, 0, 0), Contract(PASS, 1), (5, 3, 2))

    assert after == (530, 30, 20)
    assert ending == (True, (0,), ())

from collections.abc import Callable
from typing import Any

import pytest

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., tuple[str, str]]

SIGNALS = {"override": {"signal_seats": 2, "min_bid": 7, "min_contract": 8}}


def test_a_contract_that_is_made(ask: Ask) -> None:
    answered = ask("score", contract="8D", contractor=0, tricks=[5, 1, 3, 1], before=[220, -20])

    assert answered == {
        "made": True,
        "change": [280, 20],
        "after": [500, 0],
        "over": True,
        "winners": [0],
        "losers": [],
    }


def test_partners_share_and_fall_together(ask: Ask) -> None:
    answered = ask(
        "score",
        rules="au-5p-53",
        contract="8H",
        contractor=0,
        partner=[2],
        tricks=[4, 0, 3, 2, 1],
        before=[-400, 50, -380, 60, 20],
    )

    assert answered["change"] == [-150, 0, -150, 20, 10]
    assert (answered["winners"], answered["losers"]) == ([3], [0, 2])


def test_a_hand_played_out_scores_every_trick(ask: Ask) -> None:
    rules = {"preset": "ko-3p-33", "override": {"all_pass": "PLAY_OUT"}}

    answered = ask("score", rules=rules, contract="P", contractor=1, tricks=[5, 3, 2])

    assert (answered["made"], answered["change"]) == (None, [50, 30, 20])


def test_a_misere_may_stop_at_its_first_trick(ask: Ask, refused: Refused) -> None:
    stopped = ask("score", contract="MIS", contractor=0, tricks=[1, 1, 0, 1])

    assert stopped["change"] == [-250, 0]
    assert refused("score", contract="MIS", contractor=0, tricks=[0, 1, 0, 1])[0] == "tricks"
    assert refused("score", contract="MIS", contractor=0, tricks=[2, 1, 0, 1])[0] == "tricks"


def test_a_misere_that_stops_ends_with_the_contractor_s_trick(ask: Ask, refused: Refused) -> None:
    stopped: dict[str, Any] = {"contract": "MIS", "contractor": 0, "tricks": [1, 1, 0, 1]}

    assert ask("score", **stopped, taken=[3, 1, 0])["change"] == [-250, 0]
    found, message = refused("score", **stopped, taken=[3, 0, 1])
    assert found == "taken[2]"
    assert "seat 0's trick stopped the play" in message


def test_no_side_wins_and_loses(ask: Ask) -> None:
    both = ask("score", contract="10NT", contractor=0, tricks=[4, 2, 3, 1], before=[0, -600])

    assert both["after"] == [-520, -570]
    assert (both["winners"], both["losers"]) == ([0], [1])


def test_the_order_of_the_tricks_is_asked_for_only_where_it_decides(
    ask: Ask, refused: Refused
) -> None:
    both: dict[str, Any] = {
        "rules": "uspc-3p-33",
        "contract": "7H",
        "contractor": 0,
        "before": [0, 480, 490],
        "tricks": [5, 3, 2],
    }

    decided = ask("score", **both, taken=[0, 1, 0, 2, 0, 1, 0, 1, 2, 0])

    assert decided["winners"] == [2]
    assert refused("score", **both)[0] == "taken"
    assert ask("score", **{**both, "before": [0, 0, 490]})["winners"] == [2]


@pytest.mark.parametrize(
    ("members", "field", "part"),
    [
        ({"tricks": [4, 3, 3]}, "tricks", "3 numbers: give 4"),
        ({"tricks": [4, 3, 3, 1]}, "tricks", "11 in all"),
        ({"tricks": [4, 3, 2, 0]}, "tricks", "9 in all"),
        ({"tricks": [11, 0, 0, -1]}, "tricks[0]", "give 0 to 10"),
        ({"tricks": [10, 0, 0, -1]}, "tricks[3]", "give 0 to 10"),
        ({"tricks": [10, 0, 0, False]}, "tricks[3]", "false: give a whole number"),
        ({"contract": "MIS"}, "tricks[2]", "seat 2 sits out"),
        ({"before": [0]}, "before", "1 score: give 2"),
        ({"before": [0, 1e300]}, "before[1]", "give -1000000 to 1000000"),
        ({"taken": [0]}, "taken", "1 seat: there are 10 tricks"),
        ({"taken": [0] * 10}, "taken", "seat 0 stands 10 times, but tricks[0] is 4"),
        ({"taken": [9] * 10}, "taken[0]", "give 0 to 3"),
        ({"contract": "P"}, "contract", "not played out under these rules: give a bid"),
        ({"contract": "7S", "rules": SIGNALS}, "contract", "7S cannot be the contract: give 8S"),
        ({"partner": 2}, "partner", "nobody is found as a partner"),
    ],
)
def test_a_wrong_score_names_the_member(
    refused: Refused, members: dict[str, Any], field: str, part: str
) -> None:
    question: dict[str, Any] = {"contract": "7S", "contractor": 0, "tricks": [4, 3, 2, 1]}

    found, message = refused("score", **{**question, **members})

    assert found == field
    assert part in message


@pytest.mark.parametrize(
    ("partner", "part"),
    [(0, "is the contractor"), ([1, 2], "at most 1"), ([1, 1], "stands twice"), ("1", "text")],
)
def test_a_wrong_partner_is_refused(refused: Refused, partner: object, part: str) -> None:
    found, message = refused(
        "score",
        rules="au-5p-53",
        contract="8H",
        contractor=0,
        partner=partner,
        tricks=[4, 0, 3, 2, 1],
    )

    assert found == "partner"
    assert part in message

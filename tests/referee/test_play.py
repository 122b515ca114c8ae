from collections.abc import Callable
from typing import Any

import pytest

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., tuple[str, str]]

HEARTS = ["AH", "KH", "QH", "JH", "10H", "9H", "8H", "7H"]
NOMINATED: dict[str, Any] = {"contract": "7NT", "joker_suit": "H"}
TRICK: dict[str, Any] = {"contract": "7S", "contractor": 1, "seat": 2, "trick": [[1, "5S"]]}


@pytest.mark.parametrize(
    ("members", "plays"),
    [
        ({"holding": ["JC", "AH", "4D"]}, ["JC"]),
        ({"holding": ["4D", "AH"]}, ["4D", "AH"]),
        ({"contract": "MIS", "contractor": 2, "holding": ["JKR", "AH"]}, ["JKR"]),
        (
            {"contract": "7NT", "trick": [[1, "JKR:D"]], "holding": ["9D", "AC"]},
            ["9D"],
        ),
        (
            {"contract": "7NT", "trick": [], "led": ["S", "H"], "holding": ["5C", "JKR"]},
            ["JKR:C", "JKR:D", "5C"],
        ),
        (
            {
                "contract": "7NT",
                "contractor": 2,
                "trick": [[1, "9D"]],
                "joker_suit": "D",
                "holding": ["JKR", "AH"],
            },
            ["JKR"],
        ),
        (
            {"contract": "8NT", "rules": "qc-4p-46-vi", "trick": [[1, "JK2"]], "holding": ["AH"]},
            ["AH"],
        ),
        (
            {
                "contract": "7NT",
                "rules": {"override": {"joker_lead": "NAME_NOT_SHOWN_VOID"}},
                "trick": None,
                "shown_void": ["S"],
                "holding": ["JKR", "7C"],
            },
            ["JKR:C", "JKR:D", "JKR:H", "7C"],
        ),
        (
            {
                "contract": "7NT",
                "rules": {"override": {"joker_follow": "FIRST_ROUND_OF_SUIT"}},
                "trick": [[1, "9C"]],
                "holding": ["JKR", "5C", "AH"],
            },
            ["JKR", "5C"],
        ),
    ],
)
def test_what_may_be_played(ask: Ask, members: dict[str, Any], plays: list[str]) -> None:
    assert ask("plays", **{**TRICK, **members})["plays"] == plays


@pytest.mark.parametrize(
    ("members", "field", "part"),
    [
        ({"holding": []}, "holding", "0 cards: give 1 to 10"),
        ({"holding": ["5S"]}, "trick[0][1]", "5S is in the holding too"),
        ({"last_trick": True}, "last_trick", "the holding has 2 cards"),
        ({"last_trick": "no"}, "last_trick", "give true or false"),
        ({"trick": [[0, "5S"]]}, "trick[0][0]", "before seat 2 play 1 in turn"),
        ({"trick": [[1, "5S"], [1, "6S"]]}, "trick[1][0]", "seat 1 has played before"),
        ({"trick": [[0, "5S"], [1, "5S"]]}, "trick[1][1]", "5S is played before"),
        ({"trick": [[1, "5S", 3]]}, "trick[0]", "3 values"),
        ({"trick": [[1, "5S:H"]]}, "trick[0][1]", "5S:H may not be led: write 5S"),
        ({"trick": [[1, "JKR:H"]]}, "trick[0][1]", "JKR:H may not be led"),
        ({"contract": "7NT", "trick": [[1, "JKR"]]}, "trick[0][1]", "JKR:S JKR:C"),
        (
            {"trick": [[0, "5S"], [1, "JKR:H"]], "holding": ["AS"]},
            "trick[1][1]",
            "only a joker led names a suit",
        ),
        ({"trick": [[3, "5S"], [0, "6S"], [1, "7S"], [2, "8S"]]}, "trick", "the trick is over"),
        ({"contract": "MIS", "contractor": 0}, "seat", "seat 2 sits out: give one of 0, 1, 3"),
        ({"joker_suit": "H"}, "joker_suit", "only by a contractor at no trump"),
        ({"joker_suit": "H", "rules": "ko-4p-43"}, "joker_suit", "let no joker be given"),
        ({"nominated": ["JKR"]}, "nominated", "only with joker_suit"),
        ({"nominated": ["AS"]}, "nominated", "AS: give jokers only"),
        ({"led": ["NT"]}, "led[0]", "'NT' is no suit"),
        ({"led": ["X"]}, "led[0]", "'X' is no suit: write S, C, D or H"),
        ({"trick": [[1, "JKR:X"]]}, "trick[0][1]", "'X' is no suit: write S, C, D or H"),
        ({"holding": ["A\u017f"]}, "holding[0]", "write with the letters A to Z"),
        ({"contract": "7\u017f"}, "contract", "write with the letters A to Z"),
        ({"contract": "P"}, "contract", "not played out under these rules"),
        ({"led": ["S", "C"], "holding": ["AS", *HEARTS]}, "led", "2 suits, but 1 trick before"),
        ({"shown_void": ["S"]}, "shown_void", "S, but AS KS of it in the holding"),
        ({"shown_void": ["S"], "holding": ["JC"]}, "shown_void", "S, but JC of it"),
        ({**NOMINATED, "holding": ["JKR", "AS"]}, "holding", "seat 1 has it, the contractor"),
        ({**NOMINATED, "trick": [[0, "JKR"], [1, "4H"]]}, "trick[0][1]", "JKR was given a suit"),
        (
            {"contract": "7NT", "trick": [[1, "JKR"]], "led": ["S", "C", "D", "H"]},
            "trick[0][1]",
            "JKR may not be led while its leader holds other cards",
        ),
    ],
)
def test_a_wrong_trick_names_the_member(
    refused: Refused, members: dict[str, Any], field: str, part: str
) -> None:
    found, message = refused("plays", **{**TRICK, "holding": ["AS", "KS"], **members})

    assert found == field
    assert part in message


def test_a_joker_that_was_given_no_suit_may_be_a_defender_s(ask: Ask) -> None:
    two: dict[str, Any] = {"preset": "qc-4p-46-vi", "override": {"nominate_before_lead": True}}
    members = {**TRICK, **NOMINATED, "rules": two, "contract": "8NT", "holding": ["JK2", "4H"]}

    plays = ask("plays", **{**members, "trick": [[1, "5S"]], "nominated": ["JKR"]})["plays"]

    assert "JK2" in plays


def test_a_last_joker_is_led_without_a_name(ask: Ask) -> None:
    last = {**TRICK, "contract": "7NT", "trick": [[1, "JKR"]], "holding": ["AS"]}

    assert ask("plays", **last, led=["S", "C", "D", "H"])["plays"] == ["AS"]


def test_partners_sit_out_where_a_bid_is_played_alone(ask: Ask) -> None:
    answered = ask("order", contract="MIS", contractor=3)

    assert answered["order"] == [3, 0, 2]
    assert answered["sits_out"] == [1]
    assert answered["exchanges"] == [{"seat": 3, "takes": 3, "throws": 3}]


def test_an_open_hand_is_laid_down_after_the_first_trick(ask: Ask) -> None:
    exposed = ask("order", contract="OM", contractor=1)["exposed"]

    assert exposed == [{"seat": 1, "from_trick": 2}]


def test_everybody_exchanges_a_kitty_of_his_own(ask: Ask) -> None:
    exchanges = ask("order", rules="hist-2p-24", contract="7C", contractor=1)["exchanges"]

    assert [each["seat"] for each in exchanges] == [1, 0]


def test_the_dealer_s_left_may_lead(ask: Ask, refused: Refused) -> None:
    rules = {"override": {"first_lead": "DEALERS_LEFT"}}

    assert ask("order", rules=rules, contract="7S", contractor=1, dealer=2)["order"][0] == 3
    assert refused("order", rules=rules, contract="7S", contractor=1)[0] == "dealer"


NO_BID: dict[str, Any] = {"contract": "P", "rules": {"override": {"all_pass": "PLAY_OUT"}}}


def test_without_a_contract_the_dealer_s_left_leads(ask: Ask, refused: Refused) -> None:
    assert ask("order", **NO_BID, dealer=2)["order"] == [3, 0, 1, 2]
    assert ask("order", **NO_BID, contractor=1)["order"][0] == 1
    assert refused("order", **NO_BID, contractor=1, dealer=2)[0] == "contractor"
    assert refused("order", **NO_BID)[0] == "contractor"
    assert refused("order", contract="P", dealer=2)[0] == "contract"


def test_another_leader_may_be_given(ask: Ask, refused: Refused) -> None:
    assert ask("order", contract="7S", contractor=1, leader=3)["order"] == [3, 0, 1, 2]
    assert refused("order", contract="MIS", contractor=1, leader=3)[0] == "leader"


@pytest.mark.parametrize(
    ("contract", "plays", "more", "winner"),
    [
        ("7S", "AS JC JS JKR", {}, "JKR"),
        ("7S", "AH 10H 5S KH", {}, "5S"),
        ("8NT", "JKR:D AD 4D KS", {}, "JKR"),
        ("8NT", "JKR AD 4D KS", {"named_suit": "D"}, "JKR"),
        ("MIS", "9C JKR 5C", {"joker_suit": "H"}, "9C"),
        ("8NT", "JK2 AH 4S KD", {"rules": "qc-4p-46-vi"}, "JK2"),
        ("P", "AH KH JS 4H", {"rules": NO_BID["rules"]}, "AH"),
        ("MIS", "9C 10C 5C", {"contractor": 3}, "10C"),
        ("8NT", "JKR AD 4D KS", {}, "JKR"),
        ("6S", "10H", {}, "10H"),
    ],
)
def test_who_wins(ask: Ask, contract: str, plays: str, more: dict[str, Any], winner: str) -> None:
    words = plays.split()
    seated = [[(seat + 2) % 4, word] for seat, word in enumerate(words)]

    answered = ask("winner", contract=contract, plays=seated, **more)

    place = [word.partition(":")[0] for word in words].index(winner)
    assert answered == {"seat": (place + 2) % 4, "card": winner}


MISERE: dict[str, Any] = {"contract": "MIS", "contractor": 1}
NAMES_ANY = {"override": {"joker_lead": "NAME_ANY_SUIT"}}
AS_TRUMP = {"override": {"joker_lead": "AS_TRUMP"}}


@pytest.mark.parametrize(
    ("members", "field", "part"),
    [
        ({"plays": []}, "plays", "no plays"),
        ({"plays": [[0, "AS"], [3, "KS"], [2, "QS"]]}, "plays[1][0]", "in turn, here seat 1"),
        ({"plays": [[0, "AS"], [2, "KS"]]}, "plays[1][0]", "seat 2 after seat 0: give"),
        ({**MISERE, "plays": [[0, "AS"], [2, "KS"]]}, "plays[1][0]", "in turn, here seat 1"),
        ({**MISERE, "plays": [[3, "AS"]]}, "plays[0][0]", "seat 3 sits out: give one of 0, 1, 2"),
        (
            {**MISERE, "plays": [[0, "AS"], [1, "KS"], [2, "QS"], [3, "JS"]]},
            "plays[3][0]",
            "seat 3 after seat 2: the trick is over with 3 plays",
        ),
        (
            {"contract": "MIS", "plays": [[0, "AS"], [1, "KS"], [2, "QS"], [3, "JS"]]},
            "plays[3][0]",
            "the trick is over with 3 plays",
        ),
        ({"plays": [[0, "JKR"]], "rules": NAMES_ANY}, "plays[0][1]", "write one of JKR:S"),
        ({"plays": [[0, "JKR:S"]], "rules": AS_TRUMP}, "plays[0][1]", "led: write JKR"),
        (
            {"plays": [[0, "JKR"]], "contractor": 1, "joker_suit": "S"},
            "plays[0][1]",
            "JKR was given a suit, so seat 1 has it",
        ),
        ({"plays": [[0, "AS"]], "named_suit": "S"}, "named_suit", "AS was led"),
        ({"plays": [[0, "JKR:S"]], "named_suit": "H"}, "named_suit", "JKR:S was led"),
        ({"plays": [[0, "AS"], [1, "JKR:H"]]}, "plays[1][1]", "only a joker led"),
        ({"plays": [[0, "JKR:H"]], "contract": "7S"}, "plays[0][1]", "may not be led"),
        ({"plays": {"0": "AS"}}, "plays", "an object: give a list"),
    ],
)
def test_a_wrong_trick_has_no_winner(
    refused: Refused, members: dict[str, Any], field: str, part: str
) -> None:
    found, message = refused("winner", **{"contract": "7NT", **members})

    assert found == field
    assert part in message

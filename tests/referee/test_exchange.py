from collections.abc import Callable
from typing import Any

import pytest

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., tuple[str, str]]

TEN = ["JKR", "AS", "KS", "QS", "AC", "KC", "AD", "KD", "AH", "KH"]
KITTY = ["5S", "6C", "7D"]
NO_TRUMP: dict[str, Any] = {"contract": "7NT", "contractor": 1}


def test_what_is_thrown_leaves_the_holding(ask: Ask) -> None:
    answered = ask("exchange", **NO_TRUMP, holding=TEN, kitty=KITTY, throw=["KH", "5S", "6C"])

    kept = ["JKR", "AS", "KS", "QS", "AC", "KC", "AD", "KD", "7D", "AH"]
    assert answered == {"ok": True, "holding": kept}


def test_the_kitty_may_be_in_the_holding_already(ask: Ask) -> None:
    assert ask("exchange", **NO_TRUMP, holding=TEN + KITTY, throw=KITTY)["ok"]


@pytest.mark.parametrize(
    ("contract", "rules", "seat", "throw"),
    [
        ("7NT", "au-4p-43", 1, 3),
        ("7NT", "au-4p-43", 0, 0),
        ("8H", "qc-4p-46-vi", 1, 6),
        ("BAR", "us-4p-43-nullo", 1, 0),
        ("7C", "hist-2p-24", 0, 2),
        ("7C", "hist-6p-60", 1, 0),
    ],
)
def test_the_rules_tell_how_many_are_thrown(
    ask: Ask, contract: str, rules: str, seat: int, throw: int
) -> None:
    question = {"contract": contract, "contractor": 1, "seat": seat}

    assert ask("exchange", rules=rules, **question) == {"throw": throw}


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"throw": ["5S", "6C"]}, "2 cards thrown: throw exactly 3"),
        ({"throw": ["5S", "6C", "7D", "AS"]}, "4 cards thrown"),
        ({"throw": ["5S", "6C", "8H"]}, "8H not in the holding"),
        ({"throw": ["5S", "5S", "7D"]}, "5S thrown twice"),
        ({"throw": ["JKR", "6C", "7D"], "joker_suit": "H"}, "no joker to nominate"),
        ({"throw": KITTY, "joker_suit": "H", "contract": "7S"}, "only by a contractor at no trump"),
        ({"throw": KITTY, "joker_suit": "H", "rules": "ko-4p-43"}, "let no joker be given a suit"),
        ({"throw": KITTY, "called": "AS"}, "AS may not be called: no card is called here"),
        ({"throw": KITTY, "partners": [2]}, "not all partners"),
    ],
)
def test_an_exchange_that_is_not_legal_has_a_reason(
    ask: Ask, members: dict[str, Any], reason: str
) -> None:
    answered = ask("exchange", **{**NO_TRUMP, "holding": TEN, "kitty": KITTY, **members})

    assert answered["ok"] is False
    assert reason in answered["reason"]


@pytest.mark.parametrize(
    ("members", "field", "part"),
    [
        ({"kitty": ["5S"]}, "kitty", "1 card: this seat takes up 3"),
        ({"kitty": ["5S", "6C", "AS"]}, "kitty", "AS in the holding too"),
        ({"throw": KITTY}, "holding", "10 cards in all: give 10 and the 3 taken up"),
        ({"throw": KITTY, "kitty": KITTY, "called": "2S"}, "called", "not in this pack"),
        ({"throw": KITTY, "kitty": KITTY, "partners": [4]}, "partners[0]", "give 0 to 3"),
        ({"contract": "P"}, "contract", "P is no bid"),
    ],
)
def test_a_wrong_exchange_names_the_member(
    refused: Refused, members: dict[str, Any], field: str, part: str
) -> None:
    found, message = refused("exchange", **{**NO_TRUMP, "holding": TEN, **members})

    assert found == field
    assert part in message


def test_a_card_that_may_not_be_called_is_told_with_those_that_may(ask: Ask) -> None:
    calling: dict[str, Any] = {"rules": "au-5p-53", "contract": "8H", "contractor": 0}

    answered = ask("exchange", **calling, holding=TEN, kitty=KITTY, throw=KITTY, called="JD")

    assert "JD may not be called: call one of JS 10S 9S" in answered["reason"]
    assert " AS " not in answered["reason"]


def test_a_seat_that_sits_out_exchanges_nothing(ask: Ask) -> None:
    sitting: dict[str, Any] = {"contract": "MIS", "contractor": 1, "seat": 3}

    answered = ask("exchange", **sitting, holding=TEN, throw=[])

    assert answered == {"ok": False, "reason": "seat 3 sits out: it has nothing to exchange"}
    assert ask("exchange", **sitting) == {"throw": 0}


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"called": "ZZ"}, "called"),
        ({"partners": [9]}, "partners[0]"),
        ({"joker_suit": "X"}, "joker_suit"),
        ({"holding": TEN[1:]}, "holding"),
        ({"holding": TEN, "kitty": KITTY[1:]}, "kitty"),
        ({"contract": "5S"}, "contract"),
    ],
)
def test_how_many_are_thrown_is_told_of_a_sound_question_only(
    ask: Ask, refused: Refused, members: dict[str, Any], field: str
) -> None:
    assert ask("exchange", **NO_TRUMP, holding=TEN) == {"throw": 3}
    assert refused("exchange", **{**NO_TRUMP, **members})[0] == field


def test_what_may_be_called_is_what_the_contractor_has_not(ask: Ask) -> None:
    holding, thrown = TEN, ["JS", "10S", "9S"]

    called = ask(
        "callable", rules="au-5p-53", contract="8H", contractor=0, holding=holding, thrown=thrown
    )

    assert {"8S", "QH"} <= set(called["cards"])
    assert not {*holding, *thrown, "JH", "JD"} & set(called["cards"])
    assert (called["seats"], called["most"]) == ([], 0)


@pytest.mark.parametrize(
    ("members", "field", "part"),
    [
        ({"holding": ["AS"]}, "holding", "1 card: give 10, or 13 with those taken up"),
        ({"thrown": ["AS"]}, "thrown", "1 card: the contractor throws 3"),
        ({"holding": TEN + KITTY, "thrown": ["JS", "5S", "6C"]}, "thrown", "give 13 in all"),
        ({"rules": "au-4p-43"}, "rules", "nobody calls a card or chooses a partner"),
    ],
)
def test_a_wrong_question_what_may_be_called_names_the_member(
    refused: Refused, members: dict[str, Any], field: str, part: str
) -> None:
    calling: dict[str, Any] = {"rules": "au-5p-53", "contract": "8H", "contractor": 0}

    found, message = refused("callable", **{**calling, **members})

    assert found == field
    assert part in message


def test_partners_are_chosen_by_level(ask: Ask) -> None:
    low = ask("callable", rules="uspc-5p-53", contract="7D", contractor=4)

    assert low == {"cards": [], "seats": [0, 1, 2, 3], "most": 1}
    assert ask("callable", rules="uspc-5p-53", contract="8D", contractor=4)["most"] == 2

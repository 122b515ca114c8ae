from collections.abc import Callable
from typing import Any

import pytest

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., tuple[str, str]]


def test_the_ladder_goes_from_low_to_high(ask: Ask) -> None:
    answered = ask("ladder")
    values = dict(zip(answered["bids"], answered["values"], strict=True))

    assert answered["bids"][0] == "6S"
    assert answered["bids"][-1] == "10NT"
    assert (values["6S"], values["MIS"], values["10NT"]) == (40, 250, 520)


def test_an_auction_under_way_tells_who_is_next(ask: Ask) -> None:
    answered = ask("calls", dealer=0, calls=["P", "6S", "P", "7S"])

    assert answered["next"] == 2
    assert answered["legal"][:3] == ["P", "7C", "7D"]


def test_an_auction_that_is_over_has_a_contract(ask: Ask) -> None:
    answered = ask("calls", dealer=0, calls=["P", "6H", "6NT", "P", "7H", "P"])

    assert answered == {"contract": "7H", "contractor": 2}


def test_nobody_has_bid(ask: Ask) -> None:
    calls = ["P"] * 4
    played_out = {"override": {"all_pass": "PLAY_OUT"}}

    assert ask("calls", dealer=0, calls=calls) == {"redeal": True, "next_dealer": 1}
    assert ask("calls", rules="qc-4p-46-mcgill", dealer=0, calls=calls)["next_dealer"] == 0
    assert ask("calls", rules=played_out, dealer=3, calls=calls) == {
        "contract": "P",
        "contractor": 0,
    }


@pytest.mark.parametrize(
    ("calls", "field", "part"),
    [
        (["7H", "7S"], "calls[1]", "7S may not be called: call one of P 7NT"),
        (["MIS"], "calls[0]", "MIS may not be called"),
        (["P", "11S"], "calls[1]", "'11S' is no call here"),
        (["P", None], "calls[1]", "null: give a call"),
        (["P", "P", "P", "P", "6S"], "calls[4]", "comes after the end of the auction"),
        ({}, "calls", "an object: give a list"),
    ],
)
def test_a_wrong_call_is_named(refused: Refused, calls: Any, field: str, part: str) -> None:
    found, message = refused("calls", dealer=0, calls=calls)

    assert found == field
    assert part in message

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., tuple[str, str]]

SEAT_0 = ["JKR", "QS", "10S", "10C", "AD", "KD", "9D", "KH", "JH", "9H"]
SEAT_1 = ["AS", "KS", "JS", "AC", "QC", "JC", "QD", "JD", "AH", "10H"]
KITTY = ["KC", "10D", "QH"]
DUEL: dict[str, Any] = {"rules": "ko-2p-23", "dealer": 0, "holdings": [SEAT_0, SEAT_1]}


def test_a_hand_begins_with_the_auction(ask: Ask) -> None:
    state = ask("state", **DUEL, actions=[])

    assert (state["phase"], state["turn"], state["contract"]) == ("AUCTION", 1, None)
    assert state["legal"][:2] == ["P", "6S"]
    assert "view" not in state and "result" not in state


def test_the_exchange_shows_what_is_to_be_settled(ask: Ask) -> None:
    state = ask("state", **DUEL, actions=["7S", "P"])

    assert (state["phase"], state["turn"]) == ("EXCHANGE", 1)
    assert state["contract"]["bid"] == "7S"
    assert set(state["legal"]["holding"]) == {*SEAT_1, *KITTY}
    assert (state["legal"]["throw"], state["legal"]["most"]) == (3, 0)


def test_a_view_shows_what_the_seat_may_see(ask: Ask) -> None:
    state = ask("state", **DUEL, actions=["7S", "P", "QH 10D KC", "AS"], seat=1)

    view = state["view"]
    assert (state["phase"], state["turn"]) == ("PLAY", 0)
    assert view["thrown"] == ["KC", "10D", "QH"]
    assert view["tricks"] == [[[1, "AS"]]]
    assert view["auction"] == [[1, "7S"], [0, "P"]]
    assert "AS" not in view["holding"]


def test_a_hand_can_be_played_to_its_end(ask: Ask) -> None:
    actions = ["10S", "P", "QH 10D KC"]
    random = Random(500)
    while (state := ask("state", **DUEL, actions=actions, scores=[0, -100]))["turn"] is not None:
        actions.append(random.choice(state["legal"]))

    assert state["phase"] == "OVER"
    assert state["legal"] is None
    result = state["result"]
    assert sum(result["tricks"]) == 10
    assert result["change"][1] == -440
    assert (result["outcome"], result["next_dealer"]) == ("PLAYED", 1)
    assert result["losers"] == []


def test_the_floor_beats_a_side(ask: Ask) -> None:
    rules = {"preset": "ko-2p-23", "override": {"floor": -500}}
    question = {**DUEL, "rules": rules, "scores": [0, -100]}
    actions = ["10S", "P", "QH 10D KC"]
    while (state := ask("state", **question, actions=actions))["turn"] is not None:
        actions.append(state["legal"][0])

    assert state["result"]["over"] is True
    assert (state["result"]["winners"], state["result"]["losers"]) == ([0], [1])


def test_nobody_bids(ask: Ask) -> None:
    result = ask("state", **DUEL, actions=["P", "P"])["result"]

    assert (result["outcome"], result["losers"]) == ("PASSED_OUT", [])


def test_a_hidden_partner_is_in_the_true_contract_only(ask: Ask) -> None:
    deck = ask("deck", rules="au-5p-53")["cards"]
    start: dict[str, Any] = {"rules": "au-5p-53", "dealer": 0, "deck": deck}
    bid = ["8H", "P", "P", "P", "P"]
    legal = ask("state", **start, actions=bid)["legal"]
    throw = " ".join(legal["holding"][-legal["throw"] :])
    called = next(card for card in legal["callable"] if card not in legal["holding"])

    state = ask("state", **start, actions=[*bid, f"{throw} called={called}"], seat=1)

    assert state["contract"]["called"] == called
    assert len(state["contract"]["partners"]) == 1
    assert state["view"]["contract"]["partners"] == []


@pytest.mark.parametrize(
    ("members", "field", "part"),
    [
        ({"actions": ["7S", "6S"]}, "actions[1]", "call one of P 7C"),
        ({"actions": ["7\u017f"]}, "actions[0]", "write with the letters A to Z"),
        ({"actions": ["7S", "X"]}, "actions[1]", "legal now: P 7C"),
        ({"actions": ["7S", "P", "KC"]}, "actions[2]", "throw exactly 3"),
        ({"actions": ["7S", "P", "KC KC"]}, "actions[2]", "throws a card twice"),
        ({"actions": ["7S", "P", "a=b"]}, "actions[2]", "write joker=, called= or partners="),
        ({"actions": ["7S", "P", "QH 10D KC", "QS"]}, "actions[3]", "play one of"),
        ({"actions": ["7S", "P", "QH 10D KC", "?"]}, "actions[3]", "legal now:"),
        ({"actions": ["P", "P", "P"]}, "actions[2]", "after the end of the hand"),
        ({"actions": [["P"]]}, "actions[0]", "a list: give a call"),
        ({"actions": ["A" * 400]}, "actions[0]", "a text of 400 characters"),
        ({"holdings": None}, "deck", "is missing: give it, or holdings"),
        ({"deck": []}, "holdings", "beside a deck"),
        ({"holdings": [SEAT_0]}, "holdings", "1 list: give 2"),
        ({"holdings": [SEAT_0, SEAT_1[1:]]}, "holdings[1]", "9 cards: give 10"),
        ({"holdings": [SEAT_0, SEAT_0]}, "holdings[1]", "lies elsewhere too"),
        ({"kitty": ["KC", "10D"]}, "kitty", "2 cards: there are 3"),
        ({"kitty": ["KC", "10D", "AS"]}, "kitty", "AS lies elsewhere too"),
        ({"dead": ["KC"]}, "kitty", "2 cards: there are 3"),
        ({"personal": [[], []]}, "personal", "2 lists: give 0"),
        ({"scores": [0, 0, 0]}, "scores", "3 scores: give 2"),
        ({"seat": 2}, "seat", "give 0 to 1"),
    ],
)
def test_a_wrong_state_names_the_member(
    refused: Refused, members: dict[str, Any], field: str, part: str
) -> None:
    found, message = refused("state", **{**DUEL, "actions": [], **members})

    assert found == field
    assert part in message

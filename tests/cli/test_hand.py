import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def hand(cli: Callable[..., Any], played: Any) -> Callable[..., Any]:
    """Runs `fivehundred hand …` on the played database."""
    return lambda *arguments: cli("hand", *arguments, "--database", str(played.database))


def test_list_has_every_hand_in_order(hand: Callable[..., Any]) -> None:
    lines = [json.loads(line) for line in hand("list", "--json").out.splitlines()]

    assert [(line["key"]["board"], line["key"]["seating"]) for line in lines] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    ]
    assert "bots by seat" in hand("list", "--tournament", "small").out


def test_list_may_show_only_hands_with_faults_or_voids(
    hand: Callable[..., Any], daemon: str, cli: Callable[..., Any]
) -> None:
    assert hand("list", "--faults").out == "no hands\n"
    refused = cli("hand", "list", "--voids", "--daemon", daemon)

    assert (refused.exit_code, refused.out) == (2, "")
    assert "--faults and --voids read a database" in refused.err


def test_list_of_an_unknown_tournament_fails(hand: Callable[..., Any]) -> None:
    outcome = hand("list", "--tournament", "nix")

    assert outcome.exit_code == 1
    assert outcome.err == "error: there is no tournament 'nix'\n"


def test_show_has_deal_auction_tricks_and_score(hand: Callable[..., Any]) -> None:
    out = hand("show", "1").out

    assert "Hand 1 of small: match 0, board 0, seating 0, hand 0" in out
    assert "seat 0 basic@1 (dealer)" in out
    assert "kitty" in out
    assert "round 1" in out
    assert "Contract: " in out
    assert "won by" in out
    assert "Result: " in out


def test_show_as_json_is_the_record(hand: Callable[..., Any]) -> None:
    record = hand("show", "1", "--json").json

    assert record["facts"]["key"]["tournament"] == "small"
    assert len(record["facts"]["deck"]) == 43
    assert len(record["receipts"]) == len(record["facts"]["decisions"])


def test_an_unknown_hand_fails(hand: Callable[..., Any]) -> None:
    outcome = hand("show", "99")

    assert (outcome.exit_code, outcome.err) == (1, "error: there is no hand 99\n")


def test_a_database_that_is_not_there_is_a_mistake(cli: Callable[..., Any], tmp_path: Path) -> None:
    outcome = cli("hand", "show", "1", "--database", str(tmp_path / "nix.db"))

    assert outcome.exit_code == 2
    assert "nix.db does not exist" in outcome.err


def test_replay_prints_every_step_where_nobody_can_press_enter(hand: Callable[..., Any]) -> None:
    steps = [line for line in hand("replay", "1").out.splitlines() if line.startswith("Step ")]

    last = len(steps) - 1
    assert steps[0] == f"Step 0/{last}: the deal"
    assert steps[-1].startswith(f"Step {last}/{last}: seat ")


def test_replay_shows_one_step(hand: Callable[..., Any]) -> None:
    step = hand("replay", "1", "--step", "1", "--json").json

    assert (step["step"], step["phase"], step["seat"]) == (1, "AUCTION", 1)
    assert [len(cards) for cards in step["holdings"]] == [10, 10, 10, 10]


def test_replay_of_a_step_that_is_not_there_is_a_mistake(hand: Callable[..., Any]) -> None:
    outcome = hand("replay", "1", "--step", "900")

    assert outcome.exit_code == 2
    assert "there is no step 900: the last one is " in outcome.err


TWO_WITH_KITTIES = """
[Rules "hist-2p-24"]
[Dealer "0"]

Deal
0: AS KS QS JS 10S  AC KC QC JC 10C
1: AD KD QD JD 10D  AH KH QH JH 10H
personal 0: 9S 9C
personal 1: 9D 9H

Auction
P P
"""


def test_every_player_s_own_kitty_is_shown(cli: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "two.hands"
    file.write_text(TWO_WITH_KITTIES, encoding="utf-8")

    shown = cli("hand", "show", "--file", str(file)).out
    start = cli("hand", "replay", "--file", str(file), "--step", "0").out

    for out in (shown, start):
        lines = [" ".join(line.split()) for line in out.splitlines()]
        assert "kitty of seat 0 – 9 9 – –" in lines
        assert "kitty of seat 1 – – – 9 9" in lines


def test_a_hand_without_tags_is_shown_without_its_place(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "two.hands"
    file.write_text(TWO_WITH_KITTIES, encoding="utf-8")

    lines = cli("hand", "show", "--file", str(file)).out.splitlines()

    assert lines[0] == "Hand 1"
    assert any(line.strip().startswith("seat 0 (dealer) ") for line in lines)


@pytest.mark.parametrize("number", ["0", "2"])
def test_a_hand_that_a_file_has_not_is_a_mistake(
    number: str, cli: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "two.hands"
    file.write_text(TWO_WITH_KITTIES, encoding="utf-8")

    outcome = cli("hand", "show", number, "--file", str(file))

    assert outcome.exit_code == 2
    assert f"two.hands has no hand {number}: it has hands 1 to 1" in outcome.err

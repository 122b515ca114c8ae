import io

import pytest
from rich.console import Console

from fivehundred.cli.hand_steps import print_step
from fivehundred.cli.hand_text import print_hand
from fivehundred.cli.story import Story, tell
from fivehundred.rules.actions import Action, LegalCalls
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.table.values import (
    Decided,
    Fault,
    FaultKind,
    HandEnded,
    HandKey,
    HandRecord,
    HandStarted,
    Receipt,
)
from fivehundred.wire.presets import load_preset, preset_names

RECEIPT = Receipt(10, 0, 10, 0)
FAULT = Fault(FaultKind.TIMEOUT, "no answer within 1 s")


def told(preset: str, highest_bid: bool = True) -> Story:
    """A hand in which the first speaker may bid the lowest bid and all else is the default."""
    rules = load_preset(preset)
    pack, dealer = deck(rules), rules.players - 1
    scores = (0,) * rules.sides
    hand = Hand(rules, deal(rules, pack, dealer), dealer, scores)
    decisions: list[Decided] = []
    while hand.turn is not None:
        seat, action = hand.turn, _choice(hand, highest_bid and not decisions)
        decisions.append(Decided(seat, action, RECEIPT, FAULT if len(decisions) == 1 else None))
        hand.apply(action)
    assert hand.result is not None
    seats = tuple(range(rules.players))
    key = HandKey("t", 0, 0, 0)
    bots = tuple(f"bot{seat}@1" for seat in seats)
    started = HandStarted(key, bots, seats, dealer, pack, scores)
    return tell(HandRecord(b"", started, tuple(decisions), HandEnded(hand.result)), rules)


def _choice(hand: Hand, bids: bool) -> Action:
    legal = hand.legal()
    if bids and isinstance(legal, LegalCalls):
        return legal.calls[-1]
    return legal.default()


def shown(story: Story) -> str:
    out = io.StringIO()
    console = Console(file=out, width=200, markup=False, highlight=False)
    print_hand(console, 7, story)
    for step in story.steps:
        print_step(console, story, step)
    return out.getvalue()


@pytest.mark.parametrize("preset", preset_names())
def test_a_hand_of_every_rule_set_can_be_told(preset: str) -> None:
    story = told(preset)

    assert sum(story.steps[-1].tricks_won) == len(story.winners())
    assert "Hand 7 of t" in shown(story)


@pytest.mark.parametrize("preset", ["au-4p-43", "uspc-3p-33", "qc-4p-46-vi"])
def test_a_hand_that_nobody_bids_can_be_told(preset: str) -> None:
    text = shown(told(preset, highest_bid=False))

    assert "Contract: no contract" in text


def test_the_winner_of_a_trick_leads_the_next_one() -> None:
    story = told("au-4p-43")

    leaders = [trick.seats[0] for trick in story.steps[-1].tricks]
    assert list(story.winners())[:-1] == leaders[1:]
    assert len(leaders) == 10


def test_a_fault_is_told_with_its_reason_and_what_was_played_for_it() -> None:
    text = shown(told("au-4p-43"))

    wanted = "Fault at step 2, seat 0 bot0@1: TIMEOUT: no answer within 1 s; played for it: "
    assert wanted in text


def test_the_score_is_told_by_side() -> None:
    lines = shown(told("au-4p-43")).splitlines()

    assert "Result: 10NT failed" in lines
    assert any(line.startswith("  seat 0, seat 2: ") and "-520" in line for line in lines)

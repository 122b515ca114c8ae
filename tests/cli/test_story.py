import io
from dataclasses import replace

import pytest
from rich.console import Console

from fivehundred.cli.hand_list import contract_text, summary_played
from fivehundred.cli.hand_steps import print_step
from fivehundred.cli.hand_text import print_hand
from fivehundred.cli.story import Story, tell
from fivehundred.rules.actions import Action, Bid, LegalCalls
from fivehundred.rules.cards import NO_TRUMP
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.storage.values import StoredHand
from fivehundred.table.forfeit import forfeit_result
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


def forfeited(decisions: int, *, games: bool = False) -> Story:
    """A hand that seats 0 and 2, both entrant 0, forfeit after some decisions."""
    played = told("au-4p-43")
    started = replace(
        played.record.started, entrants=(0, 1, 0, 1), bots=("bad@1", "good@1", "bad@1", "good@1")
    )
    ended = HandEnded(forfeit_result(played.rules, (0,), started.dealer), forfeited_by=0)
    taken = played.record.decisions[:decisions]
    record = HandRecord(b"r" * 32, started, taken, ended)
    return tell(record, played.rules, games=games)


def in_list(story: Story) -> str:
    summary = summary_played(StoredHand(1, b"", story.record), story.rules)
    return contract_text(summary.result)


def test_a_forfeit_names_bot_and_seats_and_says_where_its_points_are_from() -> None:
    lines = shown(forfeited(30)).splitlines()

    wanted = "forfeited by seat 0 bad@1, seat 2 bad@1; the points are the fault policy's forfeit"
    assert f"Result: {wanted}, not the hand's" in lines


@pytest.mark.parametrize("decisions", [2, 4, 6, 30])
def test_a_forfeit_shows_the_tricks_as_far_as_played(decisions: int) -> None:
    story = forfeited(decisions)
    won = story.steps[-1].tricks_won

    text = shown(story)

    assert "Contract: 10NT by seat 0 bad@1" in text
    assert f"  seat 0, seat 2: {won[0] + won[2]} tricks, 0 -520 = -520" in text
    assert sum(won) == (decisions - 2) // 4


def test_the_list_has_what_was_played_when_it_was_forfeited() -> None:
    assert in_list(forfeited(30)) == "10NT by seat 0, forfeited"
    assert in_list(forfeited(0)) == "forfeited"


def test_only_games_have_winners() -> None:
    assert "The game is over" not in shown(forfeited(30))
    assert "The game is over; won by seat 1 good@1, seat 3 good@1" in shown(
        forfeited(30, games=True)
    )


def too_low(preset: str) -> Story:
    """A hand in which the first speaker bids no trumps under the lowest contract."""
    rules = replace(load_preset(preset), min_bid=6, min_contract=7, signal_seats=2)
    story = told(preset, highest_bid=False)
    hand = Hand(rules, story.deal, story.record.started.dealer, (0,) * rules.sides)
    decisions: list[Decided] = []
    while hand.turn is not None:
        action = hand.legal().default() if decisions else Bid(6, NO_TRUMP)
        decisions.append(Decided(hand.turn, action, RECEIPT))
        hand.apply(action)
    assert hand.result is not None
    record = replace(story.record, decisions=tuple(decisions), ended=HandEnded(hand.result))
    return tell(record, rules)


def test_bids_under_the_lowest_contract_are_told_apart_from_passes() -> None:
    assert "no contract, nobody bid 7 or more" in shown(too_low("uspc-4p-43"))
    assert "passed out, nobody bid 7 or more" in shown(too_low("uspc-4p-43"))
    assert "nobody bid" not in shown(told("uspc-4p-43", highest_bid=False))

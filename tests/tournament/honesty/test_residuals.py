from collections.abc import Iterable
from dataclasses import replace

import pytest

from fivehundred.tournament.bias import bias
from fivehundred.tournament.honesty.divisions import HOUR, LAG, MACHINE, STRETCH
from fivehundred.tournament.honesty.facts import HandFacts
from fivehundred.tournament.honesty.residuals import (
    FAULTS,
    POINTS,
    TIME,
    Residual,
    residuals,
    uses,
)
from made_facts import FOUR, made_facts

NAMES = ["ann", "bob", "cid"]
HANDS = 3 * 40 * 2
LAST_STRETCH = HANDS - HANDS // 8


def flagged(found: Iterable[Residual]) -> set[tuple[str, str, str, str | None]]:
    return {(each.measure, each.by, each.part, each.entrant) for each in found if each.is_flagged}


def test_a_bot_that_is_weaker_for_a_while_is_flagged() -> None:
    def weaken(hand: HandFacts) -> HandFacts:
        if hand.number <= LAST_STRETCH:
            return hand
        change = tuple(
            points - 200 * (hand.line.entrants[side] == 0)
            for side, points in enumerate(hand.line.change)
        )
        return replace(hand, line=replace(hand.line, change=change))

    facts = made_facts(1, FOUR, (0, 30, 60), rounds=8, boards=5, change=weaken)

    report = bias(facts, NAMES, games=False)

    assert (POINTS, STRETCH, "8 of 8", "ann") in flagged(report.residuals)
    assert not any(test.is_flagged for test in report.tests if test.name == "seat")


def test_a_machine_that_is_slow_for_a_while_is_flagged() -> None:
    def slow(hand: HandFacts) -> HandFacts:
        if hand.number > HANDS // 8:
            return hand
        return replace(hand, charged_us=tuple(3 * time for time in hand.charged_us))

    facts = made_facts(2, FOUR, (0, 30, 60), rounds=8, boards=5, change=slow)

    found = flagged(bias(facts, NAMES, games=False).residuals)

    assert (TIME, STRETCH, "1 of 8", None) in found
    assert not any(measure == POINTS for measure, *_ in found)


def test_lag_that_is_billed_to_the_bots_is_flagged() -> None:
    def bill(hand: HandFacts) -> HandFacts:
        charged = tuple(time + 200 * hand.lag_us for time in hand.charged_us)
        return replace(hand, charged_us=charged)

    facts = made_facts(3, FOUR, (0, 30, 60), rounds=8, boards=5, change=bill)

    report = bias(facts, NAMES, games=False)

    most = max(
        (each for each in report.residuals if (each.measure, each.by) == (TIME, LAG)),
        key=lambda each: each.estimate.value or 0,
    )
    assert most.is_flagged


def test_faults_that_come_together_are_flagged() -> None:
    def fault(hand: HandFacts) -> HandFacts:
        if hand.number <= LAST_STRETCH or hand.number % 3 == 0:
            return hand
        return replace(hand, line=replace(hand.line, faults=((0, "TIMEOUT"), (2, "ILLEGAL"))))

    facts = made_facts(4, FOUR, (0, 30, 60), rounds=8, boards=5, change=fault)

    report = bias(facts, NAMES, games=False)

    assert (FAULTS, STRETCH, "8 of 8", None) in flagged(report.residuals)
    assert sum(use.faults for use in report.uses) == 40


def test_stretches_are_equal_parts_of_the_boards() -> None:
    facts = made_facts(5, FOUR, (0, 30, 60), rounds=8, boards=5)

    found = residuals(facts.counted(games=False), NAMES, ())

    table = [each for each in found if each.measure == TIME and each.entrant is None]
    assert [each.boards for each in table if each.by == STRETCH] == [15] * 8
    assert sum(each.boards for each in table if each.by == LAG) == 120


def test_a_log_without_lag_is_not_divided_by_it() -> None:
    facts = made_facts(6, FOUR, (0, 30), change=lambda hand: replace(hand, lag_us=0))

    found = residuals(facts.counted(games=False), NAMES[:2], ())

    assert {each.by for each in found} == {STRETCH}


def test_an_hour_in_which_a_bot_was_weaker_is_flagged() -> None:
    def weaken(hand: HandFacts) -> HandFacts:
        at = hand.number // 60
        loss = 200 if at == 2 else 0
        change = tuple(
            points - loss * (hand.line.entrants[side] == 0)
            for side, points in enumerate(hand.line.change)
        )
        time = 1_777_593_600_000_000 + at * 3_600_000_000
        return replace(hand, line=replace(hand.line, change=change), stored_time_us=time)

    facts = made_facts(9, FOUR, (0, 30, 60), rounds=8, boards=5, change=weaken)

    report = bias(facts, NAMES, games=False)

    assert (POINTS, HOUR, "2026-05-01 02:00 UTC", "ann") in flagged(report.residuals)
    assert not any("of day" in each.by for each in report.residuals)


def test_a_machine_that_is_slower_is_flagged_however_the_hands_are_mixed() -> None:
    def slow(hand: HandFacts) -> HandFacts:
        is_slow = hand.line.board % 3 == 0
        charged = tuple((3 if is_slow else 1) * time for time in hand.charged_us)
        return replace(hand, charged_us=charged, player="slow/1" if is_slow else "fast/0")

    facts = made_facts(10, FOUR, (0, 30, 60), rounds=8, boards=5, change=slow)

    found = flagged(bias(facts, NAMES, games=False).residuals)

    assert {(TIME, MACHINE, "slow", None), (TIME, MACHINE, "slow", "bob")} <= found
    assert not any(measure == POINTS for measure, *_ in found)


def test_boards_of_which_nothing_is_known_are_in_no_part_but_in_the_rest() -> None:
    def known(hand: HandFacts) -> HandFacts:
        player = (None, "here/0", "here/1")[hand.line.board % 3]
        return replace(hand, player=player)

    facts = made_facts(11, FOUR, (0, 30), boards=60, change=known)

    rows = facts.counted(games=False)
    found = residuals(rows, NAMES[:2], facts.player_names)

    parts = [each for each in found if each.by == "process" and each.measure == TIME]
    table = [(each.part, each.boards) for each in parts if each.entrant is None]
    assert table == [("here/0", 20), ("here/1", 20)]
    ms = rows.charged_us.sum(axis=1) / 40 / 1000
    is_first = rows.hands.board % 3 == 1
    whole = next(each for each in parts if each.entrant is None)
    apart = ms[is_first].mean() - ms[~is_first].mean()
    assert whole.estimate.value == pytest.approx(apart, abs=1e-3)


def test_use_is_told_by_bot() -> None:
    facts = made_facts(
        7, FOUR, (0, 30), boards=2, change=lambda hand: replace(hand, charged_us=(1000,) * 4)
    )

    ann, bob = uses(facts.counted(games=False), NAMES[:2], ["a@1", "b@1"])

    assert (ann.entrant, ann.bot, ann.hands, ann.decisions) == ("ann", "a@1", 4, 80)
    assert ann.ms_per_decision == pytest.approx(0.1)
    assert (bob.faults, bob.faults_per_hand) == (0, 0)


def test_an_entrant_without_hands_has_no_figures() -> None:
    facts = made_facts(8, FOUR, (0, 30), boards=2)

    *_, cid = uses(facts.counted(games=False), NAMES, ["a@1", "b@1", ""])

    assert (cid.hands, cid.ms_per_decision, cid.faults_per_hand) == (0, None, None)

from collections.abc import Iterable
from dataclasses import replace

import pytest

from fivehundred.tournament.bias import bias
from fivehundred.tournament.honesty.facts import HandFacts
from fivehundred.tournament.honesty.residuals import (
    FAULTS,
    LAG,
    POINTS,
    STRETCH,
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

    found = residuals(facts.counted(games=False), NAMES)

    table = [each for each in found if each.measure == TIME and each.entrant is None]
    assert [each.boards for each in table if each.by == STRETCH] == [15] * 8
    assert sum(each.boards for each in table if each.by == LAG) == 120


def test_a_log_without_lag_is_not_divided_by_it() -> None:
    facts = made_facts(6, FOUR, (0, 30), change=lambda hand: replace(hand, lag_us=0))

    found = residuals(facts.counted(games=False), NAMES[:2])

    assert {each.by for each in found} == {STRETCH}


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

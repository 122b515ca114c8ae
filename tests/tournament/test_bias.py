import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from fivehundred.tournament.bias import (
    DEALER,
    SCHEDULE,
    SEAT,
    TABLE_ORDER,
    BiasReport,
    BiasTest,
    bias,
    bias_tests,
    dealer_names,
    seat_names,
)
from fivehundred.tournament.honesty.effects import ABSORBED, NO_BOARDS, ONE_LEVEL
from fivehundred.tournament.honesty.facts import FactColumns, HandFacts
from made_facts import FOUR, THREE, made_facts

NAMES = ("ann", "bob", "cid", "dot")


def with_points(hand: HandFacts, extra: tuple[int, ...]) -> HandFacts:
    change = tuple(map(sum, zip(hand.line.change, extra, strict=True)))
    return replace(hand, line=replace(hand.line, change=change))


def named(report: BiasReport, name: str) -> BiasTest:
    return next(test for test in report.tests if test.name == name)


def report_of(facts: FactColumns, size: int) -> BiasReport:
    return bias(facts, NAMES[:size], games=False)


def test_at_duplicate_tables_seat_and_dealer_have_nothing_in_common_with_the_strengths() -> None:
    """However strong an entrant is, every number on seats and dealers stays the same."""
    equal = made_facts(1, THREE, (0, 0, 0, 0), boards=3)
    unequal = made_facts(1, THREE, (300, -100, 0, 40), boards=3)

    for name in (SEAT, DEALER):
        even, uneven = named(report_of(equal, 4), name), named(report_of(unequal, 4), name)
        assert uneven.levels == even.levels
        assert uneven.p_value == even.p_value
        assert even.freedom == 2


def test_a_level_of_a_balanced_table_is_its_plain_mean() -> None:
    facts = made_facts(2, THREE, (0, 50, 100), boards=8)

    levels = named(report_of(facts, 3), SEAT).levels

    change = facts.rows().hands.change
    means = change.mean(axis=0) - change.mean()
    assert [level.estimate.value for level in levels] == pytest.approx(means.tolist())
    assert [level.hands for level in levels] == [48, 48, 48]


def test_a_seat_that_is_given_points_is_found() -> None:
    facts = made_facts(
        3, FOUR, (0, 20, 40), boards=60, change=lambda hand: with_points(hand, (60, 0))
    )

    report = report_of(facts, 3)

    test = named(report, SEAT)
    assert test in report.flagged
    estimate = test.levels[0].estimate
    assert estimate.low is not None and estimate.high is not None
    assert estimate.low < 30 < estimate.high
    assert not named(report, DEALER).is_flagged


def test_a_dealer_who_is_given_points_is_found() -> None:
    def favour(hand: HandFacts) -> HandFacts:
        return with_points(hand, tuple(80 * (side == hand.dealer) for side in range(3)))

    report = report_of(made_facts(4, THREE, (0, 0, 0), boards=60, change=favour), 3)

    assert named(report, DEALER).is_flagged
    assert not named(report, SEAT).is_flagged


def test_who_is_named_first_may_be_favoured() -> None:
    first: dict[int, int] = {}

    def favour(hand: HandFacts) -> HandFacts:
        entrants = hand.line.entrants
        named_first = first.setdefault(hand.line.match, entrants[0])
        return with_points(hand, (60, 0) if entrants[0] == named_first else (0, 60))

    facts = made_facts(5, FOUR, (0, 30, 60), rounds=4, boards=10, change=favour)

    test = named(report_of(facts, 3), TABLE_ORDER)

    estimate = test.levels[0].estimate
    assert test.is_flagged
    assert estimate.value == pytest.approx(30, abs=10)


def test_late_tables_may_score_more() -> None:
    facts = made_facts(
        6,
        FOUR,
        (0, 30, 60),
        rounds=4,
        boards=10,
        change=lambda hand: with_points(hand, (80, 80) if hand.line.match >= 6 else (0, 0)),
    )

    report = report_of(facts, 3)

    early, late = named(report, SCHEDULE).levels
    assert named(report, SCHEDULE).is_flagged
    assert late.estimate.value == pytest.approx(40, abs=12)
    assert early.estimate.value == pytest.approx(-(late.estimate.value or 0))
    assert not named(report, SEAT).is_flagged


def test_whoever_sits_in_one_seat_alone_absorbs_it() -> None:
    rows = made_facts(7, FOUR, (0, 40), boards=10).rows()
    one_seating = rows.chosen(rows.hands.seating == 0)

    tests = dict(bias_tests(one_seating, 2, FOUR))

    assert tests[SEAT].remark == ABSORBED
    assert tests[SEAT].p_value is None
    assert tests[DEALER].p_value is not None


def test_of_two_entrants_in_one_match_order_and_schedule_cannot_be_told() -> None:
    report = report_of(made_facts(8, FOUR, (0, 40), boards=10), 2)

    assert named(report, TABLE_ORDER).remark == ABSORBED
    assert named(report, SCHEDULE).remark == ONE_LEVEL


def test_without_whole_boards_there_is_nothing_to_say() -> None:
    report = report_of(FactColumns(FOUR), 2)

    assert (report.hands, report.boards, report.tests_in_all) == (0, 0, 0)
    assert {test.remark for test in report.tests} == {NO_BOARDS}
    assert report.residuals == ()
    assert report.determinism.boards == 0


def told_by(hand: HandFacts, boards: range) -> HandFacts:
    if hand.line.board not in boards:
        return hand
    return replace(hand, stored_time_us=1_777_593_600_000_000, player="here")


def test_what_a_log_does_not_keep_is_said() -> None:
    def notes(boards: range) -> tuple[str, ...]:
        facts = made_facts(12, FOUR, (0, 40), boards=10, change=lambda hand: told_by(hand, boards))
        return report_of(facts, 2).not_kept

    nothing, half, everything = notes(range(0)), notes(range(4)), notes(range(10))

    assert nothing[0].startswith("the log keeps no time of day: the order in which boards")
    assert nothing[1].startswith("the log keeps no machine or process: the daemon's lag")
    assert half[0].startswith("the log keeps no time of day of 12 of the 20 hands: ")
    assert everything == ()


def test_the_order_of_hands_changes_nothing() -> None:
    hands: list[HandFacts] = []

    def keep(hand: HandFacts) -> HandFacts:
        hands.append(hand)
        return hand

    report = report_of(made_facts(9, FOUR, (0, 20, 40), change=keep), 3)

    assert report_of(FactColumns(FOUR, reversed(hands)), 3) == report


def test_a_report_is_made_of_what_json_has() -> None:
    report = report_of(made_facts(10, FOUR, (0, 20, 40)), 3)

    told = json.dumps(asdict(report), allow_nan=False)

    assert json.loads(told)["tests_in_all"] == report.tests_in_all


def test_chance_alone_is_found_as_often_as_it_should_be() -> None:
    """At 5 %: of 80 events each test rejects no oftener than chance lets it (99.9 %)."""
    found = dict.fromkeys((SEAT, DEALER, TABLE_ORDER, SCHEDULE), 0)
    flagged = 0
    for seed in range(80):
        report = report_of(made_facts(seed, FOUR, (0, 20, 40), rounds=2, boards=3), 3)
        flagged += bool(report.flagged)
        for test in report.tests:
            assert test.p_value is not None
            found[test.name] += test.p_value < 0.05

    assert all(number <= 11 for number in found.values()), found
    assert sum(found.values()) >= 4
    assert flagged <= 11


def test_sides_are_named_by_their_seats() -> None:
    assert seat_names(FOUR) == ["seats 0, 2", "seats 1, 3"]
    assert seat_names(THREE) == ["seat 0", "seat 1", "seat 2"]
    assert dealer_names(FOUR) == ["dealer, dealer+2", "dealer+1, dealer+3"]


def test_partners_of_different_bots_share_their_side() -> None:
    """A side's strength is the mean of its two; seats are told apart all the same."""
    facts = made_facts(11, FOUR, (0, 40), boards=12).rows()
    pairs = np.array([0, 1, 2, 3])
    mixed = replace(facts, hands=replace(facts.hands, entrants=facts.hands.entrants * 0 + pairs))

    tests = dict(bias_tests(mixed, 4, FOUR))

    assert tests[SEAT].remark == ABSORBED
    assert tests[DEALER].p_value is not None

import math
import random

import pytest

from fivehundred.ratings.sequential import (
    Decision,
    Plan,
    Scale,
    decide,
    draw_model_ratio,
    game_ratio,
    margin_ratio,
    of_margins,
    of_pair_scores,
    pair_ratio,
)

MARGINS = of_margins(0.0, 10.0)
BETTER = {at: 10.0 + 20.0 * (-1) ** at for at in range(60)}


def test_a_test_ends_at_its_first_look_beyond_a_bound() -> None:
    verdict = decide(Plan(most=1000), BETTER, MARGINS)

    assert verdict.decision is Decision.H1
    assert 20 <= verdict.pairs < 60
    assert verdict.ratio is not None
    assert verdict.ratio >= math.log(19)
    assert verdict.remark == "stopped early: the mean is biased"


def test_a_verdict_stays_whatever_comes_after_it() -> None:
    reached = decide(Plan(most=1000), BETTER, MARGINS)
    drained = BETTER | {at: -500.0 - at for at in range(60, 200)}

    assert decide(Plan(most=1000), drained, MARGINS) == reached


def test_results_behind_a_gap_do_not_count() -> None:
    gap = {at: gain for at, gain in BETTER.items() if at != 5}

    verdict = decide(Plan(most=1000), gap, MARGINS)

    assert (verdict.decision, verdict.pairs) == (Decision.OPEN, 5)


def test_the_order_of_arrival_does_not_matter() -> None:
    order = random.Random(1).sample(sorted(BETTER), len(BETTER))
    arrived = {at: BETTER[at] for at in order}

    assert decide(Plan(most=1000), arrived, MARGINS) == decide(Plan(most=1000), BETTER, MARGINS)


def test_there_is_no_verdict_from_fewer_than_twenty_pairs() -> None:
    sure = {at: 100.0 + at % 2 for at in range(19)}

    assert decide(Plan(most=1000), sure, of_margins(0.0, 100.0)).decision is Decision.OPEN
    sure[19] = 100.0
    assert decide(Plan(most=1000), sure, of_margins(0.0, 100.0)).decision is Decision.H1


@pytest.mark.parametrize(("most", "every"), [(30, 1), (33, 10), (10, 1)])
def test_at_the_cap_an_open_test_is_undecided(most: int, every: int) -> None:
    even = {at: 5.0 + 100.0 * (-1) ** at for at in range(200)}

    verdict = decide(Plan(most=most, every=every), even, MARGINS)

    assert (verdict.decision, verdict.pairs) == (Decision.UNDECIDED, most)
    assert verdict.remark == ""


def test_the_worse_hypothesis_is_taken_as_well() -> None:
    none = {at: 60.0 * (-1) ** at for at in range(2000)}

    assert decide(Plan(most=2000), none, MARGINS).decision is Decision.H0


def test_without_evidence_there_is_no_ratio() -> None:
    assert pair_ratio((0, 0, 0, 0, 0), 0, 5, Scale.LOGISTIC) is None
    assert game_ratio(0, 0, 0, 0, 5, Scale.NORMALISED) is None
    assert draw_model_ratio(5, 5, 0, 0, 5) is None
    assert margin_ratio([], 0, 10) is None
    assert margin_ratio([7.0] * 30, 0, 10) is None
    assert decide(Plan(most=10), {}, MARGINS).mean is None


def test_pairs_that_are_all_ties_never_show_a_difference() -> None:
    """Identical bots are not better; the margins, which never vary, leave it undecided."""
    ties = dict.fromkeys(range(20_000), 0.5)

    scores = decide(Plan(most=20_000, every=1000), ties, of_pair_scores(0, 5, Scale.LOGISTIC))
    margins = decide(Plan(most=500), dict.fromkeys(range(500), 0.0), MARGINS)

    assert scores.decision is not Decision.H1
    assert margins.decision is Decision.UNDECIDED


def test_a_record_entered_twice_is_not_twice_the_evidence() -> None:
    """Results are told apart by their place in the schedule: a place has one result."""
    twice = dict([*BETTER.items(), *BETTER.items()])

    assert decide(Plan(most=1000), twice, MARGINS) == decide(Plan(most=1000), BETTER, MARGINS)


@pytest.mark.parametrize("scale", Scale)
def test_no_counts_make_the_ratio_undefined_or_endless(scale: Scale) -> None:
    draw = random.Random(877)
    for _ in range(300):
        counts = [draw.choice((0, 0, 1, 3, 40, 5000)) for _ in range(5)]
        elo0 = draw.choice((-1500, -300, -5, 0, 5))

        ratio = pair_ratio(counts, elo0, elo0 + draw.choice((1, 10, 1000)), scale)

        assert ratio is None or math.isfinite(ratio)

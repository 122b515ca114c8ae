import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.ratings.sequential import (
    Decision,
    Plan,
    RunningMargins,
    RunningPairScores,
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


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1000, 1000, allow_subnormal=False), min_size=2, max_size=200))
def test_margins_one_by_one_come_to_the_same_ratio(margins: list[float]) -> None:
    running = RunningMargins(-3.0, 10.0)
    for margin in margins:
        running.add(margin)

    at_once = margin_ratio(margins, -3.0, 10.0)

    assert running.count == len(margins)
    assert running.mean == pytest.approx(sum(margins) / len(margins), abs=1e-9)
    assert (running.ratio is None) == (at_once is None)
    if at_once is not None and running.ratio is not None:
        spreads = [sum((each - mean) ** 2 for each in margins) for mean in (-3.0, 10.0)]
        assert running.ratio == pytest.approx(at_once, rel=1e-6, abs=1e-6)
        assert at_once == pytest.approx(
            len(margins) / 2 * math.log(spreads[0] / spreads[1]), rel=1e-6, abs=1e-6
        )


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.sampled_from((0, 0.25, 0.5, 0.75, 1)), min_size=1, max_size=200),
    st.sampled_from(Scale),
    st.floats(-300, 300),
)
def test_pair_scores_one_by_one_come_to_the_same_ratio(
    scores: list[float], scale: Scale, elo: float
) -> None:
    running = RunningPairScores(elo, elo + 20, scale)
    for score in scores:
        running.add(score)

    assert running.ratio == of_pair_scores(elo, elo + 20, scale)(scores)
    assert running.count == len(scores)
    assert running.mean == pytest.approx(sum(scores) / len(scores))


def test_the_likeliest_distribution_has_the_mean_of_its_hypothesis_whatever_the_counts() -> None:
    draw = random.Random(4)
    for _ in range(300):
        counts = [draw.choice((0, 0, 1, 7, draw.randrange(5000))) for _ in range(4)]
        elo = draw.uniform(-2000, 2000)
        counts.append(1)
        for scale in Scale:
            ratio = pair_ratio(counts, elo, elo, scale)
            assert ratio is None or ratio == 0.0
        assert pair_ratio(counts, elo, elo + 1, Scale.LOGISTIC) is not None


def test_what_is_no_finite_number_is_no_ratio() -> None:
    assert margin_ratio([1.0, 2.0], -1e308, 1e308) is None

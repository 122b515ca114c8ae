"""When sequential tests are expected to stop."""

from dataclasses import replace

import pytest

from fivehundred.tournament.formats.forms import Compared, SequentialForm
from fivehundred.tournament.planning.stopping import cap_doubts, stopping

MARGINS = SequentialForm(Compared.MARGINS, (0.0, 10.0), most=4_000)


@pytest.mark.parametrize(
    "form",
    [
        MARGINS,
        SequentialForm(Compared.PAIR_SCORES, (0.0, 40.0), most=4_000),
        SequentialForm(Compared.PAIR_SCORES, (0.0, 40.0), most=4_000, is_normalised=True),
    ],
    ids=["margins", "pair scores", "normalised"],
)
def test_a_test_errs_as_seldom_as_it_promises_and_is_longest_in_the_middle(
    form: SequentialForm,
) -> None:
    deviation = 81.0 if form.tested is Compared.MARGINS else 0.3

    found = stopping(form, "given", deviation)

    h0, h1, midway = found.of("h0"), found.of("h1"), found.of("midway")
    assert h0.finds_h1 <= 0.06
    assert h1.finds_h1 >= 0.93
    assert midway.matches > max(h0.matches, h1.matches)
    assert h1.matches < h1.matches_90 < form.most


def test_the_lengths_are_those_of_the_reference() -> None:
    """Of pairs with a deviation of 81: a mean of 381, and 658 midway (H0 0, H1 9.9 points)."""
    form = SequentialForm(Compared.MARGINS, (0.0, 9.9), most=8_000)

    found = stopping(form, "given", 81.0)

    assert found.of("h1").matches == pytest.approx(381, rel=0.1)
    assert found.of("midway").matches == pytest.approx(658, rel=0.1)


def test_twice_the_luck_needs_four_times_the_matches() -> None:
    calm, wild = stopping(MARGINS, "calm", 40.0), stopping(MARGINS, "wild", 80.0)

    assert wild.of("h1").matches == pytest.approx(4 * calm.of("h1").matches, rel=0.15)


def test_a_cap_leaves_tests_undecided() -> None:
    form = SequentialForm(Compared.MARGINS, (0.0, 10.0), most=100)

    found = stopping(form, "given", 81.0)

    assert found.of("midway").undecided > 0.5
    assert found.of("midway").matches <= 100


def test_a_cap_is_called_low_with_one_that_is_right() -> None:
    low = replace(MARGINS, most=100)
    (doubt,) = cap_doubts(low, stopping(low, "similar bots", 81.0))

    told = int(doubt.partition(": allow ")[2].split()[0].replace(",", ""))
    right = replace(MARGINS, most=told)

    assert "of similar bots where the second hypothesis is true" in doubt
    assert 500 < told < 2_000
    assert list(cap_doubts(right, stopping(right, "similar bots", 81.0))) == []


def test_a_cap_at_the_first_look_is_doubtful() -> None:
    form = replace(MARGINS, most=10, least=10)

    first, second = cap_doubts(form, stopping(form, "measured", 45.0))

    assert first.startswith("the cap of 10 matches is also the first look (after 20 unless")
    assert "in 100% of tests where the second" in second


def test_hypotheses_may_be_too_close_for_any_cap() -> None:
    form = replace(MARGINS, hypotheses=(0.0, 0.01), most=50)

    (doubt,) = cap_doubts(form, stopping(form, "measured", 81.0))

    assert doubt.endswith("take hypotheses that are further apart")

"""When sequential tests are expected to stop."""

import pytest

from fivehundred.tournament.formats.forms import Compared, SequentialForm
from fivehundred.tournament.planning.stopping import stopping

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

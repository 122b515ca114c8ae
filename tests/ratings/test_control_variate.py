import random

import pytest

from fivehundred.ratings.control_variate import fitted, fixed


def sample(seed: int) -> tuple[list[float], list[float]]:
    draw = random.Random(seed)
    luck = [draw.gauss(0, 100) for _ in range(400)]
    return [10 + 0.8 * z + draw.gauss(0, 60) for z in luck], luck


def test_known_luck_makes_the_error_smaller() -> None:
    found = fitted(*sample(1))

    assert found is not None
    assert found.is_fitted
    assert found.coefficient == pytest.approx(0.8, abs=0.1)
    assert found.explained > 0.5
    assert found.raw.standard_error is not None
    assert found.adjusted.standard_error is not None
    assert found.adjusted.standard_error < 0.7 * found.raw.standard_error
    assert found.adjusted.value == pytest.approx(10, abs=9)


def test_a_coefficient_fixed_beforehand_is_used_as_it_is() -> None:
    margins, luck = sample(2)

    found = fixed(margins, luck, 0.5)

    assert found is not None
    assert (found.coefficient, found.is_fitted, found.intercept_error) == (0.5, False, None)
    mean = sum(y - 0.5 * z for y, z in zip(margins, luck, strict=True)) / 400
    assert found.adjusted.value == pytest.approx(mean)


def test_luck_that_is_always_nothing_changes_nothing() -> None:
    """A function of the deal alone cancels in a swapped pair."""
    margins, _ = sample(3)

    found = fitted(margins, [0.0] * 400)

    assert found is not None
    assert (found.coefficient, found.explained) == (0, 0)
    assert found.adjusted.value == found.raw.value


def test_too_few_results_have_no_error_to_compare() -> None:
    assert fitted([1.0, 2.0], [0.0, 1.0]) is None
    assert fixed([1.0], [0.0], 1.0) is None

import pytest

from fivehundred.report.scale import linear, powers_of_ten


@pytest.mark.parametrize("numbers", [[], [3.0], [-4.0, 4.0], [0.001, 0.0011], [1480.0, 1920.0]])
def test_a_scale_holds_its_numbers_and_its_marks_stand_inside(numbers: list[float]) -> None:
    scale = linear(numbers)

    assert all(scale.low <= number <= scale.high for number in numbers)
    assert 2 <= len(scale.ticks) <= 12
    assert all(7 <= tick.at <= 93 for tick in scale.ticks)
    assert len({tick.label for tick in scale.ticks}) == len(scale.ticks)


def test_marks_are_round_numbers() -> None:
    ticks = linear([-97.0, 98.0]).ticks

    assert [tick.label for tick in ticks] == ["−100", "−50", "0", "50", "100"]
    assert [tick.at for tick in ticks] == [7.0, 28.5, 50.0, 71.5, 93.0]


def test_what_is_outside_stands_at_the_end() -> None:
    scale = linear([0.0, 10.0])

    assert (scale.at(-5), scale.at(50)) == (7.0, 93.0)


def test_powers_of_ten_stand_at_equal_distances() -> None:
    labels = {0: "1 µs", 1: "10", 2: "100", 3: "1 ms"}

    scale = powers_of_ten([5.0, 900.0], labels)

    assert [tick.label for tick in scale.ticks] == ["1 µs", "10", "100", "1 ms"]
    gaps = [b.at - a.at for a, b in zip(scale.ticks, scale.ticks[1:], strict=False)]
    assert gaps == pytest.approx([86 / 3] * 3, abs=0.01)


def test_without_a_time_there_is_a_scale_all_the_same() -> None:
    scale = powers_of_ten([], {0: "1", 1: "10"})

    assert scale.at(0) == 7.0

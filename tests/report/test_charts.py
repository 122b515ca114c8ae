import pytest

from fivehundred.ratings.values import Estimate
from fivehundred.report.charts import count_bars, forest, panels, shade, time_bars
from fivehundred.report.progress import Moment
from fivehundred.report.times import TimesUsed


def test_an_interval_stands_around_its_estimate() -> None:
    chart = forest([("ann", "", Estimate(5.0, 1.0, 3.0, 7.0)), ("bob", "", Estimate(-5.0))], "+.1f")

    ann, bob = chart.rows
    assert ann.at is not None
    assert ann.low < ann.at < ann.high
    assert bob.low == bob.at == bob.high
    assert chart.middle == pytest.approx((ann.at + (bob.at or 0)) / 2, abs=0.01)


def test_an_interval_without_an_end_goes_to_the_edge() -> None:
    (row,) = forest([("ann", "", Estimate(low=1600.0, remark="won everything"))], ".0f", 1500).rows

    assert (row.at, row.high, row.is_open_high, row.is_open_low) == (None, 100.0, True, False)
    assert (row.value, row.ends) == ("–", "1600 … ∞")


def test_an_estimate_that_is_not_known_has_no_mark() -> None:
    (row,) = forest([("ann", "", Estimate(remark="no boards"))], "+.1f").rows

    assert row.at is None
    assert row.low == row.high


def moment(boards: int, **values: Estimate) -> Moment:
    return Moment(boards, 2 * boards, tuple(values.items()))


def test_a_course_has_a_band_as_far_as_there_is_an_interval() -> None:
    moments = [
        moment(1, ann=Estimate(4.0), bob=Estimate(-4.0)),
        moment(2, ann=Estimate(2.0, 1.0, 0.0, 4.0), bob=Estimate(-2.0, 1.0, -4.0, 0.0)),
        moment(4, ann=Estimate(2.0, 0.5, 1.0, 3.0), bob=Estimate()),
    ]

    chart = panels(moments, ["ann", "bob"], "+.1f")

    ann, bob = chart.panels
    assert (ann.value, bob.value, chart.boards) == ("+2.0", "–", 4)
    assert len(ann.line) == len(ann.band) == len(bob.line) == 1
    assert ann.line[0].startswith("M25 ")
    assert ann.band[0].startswith("M50 ")
    assert ann.band[0].endswith("Z")
    assert ann.others == bob.line


def test_times_stand_by_powers_of_ten() -> None:
    used = TimesUsed("ann", "bid", 10, 100, 1_000, 5_000, 10_000, 9_000, 1_000_000, 0)

    chart = time_bars([used])

    (row,) = chart.rows
    assert row.p50 < row.p95 < row.most < row.limit
    assert row.p95 - row.p50 == pytest.approx(row.most - row.p95, abs=0.01)
    assert row.text == "100 µs · 1.00 ms · 10.0 ms"
    assert [tick.label for tick in chart.ticks] == ["100", "1 ms", "10", "100", "1 s"]


def test_the_largest_count_reaches_the_end() -> None:
    bars = count_bars([("ann", "timeout", 3), ("bob", "illegal", 12)])

    assert [bar.to for bar in bars] == [25.0, 100.0]
    assert count_bars([]) == ()


@pytest.mark.parametrize(
    ("part", "step"), [(0, 0), (0.05, 0), (0.2, 1), (1, 5), (-1, -5), (-0.5, -2), (7, 5)]
)
def test_the_shade_follows_the_number(part: float, step: int) -> None:
    assert shade(part) == step

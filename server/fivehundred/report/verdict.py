"""What a sequential test has come to, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from fivehundred.ratings.values import Estimate
from fivehundred.report.text import count_text, interval_text, number_text
from fivehundred.report.values import Parameters, SequentialTest

NAIVE = "plain 95% interval, not corrected for the early stop, after which the mean is biased"
EARLY = (
    "A test that stops when it has its verdict stops at a high or a low. The mean of what is "
    "tested, and the estimates in the table below, are therefore biased after it, and their "
    "intervals are not corrected for that."
)
_FORMS = {"share": ".3f"}


@dataclass(frozen=True, slots=True)
class ShownTest:
    """A sequential test in words."""

    verdict: str
    warning: str
    rows: Parameters


def shown_test(test: SequentialTest) -> ShownTest:
    """The test, as a page says it."""
    decided = {
        "h0": f"{test.first} is taken, not {test.second}",
        "h1": f"{test.second} is taken, not {test.first}",
        "undecided": f"Undecided between {test.first} and {test.second}: the cap came first",
    }
    told = decided.get(test.decision, f"Still open between {test.first} and {test.second}")
    count = "1 match" if test.matches == 1 else f"{count_text(test.matches)} matches"
    warning = EARLY if test.decision in ("h0", "h1") else ""
    verdict = f"{told}, after {count} in the schedule’s order."
    return ShownTest(verdict, warning, tuple(_rows(test)))


def _rows(test: SequentialTest) -> Iterator[tuple[str, str]]:
    yield "Tested", test.tested
    is_decided = test.decision in ("h0", "h1")
    yield "Matches", f"{count_text(test.matches)}{', up to the verdict' if is_decided else ''}"
    yield "Log-likelihood ratio", number_text(test.ratio, "+.3f")
    bounds = f"{number_text(test.lower, '+.3f')} and {number_text(test.upper, '+.3f')}"
    yield "Bounds", f"{bounds}: at the first H0 is taken, at the second H1"
    yield "Mean of what is tested", _mean(test.mean, test.unit)


def _mean(mean: Estimate, unit: str) -> str:
    form = _FORMS.get(unit, "+.2f")
    unit = "of 1" if unit == "share" else unit
    value = f"{number_text(mean.value, form)} {unit}"
    if mean.low is None or mean.high is None:
        return f"{value} ({mean.remark})" if mean.remark else value
    return (
        f"{value}; plain 95% interval {interval_text(mean, form)}, not corrected for the early stop"
    )

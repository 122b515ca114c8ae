"""Scales of charts: where a number stands, in per cent of the width, and what the axis says."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

MARGIN = 7.0
"""Per cent left free at either end, so that the axis' numbers are not cut."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Scale:
    """From a low to a high number, linear or by powers of ten."""

    low: float
    high: float
    ticks: tuple[Tick, ...]
    is_logarithmic: bool = False
    margin: float = MARGIN

    def at(self, number: float) -> float:
        """Where a number stands; those outside stand at the end."""
        return _place(self._part(number), self.margin)

    def _part(self, number: float) -> float:
        if not self.is_logarithmic:
            return (number - self.low) / (self.high - self.low)
        number = max(number, self.low)
        return math.log(number / self.low) / math.log(self.high / self.low)


def linear(numbers: Iterable[float], *, margin: float = MARGIN, steps: int = 4) -> Scale:
    """A scale with round ends and about so many steps that holds all the numbers."""
    known = list(numbers) or [0.0, 1.0]
    low, high = min(known), max(known)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    step = _round_step((high - low) / steps)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    plain = Scale(first * step, last * step, (), margin=margin)
    ticks = (Tick(plain.at(k * step), _label(k * step)) for k in range(first, last + 1))
    return Scale(plain.low, plain.high, tuple(ticks), margin=margin)


def powers_of_ten(numbers: Iterable[float], labels: dict[int, str]) -> Scale:
    """A scale from one power of ten to another; ``labels`` by power, in between the last below."""
    known = [number for number in numbers if number > 0] or [1.0]
    first = min(max(min(labels), math.floor(math.log10(min(known)) + 1e-9)), max(labels) - 1)
    last = max(first + 1, math.ceil(math.log10(max(known)) - 1e-9))
    plain = Scale(10.0**first, 10.0**last, (), is_logarithmic=True)
    ticks = (Tick(plain.at(10.0**k), labels[k]) for k in range(first, last + 1) if k in labels)
    return Scale(plain.low, plain.high, tuple(ticks), is_logarithmic=True)


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= least * (1 - 1e-9))


def _label(number: float) -> str:
    return f"{number:g}".replace("-", "−") if abs(number) > 1e-12 else "0"


def _place(part: float, margin: float) -> float:
    return round(margin + (100 - 2 * margin) * min(max(part, 0.0), 1.0), 3)

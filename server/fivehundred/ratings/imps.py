"""A difference of points on the scale of bridge, for spectators: one wild board decides less."""

from bisect import bisect_right

STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""The least difference for 1, 2, … 24 points (Laws of Duplicate Bridge, law 78 B)."""


def imps(difference: float) -> int:
    """The International Match Points of a difference, with its sign."""
    points = bisect_right(STEPS, abs(difference))
    return points if difference > 0 else -points

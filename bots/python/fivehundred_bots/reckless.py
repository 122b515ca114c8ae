"""A gambler: bids nearly two tricks more than it counts, and plays as a beginner."""

from fivehundred_bots.basic import Basic
from fivehundred_client import run


class Reckless(Basic):
    """Overbids."""

    name = "reckless"
    version = "1"
    optimism = 1.75


if __name__ == "__main__":
    run(Reckless())

"""A second referee of 500, written from the rules reference alone.

It shares no code with `fivehundred.rules` but the parameters of a rule set. Cards, calls and plays
are the strings of the reference, holdings are sets of them. What it is for: two referees that were
written apart and agree on a million hands are probably both right.
"""

from second_opinion.bids import ladder, value
from second_opinion.hand import SecondOpinion, dealt_hand
from second_opinion.pack import deal, pack, suits_and_ranks

__all__ = ["SecondOpinion", "deal", "dealt_hand", "ladder", "pack", "suits_and_ranks", "value"]

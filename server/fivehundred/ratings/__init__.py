"""Ratings: pure functions of results, with error bars that count boards, not hands.

The standings of tournaments are made of `margins`, `bradley_terry` and `ranks`. The other models
are called as a library so far; no tournament uses them.
"""

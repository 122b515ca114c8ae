"""Ratings: pure functions of results, with error bars that count boards, not hands."""

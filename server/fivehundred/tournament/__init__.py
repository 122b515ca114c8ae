"""Tournaments: who meets whom, in which seatings, and what the results say; all pure."""

"""The game of 500 itself, every variant as data; pure values and functions.

Nothing in this room reads a clock, draws a random number, opens a file or logs.
"""

"""What bots and daemons of the benchmarks have to agree on."""

ATTACHED = "attached"
"""Is the name of the bot that dials in; it stands in place of an address."""
TOKEN = "of-the-benchmarks"

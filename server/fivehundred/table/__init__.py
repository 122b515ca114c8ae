"""One match at one table: a pure state machine, the deals, and the loop that asks the players."""

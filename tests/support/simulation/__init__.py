"""A world in which the real daemon plays, all of it drawn from one seed.

The table, the runner, the director, the journal, the store, the sessions, streams and clocks are
the daemon's own. The event loop's time is virtual, the journal's thread runs when the world says
so, and the channels to the bots lead to simulated ones that are late, lost, wrong, gone or twice as
the seed has it. The daemon is killed at moments that the seed draws, and what then lies on the disk
is all that the next one finds.
"""

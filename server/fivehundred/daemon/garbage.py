"""How often Python looks for garbage that nothing but itself refers to.

At play nearly all that is made goes when its last reference does. Looking for the rest, as often as
Python does by default, took an eighth of the daemon's time (docs/performance.md).
"""

import gc

MADE_BETWEEN_LOOKS = 2_000
"""Objects made and not gone since the last look."""


def look_rarely() -> None:
    """Look for garbage rarely, and never among what is there already."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(MADE_BETWEEN_LOOKS, *gc.get_threshold()[1:])

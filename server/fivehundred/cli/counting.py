"""How much of a long reading is done, on one line of a terminal; nothing elsewhere."""

import sys


def show_count(done: int, total: int, what: str, of: str = "") -> None:
    """``cup: 120/480 hands`` in place of what was shown before; the last one ends the line."""
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        name = f"{of}: " if of else ""
        print(f"\r{name}{done}/{total} {what}", end=end, file=sys.stderr, flush=True)

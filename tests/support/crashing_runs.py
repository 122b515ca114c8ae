"""Plays a tournament with a crash at the n-th point of the storage, with another, and to its end.

``crashing_runs.py SPEC ROOM FIRST STEP AGAIN``: for n = FIRST, FIRST + STEP, … until a run meets no
crash any more. The second crash, for every AGAIN-th n, comes early, while the log is taken up. A
line is printed for each n: n, how many runs crashed, and what the log holds in the end.
Every run is a fork of this process, which has imported everything and has no thread.
"""

import asyncio
import hashlib
import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

from google.protobuf import text_format

from fivehundred.daemon import logs
from fivehundred.daemon.embedded import run_tournament
from fivehundred.storage import crash_points
from fivehundred.v1 import tournament_pb2
from real_play import Kept

EARLY = 24
"""The second crash is at one of so many first points."""


def main(spec: Path, room: Path, first: int, step: int, again: int) -> None:
    """Go through all n."""
    logs.configure(json=False, level=logging.ERROR)
    parsed = text_format.Parse(spec.read_text(encoding="utf-8"), tournament_pb2.TournamentSpec())
    crashes = 1
    for n in count(first, step):
        if crashes == 0:
            return
        database = room / f"{n}.db"
        crashes = not _forked(partial(_play, parsed, database, n))
        if crashes and n // step % again == 0:
            crashes += not _forked(partial(_play, parsed, database, 1 + n // step % EARLY))
        assert _forked(partial(_finish, parsed, database, n, crashes))
        for path in room.glob(f"{n}.db*"):
            path.unlink()


def _forked(work: Callable[[], None]) -> bool:
    """Do something in a fork; whether it came to its end."""
    if (child := os.fork()) == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _play(spec: tournament_pb2.TournamentSpec, database: Path, crash_at: int) -> None:
    os.environ[crash_points.VARIABLE] = str(crash_at or "")
    crash_points.arm()
    asyncio.run(run_tournament(spec, database, lambda _: None))


def _finish(spec: tournament_pb2.TournamentSpec, database: Path, n: int, crashes: int) -> None:
    _play(spec, database, 0)
    kept = Kept(database)
    standings = hashlib.sha256(kept.standings).hexdigest()
    print(n, crashes, kept.hands, kept.digest.hex(), standings, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:6]))

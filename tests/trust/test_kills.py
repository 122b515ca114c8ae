"""A daemon that is killed at any moment loses no hand and counts none twice."""

import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import real_play
from real_play import (
    Kept,
    Process,
    bot,
    children,
    crowding,
    ended,
    killed,
    stored_hands,
    trial_spec,
    until,
)

BOARDS = 4
HANDS_A_MATCH = 2 * BOARDS
RESUME_LIMIT_S = 5.0
AT_START = 0.2
"""The part of the kills that come while the daemon still starts, reads the log and greets."""
START_S = 1.2
JITTER_S = 0.02


@dataclass(slots=True)
class Trial:
    """A tournament whose daemon is killed again and again."""

    spec: Path
    database: Path
    workers: int
    hands: int
    draws: random.Random
    kills: int = 0
    in_play: int = 0
    worker_kills: int = 0
    resumes: list[float] = field(default_factory=list)
    """Seconds from the start of a process until it has stored another hand, uncrowded."""

    def start(self) -> Process:
        """The daemon, or the command that plays one tournament, over the same database."""
        if self.hands_stored() and self.draws.random() < 0.5:
            return real_play.serve(self.database, workers=self.workers)[0]
        return real_play.run(self.spec, self.database, workers=self.workers)

    def hands_stored(self) -> int:
        """How many hands are stored."""
        return stored_hands(self.database)

    def live(self, most: int) -> None:
        """One process, from its start to its kill after so many hands at most."""
        before, began = self.hands_stored(), time.monotonic()
        process = self.start()
        if self.draws.random() < AT_START:
            _until_it_is(began + self.draws.uniform(0, START_S))
        else:
            self._wait_for_play(process, before)
            self.resumes.append((time.monotonic() - began) / crowding())
            if self.workers > 1:
                self._kill_a_worker(process)
            target = before + self.draws.randint(1, most)
            until(lambda: self.hands_stored() >= target or process.poll() is not None)
            _until_it_is(time.monotonic() + self.draws.uniform(0, JITTER_S))
        has_played = self.hands_stored() > before
        assert killed(process), "it had ended by itself"
        self.kills += 1
        self.in_play += has_played

    def _wait_for_play(self, process: Process, before: int) -> None:
        until(lambda: self.hands_stored() > before or process.poll() is not None)

    def _kill_a_worker(self, process: Process) -> None:
        """Kill one of the workers; the others' hands, and then its own, go on."""
        workers = [child for child in children(process.pid) if _is_worker(child)]
        with suppress(ProcessLookupError, IndexError):
            os.kill(self.draws.choice(workers), signal.SIGKILL)
            self.worker_kills += 1
        self._wait_for_play(process, self.hands_stored())


def _is_worker(pid: int) -> bool:
    with suppress(OSError):
        return b"fivehundred.daemon.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _until_it_is(moment: float) -> None:
    until(lambda: time.monotonic() >= moment)


@contextmanager
def trial(room: Path, *, matches: int, workers: int) -> Iterator[Trial]:
    """A trial between two bots that answer whatever becomes of the daemon."""
    with bot("random_bot:Random") as first, bot("basic:Basic") as second:
        bots = (("random", first), ("basic", second))
        spec = real_play.written(trial_spec(*bots, rounds=matches, boards=BOARDS, tables=8), room)
        assert ended(real_play.run(spec, room / "whole.db"))[0] == 0
        draws = random.Random(500 + workers)
        hands = HANDS_A_MATCH * matches
        yield Trial(spec, room / "killed.db", workers, hands, draws)


def play_with_kills(room: Path, *, matches: int, kills: int, workers: int) -> Trial:
    """Play with so many kills, then to the end; the log has to be that of an uninterrupted run."""
    with trial(room, matches=matches, workers=workers) as tried:
        for left in range(kills, 0, -1):
            open_hands = tried.hands - tried.hands_stored() - 2 * workers * left
            tried.live(max(1, open_hands // left))
        assert ended(real_play.run(tried.spec, tried.database, workers=workers))[0] == 0
        assert Kept(tried.database).is_same(Kept(room / "whole.db"))
        assert tried.kills == kills
        print(
            f"{workers} workers: {kills} kills, {tried.in_play} in play, "
            f"{tried.worker_kills} of workers; slowest resume {max(tried.resumes):.2f} s"
        )
        return tried


def test_kills_at_any_moment_leave_the_log_of_an_uninterrupted_run(
    tmp_path: Path, nightly: bool
) -> None:
    matches, kills = (120, 60) if nightly else (12, 4)

    tried = play_with_kills(tmp_path, matches=matches, kills=kills, workers=1)

    assert tried.in_play > kills // 2
    assert max(tried.resumes) <= RESUME_LIMIT_S


def test_kills_of_the_daemon_and_its_workers_leave_the_same_log(
    tmp_path: Path, nightly: bool
) -> None:
    matches, kills = (80, 40) if nightly else (12, 3)

    tried = play_with_kills(tmp_path, matches=matches, kills=kills, workers=2)

    assert tried.worker_kills > kills // 2
    assert max(tried.resumes) <= RESUME_LIMIT_S

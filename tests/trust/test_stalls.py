"""What the daemon or its machine is late by is never a bot's: receipts have it, and it is void."""

import asyncio
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import real_play
from fivehundred.daemon.embedded import run_tournament
from fivehundred.storage.database import decisions_file
from fivehundred.storage.store import read_store
from fivehundred.table.values import Receipt
from fivehundred.v1 import tournament_pb2
from real_play import NAME, Kept, Process, bot, ended, trial_spec, until, written

TABLES = 64
LIMIT_MS = 200
STALL_S = 0.3
LONG_LIMIT_MS = 1000
LONG_STALL_S = 2.5
"""Longer than what writing a message, or a call, is given beyond the limit."""
PLAIN_BOT = Path(__file__).parent.parent / "daemon" / "plain_bot.py"


def short_of_time(
    *bots: tuple[str, str], matches: int, limit_ms: int = LIMIT_MS
) -> tournament_pb2.TournamentSpec:
    """A tournament whose limits are below the stalls."""
    spec = trial_spec(*bots, rounds=matches, boards=1, tables=TABLES)
    control = spec.time_control
    for limit in (control.bid, control.discard, control.play, control.first_decision):
        limit.FromMilliseconds(limit_ms)
    return spec


def receipts(database: Path) -> list[Receipt]:
    with read_store(database) as store:
        return [each.receipt for hand in store.hands(NAME) for each in hand.record.decisions]


def require_no_fault(database: Path, limit_ms: int = LIMIT_MS) -> int:
    """No bot was at fault; gives how many decisions are void."""
    assert not any(faults.ListFields() for faults in Kept(database).faults)
    found = receipts(database)
    late = [each for each in found if each.elapsed_us > 1000 * limit_ms]
    assert all(each.charged_us <= 1000 * limit_ms for each in found)
    assert all(each.lag_us >= each.elapsed_us - 1000 * limit_ms for each in late)
    return len(late)


def stop_and_go(
    process: Process, database: Path, stall_s: float, play_s: float, most: int = 1000
) -> int:
    """Stop a run for a while, again and again while it plays; gives how often."""
    times = 0
    decisions = decisions_file(database)
    until(lambda: decisions.exists() and decisions.stat().st_size > 0)
    while process.poll() is None and times < most:
        time_is_up_in(play_s)
        process.send_signal(signal.SIGSTOP)
        time_is_up_in(stall_s)
        process.send_signal(signal.SIGCONT)
        times += 1
    return times


def time_is_up_in(seconds: float) -> None:
    end = time.monotonic() + seconds
    until(lambda: time.monotonic() >= end)


class Staller:
    """Blocks its event loop again and again."""

    def __init__(self) -> None:
        self.times = 0
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(0.2, self._stall)

    def stop(self) -> None:
        """Block it no more."""
        self._timer.cancel()

    def _stall(self) -> None:
        self.times += 1
        time.sleep(STALL_S)
        self._timer = self._loop.call_later(0.2, self._stall)


def test_a_daemon_that_is_stopped_charges_nobody(tmp_path: Path, nightly: bool) -> None:
    matches = 640 if nightly else 64
    database = tmp_path / "stopped.db"
    with bot("random_bot:Random") as first, bot("basic:Basic") as second:
        spec = short_of_time(("random", first), ("basic", second), matches=matches)
        process = real_play.run(written(spec, tmp_path), database)
        times = stop_and_go(process, database, STALL_S, play_s=0.2)
        assert ended(process)[0] == 0

    voids = require_no_fault(database)
    print(f"stopped {times} times for {STALL_S} s: {voids} of {len(receipts(database))} void")
    assert voids > 0


async def test_an_event_loop_that_stalls_charges_nobody(tmp_path: Path, nightly: bool) -> None:
    matches = 640 if nightly else 64
    database = tmp_path / "stalled.db"
    staller = Staller()
    with bot("random_bot:Random") as first, bot("basic:Basic") as second:
        spec = short_of_time(("random", first), ("basic", second), matches=matches)
        await run_tournament(spec, database, lambda _: None)
    staller.stop()

    voids = require_no_fault(database)
    print(
        f"stalled {staller.times} times for {STALL_S} s: {voids} of {len(receipts(database))} void"
    )
    assert voids > 0


@pytest.mark.parametrize("kind", ["stream", "calls"])
def test_a_long_stop_ends_no_stream_and_no_call(tmp_path: Path, nightly: bool, kind: str) -> None:
    """It is longer than the grace that a written message and an open call have."""
    database = tmp_path / "stopped.db"
    with one_bot(kind) as address:
        bots, times = (("a", address), ("b", address)), 20 if nightly else 2
        spec = short_of_time(
            *bots, matches=(64 if kind == "stream" else 16) * times, limit_ms=LONG_LIMIT_MS
        )
        process = real_play.run(written(spec, tmp_path), database)
        stop_and_go(process, database, LONG_STALL_S, play_s=0.05, most=times)
        assert ended(process)[0] == 0

    assert require_no_fault(database, LONG_LIMIT_MS) > 0


@contextmanager
def one_bot(kind: str) -> Iterator[str]:
    if kind == "stream":
        with bot("random_bot:Random") as address:
            yield address
    else:
        with real_play.program([sys.executable, str(PLAIN_BOT)]) as address:
            yield address

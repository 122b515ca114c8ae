"""The wall clock may jump: nobody is late by it, the order stays, the log is the same."""

from pathlib import Path

import pytest

import real_play
from fivehundred.storage.store import read_store
from real_play import Kept, bot, ended, trial_spec, until_stored, written

LIBRARIES = (
    "/usr/lib/*/faketime/libfaketimeMT.so.1",
    "/usr/lib*/faketime/libfaketimeMT.so.1",
    "/usr/local/lib*/faketime/libfaketimeMT.so.1",
)
JUMPS = ("+3600", "-3600", "+0", "-3600", "+3600")
"""Seconds that are added to the true time, one after the other."""


def faketime() -> str:
    """The library that changes a process's clock."""
    found = (str(path) for pattern in LIBRARIES for path in Path("/").glob(pattern[1:]))
    if (path := next(found, None)) is None:
        pytest.skip("libfaketimeMT.so.1 is not installed (Debian: libfaketime)")
    return path


def created_us(database: Path) -> int:
    with read_store(database) as store:
        return store.tournament(real_play.NAME).create_time_us


@pytest.mark.parametrize("workers", [1, 2])
def test_an_hour_forth_and_back_changes_nothing(
    tmp_path: Path, nightly: bool, workers: int
) -> None:
    rounds = 60 if nightly else 6
    clock = tmp_path / "clock"
    clock.write_text(JUMPS[-1])
    environment = {
        "LD_PRELOAD": faketime(),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
    jumped, whole = tmp_path / "jumped.db", tmp_path / "whole.db"
    with bot("random_bot:Random") as first, bot("basic:Basic") as second:
        bots = (("random", first), ("basic", second))
        spec = written(trial_spec(*bots, rounds=rounds, boards=4), tmp_path)
        assert ended(real_play.run(spec, whole))[0] == 0
        process = real_play.run(spec, jumped, workers=workers, environment=environment)
        for number, jump in enumerate(JUMPS):
            hands = rounds * 8 * number // len(JUMPS)
            until_stored(jumped, hands + 1)
            clock.write_text(jump)
        assert ended(process)[0] == 0

    kept = Kept(jumped)
    assert not any(faults.ListFields() for faults in kept.faults)
    assert kept.is_same(Kept(whole))
    with read_store(jumped) as store:
        numbers = [event.number for event in store.events_after(real_play.NAME, 0, 10_000)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert created_us(jumped) - created_us(whole) > 3_500_000_000, "the clock was not changed"

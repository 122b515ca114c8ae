"""A process that is killed at any write of the storage loses nothing: the log ends the same."""

import os
import subprocess
import sys
from pathlib import Path

import real_play
from fivehundred.storage import crash_points
from real_play import Kept, bot, ended, trial_spec, written

AT_ONCE = 2
RUNS = Path(real_play.__file__).with_name("crashing_runs.py")


def test_a_crash_at_every_write_leaves_the_log_of_an_uninterrupted_run(
    tmp_path: Path, nightly: bool
) -> None:
    preset = "au-4p-43" if nightly else "ko-2p-23"
    with bot("basic:Basic") as address:
        spec = written(
            trial_spec(("a", address), ("b", address), rounds=1, boards=1, preset=preset), tmp_path
        )
        assert ended(real_play.run(spec, tmp_path / "whole.db"))[0] == 0
        lines = _all_crashes(spec, tmp_path, again=1 if nightly else 4)

    whole = Kept(tmp_path / "whole.db")
    points = sorted(int(n) for n, crashes, *_ in lines if crashes != "0")
    assert points == list(range(1, len(points) + 1))
    print(f"{len(points)} points")
    assert len(points) > 100
    assert {tuple(found[:2]) for _, _, *found in lines} == {(str(whole.hands), whole.digest.hex())}
    assert len({tuple(found) for _, _, *found in lines}) == 1


def _all_crashes(spec: Path, room: Path, again: int) -> list[list[str]]:
    environment = os.environ | {"PYTHONPATH": str(RUNS.parent)}
    runs = [
        subprocess.Popen(
            [
                sys.executable,
                str(RUNS),
                str(spec),
                str(room),
                str(first + 1),
                str(AT_ONCE),
                str(again),
            ],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for first in range(AT_ONCE)
    ]
    said = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0] * AT_ONCE
    return [line.split() for each in said for line in each.splitlines()]


def test_a_point_that_is_not_wanted_does_nothing() -> None:
    crash_points.crash_point()
    crash_points.torn_write_point(-1, b"never written")

"""A disk without room holds play; it goes on by itself when there is room, and nothing is lost."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import real_play
from fivehundred.v1 import tournament_pb2
from real_play import Kept, Operator, bot, crowding, ended, operator, trial_spec, until, written

DISK_BYTES = 6 << 20
GOES_ON_WITHIN_S = 10.0


class SmallDisk:
    """A file system of a few MiB, which only processes started with ``before`` see at its place."""

    def __init__(self, place: Path, holder: int) -> None:
        self.database = place / "trial.db"
        """Where those processes see the database."""
        self.before = ["nsenter", f"--target={holder}", "--user", "--mount"]
        self.before += ["--preserve-credentials"]
        self._seen = Path(f"/proc/{holder}/root{place}")

    def copy(self, room: Path) -> Path:
        """The database as it is, where everybody sees it."""
        for path in self._seen.glob(f"{self.database.name}*"):
            shutil.copy(path, room / path.name)
        return room / self.database.name

    def fill(self) -> None:
        """Leave no room at all."""
        with (self._seen / "filler").open("ab", buffering=0) as filler:
            for size in (1 << 16, 1):
                _write_until_full(filler.fileno(), bytes(size))

    def clear(self) -> None:
        """Give the room back."""
        (self._seen / "filler").unlink()


def _write_until_full(file: int, content: bytes) -> None:
    while True:
        try:
            os.write(file, content)
        except OSError as error:
            assert error.errno == errno.ENOSPC
            return


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    for program in ("unshare", "nsenter"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (Debian: util-linux)")
    (place := tmp_path / "disk").mkdir()
    mount = f"mount -t tmpfs -o size={DISK_BYTES} none {place} && echo mounted && exec cat"
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        if holder.stdout.readline() != b"mounted\n":
            pytest.skip("a user may mount nothing here, not even in a name space of his own")
        yield SmallDisk(place, holder.pid)
        holder.stdin.close()


@contextmanager
def two_bots() -> Iterator[tuple[tuple[str, str], ...]]:
    with bot("random_bot:Random") as first, bot("basic:Basic") as second:
        yield ("random", first), ("basic", second)


def fill_and_clear(disk: SmallDisk, asked: Operator) -> float:
    """Fill the disk until play is held, then make room; the seconds until play goes on."""
    disk.fill()
    until(lambda: not asked.is_serving())
    held = asked.show()
    assert held.state == tournament_pb2.TOURNAMENT_STATE_RUNNING
    assert "the disk is full" in held.reason

    disk.clear()

    took = until(lambda: asked.is_serving() and asked.show().hands_played > held.hands_played)
    assert "full" not in asked.show().reason
    return took


@pytest.mark.parametrize("workers", [1, 2])
def test_play_is_held_and_goes_on_by_itself(
    disk: SmallDisk, tmp_path: Path, nightly: bool, workers: int
) -> None:
    times, rounds = (6, 100) if nightly else (1, 8)
    with two_bots() as bots:
        spec = trial_spec(*bots, rounds=rounds, boards=4, tables=8)
        assert ended(real_play.run(written(spec, tmp_path), tmp_path / "whole.db"))[0] == 0
        daemon, address = real_play.serve(
            disk.database, room=tmp_path, workers=workers, before=disk.before
        )
        with daemon, operator(address) as asked:
            asked.create(spec)
            took = []
            for _ in range(times):
                asked.wait_for_hands(asked.show().hands_played + rounds)
                took.append(fill_and_clear(disk, asked) / crowding())
            until(asked.has_finished)
            daemon.terminate()
            assert ended(daemon)[0] == 0

    kept = Kept(disk.copy(tmp_path))
    print(f"{workers} workers: goes on after {max(took):.2f} s at most, {times} times")
    assert max(took) <= GOES_ON_WITHIN_S
    assert not any(faults.ListFields() for faults in kept.faults)
    assert kept.is_same(Kept(tmp_path / "whole.db"))

"""A daemon that is killed goes on at the very decision: nothing lost, nothing double."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from fivehundred.storage.store import read_store
from fivehundred.storage.verify import verify
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.spec import spec_to_text

StartBot = Callable[[str], str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
PROGRAM = str(Path(sys.executable).parent / "fivehundred")
KILLS = 10


def run(spec: Path, database: Path) -> subprocess.Popen[bytes]:
    command = [PROGRAM, "run", str(spec), "--database", str(database)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def killed_while_playing(process: subprocess.Popen[bytes], database: Path, hands: int) -> bool:
    """Kill a run once it has stored so many more hands; whether it was still running."""
    while process.poll() is None and _count(database) < hands:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def _count(database: Path) -> int:
    with read_store(database) as store:
        return store.hand_count("test")


def test_ten_kills_leave_the_log_of_an_uninterrupted_run(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    bots = [("random", start_bot("random_bot:Random")), ("basic", start_bot("basic:Basic"))]
    spec = tmp_path / "spec.textproto"
    spec.write_text(spec_to_text(make_spec(*bots, rounds=40, boards=4)))
    whole, killed = tmp_path / "whole.db", tmp_path / "killed.db"
    assert run(spec, whole).wait() == 0
    draws = random.Random(500)
    with read_store(whole) as store:
        digest, planned = store.log_digest("test"), store.hand_count("test")

    process = run(spec, killed)
    _until_created(killed, process)
    kills = 0
    for target in range(KILLS):
        wanted = _count(killed) + draws.randrange(1, 2 * planned // (3 * KILLS)) + target % 2
        kills += killed_while_playing(process, killed, wanted)
        process = run(spec, killed)

    assert process.wait() == 0
    assert kills == KILLS
    with read_store(killed) as store:
        report = verify(store)
        assert (report.hands, report.problems) == (planned, ())
        assert store.log_digest("test") == digest


def _until_created(database: Path, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None and not _has_tournament(database):
        time.sleep(0.01)


def _has_tournament(database: Path) -> bool:
    try:
        with read_store(database) as store:
            return bool(store.tournaments())
    except Exception:  # noqa: BLE001 - the file is still being made
        return False

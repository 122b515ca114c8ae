"""SIGTERM ends a daemon in good order and in good time; a second one ends it now."""

import random
import signal
import sys
import time
from pathlib import Path

import grpc

import real_play
from real_play import (
    Kept,
    Process,
    bot,
    crowding,
    ended,
    operator,
    stored_hands,
    trial_spec,
    until,
    until_stored,
    written,
)

GRACE_S = 30.0
NOW_S = 5.0
BOARDS = 4


def seconds_to_end(daemon: Process, signals: int) -> float:
    """How long a daemon takes to end after so many signals, uncrowded."""
    began = time.monotonic()
    for _ in range(signals):
        daemon.send_signal(signal.SIGTERM)
    code, said = ended(daemon)
    assert code == 0, said
    return (time.monotonic() - began) / crowding()


def test_a_signal_under_load_ends_in_good_order_and_nothing_is_lost(
    tmp_path: Path, nightly: bool
) -> None:
    times, matches = (50, 150) if nightly else (2, 8)
    database, draws = tmp_path / "signalled.db", random.Random(15)
    took: dict[int, list[float]] = {1: [], 2: []}
    with bot("random_bot:Random") as first, bot("basic:Basic") as second:
        spec = trial_spec(("random", first), ("basic", second), rounds=matches, boards=BOARDS)
        path = written(spec, tmp_path)
        assert ended(real_play.run(path, tmp_path / "whole.db"))[0] == 0
        for left in range(times, 0, -1):
            daemon, address = real_play.serve(database)
            before = stored_hands(database)
            if not before:
                with operator(address) as asked:
                    asked.create(spec)
            most = (2 * BOARDS * matches - before) // left - 16
            target = before + draws.randint(1, max(1, most))
            until_stored(database, target)
            signals = 1 + (left % 2 == 0)
            took[signals].append(seconds_to_end(daemon, signals))
        assert ended(real_play.run(path, database))[0] == 0

    print(f"{times} times: {max(took[1]):.2f} s at most, {max(took[2]):.2f} s with two signals")
    assert Kept(database).is_same(Kept(tmp_path / "whole.db"))
    assert max(took[1]) <= GRACE_S
    assert max(took[2]) <= NOW_S


def test_a_daemon_whose_bot_hangs_says_so_at_once_and_ends_at_the_second_signal(
    tmp_path: Path, nightly: bool
) -> None:
    silent = [sys.executable, "-m", "fivehundred_bots.faulty", "silent"]
    with real_play.program(silent) as hanging, bot("random_bot:Random") as other:
        spec = trial_spec(("silent", hanging), ("random", other))
        control = spec.time_control
        for limit in (control.bid, control.discard, control.play):
            limit.FromSeconds(300)
        daemon, address = real_play.serve(tmp_path / "trial.db")
        with operator(address) as asked:
            asked.create(spec)
            until(lambda: (tmp_path / "trial.db.decisions").stat().st_size > 0)
            daemon.send_signal(signal.SIGTERM)
            until(lambda: not _is_serving(asked), NOW_S)
            assert daemon.poll() is None

            if nightly:
                assert seconds_to_end(daemon, 0) <= GRACE_S + NOW_S
            else:
                assert seconds_to_end(daemon, 1) <= NOW_S


def _is_serving(asked: real_play.Operator) -> bool:
    try:
        return asked.is_serving()
    except grpc.RpcError:
        return False

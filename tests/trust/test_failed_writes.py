"""A write that fails ends the daemon: nothing is acknowledged after it, nothing before it lost."""

import shutil
from pathlib import Path

import grpc
import pytest

import real_play
from fivehundred.storage.store import open_store, read_store
from fivehundred.table.values import HandKey
from fivehundred.v1 import tournament_pb2, tournament_pb2_grpc
from fivehundred.wire.record import key_from_proto
from real_play import NAME, Kept, bot, ended, trial_spec, written

FAILURES = {
    "sync": (("fdatasync", "fsync"), "", 14),
    "log": (("pwrite64",), "-wal", 120),
    "decision": (("write",), ".decisions", 200),
}
"""By name: what fails, at which file beside the database, and from which time on."""


def injecting(database: Path, calls: tuple[str, ...], file: str, first: int) -> list[str]:
    """What to put before a command so that its calls fail from one on."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed (Debian: strace)")
    names = ",".join(calls)
    where = ["-P", f"{database}{file}"] if file else []
    failing = ["-e", f"trace={names}", "-e", f"inject={names}:error=EIO:when={first}+"]
    return ["strace", "-f", "--seccomp-bpf", "-qqq", "-o", "/dev/null", *where, *failing]


def acknowledged(address: str, spec: tournament_pb2.TournamentSpec) -> set[HandKey]:
    """The hands that a daemon tells of until it is gone."""
    told: set[HandKey] = set()
    with grpc.insecure_channel(address) as channel:
        stub = tournament_pb2_grpc.TournamentServiceStub(channel)
        stub.CreateTournament(tournament_pb2.CreateTournamentRequest(spec=spec, start=True))
        try:
            for event in stub.WatchTournament(
                tournament_pb2.WatchTournamentRequest(name=NAME), timeout=60
            ):
                if event.HasField("hand"):
                    told.add(key_from_proto(event.hand.key))
        except grpc.RpcError as error:
            assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
    return told


@pytest.mark.parametrize("what", FAILURES)
def test_a_failed_write_ends_the_daemon_and_the_next_one_goes_on(tmp_path: Path, what: str) -> None:
    database = tmp_path / "failed.db"
    with bot("random_bot:Random") as first, bot("basic:Basic") as second:
        spec = trial_spec(("random", first), ("basic", second), rounds=8, boards=4, tables=8)
        path = written(spec, tmp_path)
        assert ended(real_play.run(path, tmp_path / "whole.db"))[0] == 0
        open_store(database).close()
        before = injecting(database, *FAILURES[what])
        daemon, address = real_play.serve(database, before=before)

        told = acknowledged(address, spec)
        code, said = ended(daemon)

        assert code == 1
        assert "log_not_writable" in said
        with read_store(database) as store:
            kept = {hand.key for hand in store.hands(NAME)}
        assert told <= kept
        assert 0 < len(told) < 64
        assert ended(real_play.run(path, database))[0] == 0
    assert Kept(database).is_same(Kept(tmp_path / "whole.db"))

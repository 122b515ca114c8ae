"""What state a database, its tournaments and this machine are in, and what to do about it."""

import platform
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import google.protobuf
import grpc

from fivehundred.daemon.backlog import match_hands
from fivehundred.daemon.playing import Unfinished
from fivehundred.daemon.results import plan_of, schedule_of
from fivehundred.players.sandbox import sandbox_problem
from fivehundred.storage.diagnosis import Check, file_checks, is_in_use, version_check
from fivehundred.storage.errors import StorageError
from fivehundred.storage.store import Store, read_store
from fivehundred.storage.values import StoredTournament, TournamentState
from fivehundred.table.table import ReplayError, Table
from fivehundred.table.values import Event
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import WireError

OPEN = {
    TournamentState.CREATED,
    TournamentState.RUNNING,
    TournamentState.DRAINING,
    TournamentState.PAUSED,
}
GONE_ON = (
    "the database lacks hands that these decisions go on from: put back the newest backup with all "
    "its files; without one, move {file} away and the hands under way are dealt again"
)


def diagnosis(database: Path | None) -> list[Check]:
    """Everything that can be looked at; the machine alone where no database is named."""
    if database is None:
        return list(_machine(wants_sandbox=False))
    checks = list(file_checks(database))
    if any(check.is_problem and check.topic in ("file", "integrity") for check in checks):
        return [*_machine(wants_sandbox=False), *checks]
    checks.append(version := version_check(database))
    wants_sandbox = False
    if not version.is_problem:
        with read_store(database) as store:
            tournaments = list(store.all_tournaments())
            wants_sandbox = any(map(_wants_sandbox, tournaments))
            checks += [_tournament(store, each) for each in tournaments]
            checks += _hands_under_way(store, database)
    return [*_machine(wants_sandbox=wants_sandbox), *checks]


def _machine(*, wants_sandbox: bool) -> Iterator[Check]:
    libraries = (
        f"grpc {grpc.__version__}, protobuf {google.protobuf.__version__}, "
        f"sqlite {sqlite3.sqlite_version}"
    )
    yield Check("python", f"{platform.python_version()} on {sys.platform}, {libraries}")
    yield from _sandbox(wanted=wants_sandbox)


def _sandbox(*, wanted: bool) -> Iterator[Check]:
    """Whether bots can be shut in; a problem only where a tournament that is to be played asks."""
    if (problem := sandbox_problem()) is None:
        yield Check("sandbox", "bubblewrap works")
    else:
        yield Check("sandbox", f"none: {problem}", problem if wanted else "")


def _wants_sandbox(stored: StoredTournament) -> bool:
    spec = tournament_pb2.TournamentSpec.FromString(stored.spec)
    launched = (each.launch for each in spec.entrants if each.HasField("launch"))
    return stored.state in OPEN and any(launch.sandbox.kind for launch in launched)


def _tournament(store: Store, stored: StoredTournament) -> Check:
    found = f"{stored.name}: {stored.state.name}, {store.hand_count(stored.name)} hands"
    if stored.reason:
        found += f" ({stored.reason})"
    if stored.state is TournamentState.FAILED:
        found += "; it cannot go on"
    try:
        plan_of(store, stored.name)
    except (WireError, ValueError) as error:
        advice = f"see `fivehundred verify --tournament {stored.name}`"
        return Check("tournament", f"{found}; its definition cannot be read: {error}", advice)
    return Check("tournament", found)


def _hands_under_way(store: Store, database: Path) -> Iterator[Check]:
    """Whether decisions under way go on from the hands that are stored."""
    if is_in_use(database):
        yield Check("under way", "left to the daemon that plays")
        return
    try:
        found = store.decisions_under_way()
    except (StorageError, WireError) as error:
        advice = f"move {store.decisions} away: the hands under way are dealt again"
        yield Check("under way", f"the decisions cannot be read: {error}", advice)
        return
    wrong = [
        Check("under way", problem, GONE_ON.format(file=store.decisions))
        for (name, match), events in found.items()
        if (problem := _goes_on(store, name, match, events))
    ]
    yield from wrong
    if not wrong:
        yield Check("under way", f"{len(found)} hands, each goes on from the log")


def _goes_on(store: Store, name: str, match: int, events: Sequence[Event]) -> str:
    """Why decisions under way do not go on from the log; empty where they do."""
    try:
        spec = schedule_of(store, name).match(match, store.tournament(name).bots)
        Table(spec).replay(Unfinished(spec, match_hands(store, spec), events).events())
    except (ReplayError, WireError, LookupError, ValueError) as error:
        return f"{name} match {match}: {error}"
    return ""

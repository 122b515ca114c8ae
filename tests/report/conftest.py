"""One database with tournaments of every kind, played once, and their reports."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from fivehundred.report.values import Report
from fivehundred.storage.reports import read_report
from fivehundred.storage.store import Store, read_store
from fivehundred.v1.tournament_pb2 import TournamentSpec
from stored_tournaments import create, database, finish, play

ENTRANTS = ("ann", "bob", "cid")
SCRIPT = "<script>alert(1)</script>"
HOSTILE = (
    f"{SCRIPT}@1",
    "=cmd|'/c calc'!A0\x1b[31m\u202egnp@</style>",
    "\"onmouseover='x' {{ facts }} &amp; ]]>\r\n\x00@2",
)

ReportOf = Callable[[str], Report]


def _games(spec: TournamentSpec) -> None:
    spec.format.games.max_deals = 3
    spec.format.games.boards_per_match = 2


def _more(spec: TournamentSpec) -> None:
    spec.format.round_robin.rounds = 4
    spec.anchor = "bob"


def _lone(spec: TournamentSpec) -> None:
    spec.format.boards.boards_per_match = 1


def _solo(spec: TournamentSpec) -> None:
    spec.rules.preset = "au-3p-33"
    spec.format.solo_tables.cycles = 2


def _swiss(spec: TournamentSpec) -> None:
    spec.format.swiss.rounds = 2


def _knockout(spec: TournamentSpec) -> None:
    spec.format.elimination.best_of = 3
    spec.format.elimination.extra = 1
    spec.format.boards.boards_per_match = 1


def _stages(spec: TournamentSpec) -> None:
    spec.format.stages.stages.add().format.swiss.rounds = 1
    final = spec.format.stages.stages.add(entrants=2)
    final.format.elimination.losses = 2
    spec.format.boards.boards_per_match = 1


def _sequential(spec: TournamentSpec) -> None:
    spec.format.sequential.most_matches = 6
    spec.format.sequential.least_matches = 2
    spec.format.sequential.margins.margin0 = 0
    spec.format.sequential.margins.margin1 = 20


def _make(store: Store) -> None:
    create(store, "cup", ENTRANTS, ("ann@1", "bob@2", "cid@3"), _more)
    play(store, "cup")
    finish(store, "cup")
    create(store, "empty", ENTRANTS, ())
    create(store, "lone", ("ann", "bob"), ("ann@1", "bob@2"), _lone)
    play(store, "lone")
    finish(store, "lone")
    create(store, "games", ENTRANTS, HOSTILE, _games)
    play(store, "games")
    finish(store, "games")
    create(store, "open", ENTRANTS, HOSTILE)
    play(store, "open", matches=2)
    create(store, "swiss", (*ENTRANTS, "dan"), ("a@1", "b@1", "c@1", "d@1"), _swiss)
    play(store, "swiss")
    finish(store, "swiss")
    create(store, "knockout", ENTRANTS, HOSTILE, _knockout)
    play(store, "knockout")
    finish(store, "knockout")
    create(store, "stages", ENTRANTS, ("a@1", "b@1", "c@1"), _stages)
    play(store, "stages")
    finish(store, "stages")
    create(store, "test", ("ann", "bob"), ("ann@1", "bob@2"), _sequential)
    play(store, "test")
    finish(store, "test")
    create(store, "solo", (*ENTRANTS, "dan"), ("a@1", "b@1", "c@1", "d@1"), _solo)
    play(store, "solo")
    finish(store, "solo")


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database."""
    return database(tmp_path_factory.mktemp("report") / "log.db", _make)


@pytest.fixture(scope="session")
def report_of(log: Path) -> ReportOf:
    """Gives the report of one of its tournaments."""

    @cache
    def read(name: str) -> Report:
        with read_store(log) as store:
            return read_report(
                store,
                name,
                "1.2.3",
                rules="au-4p-43",
                created="2023-11-14 22:13:20 UTC",
                parameters=(("Tables", "16"),),
                rule_parameters=(("players", "4"),),
            )

    return read

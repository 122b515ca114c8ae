"""Whether `plan` foretells how wide intervals become: five events, each after a smaller pilot.

Each event is played over gRPC by the reference bots. Before it a pilot with another seed is played
into the same database, as an organiser would; from that `plan` says how wide the intervals of the
event will be. The width reached, the mean over the entrants, is asked to be within a quarter of the
width foretold. Leaves with 1 where one is not.

Examples:
  python benchmarks/plan.py
  python benchmarks/plan.py --only gauntlet --seed 7 --json
"""

import argparse
import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter

from fivehundred.daemon import logs
from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.garbage import look_rarely
from fivehundred.daemon.results import standings_of
from fivehundred.storage.store import read_store
from fivehundred.storage.variances import event_of, known_from
from fivehundred.tournament.planning import Forecast, forecast
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.spec import check_spec

LOW, HIGH = 0.75, 1.25
BOTS = {
    "basic": "basic:Basic",
    "careful": "careful:Careful",
    "random": "random_bot:Random",
    "reckless": "reckless:Reckless",
}
PROGRAM = str(Path(sys.executable).parent / "fivehundred")

Spec = tournament_pb2.TournamentSpec
Shape = Callable[[Spec, int], None]
"""Writes the format of an event into its definition, so many times the size of its pilot."""


@dataclass(frozen=True, slots=True)
class Trial:
    """An event, and how it is written."""

    name: str
    preset: str
    entrants: tuple[str, ...]
    shape: Shape
    larger: int
    """How many times as long as its pilot it is."""

    def spec(self, part: str, size: int, seed: int, room: Path) -> Spec:
        """The definition of the event or of its pilot."""
        spec = Spec(name=f"{self.name}-{part}", tables=16)
        spec.seed = sha256(f"{self.name} {part} {seed}".encode()).hexdigest()
        spec.rules.preset = self.preset
        for name in self.entrants:
            spec.entrants.add(name=name, address=_socket(room, name.split("-")[0]))
        self.shape(spec, size)
        for kind in (spec.time_control.bid, spec.time_control.discard, spec.time_control.play):
            kind.FromSeconds(30)
        return spec


@dataclass(frozen=True, slots=True)
class Row:
    """What was foretold of an event, and what came."""

    event: str
    unit: str
    hands: int
    pilot_hands: int
    foretold: float
    reached: float
    foretold_s: float
    took_s: float

    @property
    def ratio(self) -> float:
        """The width reached, in parts of the one foretold."""
        return self.reached / self.foretold

    @property
    def is_met(self) -> bool:
        """Whether the ratio lies in its bounds."""
        return LOW <= self.ratio <= HIGH


def _round_robin(spec: Spec, size: int) -> None:
    spec.format.round_robin.rounds = 4 * size
    spec.format.boards.boards_per_match = 10


def _gauntlet(spec: Spec, size: int) -> None:
    spec.format.gauntlet.challengers.append("careful")
    spec.format.gauntlet.rounds = 5 * size
    spec.format.boards.boards_per_match = 8


def _solo(spec: Spec, size: int) -> None:
    spec.format.solo_tables.cycles = 10 * size
    spec.format.boards.boards_per_match = 4


def _games(spec: Spec, size: int) -> None:
    spec.format.round_robin.rounds = 60 * size
    spec.format.games.boards_per_match = 1
    spec.format.games.max_deals = 60


def _mixed(spec: Spec, size: int) -> None:
    spec.format.mixed_teams.cycles = 8 * size
    spec.format.boards.boards_per_match = 5


TRIALS = (
    Trial("round-robin", "au-4p-43", ("basic", "careful", "random", "reckless"), _round_robin, 2),
    Trial("gauntlet", "au-4p-43", ("basic", "careful", "random", "reckless"), _gauntlet, 2),
    Trial("solo-tables", "ko-3p-33", ("basic", "careful", "reckless"), _solo, 2),
    Trial("games", "au-4p-43", ("basic", "reckless"), _games, 2),
    Trial("mixed-teams", "au-4p-43", ("basic", "careful", "random", "reckless"), _mixed, 2),
)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=[trial.name for trial in TRIALS], help="one event")
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    logs.configure(json=False, level=logging.ERROR)
    look_rarely()
    trials = [trial for trial in TRIALS if options.only in (None, trial.name)]
    if not options.json:
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
        print("| event | hands, after a pilot of | unit | foretold | reached | ratio | time |")
        print("|---|---|---|---|---|---|---|")
    rows = []
    for row in _rows(trials, options.seed):
        rows.append(row)
        if not options.json:
            print(_line(row), flush=True)
    if options.json:
        print(json.dumps([asdict(row) | {"ratio": row.ratio} for row in rows]))
    sys.exit(not all(row.is_met for row in rows))


def _line(row: Row) -> str:
    mark = "" if row.is_met else " missed"
    cells = (
        row.event,
        f"{row.hands:,}, {row.pilot_hands:,}",
        row.unit,
        f"±{row.foretold:.1f}",
        f"±{row.reached:.1f}",
        f"{row.ratio:.2f}{mark}",
        f"{row.foretold_s:.0f} s, {row.took_s:.0f} s",
    )
    return f"| {' | '.join(cells)} |"


def _rows(trials: Sequence[Trial], seed: int) -> Iterator[Row]:
    with TemporaryDirectory() as place:
        room = Path(place)
        with bots(room):
            for trial in trials:
                yield _row(trial, seed, room)


def _row(trial: Trial, seed: int, room: Path) -> Row:
    database = room / f"{trial.name}.db"
    pilot = trial.spec("pilot", 1, seed, room)
    event = trial.spec("event", trial.larger, seed, room)
    pilot_hands = _played(pilot, database)
    foretold = _foretold(event, database)
    since = perf_counter()
    hands = _played(event, database)
    took_s = perf_counter() - since
    width = foretold.resolution.mean_half_width
    assert width is not None
    return Row(
        event=f"{trial.name}, {trial.preset}",
        unit=foretold.resolution.unit,
        hands=hands,
        pilot_hands=pilot_hands,
        foretold=width,
        reached=_reached(event, database),
        foretold_s=foretold.expected_s,
        took_s=took_s,
    )


def _played(spec: Spec, database: Path) -> int:
    """Plays a tournament; how many hands it has."""
    played = asyncio.run(run_tournament(spec, database, lambda progress: None))
    return played.hands_played


def _foretold(spec: Spec, database: Path) -> Forecast:
    plan = check_spec(spec)
    with read_store(database) as store:
        return forecast(event_of(plan), known_from(store, plan))


def _reached(spec: Spec, database: Path) -> float:
    """Half the width of an entrant's interval, the mean over the entrants."""
    with read_store(database) as store:
        rows = standings_of(store, spec.name).rows
    is_games = spec.format.HasField("games")
    told = [row.elo if is_games else row.points_per_hand for row in rows]
    return fmean((each.high - each.low) / 2 for each in told)


@contextmanager
def bots(room: Path) -> Iterator[None]:
    """The reference bots, a process each."""
    with ExitStack() as stack:
        for name, where in BOTS.items():
            stack.enter_context(_bot(f"fivehundred_bots.{where}", _socket(room, name)))
        yield


@contextmanager
def _bot(where: str, address: str) -> Iterator[None]:
    command = [PROGRAM, "bot", "serve", where, "--listen", address]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


def _socket(room: Path, name: str) -> str:
    return f"unix:{room / name}.sock"


if __name__ == "__main__":
    main()

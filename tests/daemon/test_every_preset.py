"""Every preset, played over gRPC between two bots in processes of their own.

One process serves `basic` and one `random` to all the tournaments. Three presets, one for each way
of having sides, are played by ``fivehundred run`` and checked by ``fivehundred verify``, as users
do it. The others are played by what these commands call, `run_tournament` and `verify`, in the
process of the test: over the same sockets, into the same log. Starting both programs for them as
well was measured to cost 1.6 seconds of processor time a preset, beside 3.8 for all the rest.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import fmean

import pytest
from google.protobuf import json_format

from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.results import standings_of
from fivehundred.rules.ruleset import SideModel
from fivehundred.storage.store import read_store
from fivehundred.storage.verify import verify
from fivehundred.table.values import HandRecord
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred.wire.spec import spec_to_text

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
BOTS = {"basic": "basic:Basic", "random": "random_bot:Random"}
BY_THE_PROGRAM = ("au-4p-43", "au-5p-53", "ko-3p-33")
LEAST_HANDS = 200
SEATINGS = {2: 2, 3: 6, 4: 8, 5: 10, 6: 12}
"""How many seatings a board of two entrants has, by sides."""
PATIENCE_S = 60
"""What a decision may take: a slow machine is no bot's fault."""


@pytest.fixture(scope="module")
def addresses() -> Iterator[dict[str, str]]:
    """Where each bot answers, by its name."""
    with ExitStack() as stack:
        yield {name: _serve(stack, f"fivehundred_bots.{bot}") for name, bot in BOTS.items()}


@pytest.mark.parametrize("preset", BY_THE_PROGRAM)
def test_the_program_plays_two_hundred_hands_without_a_fault(
    preset: str, addresses: dict[str, str], tmp_path: Path
) -> None:
    file, database = tmp_path / "every.textproto", tmp_path / "every.db"
    file.write_text(spec_to_text(_spec(preset, addresses)), encoding="utf-8")

    played = _run("run", str(file), "--database", str(database), "--json")
    checked = _run("verify", str(database))

    assert played.returncode == 0, played.stderr
    assert checked.returncode == 0, checked.stdout + checked.stderr
    standings = json.loads(played.stdout)["standings"]
    told = json_format.ParseDict(standings, tournament_pb2.Standings())
    _check(preset, told, _records(preset, database))


@pytest.mark.parametrize("preset", [each for each in preset_names() if each not in BY_THE_PROGRAM])
async def test_two_hundred_hands_are_played_without_a_fault(
    preset: str, addresses: dict[str, str], tmp_path: Path
) -> None:
    database = tmp_path / "every.db"

    played = await run_tournament(_spec(preset, addresses), database, lambda _: None)

    assert played.state == tournament_pb2.TOURNAMENT_STATE_FINISHED
    with read_store(database) as store:
        assert verify(store).problems == ()
        told = standings_of(store, preset)
    _check(preset, told, _records(preset, database))


def _check(preset: str, told: tournament_pb2.Standings, hands: Sequence[HandRecord]) -> None:
    sides = _sides(preset)
    assert told.hands == len(hands) >= LEAST_HANDS
    assert [decided for hand in hands for decided in hand.decisions if decided.fault] == []
    assert {row.entrant for row in told.rows} == set(BOTS)
    for row in told.rows:
        assert not row.faults.ListFields()
        assert (row.hands, row.forfeits) == (len(hands), 0)
        assert row.boards * SEATINGS[sides] == len(hands)
    assert all(_sits_by_side(hand, sides) for hand in hands)
    ahead = _mean_points(0, hands) - _mean_points(1, hands)
    points = {row.entrant: row.points_per_hand.value for row in told.rows}
    assert points["basic"] - points["random"] == pytest.approx(ahead, abs=1e-6)
    assert points["basic"] + points["random"] == pytest.approx(0)


def _sides(preset: str) -> int:
    """How many scores there are: one a team where the teams are fixed, otherwise one a player."""
    rules = load_preset(preset)
    teams = {SideModel.TEAMS_2: 2, SideModel.TEAMS_3: 3}
    return teams.get(rules.side_model, rules.players)


def _sits_by_side(hand: HandRecord, sides: int) -> bool:
    """Whether each side has one score and one entrant in all its seats."""
    seats = hand.started.entrants
    same = all(entrant == seats[seat % sides] for seat, entrant in enumerate(seats))
    return same and len(hand.ended.result.change) == sides


def _mean_points(entrant: int, hands: Sequence[HandRecord]) -> float:
    """What an entrant scored per hand and side."""
    scored = [zip(hand.started.entrants, hand.ended.result.change, strict=False) for hand in hands]
    return fmean(points for hand in scored for who, points in hand if who == entrant)


def _spec(preset: str, addresses: dict[str, str]) -> tournament_pb2.TournamentSpec:
    """Ten matches of as many boards as make 200 hands, each board in all its seatings."""
    spec = tournament_pb2.TournamentSpec(name=preset, seed="50" * 32)
    spec.rules.preset = preset
    for name, address in addresses.items():
        spec.entrants.add(name=name, address=address)
    spec.format.round_robin.rounds = 10
    spec.format.boards.boards_per_match = -(-LEAST_HANDS // (10 * SEATINGS[_sides(preset)]))
    for limit in (spec.time_control.bid, spec.time_control.discard, spec.time_control.play):
        limit.FromSeconds(PATIENCE_S)
    return spec


def _records(preset: str, database: Path) -> list[HandRecord]:
    with read_store(database) as store:
        return [hand.record for hand in store.hands(preset)]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def _serve(stack: ExitStack, bot: str) -> str:
    command = [PROGRAM, "bot", "serve", bot]
    process = stack.enter_context(subprocess.Popen(command, text=True, stderr=subprocess.PIPE))
    stack.callback(process.kill)
    for line in process.stderr or ():
        if "listening" in line:
            return line.split()[-1]
    raise AssertionError(f"{bot} ended with {process.wait()} before it listened")

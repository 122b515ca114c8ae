"""Every format of `tournaments/`, played by real processes, killed in its midst and taken up again.

A match of most formats follows from the outcomes of those before it. Whatever moment the daemon
dies at, the matches that follow, their boards and the places in the end are those of a run that was
left alone, and `verify` works all of it out from the log.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import real_play
from fivehundred.v1.tournament_pb2 import TournamentSpec
from fivehundred.wire.spec import parse_spec
from real_play import Kept, bot, ended, killed, stored_hands, until

EXAMPLES = Path(__file__).parents[2] / "tournaments"
BOTS = {
    "random": "random_bot:Random",
    "basic": "basic:Basic",
    "careful": "careful:Careful",
    "reckless": "reckless:Reckless",
}
SMALL = {
    "better-or-not": ("sequential", {"most_matches": 40, "least_matches": 10, "ahead": 8}, 1),
    "common-boards": ("round_robin", {"rounds": 3}, 1),
    "double-elimination": ("elimination", {}, 1),
    "games-test": ("sequential", {"most_matches": 20, "least_matches": 4, "ahead": 2}, 1),
    "gauntlet": ("gauntlet", {"rounds": 6}, 1),
    "knockout": ("elimination", {"best_of": 1}, 1),
    "ladder": ("ladder", {}, 1),
    "mixed-pairs": ("mixed_teams", {"cycles": 2}, 1),
    "qualifier-and-final": ("stages", {}, 1),
    "six-in-three-teams": ("round_robin", {"rounds": 1}, 2),
    "solo-tables": ("solo_tables", {}, 1),
    "swiss": ("swiss", {}, 2),
}
"""By file: the format, what is less than in the file, and the boards of a match."""
QUICK = {"careful": "reckless"}
"""Who plays instead of whom in the small ones: how well is nothing to a kill."""
WITH_WORKERS = ("swiss", "ladder", "common-boards")


@pytest.fixture(scope="module")
def addresses() -> Iterator[dict[str, str]]:
    """The reference bots, each a process that outlives every daemon here."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(bot(program)) for name, program in BOTS.items()}


def example(name: str, addresses: dict[str, str], *, whole: bool) -> TournamentSpec:
    """A file's tournament between bots that are dialled; smaller, unless wanted whole."""
    path = EXAMPLES / f"{name}.textproto"
    spec = parse_spec(path.read_text(encoding="utf-8"), path.name)
    spec.name = real_play.NAME
    kind, less, boards = SMALL[name]
    assert spec.format.WhichOneof("format") == kind
    for entrant in spec.entrants:
        player = entrant.name.partition("-")[0]
        entrant.address = addresses[player if whole else QUICK.get(player, player)]
    if not whole:
        for field, value in less.items():
            setattr(getattr(spec.format, kind), field, value)
        if spec.format.HasField("games"):
            spec.format.games.boards_per_match = boards
            spec.format.games.max_deals = 3
        else:
            spec.format.boards.boards_per_match = boards
    return spec


@pytest.mark.parametrize("name", SMALL)
def test_a_killed_tournament_goes_on_to_the_same_end(
    name: str, addresses: dict[str, str], tmp_path: Path, nightly: bool
) -> None:
    spec = example(name, addresses, whole=nightly)
    file = real_play.written(spec, tmp_path)
    whole, broken = tmp_path / "whole.db", tmp_path / "broken.db"
    workers = 2 if name in WITH_WORKERS else 1

    assert ended(real_play.run(file, whole))[0] == 0
    hands = stored_hands(whole)
    for part in (0.2, 0.5, 0.8) if nightly else (0.5,):
        process = real_play.run(file, broken, workers=workers)
        until(lambda: stored_hands(broken) >= part * hands)  # noqa: B023 - asked at once
        assert killed(process), "it had ended by itself"
    assert ended(real_play.run(file, broken))[0] == 0

    assert Kept(broken).is_same(Kept(whole))


def test_every_example_of_a_format_is_here() -> None:
    others = {"demo", "korean-three-handed", "quebec", "sandboxed"}

    assert {path.stem for path in EXAMPLES.glob("*.textproto")} == SMALL.keys() | others

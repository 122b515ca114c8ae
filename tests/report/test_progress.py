import random
from collections.abc import Callable
from pathlib import Path

import pytest

from fivehundred.report.progress import progress
from fivehundred.report.values import Report
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.results import HandLines
from fivehundred.storage.store import read_store
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.standings import Standings, standings_of
from fivehundred.v1.tournament_pb2 import TournamentSpec
from fivehundred.wire.spec import check_spec

NAMES = ("ann", "bob", "cid")


@pytest.fixture(scope="module")
def lines(log: Path) -> list[HandLine]:
    """The hands of a round robin."""
    with read_store(log) as store:
        stored = store.tournament("cup")
        read = HandLines(check_spec(TournamentSpec.FromString(stored.spec), stored.rules))
        return [read.line(hand.record) for hand in store.hands("cup")]


def rank(hands: HandColumns) -> Standings:
    return standings_of(hands, NAMES, RuleSet(), games=False)


def test_the_last_look_is_at_the_standings_themselves(
    report_of: Callable[[str], Report], lines: list[HandLine]
) -> None:
    last = progress(lines, rank, "points_per_hand")[-1]

    rows = report_of("cup").standings.rows
    assert dict(last.estimates) == {row.entrant: row.points_per_hand for row in rows}
    assert (last.boards, last.hands) == (24, 48)


def test_it_does_not_matter_which_table_was_the_quickest(lines: list[HandLine]) -> None:
    shuffled = random.Random(1).sample(lines, len(lines))

    assert progress(shuffled, rank, "elo") == progress(lines, rank, "elo")


def test_each_look_is_at_more_boards_in_the_order_of_the_schedule(lines: list[HandLine]) -> None:
    looks = progress(lines, rank, "points_per_hand", moments=5)

    assert [look.boards for look in looks] == [5, 10, 15, 20, 24]
    first = [line for line in lines if line.board < 5]
    row = {row.entrant: row.points_per_hand for row in rank(HandColumns(first)).rows}
    assert dict(looks[0].estimates) == row


def test_it_tells_how_far_it_is(lines: list[HandLine]) -> None:
    told: list[tuple[int, int]] = []

    progress(lines, rank, "elo", moments=3, tell=lambda done, total: told.append((done, total)))

    assert told == [(1, 3), (2, 3), (3, 3)]


def test_without_hands_there_is_nothing_to_look_at() -> None:
    assert progress([], rank, "elo") == ()

"""What the standings need of hands, where matches are told in turns."""

from dataclasses import replace

import pytest

from fivehundred.ratings import sequential
from fivehundred.storage.results import HandLines, SequentialResult, ranking
from fivehundred.table.table import Table
from fivehundred.table.values import HandRecord, Reply, TimeControl
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.standings import FormatResult
from fivehundred.v1 import tournament_pb2
from fivehundred.v1.tournament_pb2 import TournamentSpec
from fivehundred.wire.matches import Schedule, schedule
from fivehundred.wire.spec import check_spec


@pytest.fixture
def planned() -> Schedule:
    """Two matches of two boards, with a bank that lasts a match."""
    spec = TournamentSpec(name="cup", seed="5a" * 32)
    for name in ("a", "b"):
        spec.entrants.add(name=name, registered=name)
    spec.format.round_robin.rounds = 2
    spec.format.boards.boards_per_match = 2
    plan = check_spec(spec)
    time = TimeControl(bid_us=100, bank_us=50, first_decision_us=0)
    return schedule(replace(plan, time=time))


def played(planned: Schedule, match: int, took: dict[int, tuple[int, int]]) -> list[HandRecord]:
    """A match of passes; some decisions, by number, took a time of which some was lag."""
    table = Table(planned.match(match, ("a@1", "b@1")))
    table.start()
    number = 0
    while (ask := table.ask()) is not None:
        table.reply(Reply(ask.legal.default(), *took.get(number, (1, 0))))
        number += 1
    return table.take_records()


def test_voids_follow_from_the_banks_of_each_match_whatever_their_order(planned: Schedule) -> None:
    # Seat 1 calls first in hand 0, last in hand 2, and there third in the other match.
    drained = played(planned, 0, {0: (150, 0), 8 + 3: (140, 80)})
    spared = played(planned, 1, {8 + 1: (140, 80)})
    lines = HandLines(planned.plan)

    told = [lines.line(record) for pair in zip(drained, spared, strict=True) for record in pair]

    voids = {(line.match, line.board % 2, line.seating): line.voids for line in told if line.voids}
    assert voids == {(0, 1, 0): (1,)}


def test_what_the_format_and_a_test_say_is_in_the_message(planned: Schedule) -> None:
    records = [record for match in range(2) for record in played(planned, match, {})]
    lines = HandLines(planned.plan)
    hands = HandColumns(lines.line(record) for record in records)
    result = FormatResult(places=(1, 0), scores=(0.5, 1.5))
    verdict = sequential.Verdict(sequential.Decision.H1, 61, 3.04, 9.5, "stopped early")
    test = SequentialResult(verdict, sequential.Bounds(-2.94, 2.94))

    table = ranking(planned.plan, hands, ("a@1", "b@1"), result, test)

    assert (table.ranked_by, table.hands) == ("place", 8)
    first, second = table.rows
    assert (first.entrant, first.bot, first.place, first.score) == ("b", "b@1", 1, 1.5)
    assert (second.entrant, second.place) == ("a", 2)
    assert not first.HasField("buchholz")
    assert table.test == tournament_pb2.TestResult(
        decision="h1",
        matches=61,
        ratio=3.04,
        lower=-2.94,
        upper=2.94,
        mean=9.5,
        remark="stopped early",
    )


def test_a_format_that_places_nobody_and_tests_nothing_is_not_in_the_message(
    planned: Schedule,
) -> None:
    table = ranking(planned.plan, [], ("a@1", "b@1"))

    assert table.ranked_by == "points_per_hand"
    assert not table.HasField("test")
    assert not any(row.HasField("place") or row.HasField("score") for row in table.rows)

from pathlib import Path

import pytest

from fivehundred.report.times import Times, quantile
from fivehundred.storage.store import read_store
from fivehundred.table.clocks import kind_of
from fivehundred.table.values import AskKind, TimeControl


@pytest.mark.parametrize(
    ("ordered", "percent", "found"),
    [
        ([7], 50, 7),
        ([1, 2], 50, 1),
        ([1, 2, 3], 50, 2),
        (list(range(1, 101)), 95, 95),
        (list(range(1, 101)), 99, 99),
        ([1, 2, 3], 99, 3),
    ],
)
def test_a_quantile_is_a_time_that_was_taken(ordered: list[int], percent: int, found: int) -> None:
    assert quantile(ordered, percent) == found


def test_every_decision_of_the_log_is_counted(log: Path) -> None:
    times, plays = Times(), []
    with read_store(log) as store:
        for hand in store.hands("cup"):
            times.add(hand.record)
            started = hand.record.started
            plays += [
                each.receipt.charged_us
                for each in hand.record.decisions
                if started.entrants[each.seat] == 1 and kind_of(each.action) is AskKind.PLAY
            ]

    used = times.used(("ann", "bob", "cid"), TimeControl(play_us=40_000))

    (row,) = (each for each in used if (each.entrant, each.kind) == ("bob", "play"))
    assert (row.decisions, row.total_us, row.most_us) == (len(plays), sum(plays), max(plays))
    assert row.over_limit == sum(took > 40_000 for took in plays)
    assert 0 < row.p50_us < row.p95_us <= row.p99_us <= row.most_us


def test_nobody_who_has_decided_nothing_has_a_row() -> None:
    assert Times().used(("ann",), TimeControl()) == ()

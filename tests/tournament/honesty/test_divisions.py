from collections.abc import Callable
from dataclasses import replace

from fivehundred.tournament.honesty.designs import board_rows
from fivehundred.tournament.honesty.divisions import (
    HOUR,
    HOUR_OF_DAY,
    HOUR_US,
    LAG,
    MACHINE,
    MOST_HOURS,
    PROCESS,
    Division,
    divisions,
)
from fivehundred.tournament.honesty.facts import HandFacts
from made_facts import FOUR, made_facts

MAY_FIRST_US = 1_777_593_600_000_000
BOARDS = 60


def lags(change: Callable[[HandFacts], HandFacts]) -> Division | None:
    """The division by lag of a few boards."""
    facts = made_facts(1, FOUR, (0, 30), boards=8, change=change)
    rows = facts.counted(games=False)
    parts = divisions(rows, board_rows(rows, 2), facts.player_names)
    return next((each for each in parts if each.by == LAG), None)


def found(**origin: Callable[[int], object]) -> dict[str, Division]:
    """The divisions of boards whose times or players are functions of the board."""

    def change(hand: HandFacts) -> HandFacts:
        told = {name: value_of(hand.line.board) for name, value_of in origin.items()}
        return replace(hand, **told)  # type: ignore[arg-type]

    facts = made_facts(1, FOUR, (0, 30), boards=BOARDS, change=change)
    rows = facts.counted(games=False)
    told = divisions(rows, board_rows(rows, 2), facts.player_names)
    return {division.by: division for division in told}


def at_hour(hour: int) -> int:
    return MAY_FIRST_US + hour * HOUR_US + 17


def test_lag_is_that_of_a_decision_whatever_the_length_of_the_hand() -> None:
    """Boards of four decisions a hand and of forty, at the same lag a decision."""

    def change(hand: HandFacts) -> HandFacts:
        decisions = (1 if hand.line.board % 2 else 10,) * 4
        return replace(hand, decisions=decisions, lag_us=4000 * (1 + hand.line.board // 4))

    told = lags(change)

    assert told is not None
    assert told.names == ("up to 1 ms a decision", "up to 2 ms a decision")
    assert told.of_board.tolist() == [0] * 4 + [1] * 4


def test_a_board_that_was_forfeited_before_any_decision_has_no_lag() -> None:
    def change(hand: HandFacts) -> HandFacts:
        is_played = hand.line.board > 0
        return replace(hand, decisions=(10 * is_played,) * 4, lag_us=hand.line.board * is_played)

    told = lags(change)

    assert told is not None
    assert told.of_board.tolist() == [-1, 0, 0, 1, 1, 2, 2, 3]
    assert lags(lambda hand: replace(hand, decisions=(0,) * 4, lag_us=0)) is None


def test_boards_are_told_apart_by_the_hour_of_the_calendar_in_its_order() -> None:
    hours = found(stored_time_us=lambda board: at_hour(25 - board // 30))[HOUR]

    assert hours.names == ("2026-05-02 00:00 UTC", "2026-05-02 01:00 UTC")
    assert hours.of_board.tolist() == [1] * 30 + [0] * 30


def test_an_hour_of_day_is_that_of_every_day() -> None:
    told = found(stored_time_us=lambda board: at_hour(24 * (board % 3) + board // 30 * 13))

    assert told[HOUR_OF_DAY].names == ("00 UTC", "13 UTC")
    assert told[HOUR_OF_DAY].of_board.tolist() == [0] * 30 + [1] * 30
    assert len(told[HOUR].names) == 6


def test_within_a_day_the_hour_of_day_says_no_more_than_the_hour() -> None:
    told = found(stored_time_us=lambda board: at_hour(board // 10))

    assert HOUR in told
    assert HOUR_OF_DAY not in told


def test_an_event_of_many_hours_has_parts_of_several() -> None:
    half_days = found(stored_time_us=lambda board: at_hour(4 * board))[HOUR]
    months = found(stored_time_us=lambda board: at_hour(24 * 10 * board))[HOUR]

    assert half_days.names[:2] == (
        "2026-05-01 00:00 UTC and 11 h on",
        "2026-05-01 12:00 UTC and 11 h on",
    )
    assert len(half_days.names) == 20
    assert len(months.names) <= MOST_HOURS


def test_a_single_hour_or_process_says_nothing() -> None:
    told = found(stored_time_us=lambda board: at_hour(3), player=lambda board: "here/0")

    assert told.keys() == {"stretch", "lag"}


def test_a_log_that_tells_nothing_is_not_divided() -> None:
    assert found().keys() == {"stretch", "lag"}


def test_boards_that_nothing_is_told_of_are_in_no_part() -> None:
    told = found(
        stored_time_us=lambda board: at_hour(board % 2) if board >= 10 else None,
        player=lambda board: f"here/{board % 2}" if board >= 10 else None,
    )

    for by in (HOUR, PROCESS):
        assert told[by].of_board.tolist() == [-1] * 10 + [0, 1] * 25


def test_workers_are_in_the_order_of_their_numbers_after_the_daemon_itself() -> None:
    names = ("here/10", "here/2", "here", "elsewhere/3")

    told = found(player=lambda board: names[board % 4])

    assert told[PROCESS].names == ("elsewhere/3", "here", "here/2", "here/10")
    assert told[MACHINE].names == ("elsewhere", "here")
    assert told[PROCESS].of_board.tolist()[:4] == [3, 2, 1, 0]
    assert told[MACHINE].of_board.tolist()[:4] == [1, 1, 1, 0]


def test_machines_of_one_process_each_are_told_once() -> None:
    told = found(player=lambda board: ("here/0", "elsewhere/0")[board % 2])

    assert MACHINE in told
    assert PROCESS not in told


def test_a_board_is_where_its_last_hand_was_stored() -> None:
    def change(hand: HandFacts) -> HandFacts:
        hour = hand.line.board // 30 + hand.line.seating
        return replace(hand, stored_time_us=at_hour(hour))

    facts = made_facts(1, FOUR, (0, 30), boards=BOARDS, change=change)
    rows = facts.counted(games=False)
    (hours,) = [each for each in divisions(rows, board_rows(rows, 2), ()) if each.by == HOUR]

    assert hours.names == ("2026-05-01 01:00 UTC", "2026-05-01 02:00 UTC")

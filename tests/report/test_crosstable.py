"""Pairs, held against sums by hand."""

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from fivehundred.report.crosstable import Meeting, crosstable
from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.whole_boards import latest, whole_boards

FOUR = RuleSet()
THREE = RuleSet(players=3, side_model=SideModel.SOLO)
SEATINGS = ((0, 1, 0, 1), (1, 0, 1, 0))


def hand(
    board: int,
    seating: int,
    entrants: tuple[int, ...],
    change: tuple[int, ...],
    *,
    number: int = 0,
    winners: tuple[int, ...] | None = None,
) -> HandLine:
    """A hand; it ends a game where winners are given."""
    return HandLine(
        match=board,
        board=board,
        seating=seating,
        hand=number,
        attempt=0,
        entrants=entrants,
        change=change,
        contractor=None,
        made=False,
        game_over=winners is not None,
        winners=winners or (),
    )


def board(number: int, first: int, second: int, margin: int) -> list[HandLine]:
    """A board that the first wins by a margin a hand."""
    pair = first, second
    seated = [tuple(pair[slot] for slot in slots) for slots in SEATINGS]
    return [
        hand(number, 0, seated[0], (margin + 10, 10)),
        hand(number, 1, seated[1], (-20, margin - 20)),
    ]


def met(
    lines: Iterable[HandLine], rules: RuleSet = FOUR, *, games: bool = False
) -> dict[tuple[int, int], Meeting]:
    rows = HandColumns(lines).rows()
    boards = whole_boards(rows.chosen(latest(rows, games=games)), rules, games=games)
    return crosstable(boards, rules, games=games)


def test_the_margin_is_the_mean_of_the_boards_and_its_error_theirs() -> None:
    lines = [line for at, margin in enumerate((10, 20, 60)) for line in board(at, 0, 1, margin)]

    meeting = met(lines)[0, 1]

    assert (meeting.boards, meeting.hands) == (3, 6)
    assert meeting.margin.value == 30
    assert meeting.margin.standard_error == pytest.approx((700 / 3) ** 0.5)
    assert meeting.margin.high == pytest.approx(30 + 4.302653 * (700 / 3) ** 0.5)
    assert (meeting.wins, meeting.games, meeting.share) == (3, 3, 1)


def test_the_other_sees_the_same_the_other_way_round() -> None:
    found = met([line for at, margin in enumerate((10, -4)) for line in board(at, 0, 1, margin)])

    one, other = found[0, 1], found[1, 0]
    assert (one.margin.value, other.margin.value) == (3, -3)
    assert (one.margin.low, one.margin.high) == (
        -(other.margin.high or 0),
        -(other.margin.low or 0),
    )
    assert (one.share, other.share) == (0.5, 0.5)


def test_a_single_board_has_no_error_and_an_unfinished_one_is_none() -> None:
    alone = met([*board(0, 0, 1, 8), board(1, 0, 1, 50)[0]])[0, 1]

    assert (alone.margin.value, alone.margin.standard_error, alone.boards) == (8, None, 1)


def test_a_cycle_is_seen() -> None:
    found = met([*board(0, 0, 1, 5), *board(1, 1, 2, 5), *board(2, 2, 0, 5)])

    assert [found[pair].margin.value for pair in ((0, 1), (1, 2), (2, 0))] == [5, 5, 5]


def test_a_deal_that_was_played_in_several_matches_is_one_cluster() -> None:
    twice = [line for number in (0, 1) for line in board(number, 0, 1, 10 + 30 * number)]
    again = [replace(line, match=7) for line in twice if line.board == 0]

    apart = met([*twice, *board(2, 0, 1, 10)])[0, 1].margin.standard_error or 0
    together = met([*twice, *again])[0, 1].margin.standard_error or 0

    assert together > apart > 0


def test_games_are_won_whatever_the_points() -> None:
    lines = [
        hand(0, 0, (0, 1, 0, 1), (90, 0)),
        hand(0, 0, (0, 1, 0, 1), (-30, 10), number=1, winners=(1,)),
        hand(0, 1, (1, 0, 1, 0), (0, 200), winners=(1,)),
        *(
            hand(1, at, tuple((0, 1, 0, 1)[k ^ at] for k in range(4)), (0, 0), winners=())
            for at in (0, 1)
        ),
    ]

    meeting = met(lines, games=True)[0, 1]

    assert (meeting.wins, meeting.games) == (2, 4)
    assert meeting.hands == 5
    assert meeting.margin.value == pytest.approx((90 - 40 + 200) / 5)


def test_at_a_table_of_three_everybody_meets_everybody() -> None:
    draw = random.Random(5)
    lines = [
        hand(at, seating, order, tuple(draw.randrange(-90, 90) for _ in range(3)))
        for at in range(6)
        for seating, order in enumerate(
            ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
        )
    ]

    found = met(lines, THREE)

    assert len(found) == 6
    own = dict.fromkeys(range(3), 0)
    for line in lines:
        for entrant, change in zip(line.entrants, line.change, strict=True):
            own[entrant] += change
    assert found[0, 2].margin.value == pytest.approx((own[0] - own[2]) / len(lines))
    assert found[0, 2].games == 6


def test_partners_win_nothing_from_each_other() -> None:
    lines = [
        hand(0, seating, order, (40, -10), winners=(0,))
        for seating, order in enumerate(((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)))
    ]

    found = met(lines, games=True)

    assert (found[0, 2].games, found[0, 2].margin.value) == (0, 0)
    assert found[0, 1].games == 4


def test_without_boards_nobody_has_met() -> None:
    assert crosstable([], FOUR, games=False) == {}

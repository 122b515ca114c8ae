"""Which hands count, held against the same said plainly."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import pytest

from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.seatings import seatings
from fivehundred.tournament.whole_boards import latest, whole_boards

FOUR = RuleSet()
THREE = RuleSet(players=3, side_model=SideModel.SOLO)

Key = tuple[int, int, int, int]


def line(key: Key, attempt: int, entrants: tuple[int, ...], *, over: bool = False) -> HandLine:
    match, board, seating, hand = key
    return HandLine(
        match=match,
        board=board,
        seating=seating,
        hand=hand,
        attempt=attempt,
        entrants=entrants,
        change=(10,) * (2 if len(entrants) == 4 else 3),
        contractor=None,
        made=False,
        game_over=over,
    )


def ragged(
    draw: random.Random, rules: RuleSet, slots: Sequence[int], *, games: bool
) -> list[HandLine]:
    """A log with boards cut short, attempts given up and hands given twice."""
    lines = []
    for match, size in enumerate(slots):
        field = draw.sample(range(9), size)
        for board in range(4):
            for seating, by_seat in enumerate(seatings(rules, size)):
                for attempt in range(draw.choice([1, 1, 1, 2])):
                    hands = draw.randint(1, 3) if games else 1
                    lines += [
                        line(
                            (match, board, seating, hand),
                            attempt,
                            tuple(field[slot] for slot in by_seat),
                            over=games and hand == hands - 1,
                        )
                        for hand in range(hands)
                    ]
    lines = [each for each in lines if draw.random() < 0.97]
    return draw.sample(lines, len(lines)) + draw.sample(lines, len(lines) // 10)


def plainly(lines: list[HandLine], rules: RuleSet, *, games: bool) -> set[tuple[Key, int]]:
    """The key and attempt of each hand that counts."""
    seated: dict[tuple[int, int], dict[int, dict[int, HandLine]]] = defaultdict(dict)
    newest: dict[tuple[int, int], int] = defaultdict(int)
    for each in lines:
        place = each.match, each.board
        newest[place] = max(newest[place], each.attempt)
    for each in sorted(lines, key=lambda each: each.attempt):
        place = each.match, each.board
        if games or each.attempt == newest[place]:
            seated[place].setdefault(each.seating, {})[each.hand] = each
    found = set()
    for played in seated.values():
        kept = [_kept(hands) for hands in played.values()]
        slots = len(set(kept[0][0].entrants))
        if len(kept) == len(seatings(rules, slots)) and all(_ends(hands, games) for hands in kept):
            found |= {
                ((each.match, each.board, each.seating, each.hand), each.attempt)
                for hands in kept
                for each in hands
            }
    return found


def _kept(hands: dict[int, HandLine]) -> list[HandLine]:
    """The hands in order, without those of a game that was given up before them."""
    kept, attempt = [], 0
    for number in sorted(hands):
        attempt = max(attempt, hands[number].attempt)
        if hands[number].attempt == attempt:
            kept.append(hands[number])
    return kept


def _ends(hands: list[HandLine], games: bool) -> bool:
    if not games:
        return len(hands) == 1
    return hands[-1].game_over and hands[-1].hand == len(hands) - 1


@pytest.mark.parametrize("games", [False, True], ids=["boards", "games"])
@pytest.mark.parametrize(
    ("rules", "slots"), [(FOUR, (2, 4, 2, 4)), (THREE, (3, 2, 3, 2))], ids=["four", "three"]
)
@pytest.mark.parametrize("seed", range(8))
def test_the_hands_of_whole_boards_count(
    seed: int, rules: RuleSet, slots: Sequence[int], games: bool
) -> None:
    lines = ragged(random.Random(seed), rules, slots, games=games)
    rows = HandColumns(lines).rows()

    found = whole_boards(rows.chosen(latest(rows, games=games)), rules, games=games)

    told = [
        ((match, board, seating, hand), attempt)
        for each in found
        for match, board, seating, hand, attempt in zip(
            *(column.tolist() for column in (each.hands.match, each.hands.board)),
            *(column.tolist() for column in (each.hands.seating, each.hands.hand)),
            each.hands.attempt.tolist(),
            strict=True,
        )
    ]
    assert len(told) == len(set(told))
    assert set(told) == plainly(lines, rules, games=games)


def test_each_size_of_a_table_is_counted_by_its_own_seatings() -> None:
    pair = [line((0, 0, at, 0), 0, ((0, 1, 0, 1), (1, 0, 1, 0))[at]) for at in range(2)]
    mixed = [
        line((1, 1, at, 0), 0, tuple((4, 5, 6, 7)[slot] for slot in seating))
        for at, seating in enumerate(seatings(FOUR, 4))
    ]
    rows = HandColumns(pair + mixed[:-1]).rows()
    whole = HandColumns(pair + mixed).rows()

    assert [(each.slots, each.members) for each in whole_boards(rows, FOUR, games=False)] == [
        (2, 1)
    ]
    assert [(each.slots, each.members) for each in whole_boards(whole, FOUR, games=False)] == [
        (2, 1),
        (4, 2),
    ]


def test_a_board_whose_seatings_are_of_different_bots_never_counts() -> None:
    other = [line((0, 0, 0, 0), 0, (0, 1, 0, 1)), line((0, 0, 1, 0), 0, (2, 0, 2, 0))]
    apart = [line((0, 0, 0, 0), 0, (0, 1, 0, 1)), line((0, 0, 1, 0), 0, (1, 1, 0, 0))]
    three = [replace(each, entrants=(0, 1, 2, 1)) for each in other]

    for lines in (other, apart, three):
        assert whole_boards(HandColumns(lines).rows(), FOUR, games=False) == []


def test_columns_refuse_hands_of_another_table() -> None:
    columns = HandColumns([line((0, 0, 0, 0), 0, (0, 1, 0, 1))])

    with pytest.raises(ValueError, match="3 seats and 3 sides among hands of 4 and 2"):
        columns.append(line((0, 0, 0, 0), 0, (0, 1, 2)))

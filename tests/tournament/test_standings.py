import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from fivehundred.ratings.values import ALIKE, Estimate
from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.formats import round_robin, table_size
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.seatings import seatings
from fivehundred.tournament.standings import (
    BY_ORDER,
    FormatResult,
    Standing,
    Standings,
    standings,
    standings_of,
)

FOUR = RuleSet()
THREE = RuleSet(players=3, side_model=SideModel.SOLO)


def hand(board: int, seating: int, change: tuple[int, ...], **other: object) -> HandLine:
    """A hand of entrants 0 and 1 at a table of four; ``change`` by side."""
    line = HandLine(
        match=0,
        board=board,
        seating=seating,
        hand=0,
        attempt=0,
        entrants=((0, 1, 0, 1), (1, 0, 1, 0))[seating],
        change=change,
        contractor=0,
        made=change[0] > 0,
    )
    return replace(line, **other)  # type: ignore[arg-type] # fields by name


def board(number: int, margin: int) -> list[HandLine]:
    """A board that entrant 0 wins by a margin, once in each seating."""
    return [hand(number, 0, (margin, 0)), hand(number, 1, (0, margin))]


def rank(lines: list[HandLine], *, games: bool = False) -> Standings:
    return standings(lines, ["ann", "bob"], FOUR, games=games)


def row_of(table: Standings, name: str) -> Standing:
    return next(row for row in table.rows if row.entrant == name)


def random_lines(seed: int, rules: RuleSet, entrants: int, boards: int) -> Iterator[HandLine]:
    draw = random.Random(seed)
    size = table_size(rules, entrants)
    for pairing in round_robin(entrants, 1, size):
        for at in range(boards):
            for seating, slots in enumerate(seatings(rules, size)):
                yield HandLine(
                    match=pairing.number,
                    board=pairing.number * boards + at,
                    seating=seating,
                    hand=0,
                    attempt=0,
                    entrants=tuple(pairing.entrants[slot] for slot in slots),
                    change=tuple(draw.randrange(-500, 500, 10) for _ in range(rules.sides)),
                    contractor=draw.randrange(rules.players),
                    made=draw.random() < 0.6,
                )


def test_boards_are_ranked_by_points_per_hand() -> None:
    table = rank([line for at in range(8) for line in board(at, 20 + at)])

    assert table.ranked_by == "points_per_hand"
    assert (table.hands, table.confidence) == (16, 0.95)
    best, worst = table.rows
    assert (best.entrant, best.rank_best, best.rank_worst) == ("ann", 1, 1)
    assert (worst.entrant, worst.rank_best, worst.rank_worst) == ("bob", 2, 2)
    assert best.points_per_hand.value == 11.75
    assert (best.hands, best.boards, best.wins, best.games) == (16, 8, 8, 8)


def test_the_luck_of_the_deal_is_not_strength() -> None:
    lines = [hand(0, 0, (500, -200)), hand(0, 1, (500, -200))]

    best = rank(lines).rows[0]

    assert best.points_per_hand.value == 0
    assert (best.wins, best.games) == (0.5, 1)
    assert best.elo.value == 1500


def test_an_unfinished_board_does_not_count() -> None:
    lines = [*board(0, 10), hand(1, 0, (900, 0))]

    assert rank(lines) == rank(board(0, 10))


def test_only_the_latest_attempt_of_a_board_counts() -> None:
    replayed = [replace(line, attempt=1) for line in board(0, 30)]

    assert rank([*board(0, 10), *replayed]) == rank(replayed)
    assert rank([*board(0, 10), replayed[0]]).hands == 0


def test_a_line_given_twice_counts_once() -> None:
    lines = board(0, 10)

    assert rank(lines + lines) == rank(lines)


def test_order_changes_nothing() -> None:
    lines = list(random_lines(1, FOUR, 4, 10))
    shuffled = random.Random(1).sample(lines, len(lines))

    names = ["ann", "bob", "cid", "dan"]
    assert standings(lines, names, FOUR, games=False) == standings(
        shuffled, names, FOUR, games=False
    )


def test_contracts_belong_to_the_contractor() -> None:
    lines = [hand(0, 0, (120, 0)), hand(0, 1, (-120, 20))]

    table = rank(lines)

    assert (row_of(table, "ann").contracts, row_of(table, "ann").contracts_made) == (1, 1)
    assert (row_of(table, "bob").contracts, row_of(table, "bob").contracts_made) == (1, 0)


def test_a_hand_passed_out_counts_as_a_hand_without_a_contract() -> None:
    passed = {"contractor": None, "made": False}

    table = rank([hand(0, 0, (0, 0), **passed), hand(0, 1, (0, 0), **passed)])

    assert (table.hands, table.rows[0].contracts) == (2, 0)


def test_faults_are_counted_by_kind_even_on_unfinished_boards() -> None:
    faults = ((0, "TIMEOUT"), (2, "TIMEOUT"), (1, "ILLEGAL"))

    table = rank([hand(0, 0, (0, 0), faults=faults)])

    assert row_of(table, "ann").faults == (("TIMEOUT", 2),)
    assert row_of(table, "bob").faults == (("ILLEGAL", 1),)


def test_forfeits_count_and_cost_their_points() -> None:
    forfeit = {"forfeited_by": 1, "contractor": None, "made": False}

    table = rank([hand(0, 0, (0, -500), **forfeit), hand(0, 1, (-500, 0), **forfeit)])

    assert row_of(table, "bob").forfeits == 2
    assert row_of(table, "bob").points_per_hand.value == -250


def test_without_hands_everybody_shares_every_rank() -> None:
    table = rank([])

    assert [(row.rank_best, row.rank_worst) for row in table.rows] == [(1, 2), (1, 2)]
    assert table.rows[0].points_per_hand == Estimate(remark="there are no boards")
    assert table.rows[0].elo == Estimate(remark="there are no results")


def game(number: int, seating: int, winner: int, hands: int = 2) -> list[HandLine]:
    """A game over some hands that a side wins."""
    change = ((100, 20), (20, 100))[winner]
    lines = [hand(number, seating, change, hand=at) for at in range(hands)]
    return [*lines[:-1], replace(lines[-1], game_over=True, winners=(winner,))]


def test_games_are_ranked_by_elo() -> None:
    lines = [line for at in range(9) for line in game(at, 0, 0) + game(at, 1, at % 3 > 0)]

    table = rank(lines, games=True)

    assert table.ranked_by == "elo"
    best, worst = table.rows
    assert (best.entrant, best.wins, best.games) == ("ann", 15, 18)
    assert worst.wins == 3
    assert best.elo.value == pytest.approx(1500 + 279.588 / 2, abs=0.001)


def test_whoever_wins_every_game_has_a_bound_only() -> None:
    lines = [line for at in range(9) for line in game(at, 0, 0) + game(at, 1, 1)]

    best, worst = rank(lines, games=True).rows

    assert (best.entrant, best.elo.value, best.elo.high) == ("ann", None, None)
    assert best.elo.low is not None
    assert (best.rank_worst, worst.rank_best) == (1, 2)


def test_a_game_under_way_leaves_its_board_out() -> None:
    under_way = [*game(0, 0, 0), *game(0, 1, 1)[:-1]]

    assert rank(under_way, games=True).hands == 0


def test_a_game_goes_on_after_a_void_hand() -> None:
    first, last = game(0, 0, 0)

    table = rank([first, replace(last, attempt=1), *game(0, 1, 1)], games=True)

    assert table.hands == 4


def test_a_game_started_again_forgets_the_hands_given_up() -> None:
    given_up = game(0, 0, 1, hands=5)[:-1]
    again = [replace(line, attempt=1) for line in game(0, 0, 0)]

    table = rank([*given_up, *again, *game(0, 1, 1)], games=True)

    assert (table.hands, row_of(table, "ann").wins) == (4, 2)


def test_games_of_different_length_divide_points_by_hands() -> None:
    lines = game(0, 0, 0, hands=4) + game(0, 1, 0, hands=2)

    table = rank(lines, games=True)

    assert row_of(table, "ann").points_per_hand.value == pytest.approx((4 * 80 - 2 * 80) / 6 / 2)


def test_a_table_of_three_is_rated_by_plackett_luce() -> None:
    lines = list(random_lines(3, THREE, 4, 10))

    table = standings(lines, ["ann", "bob", "cid", "dan"], THREE, games=False, anchor=0)

    assert row_of(table, "ann").elo.value == 1500
    assert sum(row.wins for row in table.rows) == pytest.approx(40)
    assert sum(row.games for row in table.rows) == 120
    assert sum(row.points_per_hand.value or 0 for row in table.rows) == pytest.approx(0, abs=1e-6)


def test_two_entrants_share_a_table_of_three() -> None:
    lines = list(random_lines(4, THREE, 2, 10))

    table = standings(lines, ["ann", "bob"], THREE, games=False)

    assert (table.hands, table.rows[0].boards) == (60, 10)


def test_twenty_thousand_hands_are_counted() -> None:
    lines = list(random_lines(5, FOUR, 10, 222))

    table = standings(lines, [f"bot{at}" for at in range(10)], FOUR, games=False)

    assert table.hands == 19_980


NAMES = ["ann", "bob", "cid", "dan"]


def whole_board(
    rules: RuleSet, match: int, number: int, slots: Sequence[int], gains: Sequence[int]
) -> list[HandLine]:
    """A board in all seatings; each side changes by the sum of its seats' gains, by entrant."""
    return [
        HandLine(
            match=match,
            board=number,
            seating=at,
            hand=0,
            attempt=0,
            entrants=tuple(slots[slot] for slot in seating),
            change=tuple(
                sum(gains[slots[slot]] for slot in seating[side :: rules.sides])
                for side in range(rules.sides)
            ),
            contractor=0,
            made=True,
        )
        for at, seating in enumerate(seatings(rules, len(slots)))
    ]


def test_columns_give_the_same_as_lines() -> None:
    for seed, rules, entrants in ((1, FOUR, 5), (2, THREE, 5), (3, THREE, 2)):
        lines = list(random_lines(seed, rules, entrants, 12))
        lines = [*lines[:-1], replace(lines[0], attempt=1, faults=((0, "TIMEOUT"),), voids=(1,))]
        names = [f"bot{at}" for at in range(entrants)]
        columns = HandColumns()
        for at in range(0, len(lines), 7):
            columns.extend(lines[at : at + 7])

        told = standings_of(columns, names, rules, games=False)

        assert told == standings(lines, names, rules, games=False)
        shuffled = random.Random(seed).sample(lines, len(lines))
        assert told == standings(shuffled, names, rules, games=False)


def test_mixed_partners_are_rated_by_the_mean_of_their_team() -> None:
    tables = [(0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)] * 3
    gains = (30, 10, -10, -30)
    lines = [
        line for at, slots in enumerate(tables) for line in whole_board(FOUR, at, at, slots, gains)
    ]

    table = standings(lines, NAMES, FOUR, games=False)

    points = [row_of(table, name).points_per_hand.value for name in NAMES]
    assert points == pytest.approx([60, 20, -20, -60])
    assert [row.hands for row in table.rows] == [36] * 4
    assert [row.boards for row in table.rows] == [9] * 4
    assert row_of(table, "ann").wins == 7.5


def test_partners_who_are_never_apart_get_the_rating_of_both() -> None:
    lines = [
        line
        for at in range(6)
        for line in whole_board(FOUR, at, at, (0, 1, 2, 3), (at, 0, 9 - at, 1))
    ]

    table = standings(lines, NAMES, FOUR, games=False)

    remark = "ann and cid always played together: this is the rating of both"
    for name in ("ann", "cid"):
        assert row_of(table, name).points_per_hand.remark == f"{remark}; {ALIKE}"
    assert row_of(table, "ann").points_per_hand == row_of(table, "cid").points_per_hand
    order = [row.entrant for row in table.rows]
    assert table.chances[order.index("ann")][order.index("cid")] is None


def test_the_same_entrants_on_one_board_in_two_matches_are_two_boards() -> None:
    """As with common boards, where partners change and the deal stays."""
    once = whole_board(FOUR, 0, 7, (0, 1, 2, 3), (30, 10, -10, -30))
    again = whole_board(FOUR, 1, 7, (0, 2, 1, 3), (30, 10, -10, -30))
    third = whole_board(FOUR, 2, 7, (0, 1, 3, 2), (30, 10, -10, -30))

    table = standings([*once, *again, *third], NAMES, FOUR, games=False)

    points = [row_of(table, name).points_per_hand.value for name in NAMES]
    assert points == pytest.approx([60, 20, -20, -60])
    assert row_of(table, "ann").boards == 3
    assert row_of(table, "ann").points_per_hand.standard_error is None


def test_matches_at_tables_of_different_sizes_are_rated_together() -> None:
    rules = THREE
    three = [
        line
        for at in range(8)
        for line in whole_board(rules, at, at, (0, 1, 2), (20, 10, at * at % 5 * 6))
    ]
    two = [
        line
        for at in range(8, 20)
        for line in whole_board(rules, at, at, (0, 3), (at % 3 * 10, 0, 0, at % 4 * 7))
    ]

    table = standings([*three, *two], NAMES, rules, games=False)

    assert table.hands == 8 * 6 + 12 * 6
    assert all(row.points_per_hand.value is not None for row in table.rows)
    assert row_of(table, "dan").points_per_hand.low is not None
    assert row_of(table, "dan").elo.value is not None


def test_losers_at_a_table_of_three_are_not_compared() -> None:
    lines = []
    for at, winner in enumerate((0, 1, 2, 0, 1, 2, 0)):
        for line in whole_board(THREE, at, at, (0, 1, 2), (0, 0, 0)):
            side = line.entrants.index(winner)
            lines.append(replace(line, game_over=True, winners=(side,)))

    table = standings(lines, NAMES[:3], THREE, games=True)

    assert row_of(table, "ann").wins == 18
    assert row_of(table, "bob").elo == row_of(table, "cid").elo
    gap = (row_of(table, "ann").elo.value or 0) - (row_of(table, "bob").elo.value or 0)
    assert gap == pytest.approx(70.437, abs=0.001)


def test_a_bot_that_repeats_its_error_on_common_boards_widens_the_interval() -> None:
    """Forty round robins of five on twenty boards; to take each pairing for itself is naive."""
    draw = random.Random(5)
    pairs = [(one, two) for one in range(5) for two in range(one)]
    found, clustered, naive = [], [], []
    for _ in range(40):
        own = [[draw.gauss(0, 40) for _ in range(5)] for _ in range(20)]
        lines = [
            line
            for number, errors in enumerate(own)
            for match, pair in enumerate(pairs)
            for line in whole_board(
                FOUR, match, number, pair, [round(error + draw.gauss(0, 10)) for error in errors]
            )
        ]
        common = standings(lines, "ABCDE", FOUR, games=False)
        apart = [replace(line, board=20 * line.match + line.board) for line in lines]
        points = row_of(common, "A").points_per_hand
        found.append(points.value or 0)
        clustered.append(points.standard_error or 0)
        fresh = row_of(standings(apart, "ABCDE", FOUR, games=False), "A").points_per_hand
        assert fresh.value == pytest.approx(points.value)
        naive.append(fresh.standard_error or 0)

    spread = (sum(value**2 for value in found) / 40) ** 0.5
    assert sum(clustered) / 40 == pytest.approx(spread, rel=0.25)
    assert sum(naive) / 40 < 0.75 * spread


def test_mixed_partners_have_an_elo_of_their_own() -> None:
    draw = random.Random(7)
    tables = [(0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)] * 30
    lines = [
        line
        for at, slots in enumerate(tables)
        for line in whole_board(
            FOUR, at, at, slots, [gain + draw.randrange(-60, 60) for gain in (30, 10, -10, -30)]
        )
    ]

    table = standings(lines, NAMES, FOUR, games=False, anchor=1)

    elo = [row_of(table, name).elo for name in NAMES]
    assert elo[1].value == 1500
    assert all(each.low is not None and each.high is not None for each in elo)
    assert (elo[0].value or 0) > 1500 > (elo[3].value or 0)
    assert row_of(table, "ann").games == 90


def test_places_rank_where_the_format_places() -> None:
    lines = [line for at in range(8) for line in board(at, 20 + at)]
    result = FormatResult(places=(1, 0), scores=(2.5, 3.0), buchholz=(4.0, 1.5))

    table = standings(lines, ["ann", "bob"], FOUR, games=False, result=result)

    assert table.ranked_by == "place"
    first, second = table.rows
    assert (first.entrant, first.place, first.score, first.buchholz) == ("bob", 1, 3.0, 1.5)
    assert (second.entrant, second.place, second.score, second.buchholz) == ("ann", 2, 2.5, 4.0)
    assert (first.rank_best, second.rank_best) == (2, 1)
    assert table.chances[1][0] > 0.99  # type: ignore[operator] # both have played


def test_who_is_not_placed_comes_after() -> None:
    lines = [line for at in range(8) for line in board(at, 20 + at)]

    table = standings(lines, ["ann", "bob"], FOUR, games=False, result=FormatResult((1,)))

    assert [(row.entrant, row.place) for row in table.rows] == [("bob", 1), ("ann", None)]


def test_chances_are_of_the_number_that_ranks() -> None:
    lines = list(random_lines(6, FOUR, 4, 10))

    table = standings(lines, [*NAMES, "eve"], FOUR, games=False)

    size = len(table.rows)
    assert [table.chances[at][at] for at in range(size)] == [0.5] * size
    for one in range(4):
        for two in range(4):
            assert table.chances[one][two] == pytest.approx(1 - (table.chances[two][one] or 0))
    assert table.rows[4].entrant == "eve"
    assert table.chances[4][:4] == (None,) * 4
    best = [row.points_per_hand.value or 0 for row in table.rows[:4]]
    assert best == sorted(best, reverse=True)
    assert (table.chances[0][3] or 0) > 0.5


def test_who_has_not_played_leaves_nothing_open_for_those_who_have() -> None:
    lines = [line for at in range(8) for line in board(at, 20 + at)]

    table = standings(lines, ["ann", "bob", "new", "newer"], FOUR, games=False)

    ranks = [(row.entrant, row.rank_best, row.rank_worst) for row in table.rows]
    assert ranks == [("ann", 1, 1), ("bob", 2, 2), ("new", 3, 4), ("newer", 3, 4)]


def test_an_anchor_that_has_not_played_comes_last_too() -> None:
    lines = [line for at in range(9) for line in game(at, 0, 0) + game(at, 1, at % 3 > 0)]

    table = standings(lines, ["ann", "bob", "fix"], FOUR, games=True, anchor=2)

    assert [row.entrant for row in table.rows] == ["ann", "bob", "fix"]
    assert (table.rows[2].rank_best, table.rows[2].elo.value) == (3, 1500)


def test_groups_that_never_met_leave_their_ranks_open() -> None:
    near = [line for at in range(8) for line in board(at, 20 + at)]
    far = [
        replace(line, match=1, board=20 + line.board, entrants=tuple(2 + e for e in line.entrants))
        for line in near
    ]

    table = standings([*near, *far], NAMES, FOUR, games=False)

    ranks = {row.entrant: (row.rank_best, row.rank_worst) for row in table.rows}
    assert ranks == {"ann": (1, 3), "cid": (1, 3), "bob": (2, 4), "dan": (2, 4)}


def test_copies_that_always_tie_show_no_error_that_looks_certain() -> None:
    table = rank([line for at in range(8) for line in board(at, 0)])

    for row in table.rows:
        assert row.points_per_hand == Estimate(0, remark=ALIKE)
        assert row.elo == Estimate(1500, remark=ALIKE)
        assert (row.rank_best, row.rank_worst) == (1, 2)
    assert table.chances == ((0.5, 0.5), (0.5, 0.5))


def test_only_the_anchor_has_an_error_of_nothing() -> None:
    lines = [line for at in range(8) for line in board(at, 0)]

    table = standings(lines, ["ann", "bob"], FOUR, games=False, anchor=0)

    assert row_of(table, "ann").elo == Estimate(1500, 0, 1500, 1500)
    assert row_of(table, "bob").elo == Estimate(1500, remark=ALIKE)


@pytest.mark.parametrize(
    ("rules", "size", "said"),
    [(FOUR, 2, "boards or games won"), (THREE, 3, "finishing order"), (FOUR, 4, "a team")],
)
def test_it_is_said_what_elo_is_by(rules: RuleSet, size: int, said: str) -> None:
    draw = random.Random(4)
    lines = [
        line
        for at in range(12)
        for line in whole_board(
            rules, at, at, draw.sample(range(4), size), draw.sample(range(0, 80, 10), 4)
        )
    ]

    table = standings(lines, NAMES, rules, games=False)

    assert said in table.elo_model
    assert all((BY_ORDER in row.elo.remark) == (size == 3) for row in table.rows)

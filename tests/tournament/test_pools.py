"""Pools: what is one player, what is one deal, and what is kept apart."""

from dataclasses import replace
from random import Random

import pytest

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.pools import Board, EventForm, Pool, TeamForm, counted, pools, team_form
from pool_hands import FIELD, FOUR, THREE, boards, event, hand_of, margins, played

NAMES = ("ann@1", "bob@1", "cid@1")


def the_pool(found: tuple[Board, ...]) -> Pool:
    (pool,) = pools(found)
    return pool


def test_a_new_version_is_a_new_player() -> None:
    cup = event()

    pool = the_pool(boards(cup, played(cup, ("ann@1", "ann@2"))))

    assert pool.players() == ("ann@1", "ann@2")


def test_one_bot_under_two_entrants_names_is_one_player() -> None:
    cup = event()

    pool = the_pool(boards(cup, played(cup, ("ann@1", "bob@1", "ann@1"))))

    assert pool.players() == ("ann@1", "bob@1")
    assert (len(pool.boards), pool.self_play) == (8, 4)


def test_boards_against_oneself_that_are_not_even_are_told() -> None:
    cup = event()
    names = ("ann@1", "ann@1")

    pool = the_pool(boards(cup, margins(cup, names, [(0, 1, 0), (0, 1, 30), (0, 1, 0)])))

    assert (pool.boards, pool.self_play, pool.uneven_self_play) == ((), 3, 1)


@pytest.mark.parametrize(
    ("rules", "slots", "form"),
    [
        (FOUR, 2, TeamForm.SIDES),
        (FOUR, 4, TeamForm.MIXED),
        (THREE, 3, TeamForm.SOLO),
        (THREE, 2, TeamForm.SOLO),
    ],
)
def test_the_team_form_follows_from_who_sits_at_the_table(
    rules: RuleSet, slots: int, form: TeamForm
) -> None:
    assert team_form(rules, slots) is form


def test_pools_are_kept_apart_by_rules_table_size_team_form_and_event_form() -> None:
    other = replace(FOUR, target=300)
    kinds = [
        (event("a"), 2),
        (event("b", games=True), 2),
        (event("c"), 4),
        (event("d", rules=THREE), 3),
        (event("e", rules=THREE), 2),
        (event("f", rules=other), 2),
    ]

    found = [board for cup, slots in kinds for board in boards(cup, played(cup, FIELD[:4], slots))]

    keys = [pool.key for pool in pools(found)]
    assert len(set(keys)) == len(keys) == 6
    assert sum(key.event is EventForm.GAMES for key in keys) == 1


def test_a_tournament_given_twice_counts_once() -> None:
    cup = event()
    found = boards(cup, played(cup, NAMES))

    twice = the_pool(found * 2)

    assert twice.boards == the_pool(found).boards
    assert twice.repeats == len(found) == 12
    assert [(share.name, share.boards) for share in twice.tournaments] == [("cup", 12)]


def test_a_copy_under_another_name_is_an_exact_repeat_too() -> None:
    cup, copy = event("cup"), event("copy", secret="cup")
    hands = played(cup, NAMES)

    pool = the_pool(boards(cup, hands) + boards(copy, hands))

    assert (len(pool.boards), pool.repeats) == (12, 12)
    assert [share.name for share in pool.tournaments] == ["copy", "cup"]


def test_a_part_of_a_tournament_repeats_only_the_boards_that_it_has() -> None:
    cup = event()
    hands = played(cup, NAMES)

    pool = the_pool(boards(cup, hands) + boards(cup, hands[:9]))

    assert (len(pool.boards), pool.repeats) == (12, 4)


def test_one_deal_played_in_two_ways_counts_twice_as_one_deal() -> None:
    cup, again = event("cup"), event("again", secret="cup")

    pool = the_pool(
        boards(cup, played(cup, NAMES, seed=1)) + boards(again, played(again, NAMES, seed=2))
    )

    assert (len(pool.boards), pool.repeats) == (24, 0)
    assert len({board.deal for board in pool.boards}) == 12


def test_equal_results_of_different_plays_are_no_repeats() -> None:
    cup = event()
    hands = margins(cup, NAMES, [(0, 1, 40)])
    others = [hand_of(hand.line, NAMES, "otherwise") for hand in hands]

    pool = the_pool(boards(cup, hands) + boards(cup, others))

    assert (len(pool.boards), pool.repeats) == (2, 0)


def test_boards_of_one_number_in_several_matches_are_one_deal_and_several_boards() -> None:
    cup = event()
    hands = margins(cup, NAMES, [(0, 1, 40), (0, 2, 10)])
    common = [replace(hand, line=replace(hand.line, board=0)) for hand in hands]

    pool = the_pool(boards(cup, common))

    assert len(pool.boards) == 2
    assert len({board.deal for board in pool.boards}) == 1


def test_hands_of_boards_that_are_not_whole_do_not_count_and_are_counted() -> None:
    cup = event()
    hands = margins(cup, NAMES, [(0, 1, 40), (1, 2, 10)])

    found = counted(cup, hands[:3])

    assert (len(found.boards), found.loose) == (1, 1)


def test_a_board_replayed_after_a_void_counts_by_its_last_attempt() -> None:
    cup = event()
    hands = margins(cup, NAMES, [(0, 1, 40)])
    again = margins(cup, NAMES, [(0, 1, -20)])
    again = [replace(hand, line=replace(hand.line, attempt=1)) for hand in again]

    found = counted(cup, [*hands, *again])

    assert [board.points for board in found.boards] == [(-20, 0)]
    assert found.loose == 2


def test_a_board_in_the_midst_of_which_a_bot_changed_its_version_is_left_out() -> None:
    cup = event()
    hands = margins(cup, NAMES, [(0, 1, 40), (0, 1, 20)])
    hands[3] = replace(hands[3], players=("bob@1", "ann@2", "bob@1", "ann@2"))

    found = counted(cup, hands)

    assert (len(found.boards), found.changed, found.loose) == (1, 1, 0)


def test_no_hands_are_no_boards_and_no_pools() -> None:
    assert counted(event(), []).boards == ()
    assert pools([]) == ()


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_hands_and_of_tournaments_does_not_show(seed: int) -> None:
    draw = Random(seed)
    cups = [event("a"), event("b"), event("c", games=True), event("d", rules=THREE)]
    sizes = (2, 4, 2, 3)
    hands = [played(cup, FIELD[:4], slots) for cup, slots in zip(cups, sizes, strict=True)]
    straight = [board for cup, of in zip(cups, hands, strict=True) for board in boards(cup, of)]

    mixed: list[Board] = []
    for cup, of in draw.sample(list(zip(cups, hands, strict=True)), len(cups)):
        mixed += boards(cup, draw.sample(of, len(of)))

    assert pools(draw.sample(mixed, len(mixed))) == pools(straight)

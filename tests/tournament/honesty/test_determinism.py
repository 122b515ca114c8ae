from dataclasses import replace
from random import Random as Dice

from fivehundred.rules.actions import Play
from fivehundred.storage.facts import hand_facts
from fivehundred.table.values import HandRecord
from fivehundred.tournament.honesty.determinism import NOTHING, Determinism, determinism
from fivehundred.tournament.honesty.facts import FactColumns, HandFacts
from fivehundred.tournament.seatings import seatings
from fivehundred_bots.basic import Basic
from fivehundred_bots.random_bot import Random
from fivehundred_client import Bot, PlayTurn
from made_facts import FOUR, THREE, made_facts
from played_hands import played_hands


class Unsteady(Basic):
    """Draws on a generator of its own now and then, not on its seeds."""

    name = "unsteady"

    def __init__(self) -> None:
        self._dice = Dice(5)

    def play(self, turn: PlayTurn) -> Play:
        return self._dice.choice(turn.legal) if self._dice.random() < 0.1 else super().play(turn)


def checked(*bots: Bot, boards: int = 6) -> Determinism:
    records: list[HandRecord] = list(played_hands(FOUR, bots, seatings(FOUR, 2), boards=boards))
    facts = FactColumns(FOUR, (hand_facts(each, FOUR, at) for at, each in enumerate(records)))
    return determinism(facts.counted(games=False), facts.bot_names)


def test_a_deterministic_bot_comes_out_exactly_even_against_itself() -> None:
    found = checked(Basic(), Basic())

    assert (found.boards, found.divergent, found.remark) == (6, (), "")
    assert [(each.bot, each.boards, each.divergent) for each in found.by_bot] == [("basic@1", 6, 0)]


def test_a_bot_that_draws_on_its_seeds_alone_does_too() -> None:
    assert checked(Random(), Random()).divergent == ()


def test_a_bot_that_draws_on_something_else_is_named_with_its_boards() -> None:
    found = checked(Unsteady(), Unsteady(), boards=10)

    assert found.divergent
    assert {each.bot for each in found.divergent} == {"unsteady@1"}
    assert all(each.match == 0 and each.seatings == (1,) for each in found.divergent)
    (shown,) = found.by_bot
    assert shown.divergent == len(found.divergent)
    assert 0 < shown.uneven <= shown.divergent


def test_different_bots_are_not_checked() -> None:
    found = checked(Basic(), Random())

    assert (found.boards, found.by_bot, found.remark) == (0, (), NOTHING)


def same_bot(hand: HandFacts) -> HandFacts:
    return replace(
        hand,
        bots=("b@1",) * len(hand.bots),
        course=hand.line.board,
        line=replace(hand.line, change=(hand.line.board,) * len(hand.line.change)),
    )


def test_three_copies_at_one_table_are_checked_in_all_seatings() -> None:
    facts = made_facts(1, THREE, (0, 0, 0), boards=3, change=same_bot)

    found = determinism(facts.counted(games=False), facts.bot_names)

    assert (found.boards, found.divergent) == (3, ())


def test_a_board_with_a_fault_need_not_be_even() -> None:
    def faulty(hand: HandFacts) -> HandFacts:
        if hand.line.board != 1:
            return same_bot(hand)
        return replace(same_bot(hand), line=replace(hand.line, faults=((1, "TIMEOUT"),)))

    facts = made_facts(2, FOUR, (0, 0), boards=3, change=faulty)

    found = determinism(facts.counted(games=False), facts.bot_names)

    assert (found.boards, found.left_out, found.divergent) == (2, 1, ())


def test_another_course_to_the_same_score_is_divergent_but_even() -> None:
    facts = made_facts(
        3, FOUR, (0, 0), boards=2, change=lambda hand: replace(same_bot(hand), course=hand.number)
    )

    found = determinism(facts.counted(games=False), facts.bot_names)

    assert [each.difference for each in found.divergent] == [0, 0]
    assert [(each.divergent, each.uneven) for each in found.by_bot] == [(2, 0)]

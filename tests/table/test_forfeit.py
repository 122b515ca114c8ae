"""What a forfeit scores, over all rule sets: nothing that playing on could bring is worse."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.rules.actions import PASS, Call
from fivehundred.rules.bids import ladder
from fivehundred.rules.hand import Contract
from fivehundred.rules.ruleset import AllPass, FloorEffect, RuleSet, SideModel
from fivehundred.rules.scoring import score
from fivehundred.table.forfeit import (
    forfeit_change,
    forfeit_result,
    forfeiting_sides,
    hand_forfeit_result,
)
from fivehundred.table.values import HandKey, HandStarted
from random_rules import rule_sets


def tricks_at_random(rules: RuleSet, random: Random) -> tuple[int, ...]:
    """Ten tricks dealt out to the seats, often all to one."""
    seats = random.choices(range(rules.players), k=10)
    if random.random() < 0.5:
        seats = [random.randrange(rules.players)] * 10
    return tuple(seats.count(seat) for seat in range(rules.players))


@settings(max_examples=100, deadline=None)
@given(rule_sets(), st.integers(0, 2**32))
def test_no_hand_leaves_a_side_further_behind_another_than_a_forfeit(
    rules: RuleSet, seed: int
) -> None:
    random, side = Random(seed), seed % rules.sides
    forfeited = forfeit_change(rules, (side,))
    bids: list[Call] = list(ladder(rules))
    if rules.all_pass is AllPass.PLAY_OUT:
        bids.append(PASS)
    for bid in bids:
        contractor = random.randrange(rules.players)
        others = [seat for seat in range(rules.players) if seat != contractor]
        has_partners = rules.side_model is SideModel.CALLED and bid != PASS
        partners = tuple(random.sample(others, random.randint(0, 2))) if has_partners else ()
        contract = Contract(bid, contractor, partners=partners)
        before = [random.randrange(-1000, 1000) for _ in range(rules.sides)]

        change = score(rules, contract, tricks_at_random(rules, random), before)

        assert forfeited[side] <= change[side]
        for other in set(range(rules.sides)) - {side}:
            lead, behind = change[side] - change[other], forfeited[side] - forfeited[other]
            assert behind <= lead, (bid, contract, change, forfeited)


def test_where_nothing_is_lost_the_others_score_as_if_they_had_made_the_dearest_bid() -> None:
    rules = RuleSet(set_back=False)

    assert forfeit_change(rules, (0,)) == (0, 520)
    assert forfeit_change(RuleSet(), (0,)) == (-520, 100)


def test_an_entrant_forfeits_for_all_its_sides() -> None:
    rules = RuleSet(players=3, side_model=SideModel.SOLO)

    sides = forfeiting_sides(rules, (7, 4, 7), 7)

    assert sides == {0, 2}
    assert forfeit_result(rules, sides, 0).winners == (1,)


def started(*scores: int) -> HandStarted:
    return HandStarted(HandKey("t", 0, 0, 0), ("a@1", "b@1") * 2, (0, 1) * 2, 3, (), scores)


@pytest.mark.parametrize(
    ("rules", "scores", "winners"),
    [
        (RuleSet(), (300, 0), ()),
        (RuleSet(), (0, 0), (1,)),
        (RuleSet(), (300, 400), (1,)),
        (RuleSet(floor=None), (0, 0), ()),
        (RuleSet(floor_effect=FloorEffect.LOSES_UNLESS_ALL_NEGATIVE), (0, -101), ()),
        (RuleSet(set_back=False, target=1000), (900, 300), ()),
        (RuleSet(set_back=False), (600, 0), (1,)),
    ],
    ids=["goes on", "floor", "target", "no floor", "spared", "kept", "not the one who forfeits"],
)
def test_a_hand_forfeited_alone_ends_its_game_where_the_score_does(
    rules: RuleSet, scores: tuple[int, int], winners: tuple[int, ...]
) -> None:
    result = hand_forfeit_result(rules, (0,), started(*scores))

    assert (result.winners, result.game_over) == (winners, bool(winners))
    assert result.next_dealer == 0


@settings(max_examples=50, deadline=None)
@given(rule_sets(), st.integers(0, 2**32))
def test_whoever_forfeits_a_hand_wins_nothing_by_it(rules: RuleSet, seed: int) -> None:
    random, side = Random(seed), seed % rules.sides
    scores = tuple(random.randrange(-600, 600) for _ in range(rules.sides))
    begun = replace(started(*scores), dealer=random.randrange(rules.players))

    result = hand_forfeit_result(rules, (side,), begun)

    assert side not in result.winners
    assert result.game_over == bool(result.winners)
    assert result.next_dealer != begun.dealer

"""Hands in lock step are the engine's hands, seen through arrays that tell a seat's view alone."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from fivehundred.rules.actions import Exchange, LegalCalls, LegalPlays
from fivehundred.rules.cards import JOKERS, Cards, members
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Deal, Phase
from fivehundred.table.dealing import deck_order
from fivehundred.table.values import AskKind
from fivehundred.wire.asked import Asked
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred_client import AnyTurn, Turn
from fivehundred_client.arrays import Numbers, Step, Views, views_of
from fivehundred_client.selfplay import SelfPlay
from random_rules import random_rules

RULES = RuleSet()
RULE_SETS = [load_preset(preset) for preset in preset_names()]


def choices(views: Views, random: Random) -> list[int]:
    """One of the legal actions in each row, seldom a bid; 0 where there is none."""
    return [_choice(np.flatnonzero(row).tolist(), random) for row in views.legal]


def _choice(legal: list[int], random: Random) -> int:
    if legal and legal[0] == 0 and random.random() < 0.6:
        return 0
    return random.choice(legal or [0])


def played(play: SelfPlay, steps: int, seed: int) -> Iterator[tuple[list[int], Numbers]]:
    """The actions and rewards of steps at random."""
    random = Random(seed)
    for _ in range(steps):
        actions = choices(play.views, random)
        yield actions, play.step(actions)[0]


def legal_numbers(play: SelfPlay, row: int) -> set[int]:
    """What a row should allow, from its hand and from what it has thrown so far."""
    numbers, views = play.numbers, play.views
    legal = play.hands[row].legal()
    if isinstance(legal, LegalCalls | LegalPlays):
        return {numbers.number(action) for action in legal}
    thrown = sum(1 << int(card) for card in np.flatnonzero(views.thrown[row]))
    match Step(views.step[row]):
        case Step.THROW:
            return {numbers.throws.start + card for card in members(legal.holding & ~thrown)}
        case Step.JOKER_SUIT:
            return {*range(numbers.suits.start, numbers.suits.stop), numbers.nothing}
        case Step.CALL_CARD:
            called = {numbers.called.start + card for card in members(legal.callable_after(thrown))}
            return called | {numbers.nothing}
        case _:
            return {*(numbers.partners.start + seat for seat in legal.choosable), numbers.nothing}


def as_turn(hand: Hand) -> AnyTurn:
    assert hand.turn is not None
    view, legal = hand.view(hand.turn), hand.legal()
    asked = Asked("1", AskKind.PLAY, view, legal, 1, 1, 0, None, b"")
    return Turn(asked, legal, hand.rules)


def assert_rows_equal(views: Views, row: int, others: Views, other: int) -> None:
    for array, same in zip(views.arrays(), others.arrays(), strict=True):
        np.testing.assert_array_equal(array[row], same[other])


@pytest.mark.parametrize("rules", RULE_SETS, ids=preset_names())
def test_the_legal_masks_are_what_the_hands_allow(rules: RuleSet) -> None:
    play = SelfPlay(rules, 4)
    play.reset(seed=1)
    chosen: set[int] = set()

    for _ in played(play, 150, seed=1):
        for row in range(4):
            mask = set(np.flatnonzero(play.views.legal[row]).tolist())
            wanted = legal_numbers(play, row)
            if play.views.step[row] == Step.PARTNER:  # those chosen already are not offered again
                assert mask <= wanted and play.numbers.nothing in mask
            else:
                assert mask == wanted
            chosen.add(int(play.views.step[row]))

    assert {Step.CALL, Step.PLAY} <= chosen


@pytest.mark.parametrize("seed", range(25))
def test_random_rule_sets_play_on_for_ever(seed: int) -> None:
    play = SelfPlay(random_rules(Random(seed)), 3)
    play.reset(seed)

    for _ in played(play, 200, seed):
        assert play.views.legal.any(axis=1).all()

    assert max(play.boards) >= 3


@pytest.mark.parametrize("rules", RULE_SETS, ids=preset_names())
def test_rows_are_what_a_turn_of_the_same_hand_shows(rules: RuleSet) -> None:
    play = SelfPlay(rules, 3)
    play.reset(seed=2)

    for _ in played(play, 100, seed=2):
        for row, hand in enumerate(play.hands):
            if play.views.step[row] in (Step.CALL, Step.PLAY):
                assert_rows_equal(play.views, row, views_of(rules, [as_turn(hand)]), 0)


@pytest.mark.parametrize("rules", RULE_SETS, ids=preset_names())
def test_an_exchange_begins_as_a_turn_shows_it(rules: RuleSet) -> None:
    play = SelfPlay(rules, 2)
    play.reset(seed=5)
    random = Random(5)

    for _ in range(80):
        before = play.views.step.copy()
        play.step(choices(play.views, random))
        for row, hand in enumerate(play.hands):
            if before[row] == Step.CALL and Step.THROW <= play.views.step[row] <= Step.PARTNER:
                assert hand.turn is not None
                assert_rows_equal(play.views, row, views_of(rules, [as_turn(hand)]), 0)


@pytest.mark.parametrize("seed", range(8))
def test_deals_hands_and_rewards_are_the_engines_for_the_same_secret(seed: int) -> None:
    secret = bytes([seed]) * 32
    play = SelfPlay(RULES, 1)
    play.reset(secret)
    cards = deal(RULES, deck_order(secret, 0, 0, 0, RULES), 0)
    hand = Hand(RULES, cards, 0, (0, 0))
    exchange = Exchange(0)

    for (number,), rewards in played(play, 100, seed):
        if number >= play.numbers.plays.start or number < play.numbers.throws.start:
            if hand.phase is Phase.EXCHANGE:
                hand.apply(exchange)
            hand.apply(play.numbers.action(number))
        elif number < play.numbers.throws.stop:
            thrown = exchange.thrown | 1 << number - play.numbers.throws.start
            exchange = replace(exchange, thrown=thrown)
        elif number < play.numbers.suits.stop:
            exchange = replace(exchange, joker_suit=number - play.numbers.suits.start)
        if hand.result is not None:
            assert tuple(rewards[0].tolist()) == hand.result.change
            break
        assert play.boards == [0] and play.hands[0].deal == cards

    assert hand.result is not None
    assert play.boards == [1]


def test_a_row_goes_on_with_the_board_after_those_of_all_rows() -> None:
    play = SelfPlay(RULES, 3)
    play.reset(seed=9)
    secret = (9).to_bytes(32, "big")

    while max(play.boards) < 6:
        play.step([int(row.argmax()) for row in play.views.legal])

    for row, (board, hand) in enumerate(zip(play.boards, play.hands, strict=True)):
        assert board % 3 == row
        assert hand.dealer == board % 4
        assert hand.deal == deal(RULES, deck_order(secret, board, 0, 0, RULES), board % 4)


def test_a_hand_that_has_ended_waits_for_a_reset_where_that_is_wanted() -> None:
    play = SelfPlay(RULES, 2, auto_reset=False)
    play.reset(seed=1)

    dones = [play.step([0, 0])[1].tolist() for _ in range(6)]
    dones.append(play.step([-7, 1_000_000])[1].tolist())

    assert dones == [[False, False]] * 3 + [[True, True]] + [[False, False]] * 3
    assert play.views.step.tolist() == [Step.OVER] * 2
    assert not play.views.legal.any()
    assert play.reset(seed=1).legal[:, 0].all()


def test_the_same_seed_gives_the_same_again() -> None:
    play = SelfPlay(RULES, 4)
    runs = []
    for _ in range(2):
        play.reset(seed=4)
        rewards = [reward.tolist() for _, reward in played(play, 120, seed=4)]
        runs.append((rewards, [array.tolist() for array in play.views.copy().arrays()]))

    assert runs[0] == runs[1]


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    play = SelfPlay(RULES, 2)
    before = play.reset(seed=1).copy()

    for wrong in ([0, play.numbers.plays.start], [0, -1], [0, play.numbers.size]):
        with pytest.raises(IllegalAction, match=f"action {wrong[1]} is not legal in row 1"):
            play.step(wrong)
    with pytest.raises(ValueError, match="give 2 whole numbers"):
        play.step([0])
    with pytest.raises(ValueError, match="give 2 whole numbers"):
        play.step([0.0, 0.0])

    for row in range(2):
        assert_rows_equal(play.views, row, before, row)


class Arranged(SelfPlay):
    """Plays one deal in every row."""

    def __init__(self, rules: RuleSet, cards: Deal) -> None:
        self.cards = cards
        super().__init__(rules, 1)

    def hand_of(self, board: int) -> Hand:
        """The one deal."""
        return Hand(self.rules, self.cards, 0, (0,) * self.rules.sides)


def test_a_step_before_the_deal_asks_for_a_reset() -> None:
    with pytest.raises(RuntimeError, match="reset first"):
        SelfPlay(RULES, 2).step([0, 0])


@pytest.mark.parametrize("preset", ["au-4p-43", "ko-3p-33", "uspc-5p-53", "au-6p-63"])
@pytest.mark.parametrize("seed", range(6))
def test_cards_that_a_seat_cannot_see_change_nothing_of_its_row(preset: str, seed: int) -> None:
    rules, random = load_preset(preset), Random(seed)
    cards = deal(rules, deck_order(bytes([seed]) * 32, 0, 0, 0, rules), 0)
    play = Arranged(rules, cards)
    play.reset(seed=0)
    actions: list[int] = []
    compared = 0

    for _ in range(60):
        seat, hand = int(play.views.seat[0]), play.hands[0]
        twin = Arranged(rules, swapped(cards, hand, seat, random))
        if twin.cards != cards and follows(twin, actions):
            assert_rows_equal(twin.views, 0, play.views, 0)
            compared += 1
        actions += choices(play.views, random)
        play.step(actions[-1:])
        if play.boards[0]:
            break

    assert compared > 2


def swapped(cards: Deal, hand: Hand, seat: int, random: Random) -> Deal:
    """The deal with two cards of others exchanged that have not been seen."""
    one, other = random.sample([each for each in range(hand.rules.players) if each != seat], 2)
    exposed = hand.view(seat).exposed
    mine = _unseen(cards, hand, one) & ~exposed
    theirs = _unseen(cards, hand, other) & ~exposed
    pairs = [(a, b) for a in members(mine) for b in members(theirs) if a >> 4 == b >> 4]
    if not pairs:
        return cards
    first, second = random.choice(pairs)
    both = 1 << first | 1 << second
    holdings = list(cards.holdings)
    holdings[one] ^= both
    holdings[other] ^= both
    return Deal(tuple(holdings), cards.kitty, cards.personal, cards.dead)


def _unseen(cards: Deal, hand: Hand, seat: int) -> Cards:
    return cards.holdings[seat] & hand.holdings[seat] & ~JOKERS


def follows(play: SelfPlay, actions: list[int]) -> bool:
    """Whether the same actions may be played, up to the same place."""
    play.reset(seed=0)
    try:
        for action in actions:
            play.step([action])
    except IllegalAction:
        return False
    return play.boards[0] == 0

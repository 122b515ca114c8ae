"""Properties that hold in every hand, by play at random over seeds."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from any_action import any_action
from fivehundred.rules.actions import PASS, Action, Exchange, LegalCalls, LegalPlays, Play
from fivehundred.rules.bids import ladder
from fivehundred.rules.cards import ALL_CARDS, Card, Cards, mask
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import (
    AllPass,
    AuctionRounds,
    CallRules,
    Exposure,
    FirstLead,
    JokerFollow,
    JokerForced,
    JokerLead,
    PersonalKittyUse,
    Reentry,
    Reveal,
    RuleSet,
    SideModel,
)
from fivehundred.rules.values import Deal, Outcome, Phase
from fivehundred.wire.presets import load_preset

Shuffled = Callable[[RuleSet, Random], Hand]

TWO_JOKERS = replace(RuleSet(), jokers=2, signal_seats=2, min_contract=7)
HOUSES = [
    replace(
        TWO_JOKERS,
        joker_lead=lead,
        joker_follow=list(JokerFollow)[number % 3],
        joker_forced=list(JokerForced)[number % 3],
        misere_joker_low=number % 2 == 0,
        reentry=list(Reentry)[number % 3],
        winner_may_raise=number % 2 == 1,
        all_pass=list(AllPass)[number % 3],
        first_lead=list(FirstLead)[number % 2],
        special_bids=tuple(
            replace(
                special,
                needs_level=0,
                exposure=list(Exposure)[number % 3],
                partner_plays=number % 2 == 0,
                points_per_forced_trick=10 * (number % 2),
            )
            for special in TWO_JOKERS.special_bids
        ),
    )
    for number, lead in enumerate(JokerLead)
]
HOUSES += [
    replace(
        load_preset("au-5p-53"),
        call=CallRules(secret_solo=True, reveal=list(Reveal)[number % 2]),
        personal_kitty=number % 2,
        lowest_pip=(2, 2, 2, 2),
        highest_pip=(12, 12, 12, 12),
        personal_kitty_use=list(PersonalKittyUse)[number // 2],
        auction_rounds=list(AuctionRounds)[number % 2],
    )
    for number in range(4)
]
HOUSES += [
    replace(load_preset("au-6p-63"), side_model=SideModel.SOLO, jokers=2),
    replace(load_preset("ko-3p-33"), all_pass=AllPass.PLAY_OUT),
]


def play_on(hand: Hand, random: Random) -> Iterator[Action]:
    """Play a hand to its end, giving each action just before it is carried out."""
    while hand.turn is not None:
        action = any_action(hand.legal(), random)
        yield action
        hand.apply(action)


def views(hand: Hand) -> list[object]:
    """What every seat sees."""
    return [hand.view(seat) for seat in range(hand.rules.players)]


def everything(hand: Hand) -> Cards:
    """Every card of a hand, wherever it is now."""
    tricks = hand.view(0).tricks
    parts = [*hand.holdings, *(1 << card for trick in tricks for card in trick.cards)]
    parts += [hand.view(seat).thrown for seat in range(hand.rules.players)]
    assert len(parts) == len(hand.holdings) * 2 + sum(len(trick.cards) for trick in tricks)
    return sum(parts)


@pytest.mark.parametrize("name", ["au-4p-43", "ko-3p-33", "qc-4p-46-vi"])
def test_twenty_thousand_hands(name: str, shuffled: Shuffled) -> None:
    rules, random = load_preset(name), Random(name)
    outcomes: dict[Outcome, int] = dict.fromkeys(Outcome, 0)
    for _ in range(20_000):
        hand = shuffled(rules, random)
        look_at = random.randrange(60)
        for number, _action in enumerate(play_on(hand, random)):
            if number == look_at:
                assert hand.turn is not None
                assert hand.view(hand.turn).holding == hand.holdings[hand.turn]
        assert hand.phase is Phase.OVER
        assert hand.result is not None
        assert sum(hand.result.tricks_won) <= 10
        outcomes[hand.result.outcome] += 1

    assert outcomes[Outcome.PLAYED] > 5_000
    assert outcomes[Outcome.PASSED_OUT] > 100


def test_no_card_appears_twice_or_is_lost_from_the_play(
    preset: RuleSet, shuffled: Shuffled
) -> None:
    random = Random(5)
    for _ in range(10):
        hand = shuffled(preset, random)
        dealt = sum(hand.deal.holdings)
        for _action in play_on(hand, random):
            cards = everything(hand)
            assert cards & ~mask(deck(preset)) == 0
            assert dealt & ~cards == 0
            if hand.phase is Phase.PLAY:
                held = {hand.holdings[seat].bit_count() for seat in hand.playing_seats}
                assert max(held) - min(held) <= 1


@pytest.mark.parametrize("rules", HOUSES)
def test_house_rules_play_to_an_end(rules: RuleSet, shuffled: Shuffled) -> None:
    random = Random(6)
    for _ in range(60):
        hand = shuffled(rules, random)
        for _action in play_on(hand, random):
            everything(hand)
        assert hand.phase is Phase.OVER


def test_a_replay_gives_the_same_views(preset: RuleSet, shuffled: Shuffled) -> None:
    random = Random(7)
    for _ in range(5):
        hand = shuffled(preset, random)
        twin = Hand(preset, hand.deal, hand.dealer, hand.scores)
        for action in play_on(hand, random):
            assert views(twin) == views(hand)
            assert twin.turn == hand.turn
            twin.apply(action)
        assert twin.result == hand.result


def test_a_copy_goes_its_own_way(preset: RuleSet, shuffled: Shuffled) -> None:
    random = Random(8)
    hand = shuffled(preset, random)
    for _action in play_on(hand, random):
        before = views(hand)
        twin = hand.copy()
        assert views(twin) == before
        for _ in play_on(twin, random):
            pass
        assert views(hand) == before


def conceivable(hand: Hand) -> Iterator[Action]:
    """Every call and play that anybody could think of, and an exchange out of place."""
    yield PASS
    yield from ladder(hand.rules)
    yield Exchange(0)
    for card in ALL_CARDS:
        for named in (None, 0, 1, 2, 3):
            yield Play(card, named)


def accepts(hand: Hand, action: Action) -> bool:
    """Whether a hand carries an action out."""
    try:
        hand.copy().apply(action)
    except IllegalAction:
        return False
    return True


@pytest.mark.parametrize("rules", [*HOUSES, load_preset("au-4p-43"), load_preset("ko-3p-33")])
def test_accepted_is_what_is_legal(rules: RuleSet, shuffled: Shuffled) -> None:
    random = Random(9)
    hand = shuffled(rules, random)
    for _action in play_on(hand, random):
        legal = hand.legal()
        accepted = {action for action in conceivable(hand) if accepts(hand, action)}
        if isinstance(legal, LegalCalls | LegalPlays):
            assert accepted == set(legal)
            assert len(set(legal)) == len(list(legal)) > 0
        assert accepts(hand, legal.default())


def test_nothing_is_legal_after_the_end(shuffled: Shuffled) -> None:
    hand = shuffled(RuleSet(), Random(10))
    for _action in play_on(hand, Random(10)):
        pass

    with pytest.raises(IllegalAction, match="over"):
        hand.legal()
    with pytest.raises(IllegalAction, match="end of the hand"):
        hand.apply(PASS)


def swap(cards: Cards, one: Card, other: Card) -> Cards:
    """A set of cards with two cards in each other's place."""
    if (cards >> one ^ cards >> other) & 1:
        return cards ^ (1 << one | 1 << other)
    return cards


def swapped_deal(deal: Deal, one: Card, other: Card) -> Deal:
    """A deal with two cards in each other's place."""
    return Deal(
        tuple(swap(cards, one, other) for cards in deal.holdings),
        swap(deal.kitty, one, other),
        tuple(swap(cards, one, other) for cards in deal.personal),
        swap(deal.dead, one, other),
    )


def seen_by(hand: Hand, seat: int) -> Cards:
    """The cards that a seat has seen."""
    view = hand.view(seat)
    played = mask(card for trick in view.tricks for card in trick.cards)
    call, contract = hand.rules.call, view.contract
    if call is not None and call.reveal is Reveal.AT_ONCE and contract and contract.called:
        played |= 1 << contract.called
    return view.holding | view.thrown | view.exposed | played | hand.deal.holdings[seat]


def thrown_otherwise(action: Action, pair: tuple[int, int]) -> Action:
    """An exchange with two cards in each other's place."""
    assert isinstance(action, Exchange)
    return replace(action, thrown=swap(action.thrown, *pair))


def replayed(
    hand: Hand, actions: list[tuple[int, Action]], seat: int, pair: tuple[int, int]
) -> Hand | None:
    """The same hand with two cards swapped, thrown ones too; None where it is not possible."""
    twin = Hand(hand.rules, swapped_deal(hand.deal, *pair), hand.dealer, hand.scores)
    for actor, action in actions:
        is_hidden = isinstance(action, Exchange) and actor != seat
        try:
            twin.apply(thrown_otherwise(action, pair) if is_hidden else action)
        except IllegalAction:
            return None
    return twin


@pytest.mark.parametrize(
    "rules",
    [
        *HOUSES,
        *map(load_preset, ("au-4p-43", "au-5p-53", "uspc-2p-33-dead", "hist-2p-25", "uspc-5p-53")),
    ],
)
def test_a_view_tells_nothing_unseen(rules: RuleSet, shuffled: Shuffled) -> None:
    random = Random(11)
    compared = 0
    for _ in range(12):
        hand = shuffled(rules, random)
        actions: list[tuple[int, Action]] = []
        for action in play_on(hand, random):
            assert hand.turn is not None
            seat = random.randrange(rules.players)
            unseen = [card for card in deck(rules) if not seen_by(hand, seat) >> card & 1]
            pair = random.choice(unseen or [0]), random.choice(unseen or [0])
            twin = replayed(hand, actions, seat, pair)
            if twin is not None and pair[0] != pair[1]:
                assert twin.view(seat) == hand.view(seat)
                assert twin.turn == hand.turn
                assert hand.turn != seat or twin.legal() == hand.legal()
                compared += 1
            actions.append((hand.turn, action))

    assert compared > 50

"""A request's bytes do not change when the cards that its seat cannot see are permuted."""

from dataclasses import replace
from random import Random

import pytest

from fivehundred.rules.actions import Action, Exchange, LegalCalls, LegalExchange
from fivehundred.rules.cards import Cards, mask, members
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Deal, Hand, SeatView
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import Reveal, RuleSet
from fivehundred.table.values import Ask, AskKind
from fivehundred.wire.codec import ask_to_proto
from fivehundred.wire.presets import load_preset, preset_names

HANDS = 25
LEAST_COMPARED = 100
Swap = dict[int, int]


def request(hand: Hand) -> bytes:
    """The bytes of the request to the seat in turn."""
    assert hand.turn is not None
    legal = hand.legal()
    kind = AskKind.PLAY
    if isinstance(legal, LegalCalls | LegalExchange):
        kind = AskKind.BID if isinstance(legal, LegalCalls) else AskKind.DISCARD
    view = hand.view(hand.turn)
    ask = Ask(kind, hand.turn, 0, view, legal, 1_000_000, 0, seed=7, last_receipt=None)
    return ask_to_proto(ask, "0" * 16, bytes(32)).SerializeToString()


def choose(hand: Hand, random: Random) -> Action:
    """One of the legal actions, passes more often than bids."""
    legal = hand.legal()
    if isinstance(legal, LegalExchange):
        thrown = mask(random.sample(list(members(legal.holding)), legal.throw))
        callable_cards = list(members(legal.callable & ~thrown))
        called = random.choice(callable_cards) if callable_cards else None
        return Exchange(thrown, called=called, partners=legal.choosable[: legal.partners])
    actions = list(legal)
    return actions[0] if len(actions) == 1 or random.random() < 0.5 else random.choice(actions)


def seen(hand: Hand, view: SeatView) -> Cards:
    """All cards that a seat has seen or has been told of."""
    tricks = mask(card for trick in view.tricks for card in trick.cards)
    call, contract = hand.rules.call, view.contract
    told = 0
    if call and call.reveal is Reveal.AT_ONCE and contract and contract.called is not None:
        told = 1 << contract.called
    dealt = hand.deal.holdings[view.seat]
    return view.holding | view.thrown | view.exposed | tricks | told | dealt


def permute(cards: Cards, swap: Swap) -> Cards:
    return mask(swap.get(card, card) for card in members(cards))


def permuted(hand: Hand, made: list[tuple[int, Action]], seat: int, swap: Swap) -> Hand | None:
    """The same hand with unseen cards permuted; None where it could not have been played so."""
    original = hand.deal
    other = Deal(
        tuple(permute(cards, swap) for cards in original.holdings),
        permute(original.kitty, swap),
        tuple(permute(cards, swap) for cards in original.personal),
        permute(original.dead, swap),
    )
    twin = Hand(hand.rules, other, hand.dealer, hand.scores)
    for actor, action in made:
        if isinstance(action, Exchange) and actor != seat:
            action = replace(action, thrown=permute(action.thrown, swap))  # noqa: PLW2901
        try:
            twin.apply(action)
        except IllegalAction:
            return None
    return twin


@pytest.mark.parametrize("preset", preset_names())
def test_a_request_tells_nothing_of_what_its_seat_cannot_see(preset: str) -> None:
    rules: RuleSet = load_preset(preset)
    random = Random(500)
    compared = 0
    for _ in range(HANDS):
        cards = list(deck(rules))
        random.shuffle(cards)
        hand = Hand(rules, deal(rules, cards, 0), 0, (0,) * rules.sides)
        made: list[tuple[int, Action]] = []
        while (seat := hand.turn) is not None:
            unseen = list(members(mask(deck(rules)) & ~seen(hand, hand.view(seat))))
            pair = random.sample(unseen, 2) if len(unseen) > 1 else []
            swap = dict(zip(pair, reversed(pair), strict=True))
            twin = permuted(hand, made, seat, swap) if pair else None
            if twin is not None:
                assert twin.turn == seat
                assert request(twin) == request(hand)
                compared += 1
            action = choose(hand, random)
            hand.apply(action)
            made.append((seat, action))
    assert compared >= LEAST_COMPARED

"""Hands at which bots sit in this process."""

import random
from collections.abc import Callable, Sequence

import pytest

from fivehundred.rules.actions import PASS, Action, Call, Legal, LegalCalls, LegalExchange
from fivehundred.rules.bids import ladder
from fivehundred.rules.cards import Cards, parse_card, parse_cards
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Contract, HandResult, SeatView, Trick
from fivehundred.table.values import AskKind
from fivehundred.wire.asked import Asked
from fivehundred_client import Bot
from fivehundred_client.bot import decide

Calls = tuple[tuple[int, Call], ...]
Ask = Callable[[Bot, RuleSet, SeatView, Legal], Action]
PlayHand = Callable[[RuleSet, Sequence[Bot], int], HandResult]


@pytest.fixture
def ask() -> Ask:
    """Asks a bot for one decision."""
    return _ask


@pytest.fixture
def play_hand() -> PlayHand:
    """Plays the hand of a seed; an illegal answer raises."""
    return _play_hand


@pytest.fixture
def view_of() -> Callable[..., SeatView]:
    """Makes the view of seat 0 of four, its holding and the tricks written as text."""
    return _view


@pytest.fixture
def all_calls() -> LegalCalls:
    """Everything that may be called in the Australian game, were it all in order."""
    return LegalCalls((PASS, *ladder(RuleSet())))


def _ask(bot: Bot, rules: RuleSet, view: SeatView, legal: Legal, *, seed: int = 1) -> Action:
    kind = AskKind.PLAY
    if isinstance(legal, LegalCalls):
        kind = AskKind.BID
    elif isinstance(legal, LegalExchange):
        kind = AskKind.DISCARD
    asked = Asked("1", kind, view, legal, seed, 10**6, 0, None, b"")
    return decide(bot, asked, rules)[0]


def _play_hand(rules: RuleSet, bots: Sequence[Bot], seed: int) -> HandResult:
    order = list(deck(rules))
    random.Random(seed).shuffle(order)
    dealer = seed % rules.players
    hand = Hand(rules, deal(rules, order, dealer), dealer, [0] * rules.sides)
    while hand.turn is not None:
        seat = hand.turn
        action = _ask(bots[seat], rules, hand.view(seat), hand.legal(), seed=seed * 8 + seat)
        hand.apply(action)
    assert hand.result is not None
    return hand.result


def _view(
    holding: str,
    *,
    contract: Contract | None = None,
    auction: Calls = (),
    tricks: Sequence[tuple[tuple[int, ...], str]] = (),
    playing: tuple[int, ...] = (0, 1, 2, 3),
    exposed: Cards = 0,
) -> SeatView:
    played = tuple(
        Trick(seats, tuple(parse_card(word) for word in cards.split())) for seats, cards in tricks
    )
    return SeatView(
        seat=0,
        dealer=3,
        holding=parse_cards(holding),
        auction=auction,
        contract=contract,
        playing_seats=playing,
        tricks=played,
        tricks_won=(0, 0, 0, 0),
        scores=(0, 0),
        thrown=0,
        exposed=exposed,
        decision_number=0,
    )

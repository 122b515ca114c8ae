"""A beginner's 500: counts tricks to bid, follows high, saves trumps, throws short low cards."""

from fivehundred.rules.actions import (
    Bid,
    Call,
    Exchange,
    LegalCalls,
    LegalExchange,
    LegalPlays,
    Play,
)
from fivehundred.rules.cards import (
    ACE,
    JACK,
    JOKERS,
    NO_TRUMP,
    SUITS,
    Cards,
    Strain,
    make_card,
    mask,
    members,
)
from fivehundred.rules.order import NO_SUIT
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import SeatView
from fivehundred_bots.card_ranking import Ranking, ranking
from fivehundred_bots.table_reading import Reading, order_of, play_of, read

_ACES = mask(make_card(suit, ACE) for suit in SUITS)
_HIGH = JOKERS | mask(make_card(suit, rank) for suit in SUITS for rank in (JACK, ACE - 1, ACE))
"""Jokers, and what is a bower, an ace or a king among trumps."""


def counted_tricks(rules: RuleSet, holding: Cards, strain: Strain) -> float:
    """The tricks a beginner counts: high trumps, long trumps, side aces, and help."""
    help_ = _help(rules)
    order = ranking(strain)
    aces = (holding & _ACES & ~order.trumps).bit_count()
    if strain == NO_TRUMP:
        return help_ + aces + (holding & order.trumps).bit_count() - 0.5
    trumps = holding & order.trumps
    high = (trumps & _HIGH).bit_count()
    return help_ + 0.8 * high + 0.5 * (trumps.bit_count() - high) + 0.7 * aces


def _help(rules: RuleSet) -> float:
    """The tricks that a beginner hopes for from the kitty and his partners."""
    partners = 1 if rules.call is not None else rules.players // rules.sides - 1
    return 0.5 + 1.0 * partners + 0.33 * (rules.kitty_size + rules.personal_kitty)


def call_counted(rules: RuleSet, view: SeatView, legal: LegalCalls, *, optimism: float) -> Call:
    """The highest bid in the best strain that the counted tricks and the optimism allow."""
    strain = max(rules.strain_order, key=lambda each: counted_tricks(rules, view.holding, each))
    tricks = counted_tricks(rules, view.holding, strain) + optimism
    bids = (call for call in legal if isinstance(call, Bid) and not call.special)
    fitting = [bid for bid in bids if bid.strain == strain and bid.level <= tricks]
    return fitting[-1] if fitting else legal.default()


def throw_short_low(rules: RuleSet, view: SeatView, legal: LegalExchange) -> Exchange:
    """Throws the lowest cards of the shortest suits; keeps trumps and aces, settles no more."""
    order = order_of(rules, view.contract) if view.contract else ranking(NO_TRUMP)
    held = legal.holding
    ranked = sorted(members(held), key=lambda card: _keep(order, held, card))
    return Exchange(mask(ranked[: legal.throw]))


def play_plain(rules: RuleSet, view: SeatView, legal: LegalPlays) -> Play:
    """Follows high if that wins, otherwise low; trumps only where the partner is not winning."""
    reading = read(rules, view)
    cards, order = legal.cards, reading.order
    if reading.led < 0:
        plain = cards & ~order.trumps
        card = order.highest(plain or cards)
    elif reading.lose_all and reading.declaring:
        under = cards & ~order.beating(cards, reading.led, reading.best_power)
        card = order.highest(under) if under else order.lowest(cards)
    else:
        card = _follow_high(reading, cards)
    return play_of(reading, legal, card)


def _follow_high(reading: Reading, cards: Cards) -> int:
    order = reading.order
    over = order.beating(cards, reading.led, reading.best_power)
    following = over & order.cards[reading.led]
    if following:
        return order.highest(following)
    if over and not reading.friends >> reading.best_seat & 1:
        return order.lowest(over)
    held = reading.holding
    return min(members(cards), key=lambda card: _keep(order, held, card))


def _keep(order: Ranking, holding: Cards, card: int) -> tuple[bool, bool, int, int]:
    """How much a beginner wants to keep a card: trumps, aces, then long suits and high cards."""
    suit = order.suit[card]
    is_ace = suit != NO_SUIT and card & 15 == ACE
    length = (holding & order.cards[suit]).bit_count()
    return suit == order.trump, is_ace, length, order.power[card]

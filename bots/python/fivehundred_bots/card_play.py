"""Which card a careful seat plays in an ordinary contract."""

from fivehundred.rules.actions import LegalPlays, Play
from fivehundred.rules.cards import SUITS, Card, Cards, mask, members
from fivehundred.rules.order import NO_SUIT
from fivehundred_bots.table_reading import Reading, play_of


def choose_card(reading: Reading, legal: LegalPlays) -> Play:
    """The card of a careful seat."""
    if not legal.cards & (legal.cards - 1):
        card = legal.cards.bit_length() - 1
    elif reading.led < 0:
        card = lead(reading, legal.cards)
    else:
        card = follow(reading, legal.cards)
    return play_of(reading, legal, card)


def follow(reading: Reading, cards: Cards) -> Card:
    """The card to another's lead."""
    order = reading.order
    over = order.beating(cards, reading.led, reading.best_power)
    if not over:
        return _cheapest(reading, cards)
    if reading.friends >> reading.best_seat & 1:
        return _behind_friend(reading, cards, over)
    if not reading.foes_after:
        return order.lowest(over)
    return _against_foe(reading, cards, over)


def _behind_friend(reading: Reading, cards: Cards, over: Cards) -> Card:
    """A friend is winning: help only where a foe may still win and this seat can stop it."""
    if not reading.foes_after or _friend_is_sure(reading):
        return _cheapest(reading, cards)
    sure = mask(card for card in members(over) if reading.is_sure(card, reading.foes_after))
    following = sure & reading.order.cards[reading.led]
    if following and following == sure:
        return reading.order.lowest(following)
    return _cheapest(reading, cards)


def _friend_is_sure(reading: Reading) -> bool:
    order = reading.order
    rivals = order.beating(reading.unseen, reading.led, reading.best_power)
    if not rivals:
        return True
    plain = rivals & order.cards[reading.led]
    if plain:
        return False
    return not reading.voids[reading.led] & reading.foes_after & ~reading.voids[order.trump]


def _against_foe(reading: Reading, cards: Cards, over: Cards) -> Card:
    """A foe is winning and another is still to play."""
    order = reading.order
    sure = mask(card for card in members(over) if reading.is_sure(card, reading.foes_after))
    if sure:
        return order.lowest(sure)
    ruffs = over & order.trumps if reading.led != order.trump else 0
    if ruffs:
        return order.lowest(ruffs)
    if reading.friends_after:
        return _cheapest(reading, cards)
    return _lowest_touching(reading, order.highest(over), over)


def _lowest_touching(reading: Reading, card: Card, cards: Cards) -> Card:
    """The lowest of some cards that is as good as a card: nothing unseen lies between."""
    order = reading.order
    above = order.above[card] & reading.unseen
    return order.lowest(mask(c for c in members(cards) if order.above[c] & reading.unseen == above))


def _cheapest(reading: Reading, cards: Cards) -> Card:
    """The card that costs least to lose."""
    following = cards & reading.order.cards[reading.led]
    if following == cards:
        return reading.order.lowest(cards)
    return min(members(cards), key=lambda card: _cost(reading, card))


def _cost(reading: Reading, card: Card) -> float:
    order = reading.order
    suit, power = order.suit[card], order.power[card]
    if suit == order.trump:
        return 100.0 + power
    held = (reading.holding & order.cards[suit]).bit_count()
    unseen_higher = (order.above[card] & reading.unseen).bit_count()
    cost = power * 0.3
    if not reading.unseen & order.cards[suit] and order.trump == NO_SUIT:
        return cost + 20.0
    if not unseen_higher:
        cost += 20.0
    elif unseen_higher < held <= 3 and unseen_higher <= 2:
        cost += 6.0
    if held == 1 and reading.holding & order.trumps and order.trump != NO_SUIT:
        cost -= 3.0
    return cost


def lead(reading: Reading, cards: Cards) -> Card:
    """The card to lead to a trick."""
    if reading.order.trump == NO_SUIT:
        return _lead_no_trump(reading, cards)
    if reading.declaring:
        return _lead_declaring(reading, cards)
    return _lead_defending(reading, cards)


def _lead_declaring(reading: Reading, cards: Cards) -> Card:
    order = reading.order
    trumps = cards & order.trumps
    out = reading.unseen & order.trumps
    foes_may_hold = out and reading.foes & ~reading.voids[order.trump]
    if trumps and foes_may_hold:
        top = order.highest(trumps)
        if reading.is_boss(top) or trumps.bit_count() >= 3:
            return top
    bosses = _bosses(reading, cards & ~trumps)
    if bosses:
        return order.highest(bosses)
    plain = cards & ~trumps
    if trumps and not out:
        return order.highest(trumps) if not plain else _low_of_shortest(reading, plain)
    return _low_of_shortest(reading, plain) if plain else order.highest(trumps)


def _lead_defending(reading: Reading, cards: Cards) -> Card:
    order = reading.order
    plain = cards & ~order.trumps
    bosses = _bosses(reading, plain)
    if bosses:
        return max(members(bosses), key=lambda card: -_length(reading, card))
    trumps = cards & order.trumps
    if not plain:
        top = order.highest(trumps)
        return top if reading.is_boss(top) else order.lowest(trumps)
    return min(members(plain), key=lambda card: _lead_cost(reading, card))


def _lead_cost(reading: Reading, card: Card) -> float:
    """How bad a defender's lead from a suit without its boss is."""
    order = reading.order
    suit = order.suit[card]
    held = reading.holding & order.cards[suit]
    cost = order.power[card] * 0.1 + held.bit_count() * 0.5
    if held.bit_count() == 1 and reading.holding & order.trumps:
        cost -= 3.0
    top = order.highest(held)
    if (order.above[top] & reading.unseen).bit_count() <= 1:
        cost += 3.0
    voids = reading.voids[suit] & ~reading.voids[order.trump]
    if voids & reading.friends:
        cost -= 3.0
    if voids & reading.foes:
        cost += 2.0
    return cost


def _lead_no_trump(reading: Reading, cards: Cards) -> Card:
    order = reading.order
    bosses = mask(c for c in members(cards & ~order.trumps) if reading.is_boss(c))
    if bosses:
        return max(members(bosses), key=lambda c: (_length(reading, c), order.power[c]))
    plain = cards & ~order.trumps
    if not plain:
        return order.highest(cards)
    longest = max(SUITS, key=lambda suit: (plain & order.cards[suit]).bit_count())
    held = plain & order.cards[longest]
    if cards & order.trumps and held.bit_count() <= reading.holding.bit_count() // 2:
        return order.highest(cards & order.trumps)
    top = order.highest(held)
    if (order.above[top] & reading.unseen).bit_count() <= 1 and held.bit_count() > 2:
        return _lowest_touching(reading, top, held)
    return order.lowest(held)


def _bosses(reading: Reading, cards: Cards) -> Cards:
    return mask(
        card
        for card in members(cards)
        if reading.is_boss(card) and not reading.may_be_trumped(card, reading.foes)
    )


def _length(reading: Reading, card: Card) -> int:
    return (reading.holding & reading.order.cards[reading.order.suit[card]]).bit_count()


def _low_of_shortest(reading: Reading, cards: Cards) -> Card:
    order = reading.order
    return min(members(cards), key=lambda card: (_length(reading, card), order.power[card]))

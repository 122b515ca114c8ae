"""Contracts to lose every trick: whether to bid one, what to throw and how to play either side."""

from fivehundred.rules.actions import LegalPlays, Play
from fivehundred.rules.cards import JOKERS, NO_TRUMP, SUITS, Card, Cards, members
from fivehundred.rules.ruleset import RuleSet, SpecialBid
from fivehundred_bots.card_ranking import pack_of, ranking
from fivehundred_bots.table_reading import Reading, play_of


def dangers(pack: Cards, holding: Cards, joker_low: bool) -> list[tuple[float, Card]]:
    """How dangerous each card of a holding is where every trick is to be lost, worst first.

    A suit is safe as far as its cards interleave with the pack's low ones: the n-th lowest card
    should have at most about twice n lower ones outside.
    """
    rated = [(0.0 if joker_low else 9.0, card) for card in members(holding & JOKERS)]
    for suit in SUITS:
        of_suit = pack & ranking(NO_TRUMP).cards[suit]
        held = holding & of_suit
        for place, card in enumerate(members(held)):
            lower = (of_suit & ~held & ((1 << card) - 1)).bit_count()
            higher = (of_suit & ~held).bit_count() - lower
            rated.append((_danger(place, lower, higher), card))
    return sorted(rated, reverse=True)


def _danger(place: int, lower: int, higher: int) -> float:
    over = lower - place - 0.5
    if over <= 0:
        return 0.0
    return over / (over + higher + 1.0)


def chance_to_lose_all(rules: RuleSet, holding: Cards, special: SpecialBid) -> float:
    """The chance that a holding loses every trick, once it has thrown its worst cards."""
    rated = dangers(pack_of(rules), holding, rules.misere_joker_low)
    thrown = min(rules.kitty_size, 3) if special.takes_kitty else 0
    danger = sum(rate for rate, _ in rated[thrown:])
    best, halving = _safety(rules, special)
    return float(best * 0.5 ** (danger / halving))


def _safety(rules: RuleSet, special: SpecialBid) -> tuple[float, float]:
    """The chance of the safest holding before the kitty, and the danger that halves it.

    Measured over hands played out.
    """
    if special.partner_plays:
        return 0.25, 0.8
    if not special.takes_kitty:
        return 0.65, 1.0
    return (0.6, 0.65) if rules.players <= 4 else (0.75, 0.95)


def discards_to_lose(rules: RuleSet, holding: Cards, throw: int) -> Cards:
    """The cards to throw where every trick is to be lost: the most dangerous, one by one."""
    pack, thrown = pack_of(rules), 0
    for _ in range(throw):
        rated = dangers(pack, holding & ~thrown, rules.misere_joker_low)
        thrown |= 1 << rated[0][1]
    return thrown


def play_to_lose(reading: Reading, legal: LegalPlays) -> Play:
    """The contractor's card where he must lose every trick."""
    order = reading.order
    if reading.led < 0:
        return play_of(
            reading, legal, min(members(legal.cards), key=lambda card: _lead_risk(reading, card))
        )
    over = order.beating(legal.cards, reading.led, reading.best_power)
    under = legal.cards & ~over
    following = under & order.cards[reading.led]
    if following:
        return play_of(reading, legal, order.highest(following))
    if under:
        return play_of(
            reading, legal, max(members(under), key=lambda card: _held_risk(reading, card))
        )
    if not reading.foes_after:
        return play_of(reading, legal, order.highest(over))
    return play_of(reading, legal, order.lowest(over))


def play_against(reading: Reading, legal: LegalPlays) -> Play:
    """A defender's card where the contractor must lose every trick."""
    order, cards = reading.order, legal.cards
    if reading.led < 0:
        return play_of(
            reading, legal, min(members(cards), key=lambda card: _trap_risk(reading, card))
        )
    over = order.beating(cards, reading.led, reading.best_power)
    under = cards & ~over
    contractor_next = bool(reading.foes_after >> reading.contractor & 1)
    if reading.best_seat == reading.contractor:
        return play_of(reading, legal, _dump(reading, under) if under else order.highest(over))
    if contractor_next:
        return play_of(reading, legal, _dump(reading, under) if under else order.lowest(over))
    return play_of(reading, legal, order.highest(over) if over else _dump(reading, under))


def _dump(reading: Reading, cards: Cards) -> Card:
    """The card best got rid of: one of a suit in which the seat can then get under."""
    return max(members(cards), key=lambda card: (reading.order.power[card], -card))


def _lower_unseen(reading: Reading, card: Card) -> int:
    order = reading.order
    below = order.cards[order.suit[card]] & ~order.above[card] & ~(1 << card)
    return (below & reading.unseen).bit_count()


def _lead_risk(reading: Reading, card: Card) -> float:
    higher = (reading.order.above[card] & reading.unseen).bit_count()
    lower = _lower_unseen(reading, card)
    if not higher:
        return 50.0 + reading.order.power[card]
    return lower / (higher + lower) - 0.01 * higher


def _held_risk(reading: Reading, card: Card) -> float:
    order = reading.order
    held = reading.holding & order.cards[order.suit[card]]
    lower = _lower_unseen(reading, card)
    under_me = (held & ~order.above[card] & ~(1 << card)).bit_count()
    return lower - 1.5 * under_me + 0.01 * order.power[card]


def _trap_risk(reading: Reading, card: Card) -> float:
    """How little a lead is likely to leave the contractor on top; low is good."""
    order = reading.order
    suit = order.suit[card]
    if reading.voids[suit] >> reading.contractor & 1:
        return 40.0 + order.power[card]
    theirs = reading.exposed & order.cards[suit]
    if reading.exposed:
        if not theirs:
            return 40.0 + order.power[card]
        lowest = order.lowest(theirs)
        return (
            order.power[card] - 2.0 * order.power[lowest] - 10.0 * (order.above[card] >> lowest & 1)
        )
    return _lower_unseen(reading, card) + 0.1 * order.power[card]

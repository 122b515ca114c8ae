"""What a careful seat settles between auction and play."""

from fivehundred.rules.actions import Bid, Exchange, LegalExchange
from fivehundred.rules.cards import ACE, SUITS, Card, Cards, members
from fivehundred.rules.order import NO_SUIT
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import SeatView
from fivehundred_bots.card_ranking import Ranking, ranking
from fivehundred_bots.misere import discards_to_lose
from fivehundred_bots.table_reading import loses_all, order_of


def choose_exchange(rules: RuleSet, view: SeatView, legal: LegalExchange) -> Exchange:
    """The exchange that leaves the most winners and the fewest losers."""
    if view.contract is None or not isinstance(view.contract.bid, Bid):
        return legal.default()
    order = order_of(rules, view.contract)
    if loses_all(rules, view.contract) and view.contract.contractor == view.seat:
        exchange = _exchange_to_lose(rules, legal)
    else:
        thrown = discards(order, legal.holding, legal.throw)
        exchange = Exchange(
            thrown,
            called=_called(order, legal, thrown),
            partners=_partners(view, legal),
        )
    return exchange if exchange in legal else legal.default()


def discards(order: Ranking, holding: Cards, throw: int) -> Cards:
    """The cards to throw: the losers of the suits in which the fewest must go, trumps last."""
    best: dict[int, tuple[float, Cards]] = {0: (0.0, 0)}
    for suit in SUITS:
        if suit != order.trump:
            best = _with_suit(order, best, holding & order.cards[suit], throw)
    count = min(throw, max(best))
    thrown = best[count][1]
    for card in sorted(members(holding & order.trumps), key=order.power.__getitem__):
        if thrown.bit_count() < throw:
            thrown |= 1 << card
    return thrown


def _with_suit(
    order: Ranking, best: dict[int, tuple[float, Cards]], held: Cards, throw: int
) -> dict[int, tuple[float, Cards]]:
    """The best ways to throw so many cards, with another suit to throw from."""
    cards = sorted(members(held), key=order.power.__getitem__)
    result: dict[int, tuple[float, Cards]] = {}
    thrown = 0
    for count in range(len(cards) + 1):
        if count:
            thrown |= 1 << cards[count - 1]
        worth = _worth(order, cards[count:])
        for before, (value, so_far) in best.items():
            total = before + count
            if total <= throw and (total not in result or value + worth > result[total][0]):
                result[total] = (value + worth, so_far | thrown)
    return result


def _worth(order: Ranking, cards: list[Card]) -> float:
    """What the cards kept of a suit are worth, lowest first."""
    if not cards:
        return 0.0 if order.trump == NO_SUIT else 0.45
    ranks = [card & 15 for card in cards]
    aces = ranks[-1] == ACE
    worth = 0.95 if aces else 0.0
    if ACE - 1 in ranks:
        worth += 0.75 if aces else (0.5 if len(cards) > 1 else 0.1)
    if ACE - 2 in ranks and len(cards) > 2:
        worth += 0.3
    losers = len(cards) - aces
    return worth - 0.12 * (losers == 1) + _length(order, len(cards))


def _length(order: Ranking, count: int) -> float:
    return 0.35 * max(0, count - 3) if order.trump == NO_SUIT else 0.0


def _exchange_to_lose(rules: RuleSet, legal: LegalExchange) -> Exchange:
    thrown = discards_to_lose(rules, legal.holding, legal.throw)
    kept = legal.holding & ~thrown
    if not legal.nominable & kept:
        return Exchange(thrown)
    order = ranking(4)
    longest = max(SUITS, key=lambda suit: (kept & order.cards[suit]).bit_count())
    return Exchange(thrown, joker_suit=longest)


def _called(order: Ranking, legal: LegalExchange, thrown: Cards) -> Card | None:
    """The strongest card that somebody else may hold, trumps first."""
    others = legal.callable & ~legal.holding & ~thrown
    if not others:
        return None
    return max(members(others), key=lambda card: (order.power[card], -card))


def _partners(view: SeatView, legal: LegalExchange) -> tuple[int, ...]:
    """The seats that bid highest, else the nearest."""
    calls = {seat: call.level for seat, call in view.auction if isinstance(call, Bid)}
    ranked = sorted(legal.choosable, key=lambda seat: -calls.get(seat, 0))
    return tuple(ranked[: legal.partners])

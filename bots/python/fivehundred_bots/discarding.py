"""What a careful seat settles between auction and play."""

from fivehundred.rules.actions import Bid, Exchange, LegalExchange
from fivehundred.rules.bids import HAND_SIZE
from fivehundred.rules.cards import (
    ACE,
    NO_TRUMP,
    SUITS,
    Card,
    Cards,
    Strain,
    Suit,
    make_card,
    members,
)
from fivehundred.rules.order import NO_SUIT
from fivehundred.rules.ruleset import RuleSet, Share
from fivehundred.rules.values import SeatView
from fivehundred_bots.card_ranking import Ranking, pack_of, ranking
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
            called=_called(rules, view.contract.bid, order, legal, legal.holding & ~thrown),
            partners=_partners(view, legal, view.contract.bid.strain),
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
    """Throws what is dangerous; a joker kept becomes the top of the suit that hides it best."""
    thrown = discards_to_lose(rules, legal.holding, legal.throw)
    kept = legal.holding & ~thrown
    if not legal.nominable & kept or rules.misere_joker_low:
        return Exchange(thrown)
    return Exchange(thrown, joker_suit=_longest(kept))


def _longest(holding: Cards) -> Suit:
    return max(SUITS, key=lambda suit: (holding & ranking(NO_TRUMP).cards[suit]).bit_count())


def _called(
    rules: RuleSet, bid: Bid, order: Ranking, legal: LegalExchange, kept: Cards
) -> Card | None:
    """The strongest card that somebody else may hold, trumps first; none where none is needed."""
    others = legal.callable & ~legal.holding
    if not others or _needs_no_partner(rules, bid, order, kept):
        return None
    return max(members(others), key=lambda card: (order.power[card], _losers(order, kept, card)))


def _losers(order: Ranking, kept: Cards, card: Card) -> int:
    """How many cards of a suit its called card would help to win."""
    return (kept & order.cards[order.suit[card]] & ~order.above[card]).bit_count()


def _needs_no_partner(rules: RuleSet, bid: Bid, order: Ranking, kept: Cards) -> bool:
    """Whether a holding should make a contract whose value a partner would halve."""
    if rules.call is None or rules.call.share is not Share.HALF or bid.strain == NO_TRUMP:
        return False
    missing = pack_of(rules) & ~kept
    trumps = kept & order.trumps
    losers = (missing & order.above[make_card(bid.strain, ACE - 1)]).bit_count()
    bosses = [card for card in members(kept & ~trumps) if not order.above[card] & missing]
    return trumps.bit_count() - losers + len(bosses) >= (bid.level or HAND_SIZE)


def _partners(view: SeatView, legal: LegalExchange, strain: Strain) -> tuple[int, ...]:
    """The seats that bid the strain, then those that bid highest, else the nearest."""
    bids = {seat: call for seat, call in view.auction if isinstance(call, Bid)}
    worth = {seat: (bid.strain == strain, bid.level) for seat, bid in bids.items()}
    ranked = sorted(legal.choosable, key=lambda seat: worth.get(seat, (False, 0)), reverse=True)
    return tuple(ranked[: legal.partners])

"""What is settled between auction and play: cards thrown, the joker's suit, the partner."""

from typing import Final

from fivehundred.rules.actions import Bid, Exchange, LegalExchange
from fivehundred.rules.bids import TOP_LEVEL, is_alone, special_bid
from fivehundred.rules.cards import JACK, JOKERS, NO_TRUMP, SAME_COLOUR, Cards, make_card, mask
from fivehundred.rules.order import card_order
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import Callable, CallMethod, CallRules, PersonalKittyUse, RuleSet
from fivehundred.rules.values import Contract, Deal

_FIELDS: Final = (
    "_bid",
    "_deal",
    "_queue",
    "_rules",
    "_throw",
    "contract",
    "holdings",
    "playing_seats",
    "thrown",
    "turn",
)


def picked_up(rules: RuleSet, deal: Deal, bid: Bid, seat: int, contractor: int) -> Cards:
    """The cards that a seat takes up before it throws as many.

    A contractor whose bid does not take the kitty takes up nothing, his personal kitty included.
    """
    personal = deal.personal[seat] if deal.personal else 0
    if seat != contractor:
        return personal if rules.personal_kitty_use is PersonalKittyUse.ALL else 0
    special = special_bid(rules, bid)
    return deal.kitty | personal if special is None or special.takes_kitty else 0


def exchanging_seats(rules: RuleSet, deal: Deal, bid: Bid, contractor: int) -> tuple[int, ...]:
    """The seats that exchange or settle something, the contractor first, then in turn."""
    playing = playing_seats(rules, bid, contractor)
    order = ((contractor + place) % rules.players for place in range(rules.players))
    return tuple(seat for seat in order if _decides(rules, deal, bid, contractor, seat, playing))


def _decides(
    rules: RuleSet, deal: Deal, bid: Bid, contractor: int, seat: int, playing: tuple[int, ...]
) -> bool:
    picked = picked_up(rules, deal, bid, seat, contractor)
    if seat != contractor:
        return picked != 0 and seat in playing
    return contractor_decides(rules, bid, picked)


def contractor_decides(rules: RuleSet, bid: Bid, picked: Cards) -> bool:
    """Whether a contractor has anything to settle; his holding has no say, so nothing leaks."""
    return bool(picked) or may_nominate(rules, bid) or may_seek_partner(rules, bid)


def may_nominate(rules: RuleSet, bid: Bid) -> bool:
    """Whether the contractor may give his joker a suit."""
    return rules.nominate_before_lead and rules.jokers > 0 and bid.strain == NO_TRUMP


def may_seek_partner(rules: RuleSet, bid: Bid) -> bool:
    """Whether the contractor may call a card or choose a partner."""
    return rules.call is not None and not is_alone(rules, bid)


def legal_exchange(
    rules: RuleSet, bid: Bid, seat: int, contractor: int, holding: Cards, throw: int
) -> LegalExchange:
    """What a seat with a holding, picked-up cards included, may throw and settle."""
    if seat != contractor:
        return LegalExchange(holding, throw)
    nominable = holding & JOKERS if may_nominate(rules, bid) else 0
    if rules.call is None or not may_seek_partner(rules, bid):
        return LegalExchange(holding, throw, nominable)
    if rules.call.method is CallMethod.CALL_CARD:
        own = rules.call.secret_solo
        cards = callable_cards(rules, bid) & (-1 if own else ~holding)
        return LegalExchange(holding, throw, nominable, callable=cards, may_call_own=own)
    others = tuple(each for each in range(rules.players) if each != contractor)
    count = _partner_count(rules.call, bid)
    return LegalExchange(holding, throw, nominable, choosable=others, partners=count)


def callable_cards(rules: RuleSet, bid: Bid) -> Cards:
    """The cards of the pack that may be called, wherever they are."""
    pack = mask(deck(rules)) & ~JOKERS
    if rules.call is None or bid.strain == NO_TRUMP or rules.call.callable is Callable.NOT_JOKER:
        return pack
    if rules.call.callable is Callable.NOT_TRUMP:
        return pack & ~card_order(bid.strain).suits[bid.strain]
    suits = (bid.strain, SAME_COLOUR[bid.strain])
    return pack & ~mask(make_card(suit, JACK) for suit in suits)


def _partner_count(call: CallRules, bid: Bid) -> int:
    level = TOP_LEVEL if bid.special else bid.level
    return 2 if call.second_partner_from and level >= call.second_partner_from else 1


def playing_seats(rules: RuleSet, bid: Bid, contractor: int) -> tuple[int, ...]:
    """The seats that play tricks: all, or without the partners where a bid is played alone."""
    seats = range(rules.players)
    if not is_alone(rules, bid):
        return tuple(seats)
    side = rules.side_of(contractor)
    return tuple(seat for seat in seats if seat == contractor or rules.side_of(seat) != side)


class Exchanges:
    """The exchanges under way, the contractor's first; ``turn`` is None when all are made.

    It changes the ``holdings`` and ``thrown`` cards that it is given.
    """

    __slots__ = _FIELDS

    turn: int | None

    def __init__(
        self,
        rules: RuleSet,
        deal: Deal,
        bid: Bid,
        contractor: int,
        holdings: list[Cards],
        thrown: list[Cards],
    ) -> None:
        self.contract = Contract(bid, contractor)
        self.holdings = holdings
        self.thrown = thrown
        self.playing_seats = playing_seats(rules, bid, contractor)
        self._rules = rules
        self._deal = deal
        self._bid = bid
        self._throw = 0
        self._queue = list(exchanging_seats(rules, deal, bid, contractor))
        self._turn_to_next()

    def copy(self, holdings: list[Cards], thrown: list[Cards]) -> "Exchanges":
        """Exchanges that go their own way from here, over copies of the cards."""
        contractor, spare = self.contract.contractor, holdings.copy()
        twin = Exchanges(self._rules, self._deal, self._bid, contractor, spare, thrown)
        for name in _FIELDS:
            setattr(twin, name, getattr(self, name))
        twin.holdings, twin.thrown = holdings, thrown
        twin._queue = self._queue.copy()
        return twin

    def legal(self) -> LegalExchange:
        """What the seat in turn may throw and settle."""
        assert self.turn is not None
        holding, contractor = self.holdings[self.turn], self.contract.contractor
        return legal_exchange(self._rules, self._bid, self.turn, contractor, holding, self._throw)

    def apply(self, exchange: Exchange) -> None:
        """Carry out a legal exchange."""
        seat = self.turn
        assert seat is not None
        self.holdings[seat] &= ~exchange.thrown
        self.thrown[seat] = exchange.thrown
        if seat == self.contract.contractor:
            self.contract = self._settled(exchange)
        self._turn_to_next()

    def _turn_to_next(self) -> None:
        self.turn = self._queue.pop(0) if self._queue else None
        if self.turn is not None:
            picked = self._picked_up(self.turn)
            self.holdings[self.turn] |= picked
            self._throw = picked.bit_count()

    def _picked_up(self, seat: int) -> Cards:
        return picked_up(self._rules, self._deal, self._bid, seat, self.contract.contractor)

    def _settled(self, exchange: Exchange) -> Contract:
        partners = tuple(sorted(exchange.partners))
        if exchange.called is not None:
            partners = self._holders(1 << exchange.called)
        seat = self.contract.contractor
        return Contract(self._bid, seat, exchange.joker_suit, exchange.called, partners)

    def _holders(self, card: Cards) -> tuple[int, ...]:
        """The seat, if any, that has a card or will take it up; never the contractor himself."""
        return tuple(
            seat
            for seat in range(self._rules.players)
            if seat != self.contract.contractor
            and (self.holdings[seat] | self._picked_up(seat)) & card
        )

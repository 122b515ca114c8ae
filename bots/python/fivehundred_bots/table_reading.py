"""What a seat makes of its view: who is with it, what is out, who is winning."""

from dataclasses import dataclass

from fivehundred.rules.actions import PASS, Bid, LegalPlays, Play
from fivehundred.rules.bids import is_lose_all
from fivehundred.rules.cards import LOW_JOKER, NO_TRUMP, SUITS, Card, Cards, Suit
from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.rules.values import Contract, SeatView, Trick
from fivehundred_bots.card_ranking import Ranking, pack_of, ranking


@dataclass(frozen=True, slots=True)
class Reading:
    """A view during play, worked out. Seats are bit masks."""

    me: int
    holding: Cards
    order: Ranking
    lose_all: bool
    contractor: int
    """The contractor's seat; -1 where there is none."""
    declaring: bool
    """Whether the seat plays for the contract."""
    friends: int
    """The other seats that play with this one."""
    foes: int
    unseen: Cards
    """The cards that others may still hold."""
    exposed: Cards
    voids: tuple[int, ...]
    """By suit, the seats that have shown that they have none."""
    led: Suit
    """The suit to follow; -1 when this seat leads."""
    best_power: int
    best_seat: int
    foes_after: int
    """The foes still to play to this trick."""
    friends_after: int

    def is_boss(self, card: Card) -> bool:
        """Whether no card of the same suit that others may hold is higher."""
        return not self.order.above[card] & self.unseen

    def may_be_trumped(self, card: Card, seats: int) -> bool:
        """Whether one of some seats is known to be void in the suit and may hold a trump."""
        suit = self.order.suit[card]
        if suit == self.order.trump or not self.unseen & self.order.trumps:
            return False
        return bool(self.voids[suit] & seats & ~self.voids[self.order.trump])

    def is_sure(self, card: Card, seats: int) -> bool:
        """Whether a card holds the trick against some seats, as far as can be known."""
        return not seats or (self.is_boss(card) and not self.may_be_trumped(card, seats))


def order_of(rules: RuleSet, contract: Contract) -> Ranking:
    """The order of the cards in a contract."""
    if not isinstance(contract.bid, Bid):
        return ranking(NO_TRUMP)
    low = rules.misere_joker_low and loses_all(rules, contract)
    return ranking(contract.bid.strain, contract.joker_suit, low)


def loses_all(rules: RuleSet, contract: Contract) -> bool:
    """Whether the contractor is to lose every trick."""
    return isinstance(contract.bid, Bid) and is_lose_all(rules, contract.bid)


def read(rules: RuleSet, view: SeatView) -> Reading:
    """The reading of a view during play."""
    contract = view.contract or _NO_CONTRACT
    order = order_of(rules, contract)
    trick = _current_trick(view)
    led = led_suit(order, trick) if trick else -1
    best_power, best_seat = _best(order, trick, led) if trick else (-100, -1)
    contractor = contract.contractor if isinstance(contract.bid, Bid) else -1
    playing = _seats(view.playing_seats)
    friends = _friends(rules, view, contract, contractor) & playing & ~(1 << view.seat)
    after = playing & ~(1 << view.seat) & ~(_seats(trick.seats) if trick else 0)
    return Reading(
        me=view.seat,
        holding=view.holding,
        order=order,
        lose_all=loses_all(rules, contract),
        contractor=contractor,
        declaring=contractor >= 0 and bool((friends | 1 << view.seat) >> contractor & 1),
        friends=friends,
        foes=playing & ~friends & ~(1 << view.seat),
        unseen=_unseen(rules, view),
        exposed=view.exposed,
        voids=_voids(order, view),
        led=led,
        best_power=best_power,
        best_seat=best_seat,
        foes_after=after & ~friends,
        friends_after=after & friends,
    )


def led_suit(order: Ranking, trick: Trick) -> Suit:
    """The suit to follow in a trick."""
    return order.suit[trick.cards[0]] if trick.named is None else trick.named


def play_of(reading: Reading, legal: LegalPlays, card: Card) -> Play:
    """The play of a card; a joker that must name a suit names the one that serves the holding."""
    if card < LOW_JOKER or not legal.nameable:
        return Play(card)
    suits = [suit for suit in SUITS if legal.nameable >> suit & 1]
    return Play(card, max(suits, key=lambda suit: _use_of_naming(reading, suit)))


def _use_of_naming(reading: Reading, suit: Suit) -> tuple[int, int]:
    """How far the others' following a suit helps: it is long here and their cards above go."""
    held = reading.holding & reading.order.cards[suit]
    missing = reading.order.above[reading.order.lowest(held)] & reading.unseen if held else 0
    return held.bit_count(), missing.bit_count()


def _seats(seats: tuple[int, ...]) -> int:
    result = 0
    for seat in seats:
        result |= 1 << seat
    return result


def _current_trick(view: SeatView) -> Trick | None:
    if not view.tricks or len(view.tricks[-1].cards) == len(view.playing_seats):
        return None
    return view.tricks[-1] if view.tricks[-1].cards else None


def _best(order: Ranking, trick: Trick, led: Suit) -> tuple[int, int]:
    best_power, best_seat = -100, -1
    for seat, card in zip(trick.seats, trick.cards, strict=True):
        if order.suit[card] in (led, order.trump) and order.power[card] > best_power:
            best_power, best_seat = order.power[card], seat
    return best_power, best_seat


def _friends(rules: RuleSet, view: SeatView, contract: Contract, contractor: int) -> int:
    if rules.side_model in (SideModel.TEAMS_2, SideModel.TEAMS_3):
        side = view.seat % rules.sides
        return _seats(tuple(range(side, rules.players, rules.sides)))
    if contractor < 0:
        return 0
    with_contractor = 1 << contractor | _seats(contract.partners)
    if _holds_called(view, contract):
        with_contractor |= 1 << view.seat
    everybody = (1 << rules.players) - 1
    return with_contractor if with_contractor >> view.seat & 1 else everybody & ~with_contractor


def _holds_called(view: SeatView, contract: Contract) -> bool:
    if contract.called is None:
        return False
    if view.holding >> contract.called & 1:
        return True
    return any(
        card == contract.called and seat == view.seat
        for trick in view.tricks
        for seat, card in zip(trick.seats, trick.cards, strict=True)
    )


def _unseen(rules: RuleSet, view: SeatView) -> Cards:
    seen = view.holding | view.thrown
    for trick in view.tricks:
        for card in trick.cards:
            seen |= 1 << card
    return pack_of(rules) & ~seen


def _voids(order: Ranking, view: SeatView) -> tuple[int, ...]:
    voids = [0, 0, 0, 0, 0]
    for trick in view.tricks:
        if len(trick.cards) > 1:
            led = led_suit(order, trick)
            for seat, card in zip(trick.seats[1:], trick.cards[1:], strict=True):
                if order.suit[card] != led:
                    voids[led] |= 1 << seat
    return tuple(voids)


_NO_CONTRACT = Contract(PASS, 0)

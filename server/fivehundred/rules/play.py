"""The ten tricks: what may be played, who wins, when it is over.

`follow` and `lead` say what is legal; `Tricks` asks nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from fivehundred.rules.actions import LegalPlays, Play
from fivehundred.rules.cards import BITS, Card, Cards, Suit, is_joker
from fivehundred.rules.order import NO_SUIT, Order, led_suit
from fivehundred.rules.ruleset import JokerFollow, JokerForced, JokerLead, RuleSet
from fivehundred.rules.values import Trick

ALL_SUITS: Final = 15
_FIELDS: Final = (
    "_best",
    "_cards",
    "_led",
    "_led_suits",
    "_legal",
    "_manner",
    "_named",
    "_next",
    "_nominated_suit",
    "_order",
    "_seats",
    "_stoppers",
    "_void",
    "_winner",
    "done",
    "holdings",
    "shown",
    "taken",
    "turn",
)


@dataclass(frozen=True, slots=True)
class JokerManner:
    """How a joker that has no suit is played in one hand."""

    lead: JokerLead
    follow: JokerFollow
    forced: bool


@lru_cache(maxsize=256)
def joker_manner(rules: RuleSet, lose_all: bool) -> JokerManner:
    """How a joker without a suit is played in an ordinary or in a lose-all hand."""
    forced = rules.joker_forced
    must = forced is JokerForced.ALWAYS or (forced is JokerForced.MISERE and lose_all)
    return JokerManner(rules.joker_lead, rules.joker_follow, must)


def follow(
    order: Order, manner: JokerManner, holding: Cards, led: Suit, *, first_round: bool
) -> LegalPlays:
    """What may be played to a suit led; ``first_round``: it is led for the first time."""
    free = holding & order.suits[NO_SUIT]
    if led == NO_SUIT:
        own_suit = manner.lead is JokerLead.AS_TRUMP
        return LegalPlays((free if own_suit else 0) or holding)
    same = holding & order.suits[led]
    if not free:
        return LegalPlays(same or holding)
    if not same:
        return LegalPlays(free if manner.forced else holding)
    return LegalPlays(same | free if _may_interrupt(manner, first_round) else same)


def lead(
    order: Order, manner: JokerManner, holding: Cards, *, led_suits: int = 0, shown_void: int = 0
) -> LegalPlays:
    """What may be led; suits led before and suits that the leader has shown void in as bits."""
    free = holding & order.suits[NO_SUIT]
    if not free or manner.lead is JokerLead.AS_TRUMP:
        return LegalPlays(holding)
    nameable = _nameable(manner, led_suits, shown_void)
    if nameable:
        return LegalPlays(holding, nameable)
    return LegalPlays(holding & ~free or holding)


def _nameable(manner: JokerManner, led_suits: int, shown_void: int) -> int:
    if manner.lead is JokerLead.NAME_ANY_SUIT:
        return ALL_SUITS
    if manner.lead is JokerLead.NAME_UNLED_SUIT:
        return ALL_SUITS & ~led_suits
    if manner.lead is JokerLead.NAME_NOT_SHOWN_VOID:
        return ALL_SUITS & ~shown_void
    return 0


def _may_interrupt(manner: JokerManner, first_round: bool) -> bool:
    if manner.follow is JokerFollow.ANYTIME:
        return True
    return first_round and manner.follow is JokerFollow.FIRST_ROUND_OF_SUIT


def unnameable(joker_suit: Suit | None) -> int:
    """The suits, as bits, that may not be named from the start: the one that a joker is given."""
    return 0 if joker_suit is None else 1 << joker_suit


class Tricks:
    """The play under way; ``turn`` is None at the end.

    It changes the ``holdings`` that it is given. ``stoppers`` are the seats, as bits, that end the
    play by winning a trick.
    """

    __slots__ = _FIELDS

    turn: int | None

    def __init__(
        self,
        order: Order,
        manner: JokerManner,
        holdings: list[Cards],
        playing: Sequence[int],
        leader: int,
        *,
        nominated_suit: Suit | None = None,
        stoppers: int = 0,
    ) -> None:
        self.holdings = holdings
        self.done: tuple[Trick, ...] = ()
        self.taken: list[int] = []
        """The winner of each trick."""
        self.shown: Cards = 0
        """Every card played."""
        self.turn = leader
        self._order = order
        self._manner = manner
        self._next = dict(zip(playing, (*playing[1:], playing[0]), strict=True))
        self._nominated_suit = unnameable(nominated_suit)
        self._stoppers = stoppers
        self._void = [0] * len(holdings)
        self._led_suits = 0
        self._seats: list[int] = []
        self._cards: list[Card] = []
        self._named: Suit | None = None
        self._led = 0
        self._best = self._winner = -1
        self._legal: LegalPlays | None = None

    def copy(self, holdings: list[Cards]) -> "Tricks":
        """A play that goes its own way from here, over a copy of the holdings."""
        twin = Tricks(self._order, self._manner, holdings, tuple(self._next), -1)
        for name in _FIELDS:
            setattr(twin, name, getattr(self, name))
        twin.holdings = holdings
        twin.taken = self.taken.copy()
        twin._void = self._void.copy()
        twin._seats, twin._cards = self._seats.copy(), self._cards.copy()
        return twin

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Every trick that has a card, the current one last."""
        if not self._cards:
            return self.done
        return (*self.done, Trick(tuple(self._seats), tuple(self._cards), self._named))

    def legal(self) -> LegalPlays:
        """What the seat in turn may play."""
        found = self._legal
        if found is None:
            found = self._legal = self._find_legal()
        return found

    def apply(self, play: Play) -> None:
        """Carry out a legal play."""
        seat, card = self.turn, play.card
        assert seat is not None
        self.holdings[seat] ^= BITS[card]
        self.shown |= BITS[card]
        if not self._cards:
            self._lead(play)
        elif self._order.suit[card] != self._led:
            self._note_void(seat, card)
        self._lay(seat, card)
        self._legal = None
        if len(self._cards) == len(self._next):
            self._finish_trick()
        else:
            self.turn = self._next[seat]

    def _find_legal(self) -> LegalPlays:
        seat = self.turn
        assert seat is not None
        holding = self.holdings[seat]
        if self._cards:
            first = not self._led_suits >> self._led & 1
            return follow(self._order, self._manner, holding, self._led, first_round=first)
        led_suits = self._led_suits | self._nominated_suit
        void = self._void[seat]
        return lead(self._order, self._manner, holding, led_suits=led_suits, shown_void=void)

    def _lead(self, play: Play) -> None:
        self._named = play.named
        self._led = led_suit(self._order, play.card, play.named)
        self._best = -1

    def _lay(self, seat: int, card: Card) -> None:
        self._seats.append(seat)
        self._cards.append(card)
        power = self._order.power[self._led][card]
        if power > self._best:
            self._best, self._winner = power, seat

    def _note_void(self, seat: int, card: Card) -> None:
        """Note what a card off the suit led shows: a joker shows a void only if it needed one."""
        first = not self._led_suits >> self._led & 1
        if is_joker(card) and _may_interrupt(self._manner, first):
            return
        self._void[seat] |= 1 << self._led

    def _finish_trick(self) -> None:
        self.done += (Trick(tuple(self._seats), tuple(self._cards), self._named),)
        winner = self._winner
        self.taken.append(winner)
        self._led_suits |= 1 << self._led
        self._seats.clear()
        self._cards.clear()
        self._named = None
        over = not self.holdings[winner] or self._stoppers >> winner & 1
        self.turn = None if over else winner

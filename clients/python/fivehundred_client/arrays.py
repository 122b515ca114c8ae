"""What seats see and may do, as numpy arrays with a row for each decision.

Actions are numbered 0 … A-1, in blocks whose places depend on the rule set alone (`ActionNumbers`):

=============  ==============  =====================================================================
block          size            action
=============  ==============  =====================================================================
``calls``      1 + bids        a pass, then the bids of the rule set's ladder from low to high
``throws``     66              throw this card
``suits``      4               give the joker this suit
``called``     66              call this card
``partners``   players         choose this seat
``nothing``    1               settle nothing (more): no suit, no card, no (other) partner
``plays``      66              play this card, naming no suit
``named``      8               play the lower joker naming S, C, D, H; the higher naming S, C, D, H
=============  ==============  =====================================================================

An exchange is several choices, one action each (`Step`): the cards one by one in any order, then
the joker's suit, the card called and the partners, each only where there is something to settle.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fivehundred.rules.actions import (
    PASS,
    Call,
    Exchange,
    Legal,
    LegalCalls,
    LegalExchange,
    LegalPlays,
    Play,
)
from fivehundred.rules.bids import ladder
from fivehundred.rules.cards import ALL_CARDS, JOKERS, SUITS, Cards, members
from fivehundred.rules.hand import SeatView, Trick
from fivehundred.rules.ruleset import RuleSet
from fivehundred_client.turn import AnyTurn

CARDS = len(ALL_CARDS)
TRICKS = 10
MASK_BYTES = 9
"""Bytes that hold a bit for each card."""

Bools = NDArray[np.bool_]
Bytes = NDArray[np.int8]
Shorts = NDArray[np.int16]
Numbers = NDArray[np.int32]


class Step(IntEnum):
    """What is chosen next."""

    CALL = 0
    THROW = 1
    JOKER_SUIT = 2
    CALL_CARD = 3
    PARTNER = 4
    PLAY = 5
    OVER = 6


class ActionNumbers:
    """The numbers of a rule set's actions; see the table of the module."""

    def __init__(self, rules: RuleSet) -> None:
        self.bids = ladder(rules)
        self.calls = slice(0, 1 + len(self.bids))
        self.throws = _after(self.calls, CARDS)
        self.suits = _after(self.throws, len(SUITS))
        self.called = _after(self.suits, CARDS)
        self.partners = _after(self.called, rules.players)
        self.nothing: int = self.partners.stop
        self.plays = slice(self.nothing + 1, self.nothing + 1 + CARDS)
        self.named = _after(self.plays, 2 * len(SUITS))
        self.size: int = self.named.stop
        named = [Play(joker, suit) for joker in members(JOKERS) for suit in SUITS]
        self._actions: dict[int, Call | Play] = {
            **dict(enumerate((PASS, *self.bids))),
            **dict(enumerate(map(Play, ALL_CARDS), self.plays.start)),
            **dict(enumerate(named, self.named.start)),
        }
        self._numbers = {action: number for number, action in self._actions.items()}

    def action(self, number: int) -> Call | Play:
        """The call or play of a number; a KeyError for the parts of an exchange."""
        return self._actions[number]

    def number(self, action: Call | Play) -> int:
        """The number of a call or play."""
        return self._numbers[action]


def _after(block: slice, size: int) -> slice:
    return slice(block.stop, block.stop + size)


@lru_cache(maxsize=64)
def action_numbers(rules: RuleSet) -> ActionNumbers:
    """The one numbering of a rule set."""
    return ActionNumbers(rules)


@dataclass(frozen=True, slots=True)
class Views:
    """What n seats see, each in the row of its own; -1 stands for none.

    ==============  ================  =====  =======================================================
    array           shape             dtype  what it holds
    ==============  ================  =====  =======================================================
    ``step``        n                 int8   what is chosen next, a `Step`
    ``seat``        n                 int8   the seat that sees this and is to choose
    ``dealer``      n                 int8   the dealer's seat
    ``holding``     n, 66             bool   the seat's cards, less those that it has thrown
    ``thrown``      n, 66             bool   the cards that the seat itself has thrown
    ``exposed``     n, 66             bool   the contractor's cards while they lie open
    ``auction``     n, L              int16  the calls by action number, in order; then -1
    ``callers``     n, L              int8   who made them; then -1
    ``contract``    n                 int16  the bid's action number, 0 where all passed and play
    ``contractor``  n                 int8   his seat
    ``joker_suit``  n                 int8   the suit that his joker has been given
    ``called``      n                 int8   the card that he has called
    ``partners``    n, players        bool   his partners by calling or choosing, as far as known
    ``playing``     n, players        bool   who plays tricks; all are true during the auction
    ``tricks``      n, 10, players    int8   the card that each seat has played to each trick
    ``leaders``     n, 10             int8   who led
    ``named``       n, 10             int8   the suit that a joker led has named
    ``tricks_won``  n, players        int8   tricks by seat
    ``scores``      n, sides          int32  the sides' scores before this hand
    ``legal``       n, A              bool   the actions that may be chosen; A as `ActionNumbers`
    ==============  ================  =====  =======================================================

    L is as many calls as an auction under these rules can have. While an exchange is chosen, cards
    thrown are seen at once, the rest when it is complete.
    """

    step: Bytes
    seat: Bytes
    dealer: Bytes
    holding: Bools
    thrown: Bools
    exposed: Bools
    auction: Shorts
    callers: Bytes
    contract: Shorts
    contractor: Bytes
    joker_suit: Bytes
    called: Bytes
    partners: Bools
    playing: Bools
    tricks: Bytes
    leaders: Bytes
    named: Bytes
    tricks_won: Bytes
    scores: Numbers
    legal: Bools

    def arrays(self) -> list[NDArray[np.generic]]:
        """All arrays, in the order of the table."""
        return [getattr(self, field.name) for field in fields(self)]

    def copy(self) -> "Views":
        """The same in arrays of their own."""
        return Views(*[array.copy() for array in self.arrays()])  # type: ignore[arg-type]


def empty_views(rules: RuleSet, n: int) -> Views:
    """Views that show nothing yet."""
    calls = rules.players * (len(ladder(rules)) + 1) + 1
    one, players = np.full(n, -1, np.int8), rules.players
    return Views(
        step=one.copy(),
        seat=one.copy(),
        dealer=one.copy(),
        holding=np.zeros((n, CARDS), np.bool_),
        thrown=np.zeros((n, CARDS), np.bool_),
        exposed=np.zeros((n, CARDS), np.bool_),
        auction=np.full((n, calls), -1, np.int16),
        callers=np.full((n, calls), -1, np.int8),
        contract=np.full(n, -1, np.int16),
        contractor=one.copy(),
        joker_suit=one.copy(),
        called=one.copy(),
        partners=np.zeros((n, players), np.bool_),
        playing=np.zeros((n, players), np.bool_),
        tricks=np.full((n, TRICKS, players), -1, np.int8),
        leaders=np.full((n, TRICKS), -1, np.int8),
        named=np.full((n, TRICKS), -1, np.int8),
        tricks_won=np.zeros((n, players), np.int8),
        scores=np.zeros((n, rules.sides), np.int32),
        legal=np.zeros((n, action_numbers(rules).size), np.bool_),
    )


def views_of(rules: RuleSet, turns: Sequence[AnyTurn]) -> Views:
    """What the turns of a `BatchBot` show, a row each; all under the same rules.

    An exchange is shown as it begins, with the cards to throw if there are any.
    """
    views = empty_views(rules, len(turns))
    writer = Writer(rules, views)
    seen = [turn.view for turn in turns]
    for row, (turn, view) in enumerate(zip(turns, seen, strict=True)):
        writer.write(row, view)
        writer.write_choice(row, turn.legal)
    views.holding[:] = cards_as_bools([view.holding for view in seen])
    views.thrown[:] = cards_as_bools([view.thrown for view in seen])
    views.exposed[:] = cards_as_bools([view.exposed for view in seen])
    return views


def cards_as_bools(holdings: Sequence[Cards]) -> Bools:
    """Sets of cards as rows of 66."""
    data = b"".join([cards.to_bytes(MASK_BYTES, "little") for cards in holdings])
    octets = np.frombuffer(data, np.uint8).reshape(-1, MASK_BYTES)
    return np.unpackbits(octets, axis=1, count=CARDS, bitorder="little").view(np.bool_)


class Settling:
    """An exchange that is chosen part by part."""

    def __init__(self, numbers: ActionNumbers, legal: LegalExchange) -> None:
        self.legal = legal
        self.thrown: Cards = 0
        self._numbers = numbers
        self._suit: int | None = None
        self._called: int | None = None
        self._partners: tuple[int, ...] = ()
        self._steps = self._sequence()
        self.step: Step | None = next(self._steps, None)

    @property
    def exchange(self) -> Exchange:
        """What has been chosen."""
        return Exchange(self.thrown, self._suit, self._called, self._partners)

    def options(self) -> list[int]:
        """The numbers of what may be chosen now."""
        numbers, legal = self._numbers, self.legal
        match self.step:
            case Step.THROW:
                held = members(legal.holding & ~self.thrown)
                return [numbers.throws.start + card for card in held]
            case Step.JOKER_SUIT:
                return [*range(numbers.suits.start, numbers.suits.stop), numbers.nothing]
            case Step.CALL_CARD:
                cards = members(legal.callable_after(self.thrown))
                return [*(numbers.called.start + card for card in cards), numbers.nothing]
            case Step.PARTNER:
                seats = [seat for seat in legal.choosable if seat not in self._partners]
                return [*(numbers.partners.start + seat for seat in seats), numbers.nothing]
            case _:
                return []

    def choose(self, number: int) -> None:
        """Take one of the options."""
        numbers = self._numbers
        if self.step is Step.THROW:
            self.thrown |= 1 << number - numbers.throws.start
        elif number == numbers.nothing:
            if self.step is Step.PARTNER:
                self._steps.close()
        elif self.step is Step.JOKER_SUIT:
            self._suit = number - numbers.suits.start
        elif self.step is Step.CALL_CARD:
            self._called = number - numbers.called.start
        else:
            self._partners += (number - numbers.partners.start,)
        self.step = next(self._steps, None)

    def _sequence(self) -> Generator[Step, None, None]:
        legal = self.legal
        for _ in range(legal.throw):
            yield Step.THROW
        if legal.nominable & ~self.thrown:
            yield Step.JOKER_SUIT
        if legal.callable_after(self.thrown):
            yield Step.CALL_CARD
        for _ in range(min(legal.partners, len(legal.choosable))):
            yield Step.PARTNER


class Writer:
    """Writes views into rows of arrays."""

    def __init__(self, rules: RuleSet, views: Views) -> None:
        self.numbers = action_numbers(rules)
        self._views = views
        self._legal_calls: dict[int, tuple[LegalCalls, Bools]] = {}

    def write(self, row: int, view: SeatView) -> None:
        """Write all but sets of cards and what may be chosen into a row that shows nothing yet."""
        views = self._views
        views.seat[row] = view.seat
        views.dealer[row] = view.dealer
        views.scores[row] = view.scores
        for place, (seat, call) in enumerate(view.auction):
            self.write_call(row, place, seat, call)
        for place, trick in enumerate(view.tricks):
            self.write_trick(row, place, trick)
        self.write_contract(row, view)
        views.tricks_won[row] = view.tricks_won

    def write_call(self, row: int, place: int, seat: int, call: Call) -> None:
        """Write a call of the auction."""
        self._views.auction[row, place] = self.numbers.number(call)
        self._views.callers[row, place] = seat

    def write_trick(self, row: int, place: int, trick: Trick) -> None:
        """Write a trick as far as it has come."""
        views = self._views
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            views.tricks[row, place, seat] = card
        if trick.seats:
            views.leaders[row, place] = trick.seats[0]
        if trick.named is not None:
            views.named[row, place] = trick.named

    def write_contract(self, row: int, view: SeatView) -> None:
        """Write the contract as the seat knows it, and who plays."""
        views, contract = self._views, view.contract
        views.playing[row] = False
        views.playing[row, list(view.playing_seats)] = True
        if contract is None:
            return
        views.contract[row] = self.numbers.number(contract.bid)
        views.contractor[row] = contract.contractor
        views.joker_suit[row] = -1 if contract.joker_suit is None else contract.joker_suit
        views.called[row] = -1 if contract.called is None else contract.called
        views.partners[row] = False
        views.partners[row, list(contract.partners)] = True

    def write_choice(self, row: int, legal: Legal) -> None:
        """Write what may be chosen, into a row where nothing may be chosen yet."""
        views = self._views
        if isinstance(legal, LegalPlays):
            views.step[row] = Step.PLAY
            for play in legal:
                views.legal[row, self.numbers.number(play)] = True
        elif isinstance(legal, LegalCalls):
            self.write_calls(row, legal)
        else:
            self.write_options(row, Settling(self.numbers, legal))

    def write_calls(self, row: int, legal: LegalCalls) -> None:
        """Write the calls that may be made."""
        self._views.step[row] = Step.CALL
        kept = self._legal_calls.get(id(legal))
        if kept is None:
            numbers = [self.numbers.number(call) for call in legal]
            kept = legal, np.isin(np.arange(self.numbers.size), numbers)
            self._legal_calls[id(legal)] = kept
        self._views.legal[row] = kept[1]

    def write_options(self, row: int, settling: Settling) -> None:
        """Write the next part of an exchange."""
        self._views.step[row] = Step.OVER if settling.step is None else settling.step
        self._views.legal[row] = False
        self._views.legal[row, settling.options()] = True

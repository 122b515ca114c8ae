"""One hand of 500: the auction, the exchange, ten tricks and the score.

`Hand` is the state machine. `Hand.legal` is the one function that says what is legal; asking,
checking and bots all use it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from fivehundred.rules.actions import PASS, Action, Bid, Exchange, Legal, Pass, Play
from fivehundred.rules.auction import Auction
from fivehundred.rules.bids import exposed_from, is_lose_all
from fivehundred.rules.cards import JOKERS, Cards
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.exchange import Exchanges
from fivehundred.rules.game import game_end
from fivehundred.rules.lead import first_leader
from fivehundred.rules.order import contract_order
from fivehundred.rules.play import Tricks, joker_manner
from fivehundred.rules.ruleset import AllPass, Reveal, RuleSet
from fivehundred.rules.scoring import is_made, score, stopping_seats
from fivehundred.rules.values import (
    Contract,
    Deal,
    HandResult,
    Outcome,
    Phase,
    SeatView,
    Trick,
)

__all__ = ["Contract", "Deal", "Hand", "HandResult", "Outcome", "Phase", "SeatView", "Trick"]

_FIELDS: Final = (
    "_auction",
    "_contract",
    "_decisions",
    "_exchanges",
    "_holdings",
    "_play",
    "_thrown",
    "deal",
    "dealer",
    "phase",
    "playing_seats",
    "result",
    "rules",
    "scores",
    "turn",
)


class Hand:
    """A hand under way. ``turn`` is the seat to act, None when the hand is over."""

    __slots__ = _FIELDS

    phase: Phase
    turn: int | None
    result: HandResult | None

    def __init__(self, rules: RuleSet, deal: Deal, dealer: int, scores: Sequence[int]) -> None:
        self.rules = rules
        self.deal = deal
        self.dealer = dealer
        self.scores = tuple(scores)
        self.phase = Phase.AUCTION
        self.playing_seats = tuple(range(rules.players))
        self.result = None
        self._auction = Auction(rules, dealer)
        self._contract: Contract | None = None
        self._holdings = list(deal.holdings)
        self._thrown = [0] * rules.players
        self._decisions = [0] * rules.players
        self._exchanges: Exchanges | None = None
        self._play: Tricks | None = None
        self.turn = self._auction.turn

    def copy(self) -> "Hand":
        """A hand that goes its own way from here."""
        twin = Hand(self.rules, self.deal, self.dealer, self.scores)
        for name in _FIELDS:
            setattr(twin, name, getattr(self, name))
        twin._auction = self._auction.copy()
        twin._holdings = self._holdings.copy()
        twin._thrown = self._thrown.copy()
        twin._decisions = self._decisions.copy()
        if self._exchanges is not None:
            twin._exchanges = self._exchanges.copy(twin._holdings, twin._thrown)
        twin._play = None if self._play is None else self._play.copy(twin._holdings)
        return twin

    @property
    def holdings(self) -> tuple[Cards, ...]:
        """The cards of each seat now."""
        return tuple(self._holdings)

    @property
    def contract(self) -> Contract | None:
        """The contract with all partners, known to the seats or not; None during the auction."""
        return self._contract

    @property
    def taken(self) -> tuple[int, ...]:
        """The seat that won each trick, in order."""
        return () if self._play is None else tuple(self._play.taken)

    def legal(self) -> Legal:
        """What the seat in turn may do."""
        if self.turn is None:
            raise IllegalAction("the hand is over: nobody may do anything")
        if self._play is not None:
            return self._play.legal()
        if self._exchanges is not None:
            return self._exchanges.legal()
        return self._auction.legal()

    def apply(self, action: Action) -> None:
        """Carry out the action of the seat in turn; raises `IllegalAction` if it is not legal."""
        seat = self.turn
        if seat is None:
            raise IllegalAction(f"{action} comes after the end of the hand")
        if self._play is not None:
            self._apply_play(self._play, action)
        elif self._exchanges is not None:
            self._apply_exchange(self._exchanges, action)
        else:
            self._apply_call(action)
        self._decisions[seat] += 1

    def view(self, seat: int) -> SeatView:
        """All that a seat may see now."""
        play = self._play
        return SeatView(
            seat=seat,
            dealer=self.dealer,
            holding=self._holdings[seat],
            auction=self._auction.calls,
            contract=self._seen_contract(seat),
            playing_seats=self.playing_seats,
            tricks=() if play is None else play.tricks,
            tricks_won=self._tricks_won(),
            scores=self.scores,
            thrown=self._thrown[seat],
            exposed=self._exposed(),
            decision_number=self._decisions[seat],
        )

    def _apply_play(self, play: Tricks, action: Action) -> None:
        legal = play.legal()
        if action not in legal or not isinstance(action, Play):
            choices = " ".join(map(str, legal))
            raise IllegalAction(f"{action} may not be played: play one of {choices}")
        play.apply(action)
        self.turn = play.turn
        if play.turn is None:
            self._finish(play)

    def _apply_call(self, action: Action) -> None:
        auction = self._auction
        if not isinstance(action, Pass | Bid) or not auction.allows(action):
            choices = " ".join(map(str, auction.legal()))
            raise IllegalAction(f"{action} may not be called: call one of {choices}")
        auction.apply(action)
        self.turn = auction.turn
        if auction.turn is None:
            self._end_auction(auction)

    def _apply_exchange(self, exchanges: Exchanges, action: Action) -> None:
        legal = exchanges.legal()
        if not isinstance(action, Exchange):
            raise IllegalAction(f"{action} is no exchange: throw {legal.throw} cards")
        if (refusal := legal.refusal(action)) is not None:
            raise IllegalAction(refusal)
        exchanges.apply(action)
        self._follow_exchanges(exchanges)

    def _end_auction(self, auction: Auction) -> None:
        bid = auction.contract
        if bid is not None:
            self._start_exchange(bid, auction.high_seat)
        elif self.rules.all_pass is AllPass.PLAY_OUT:
            self._contract = Contract(PASS, (self.dealer + 1) % self.rules.players)
            self._start_play()
        else:
            self._pass_out()

    def _pass_out(self) -> None:
        stays = self.rules.all_pass is AllPass.REDEAL_SAME
        self.phase, self.turn = Phase.OVER, None
        self.result = HandResult(
            outcome=Outcome.PASSED_OUT,
            contract=None,
            tricks_won=(0,) * self.rules.players,
            change=(0,) * self.rules.sides,
            next_dealer=self.dealer if stays else self._following(self.dealer),
        )

    def _start_exchange(self, bid: Bid, contractor: int) -> None:
        self.phase = Phase.EXCHANGE
        self._exchanges = Exchanges(
            self.rules, self.deal, bid, contractor, self._holdings, self._thrown
        )
        self.playing_seats = self._exchanges.playing_seats
        self._follow_exchanges(self._exchanges)

    def _follow_exchanges(self, exchanges: Exchanges) -> None:
        self._contract, self.turn = exchanges.contract, exchanges.turn
        if exchanges.turn is None:
            self._start_play()

    def _start_play(self) -> None:
        contract, rules = self._contract, self.rules
        assert contract is not None
        self.phase, self._exchanges = Phase.PLAY, None
        lose_all = isinstance(contract.bid, Bid) and is_lose_all(rules, contract.bid)
        stopping = stopping_seats(rules, contract, self.playing_seats)
        self._play = Tricks(
            contract_order(rules, contract, self._holdings[contract.contractor] & JOKERS),
            joker_manner(rules, lose_all),
            self._holdings,
            self.playing_seats,
            first_leader(rules, contract, self.dealer, self.playing_seats),
            nominated_suit=contract.joker_suit,
            stoppers=sum(1 << seat for seat in stopping),
        )
        self.turn = self._play.turn

    def _finish(self, play: Tricks) -> None:
        contract, rules = self._contract, self.rules
        assert contract is not None
        won = self._tricks_won()
        change = score(rules, contract, won, self.scores)
        made = is_made(rules, contract, won)
        over, winners, _ = game_end(rules, self.scores, change, contract, made, play.taken)
        self.phase = Phase.OVER
        self.result = HandResult(
            outcome=Outcome.PLAYED,
            contract=contract,
            tricks_won=won,
            change=change,
            game_over=over,
            winners=winners,
            next_dealer=self._following(self.dealer),
        )

    def _following(self, seat: int) -> int:
        return (seat + 1) % self.rules.players

    def _tricks_won(self) -> tuple[int, ...]:
        won = [0] * self.rules.players
        if self._play is not None:
            for seat in self._play.taken:
                won[seat] += 1
        return tuple(won)

    def _seen_contract(self, seat: int) -> Contract | None:
        contract = self._contract
        if contract is None or contract.called is None or self._is_revealed(contract.called):
            return contract
        has_it = (self._holdings[seat] | self._thrown[seat]) >> contract.called & 1
        known = tuple(each for each in contract.partners if each == seat and has_it)
        return replace(contract, partners=known)

    def _is_revealed(self, called: int) -> bool:
        call = self.rules.call
        if call is not None and call.reveal is Reveal.AT_ONCE:
            return True
        return self._play is not None and bool(self._play.shown >> called & 1)

    def _exposed(self) -> Cards:
        contract, play = self._contract, self._play
        if contract is None or play is None or not isinstance(contract.bid, Bid):
            return 0
        first = exposed_from(self.rules, contract.bid)
        is_open = first is not None and len(play.done) + 1 >= first
        return self._holdings[contract.contractor] if is_open else 0

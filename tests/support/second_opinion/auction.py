"""The auction."""

from fivehundred.rules.ruleset import AllPass, AuctionRounds, Reentry, SpecialBid
from second_opinion.bids import Bid
from second_opinion.exchange import Exchanges


class Auction(Exchanges):
    """A hand in which calls are made."""

    def _may_bid(self, bid: Bid) -> bool:
        seat = self._seat()
        if self._high is not None and bid.rank <= self._high.rank:
            return False
        if bid.special is not None:
            return self._may_bid_special(seat, bid.special)
        place = (seat - self.dealer - 1) % self.rules.players
        return bid.level >= self.rules.min_contract or place < self.rules.signal_seats

    def _may_bid_special(self, seat: int, special: SpecialBid) -> bool:
        if special.needs_level and all(bid.level < special.needs_level for _, bid in self._made):
            return False
        wanted = special.needs_partner_bid
        partners = self._partners(seat)
        return not wanted or any(
            who in partners and wanted in (bid.name, bid.special and bid.special.name)
            for who, bid in self._made
        )

    def _call(self, text: str) -> None:
        seat = self._seat()
        self._calls += 1
        if text == "P":
            self._passed.add(seat)
        else:
            self._bid(seat, self._bids[text])
        if not self._auction_over():
            self.turn = self._next_to_call(seat)
        elif self._has_further_call():
            self._raising = True
            self.turn = self.contractor
        else:
            self._close_auction()

    def _bid(self, seat: int, bid: Bid) -> None:
        reentry = self.rules.reentry
        changed = self._high is not None and self._high.strain != bid.strain
        if reentry is Reentry.FREE or (reentry is Reentry.AFTER_STRAIN_CHANGE and changed):
            self._passed.clear()
        self._made.append((seat, bid))
        self._high = bid
        self.contractor = seat

    def _at_top(self) -> bool:
        top = next(reversed(self._bids.values()))
        return self._high is not None and self._high.rank == top.rank

    def _auction_over(self) -> bool:
        if self._raising or self._at_top():
            return True
        if self.rules.auction_rounds is AuctionRounds.ONE_EACH:
            return self._calls == self.rules.players
        return len(self._passed) == self.rules.players - (self._high is not None)

    def _has_further_call(self) -> bool:
        may = self.rules.winner_may_raise and self._high is not None
        return may and not self._raising and not self._at_top()

    def _next_to_call(self, seat: int) -> int:
        seat = self._after(seat)
        if self.rules.auction_rounds is AuctionRounds.UNTIL_PASSED:
            while seat in self._passed:
                seat = self._after(seat)
        return seat

    def _close_auction(self) -> None:
        bid = self._high
        if bid is not None and (bid.special is not None or bid.level >= self.rules.min_contract):
            self.contract = bid
            self._begin_contract(bid, self._contractor())
        elif self.rules.all_pass is AllPass.PLAY_OUT:
            self.contractor = None
            self._begin_play()
        else:
            self.contractor = None
            same = self.rules.all_pass is AllPass.REDEAL_SAME
            self._finish(
                outcome="PASSED_OUT",
                contract=None,
                change=[0] * self.rules.sides,
                next_dealer=self.dealer if same else self._after(self.dealer),
            )

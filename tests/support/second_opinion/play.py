"""The ten tricks."""

from fivehundred.rules.ruleset import FirstLead, JokerFollow, JokerForced, JokerLead
from second_opinion.pack import JOKER_SUIT, SUITS, suits_and_ranks
from second_opinion.score import Score
from second_opinion.state import NO_SUIT


class Tricks(Score):
    """A hand in which tricks are played."""

    def _begin_play(self) -> None:
        self.phase = "PLAY"
        suits, self._ranks = suits_and_ranks(self.rules, self._strain())
        self._suits = dict(suits)
        if self._nominated is not None:
            for joker in self._holdings[self._contractor()] & {"JKR", "JK2"}:
                self._suits[joker] = self._nominated
        leader = self._after(self.dealer)
        if self.contractor is not None and self.rules.first_lead is FirstLead.CONTRACTOR:
            leader = self.contractor
        self.turn = leader if leader not in self.out else self._next_to_play(leader)

    def _next_to_play(self, seat: int) -> int:
        seat = self._after(seat)
        while seat in self.out:
            seat = self._after(seat)
        return seat

    def _free_jokers(self, hand: set[str]) -> set[str]:
        """The jokers of a hand that belong to no suit."""
        return {card for card in ("JKR", "JK2") if card in hand and self._is_free(card)}

    def _is_free(self, card: str) -> bool:
        return self._suits[card] == JOKER_SUIT

    def _leads(self) -> set[str]:
        hand = self._holdings[self._seat()]
        jokers = self._free_jokers(hand)
        others = hand - jokers
        if not jokers:
            return others
        if self.rules.joker_lead is JokerLead.AS_TRUMP:
            return set(hand)
        named = {f"{joker}:{suit}" for joker in jokers for suit in self._suits_to_name()}
        return others | named or jokers

    def _suits_to_name(self) -> list[str]:
        mode = self.rules.joker_lead
        if mode is JokerLead.NAME_ANY_SUIT:
            return list(SUITS)
        if mode is JokerLead.NAME_UNLED_SUIT:
            return [s for s in SUITS if s not in self.led_suits and s != self._nominated]
        if mode is JokerLead.NAME_NOT_SHOWN_VOID:
            return [s for s in SUITS if (self.turn, s) not in self.void]
        return []

    def _follows(self) -> set[str]:
        hand = self._holdings[self._seat()]
        if self._led == NO_SUIT:
            return set(hand)
        suits = self._suits
        following = {card for card in hand if suits[card] == self._led}
        if self._led == JOKER_SUIT:
            return following or set(hand)
        jokers = self._free_jokers(hand)
        if following:
            return following | jokers if self._joker_may_join() else following
        return jokers if jokers and self._joker_forced() else set(hand)

    def _joker_may_join(self) -> bool:
        """Whether a joker may be played to this trick by a seat that holds the suit led."""
        follow = self.rules.joker_follow
        if follow is JokerFollow.FIRST_ROUND_OF_SUIT:
            return self._first_round
        return follow is JokerFollow.ANYTIME

    def _joker_forced(self) -> bool:
        forced = self.rules.joker_forced
        return forced is JokerForced.ALWAYS or (forced is JokerForced.MISERE and self._lose_all())

    def _play(self, text: str) -> None:
        seat = self._seat()
        card, _, named = text.partition(":")
        if not self._trick:
            self._lead(card, named)
        elif self._shows_void(card):
            self.void.add((seat, self._led))
        self._holdings[seat].remove(card)
        self._trick.append((seat, card))
        if len(self._trick) < self.rules.players - len(self.out):
            self.turn = self._next_to_play(seat)
        else:
            self._end_trick()

    def _lead(self, card: str, named: str) -> None:
        self._led = named or self._suits[card]
        if self._led == JOKER_SUIT and self.rules.joker_lead is not JokerLead.AS_TRUMP:
            self._led = NO_SUIT
        self._first_round = self._led not in self.led_suits
        self.led_suits.add(self._led)

    def _shows_void(self, card: str) -> bool:
        if self._is_free(card):
            return not self._joker_may_join()
        return self._suits[card] != self._led

    def _end_trick(self) -> None:
        taker = max(self._trick, key=lambda played: self._strength(played[1]))[0]
        self.takers.append(taker)
        self._trick = []
        self.turn = taker
        spoilt = self._lose_all() and taker in self._side and not self._forced_points()
        if spoilt or len(self.takers) == 10:
            self._score()

    def _strength(self, card: str) -> int:
        suit, rank = self._suits[card], self._ranks[card]
        if suit == JOKER_SUIT:
            low = self.rules.misere_joker_low and self._lose_all()
            return 50 + rank if low else 300 + rank
        if self.contract is not None and suit == self.contract.strain:
            return 200 + rank
        # a nominated joker is the top card of its suit, misere_joker_low or not
        return 100 + rank if suit == self._led else 0

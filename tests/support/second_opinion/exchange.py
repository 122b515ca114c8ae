"""What is settled between auction and play."""

from typing import NamedTuple

from fivehundred.rules.ruleset import Callable, CallMethod, PersonalKittyUse, SideModel
from second_opinion.bids import Bid
from second_opinion.pack import LEFT_BOWER, RIGHT_BOWER, pack, suit_and_rank
from second_opinion.play import Tricks


class Exchange(NamedTuple):
    """What a seat answers when it is asked to exchange."""

    thrown: list[str]
    settled: dict[str, str]


class Exchanges(Tricks):
    """A hand in which cards are thrown, suits given and partners found."""

    def _begin_contract(self, bid: Bid, contractor: int) -> None:
        partners = self._partners(contractor)
        self._side = {contractor} | partners
        self.out = partners if self._alone() else set()
        asked = [seat for seat in self._clockwise(contractor) if self._takes_up(seat)]
        if contractor not in asked and (self._may_nominate() or self._may_call()):
            asked.insert(0, contractor)
        self._asked = asked
        self.phase = "EXCHANGE"
        self._next_exchange()

    def _takes_up(self, seat: int) -> set[str]:
        own = self._personal[seat] if self._personal else set()
        if seat == self.contractor:
            special = self.contract.special if self.contract else None
            return self._kitty | own if special is None or special.takes_kitty else set()
        everybody = self.rules.personal_kitty_use is PersonalKittyUse.ALL
        return own if everybody and seat not in self.out else set()

    def _may_nominate(self) -> bool:
        at_no_trump = self.contract is not None and self.contract.strain == "NT"
        return self.rules.nominate_before_lead and at_no_trump and self.rules.jokers > 0

    def _may_call(self) -> bool:
        return self.rules.side_model is SideModel.CALLED and not self._alone()

    def _next_exchange(self) -> None:
        if not self._asked:
            self._begin_play()
            return
        self.turn = self._asked.pop(0)
        self._holdings[self.turn] |= self._takes_up(self.turn)

    def refuses(self, text: str) -> bool:
        """Whether an exchange of the seat whose turn it is breaks a rule."""
        seat = self._seat()
        answer = self._parse(text)
        if answer is None:
            return True
        thrown, settled = answer
        held = self._holdings[seat]
        if len(thrown) != len(self._takes_up(seat)) or len(set(thrown)) != len(thrown):
            return True
        if not held.issuperset(thrown):
            return True
        if settled and seat != self.contractor:
            return True
        return (
            ("joker" in settled and self._refuses_joker(settled["joker"], held - set(thrown)))
            or ("called" in settled and self._refuses_card(settled["called"], held))
            or ("partners" in settled and self._refuses_partners(settled["partners"]))
        )

    def _parse(self, text: str) -> Exchange | None:
        tokens = text.split()
        thrown = [token for token in tokens if "=" not in token]
        pairs = [token.split("=", 1) for token in tokens if "=" in token]
        settled = dict(pairs)
        if len(settled) != len(pairs) or not settled.keys() <= {"joker", "called", "partners"}:
            return None
        return Exchange([] if thrown == ["-"] else thrown, settled)

    def _refuses_joker(self, suit: str, kept: set[str]) -> bool:
        known = suit in ("S", "C", "D", "H")
        return not (known and self._may_nominate() and kept & {"JKR", "JK2"})

    def _refuses_card(self, card: str, held: set[str]) -> bool:
        call = self.rules.call
        if call is None or call.method is not CallMethod.CALL_CARD or not self._may_call():
            return True
        if card not in pack(self.rules) or card in ("JKR", "JK2"):
            return True
        strain = self.contract.strain if self.contract else "NT"
        suit, rank = suit_and_rank(card, strain)
        if call.callable is Callable.NOT_JOKER_OR_BOWER and rank in (LEFT_BOWER, RIGHT_BOWER):
            return True
        if call.callable is Callable.NOT_TRUMP and suit == strain:
            return True
        return card in held and not call.secret_solo

    def _refuses_partners(self, text: str) -> bool:
        call = self.rules.call
        if call is None or call.method is not CallMethod.CHOOSE_PLAYER or not self._may_call():
            return True
        seats = text.split(",")
        known = {str(seat) for seat in range(self.rules.players) if seat != self.contractor}
        level = (self.contract.level if self.contract else 0) or 10
        most = 2 if 0 < call.second_partner_from <= level else 1
        return not set(seats) <= known or len(set(seats)) != len(seats) or len(seats) > most

    def _exchange(self, text: str) -> None:
        seat = self._seat()
        answer = self._parse(text)
        if answer is None:
            raise ValueError(f"no exchange: {text}")
        # who holds the called card is settled before anything is thrown
        if "called" in answer.settled:
            self._side |= self._holders(answer.settled["called"])
        if "partners" in answer.settled:
            self._side |= {int(partner) for partner in answer.settled["partners"].split(",")}
        self._nominated = answer.settled.get("joker", self._nominated)
        self._holdings[seat] -= set(answer.thrown)
        self._next_exchange()

    def _holders(self, card: str) -> set[int]:
        seats = range(self.rules.players)
        return {s for s in seats if card in self._holdings[s] or card in self._takes_up_later(s)}

    def _takes_up_later(self, seat: int) -> set[str]:
        return self._takes_up(seat) if seat in self._asked else set()

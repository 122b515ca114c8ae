"""One hand of 500, from the first call to the score."""

from fivehundred.rules.ruleset import RuleSet
from second_opinion.auction import Auction
from second_opinion.pack import deal


class SecondOpinion(Auction):
    """One hand: each phase builds on the one that follows it."""

    def legal(self) -> set[str]:
        """The calls or plays open to the seat whose turn it is."""
        if self.phase == "AUCTION":
            return {"P"} | {bid.name for bid in self._bids.values() if self._may_bid(bid)}
        if self.phase == "PLAY":
            return self._follows() if self._trick else self._leads()
        if self.phase == "EXCHANGE":
            raise ValueError("an exchange has too many answers to list: ask refuses()")
        return set()

    def act(self, text: str) -> None:
        """Takes an action that is known to be legal."""
        if self.phase == "AUCTION":
            self._call(text)
        elif self.phase == "EXCHANGE":
            self._exchange(text)
        else:
            self._play(text)


def dealt_hand(
    rules: RuleSet, deck: list[str], dealer: int, scores: list[int] | None = None
) -> SecondOpinion:
    """A hand from a deck in dealing order; at the start of a game where no scores are given."""
    holdings, kitty, personal, _ = deal(rules, deck, dealer)
    start = [0] * rules.sides if scores is None else scores
    return SecondOpinion(rules, holdings, kitty, personal, dealer, start)

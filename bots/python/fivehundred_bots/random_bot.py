"""A bot that does anything legal: a floor to measure others against."""

from fivehundred.rules.actions import Bid, Call, Exchange, LegalExchange, Play
from fivehundred.rules.cards import SUITS, mask, members
from fivehundred_client import BidTurn, Bot, DiscardTurn, PlayTurn, run

PASSING = 0.7
HIGHEST_LEVEL = 7


class Random(Bot):
    """Chooses evenly among what is legal, but passes mostly and never bids above seven."""

    name = "random"

    def bid(self, turn: BidTurn) -> Call:
        """A pass, or any low numbered bid."""
        low = [call for call in turn.legal if isinstance(call, Bid) and _is_low(call)]
        if not low or turn.rng.random() < PASSING:
            return turn.legal.default()
        return turn.rng.choice(low)

    def discard(self, turn: DiscardTurn) -> Exchange:
        """Any cards; a joker gets any suit, a partner is any that there may be."""
        rng, legal = turn.rng, turn.legal
        thrown = mask(rng.sample(list(members(legal.holding)), legal.throw))
        callable_cards = _callable(legal, thrown)
        return Exchange(
            thrown,
            joker_suit=rng.choice((None, *SUITS)) if legal.nominable & ~thrown else None,
            called=rng.choice(callable_cards) if callable_cards else None,
            partners=tuple(rng.sample(legal.choosable, min(legal.partners, len(legal.choosable)))),
        )

    def play(self, turn: PlayTurn) -> Play:
        """Any card, with any suit named where a joker names one."""
        return turn.rng.choice(turn.legal)


def _is_low(bid: Bid) -> bool:
    return not bid.special and bid.level <= HIGHEST_LEVEL


def _callable(legal: LegalExchange, thrown: int) -> list[int]:
    return list(members(legal.callable if legal.may_call_own else legal.callable & ~thrown))


if __name__ == "__main__":
    run(Random())

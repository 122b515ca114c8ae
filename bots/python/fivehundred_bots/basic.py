"""A beginner: counts tricks to bid, follows high, saves trumps, throws the shortest low cards."""

from fivehundred.rules.actions import Call, Exchange, Play
from fivehundred_bots.plain_strategy import call_counted, play_plain, throw_short_low
from fivehundred_client import BidTurn, Bot, DiscardTurn, PlayTurn, run


class Basic(Bot):
    """Bids the tricks it counts and plays card by card."""

    name = "basic"
    version = "1"
    optimism = 0.0
    """The tricks added to those counted."""

    def bid(self, turn: BidTurn) -> Call:
        """The bid that the counted tricks allow."""
        call = call_counted(turn.rules, turn.view, turn.legal, optimism=self.optimism)
        return call if call in turn.legal else turn.legal.default()

    def discard(self, turn: DiscardTurn) -> Exchange:
        """Throws the shortest low cards."""
        exchange = throw_short_low(turn.rules, turn.view, turn.legal)
        return exchange if exchange in turn.legal else turn.legal.default()

    def play(self, turn: PlayTurn) -> Play:
        """Follows high if that wins, otherwise low."""
        play = play_plain(turn.rules, turn.view, turn.legal)
        return play if play in turn.legal else turn.legal.default()


if __name__ == "__main__":
    run(Basic())

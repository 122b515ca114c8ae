"""A careful player: bids what a holding is worth and remembers what has been played."""

from fivehundred.rules.actions import Call, Exchange, LegalPlays, Play
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import SeatView
from fivehundred_bots.bidding import choose_call
from fivehundred_bots.card_play import choose_card
from fivehundred_bots.discarding import choose_exchange
from fivehundred_bots.misere import play_against, play_to_lose
from fivehundred_bots.table_reading import read
from fivehundred_client import BidTurn, Bot, DiscardTurn, PlayTurn, run


class Careful(Bot):
    """Weighs every bid, keeps winners, knows its partner and the cards that are out."""

    name = "careful"
    version = "1"

    def bid(self, turn: BidTurn) -> Call:
        """The call with the best average gain."""
        call = choose_call(turn.rules, turn.view, turn.legal)
        return call if call in turn.legal else turn.legal.default()

    def discard(self, turn: DiscardTurn) -> Exchange:
        """The exchange that leaves the most winners and the fewest losers."""
        return choose_exchange(turn.rules, turn.view, turn.legal)

    def play(self, turn: PlayTurn) -> Play:
        """The card that serves the contract, or its defeat."""
        play = choose_play(turn.rules, turn.view, turn.legal)
        return play if play in turn.legal else turn.legal.default()


def choose_play(rules: RuleSet, view: SeatView, legal: LegalPlays) -> Play:
    """The card that a careful seat plays in any contract."""
    reading = read(rules, view)
    if not reading.lose_all:
        return choose_card(reading, legal)
    if reading.declaring:
        return play_to_lose(reading, legal)
    return play_against(reading, legal)


if __name__ == "__main__":
    run(Careful())

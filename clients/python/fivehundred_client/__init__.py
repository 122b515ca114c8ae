"""Write a bot for tournaments of 500: subclass `Bot`, answer what you like, call `run`.

A whole bot, which bids six spades when it may and otherwise passes and plays its highest card::

    from fivehundred.rules.actions import Bid
    from fivehundred.rules.cards import SPADES
    from fivehundred_client import Bot, run

    class Bold(Bot):
        name = "bold"

        def bid(self, turn):
            six = Bid(6, SPADES)
            return six if six in turn.legal else turn.legal.default()

        def play(self, turn):
            return max(turn.legal, key=lambda play: play.card)

    run(Bold())
"""

from fivehundred_client.batch import BatchBot
from fivehundred_client.bot import Bot
from fivehundred_client.notices import FaultNotice, HandNotice
from fivehundred_client.server import RawBot, Server, run, serve
from fivehundred_client.tls import Tls
from fivehundred_client.turn import AnyTurn, BidTurn, DiscardTurn, PlayTurn, Turn

__all__ = [
    "AnyTurn",
    "BatchBot",
    "BidTurn",
    "Bot",
    "DiscardTurn",
    "FaultNotice",
    "HandNotice",
    "PlayTurn",
    "RawBot",
    "Server",
    "Tls",
    "Turn",
    "run",
    "serve",
]

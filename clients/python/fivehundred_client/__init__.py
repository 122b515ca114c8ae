"""Write a bot for tournaments of 500: subclass `Bot`, answer what you like, call `run`."""

from fivehundred_client.bot import Bot
from fivehundred_client.server import RawBot, Server, run, serve
from fivehundred_client.turn import BidTurn, DiscardTurn, PlayTurn, Turn

__all__ = [
    "BidTurn",
    "Bot",
    "DiscardTurn",
    "PlayTurn",
    "RawBot",
    "Server",
    "Turn",
    "run",
    "serve",
]

"""Bots in the same process go through the same messages."""

from collections.abc import Callable

from fivehundred.players.inprocess import InProcessPlayer
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Ask, Fault, FaultKind
from fivehundred.v1 import bot_pb2
from fivehundred_client import Bot
from fivehundred_client.service import Answerer


async def test_a_bot_of_the_client_library_answers(make_ask: Callable[..., Ask]) -> None:
    answerer = Answerer(Bot())
    player = InProcessPlayer(answerer.answer, answerer.learn(RuleSet()))
    ask = make_ask()

    reply = await player.decide(ask)

    assert reply.answer == ask.legal.default()


async def test_an_answer_without_an_action_is_malformed(make_ask: Callable[..., Ask]) -> None:
    player = InProcessPlayer(lambda _: bot_pb2.Answer())

    reply = await player.decide(make_ask())

    assert isinstance(reply.answer, Fault)
    assert reply.answer.kind is FaultKind.MALFORMED

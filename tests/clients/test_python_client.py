"""The Python client: a bot in a few lines, its turns, its server."""

import asyncio
import os
import random
import signal
import sys
from pathlib import Path

import grpc.aio
import pytest

from fivehundred.rules.actions import PASS, Bid, Call, Exchange, Play
from fivehundred.rules.cards import members
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand, Outcome
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.v1 import bot_pb2, bot_pb2_grpc
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred.wire.ruleset import ruleset_to_proto
from fivehundred_bots.random_bot import Random
from fivehundred_client import BidTurn, Bot, DiscardTurn, PlayTurn, serve
from fivehundred_client.testing import ask_one, play_hand

RULES = RuleSet()


def shuffled(rules: RuleSet, seed: int) -> list[int]:
    cards = list(deck(rules))
    random.Random(seed).shuffle(cards)
    return cards


class SevenHearts(Bot):
    """The smallest bot that ever plays a contract."""

    name = "seven-hearts"

    def bid(self, turn: BidTurn) -> Call:
        return Bid(7, 3) if Bid(7, 3) in turn.legal else PASS


def test_the_smallest_bot_passes_and_plays_its_lowest_card() -> None:
    result = play_hand(RULES, [Bot()] * 4, shuffled(RULES, 1))

    assert result.outcome is Outcome.PASSED_OUT


def test_a_bot_with_one_method_plays_a_hand() -> None:
    bots = [SevenHearts(), Bot(), Bot(), Bot()]

    result = play_hand(RULES, bots, shuffled(RULES, 1))

    assert result.outcome is Outcome.PLAYED
    assert result.contract is not None
    assert (result.contract.contractor, str(result.contract.bid)) == (0, "7H")


@pytest.mark.parametrize("preset", preset_names())
def test_random_plays_every_preset_legally_and_always_the_same(preset: str) -> None:
    rules = load_preset(preset)
    bots = [Random()] * rules.players

    for seed in range(5):
        cards = shuffled(rules, seed)
        results = [play_hand(rules, bots, cards, seed=seed) for _ in range(2)]
        assert results[0] == results[1], seed


def test_an_illegal_action_is_named() -> None:
    class Greedy(Bot):
        name = "greedy"

        def bid(self, turn: BidTurn) -> Call:
            return Bid(11, 4)

    hand = Hand(RULES, deal(RULES, shuffled(RULES, 1), 0), 0, [0, 0])

    with pytest.raises((IllegalAction, ValueError)):
        ask_one(Greedy(), hand, RULES)


def test_a_turn_shows_view_legal_rules_and_time() -> None:
    seen: list[BidTurn | DiscardTurn | PlayTurn] = []

    class Looking(SevenHearts):
        def discard(self, turn: DiscardTurn) -> Exchange:
            seen.append(turn)
            return super().discard(turn)

        def play(self, turn: PlayTurn) -> Play:
            seen.append(turn)
            return super().play(turn)

    play_hand(RULES, [Looking(), Bot(), Bot(), Bot()], shuffled(RULES, 1))

    assert len(seen) == 11
    assert len(list(members(seen[0].view.holding))) == 13
    assert {turn.rules for turn in seen} == {RULES}
    assert all(3_500 < turn.time_left <= 3_600 for turn in seen)
    assert len({turn.rng.random() for turn in seen}) == 11


async def test_a_server_tells_the_port_it_was_given() -> None:
    server = await serve(SevenHearts(), "127.0.0.1:0")

    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = bot_pb2_grpc.BotServiceStub(channel)
        hello = await stub.Hello(bot_pb2.HelloRequest(rules=ruleset_to_proto(RULES)))
    await server.stop()

    assert not server.address.endswith(":0")
    assert (hello.name, hello.version, hello.streams) == ("seven-hearts", "1", True)


async def test_an_address_in_use_is_refused() -> None:
    first = await serve(Bot())

    with pytest.raises(OSError, match="is it in use"):
        await serve(Bot(), first.address)

    await first.stop()


async def test_a_unary_decision_under_unknown_rules_asks_for_a_greeting() -> None:
    server = await serve(Bot())

    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = bot_pb2_grpc.BotServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await stub.Play(bot_pb2.PlayRequest(ask=bot_pb2.Ask(rules_hash=b"?")))
    await server.stop()

    assert raised.value.code() is grpc.StatusCode.FAILED_PRECONDITION


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_run_says_where_it_listens_and_ends_at_a_signal(
    number: signal.Signals, tmp_path: Path
) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fivehundred_bots.random_bot", "--listen", "127.0.0.1:0"),
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    said = await process.stderr.readline()

    os.kill(process.pid, number)

    assert await process.wait() == 0
    assert said.startswith(b"listening at 127.0.0.1:")

"""A bot that dies in mid-decision goes on where it was; replies not wanted any more do nothing."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from fivehundred.daemon.embedded import run_tournament
from fivehundred.rules.actions import Action, LegalCalls, LegalPlays, Play
from fivehundred.rules.cards import members
from fivehundred.storage.store import read_store
from fivehundred.table.values import Fault, FaultKind
from fivehundred.v1 import bot_pb2, tournament_pb2
from fivehundred.wire.codec import answer_to_proto, ask_from_proto, request_of
from fivehundred_bots.faulty import Faulty, Message
from fivehundred_client import serve
from fivehundred_client.server import Server

LIMIT_MS = 400
LONG_MS = 20_000


class Plain(Faulty):
    """Opens the auction where it can, so that there is play; remembers what it was asked."""

    def __init__(self, *, streams: bool = True) -> None:
        super().__init__(streams=streams)
        self.name = "plain"
        self.asked: list[str] = []

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        self.asked.append(request_of(decision).ask.decision_id)
        return [self.proper(decision)]

    def proper(self, decision: bot_pb2.Decision) -> bot_pb2.Answer:
        asked = ask_from_proto(decision)
        action: Action = asked.legal.default()
        if isinstance(asked.legal, LegalCalls) and not asked.view.auction:
            action = asked.legal.calls[1]
        return answer_to_proto(asked.decision_id, action)


class Mortal(Plain):
    """Does not answer one decision: it dies instead."""

    die_at = 30

    def __init__(self, *, streams: bool = True) -> None:
        super().__init__(streams=streams)
        self.streams = streams
        self.dying = asyncio.Event()
        self.risen: Plain | None = None

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        answers = await super().messages(decision)
        if len(self.asked) < self.die_at:
            return answers
        self.dying.set()
        never: asyncio.Future[Sequence[Message]] = asyncio.get_running_loop().create_future()
        return await never


class Echoing(Plain):
    """Answers twice, with another action the second time, and all that it has answered before."""

    def __init__(self) -> None:
        super().__init__()
        self._before: list[bot_pb2.Answer] = []

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        stale = self._before[-5:]
        other = _other_answer(decision)
        self._before.append(other)
        return [*stale, self.proper(decision), other, *stale]


class LateOnce(Plain):
    """Answers one decision only when it is asked for the next, before it answers that."""

    late_at = 20

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        answers = await super().messages(decision)
        if len(self.asked) == self.late_at:
            self._late = _other_answer(decision)
            return []
        return [self._late, *answers] if len(self.asked) == self.late_at + 1 else answers


def _other_answer(decision: bot_pb2.Decision) -> bot_pb2.Answer:
    """Another legal answer than the proper one, where there is another."""
    asked = ask_from_proto(decision)
    action: Action = asked.legal.default()
    if isinstance(asked.legal, LegalPlays) and not asked.legal.nameable:
        action = Play(list(members(asked.legal.cards))[-1])
    elif isinstance(asked.legal, LegalCalls):
        action = asked.legal.calls[-1]
    return answer_to_proto(asked.decision_id, action)


@dataclass(frozen=True, slots=True)
class Played:
    """What a tournament has come to."""

    digest: bytes
    faults: list[Fault]


async def played(bot: Plain, database: Path, *, limit_ms: int = LONG_MS, tables: int = 4) -> Played:
    """A tournament of a bot against a plain one; where it dies it is served anew at once."""
    spec = tournament_pb2.TournamentSpec(name="test", tables=tables, seed="5a" * 32)
    spec.format.round_robin.rounds = 2
    spec.format.boards.boards_per_match = 2
    for limit in ("bid", "discard", "play"):
        getattr(spec.time_control, limit).FromMilliseconds(limit_ms)
    async with AsyncExitStack() as stack:
        for name, each in (("tried", bot), ("plain", Plain())):
            server = await serve(each, f"unix:{database}.{name}")
            stack.push_async_callback(server.stop)
            spec.entrants.add(name=name, address=server.address)
            if isinstance(each, Mortal):
                stack.callback(asyncio.create_task(_risen(each, server, stack)).cancel)
        await run_tournament(spec, database, lambda _: None)
    with read_store(database) as store:
        decisions = [each for hand in store.hands("test") for each in hand.record.decisions]
        faults = [each.fault for each in decisions if each.fault is not None]
        return Played(store.log_digest("test"), faults)


async def _risen(bot: Mortal, server: Server, stack: AsyncExitStack) -> None:
    """Serve what comes after a bot once it has died."""
    await bot.dying.wait()
    await server.stop()
    bot.risen = Plain(streams=bot.streams)
    stack.push_async_callback((await serve(bot.risen, server.address)).stop)


@pytest.mark.parametrize("streams", [True, False], ids=["stream", "unary"])
async def test_a_bot_that_dies_in_mid_decision_goes_on_from_what_it_is_told(
    tmp_path: Path, streams: bool
) -> None:
    whole = await played(Plain(streams=streams), tmp_path / "whole.db")
    bot = Mortal(streams=streams)

    broken = await played(bot, tmp_path / "broken.db")

    assert broken.faults == whole.faults == []
    assert broken.digest == whole.digest
    assert bot.risen is not None
    assert bot.asked[Mortal.die_at - 1] in bot.risen.asked


async def test_second_and_stale_answers_change_nothing(tmp_path: Path) -> None:
    plain = await played(Plain(), tmp_path / "plain.db")

    echoing = await played(Echoing(), tmp_path / "echoing.db")

    assert echoing == plain
    assert plain.faults == []


async def test_an_answer_after_its_time_is_one_fault_and_changes_no_other_decision(
    tmp_path: Path,
) -> None:
    bot = LateOnce()

    late = await played(bot, tmp_path / "late.db", limit_ms=LIMIT_MS, tables=1)

    assert [fault.kind for fault in late.faults] == [FaultKind.TIMEOUT]
    assert len(bot.asked) > 2 * LateOnce.late_at

"""`fivehundred bot trace`: why a bot lost, as text and as JSON lines."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from fivehundred.daemon.embedded import run_tournament
from fivehundred.v1 import bot_pb2, tournament_pb2
from fivehundred.wire.codec import answer_to_proto, ask_from_proto
from fivehundred_bots.basic import Basic
from fivehundred_bots.faulty import Faulty, Message
from fivehundred_client import serve

ESCAPE = "\x1b[31mred"


class Wrong(Faulty):
    """Answers with a remark; every fifth answer is no card that it may play."""

    count = 0

    async def messages(self, decision: bot_pb2.Decision) -> Sequence[Message]:
        asked = ask_from_proto(decision)
        self.count += 1
        if self.count % 5 == 0:
            return [bot_pb2.Answer(play=bot_pb2.PlayResponse(decision_id=asked.decision_id))]
        return [answer_to_proto(asked.decision_id, asked.legal.default(), note=ESCAPE)]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of two boards between a bot that errs and one that does not."""
    path = tmp_path_factory.mktemp("trace") / "t.db"
    asyncio.run(_play(path))
    return path


async def _play(database: Path) -> None:
    spec = tournament_pb2.TournamentSpec(name="small", seed="5a" * 32)
    spec.format.boards.boards_per_match = 2
    async with AsyncExitStack() as stack:
        for name, bot in (("wrong", Wrong()), ("basic", Basic())):
            server = await serve(bot, f"unix:{database.parent / name}.sock")
            stack.push_async_callback(server.stop)
            spec.entrants.add(name=name, address=server.address)
        await run_tournament(spec, database, lambda _: None)


def test_a_decision_is_a_block_with_what_was_seen_said_and_charged(
    cli: Callable[..., Any], database: Path
) -> None:
    blocks = cli("bot", "trace", "small", "wrong", "--database", str(database)).out.split("\n\n")

    first = blocks[0].splitlines()
    assert re.match(r"Hand 1, decision \d, seat \d: bid \(match 0, board 0, seating 0\)", first[0])
    labels = [line.split()[0] for line in first[1:]]
    assert labels == ["holding", "auction", "scores", "legal", "answer", "note", "time"]
    assert re.search(r"had \d+\.\d ms, bank 0\.0 ms of it; took .* charged .* bank left", first[-1])
    assert any("  trick 1" in block and "  contract" in block for block in blocks)


def test_faults_come_with_evidence_and_nothing_that_a_terminal_obeys(
    cli: Callable[..., Any], database: Path
) -> None:
    out = cli("bot", "trace", "small", "wrong", "--faults", "--database", str(database)).out
    everything = cli("bot", "trace", "small", "wrong", "--database", str(database)).out

    assert "fault     MALFORMED: " in out
    assert re.search(r"evidence  \d+ bytes: b'", out)
    assert "instead   " in out
    assert "answer    " not in out
    assert "\x1b" not in everything
    assert r"\x1b[31mred" in everything


def test_json_is_a_decision_a_line_and_a_hand_can_be_chosen(
    cli: Callable[..., Any], database: Path
) -> None:
    options = ("--database", str(database), "--hand", "3", "--json")
    lines = cli("bot", "trace", "small", "wrong", *options).out.splitlines()

    found = [json.loads(line) for line in lines]
    assert {each["hand"] for each in found} == {"3"}
    assert [each["decision"] for each in found] == sorted(each["decision"] for each in found)
    assert all("ask" in (each.get("bid") or each.get("play") or each["discard"]) for each in found)
    assert any("evidence" in each for each in found)


def test_an_entrant_that_is_not_there_is_told(cli: Callable[..., Any], database: Path) -> None:
    outcome = cli("bot", "trace", "small", "nobody", "--database", str(database))

    assert outcome.exit_code == 1
    assert outcome.err == "error: 'small' has no entrant 'nobody': it has wrong, basic\n"


def test_a_daemon_is_asked_where_one_is_named(cli: Callable[..., Any], daemon: str) -> None:
    outcome = cli("bot", "trace", "nowhere", "nobody", "--daemon", daemon)

    assert outcome.exit_code == 1
    assert outcome.err == "error: there is no tournament 'nowhere'\n"

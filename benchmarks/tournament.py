"""Hands a second of a whole tournament, as a ratio to a bare gRPC echo in the same run.

Instant bots in another process play ``au-4p-43`` over streams, 64 tables at once; every hand is
journalled and stored. The echo then carries as many messages of the same mean size, over as many
streams, from this process to another one and back, ack-clocked as the daemon sends.

Example: python benchmarks/tournament.py --hands 4000 --json
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
from structlog.testing import capture_logs

from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.matches import schedule
from fivehundred.daemon.results import plan_of
from fivehundred.storage.store import Store, read_store
from fivehundred.table.table import Table
from fivehundred.table.values import Reply
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.codec import answer_to_proto, ask_to_proto, encode_decide

TABLES = 64
SEATS = 4
ID = "0" * 16
ECHO = "/bench.Echo/Decide"
BOT = """
import sys
from fivehundred_client import Bot, run

class Instant(Bot):
    name = "instant"
    version = "1"

    def bid(self, turn):
        calls = turn.legal.calls
        return calls[0] if turn.view.auction else calls[1]

run(Instant(), sys.argv[1])
"""


def main() -> None:
    """Run the benchmark and print what it found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--echo-server", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.echo_server:
        asyncio.run(serve_echo(options.echo_server))
        return
    result = asyncio.run(measure(options.hands))
    if options.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"{name:24}{value:>12,.2f}" if isinstance(value, float) else f"{name:24}{value:>12,}")


async def measure(hands: int) -> dict[str, float]:
    """The tournament first, then the echo of what it sent."""
    with tempfile.TemporaryDirectory() as directory:
        room = Path(directory)
        seconds, messages = await tournament(room, hands)
        with read_store(room / "bench.db") as store:
            asks, request_bytes, answer_bytes = traffic(store)
        batch = max(1, round(asks / messages))
        echo_seconds = await echo(
            room, messages, round(request_bytes * batch), round(answer_bytes * batch)
        )
    return {
        "hands": hands,
        "decisions": asks,
        "messages": messages,
        "decisions_a_message": asks / messages,
        "request_bytes": request_bytes,
        "hands_a_second": hands / seconds,
        "decisions_a_second": asks / seconds,
        "echo_decisions_a_second": asks / echo_seconds,
        "ratio_to_echo": echo_seconds / seconds,
    }


async def tournament(room: Path, hands: int) -> tuple[float, int]:
    """Seconds and messages of a tournament between two entrants behind one process."""
    address = f"unix:{room / 'bot.sock'}"
    with started(["-c", BOT, address]):
        spec = tournament_pb2.TournamentSpec(name="bench", tables=TABLES, seed="07" * 32)
        for name in ("first", "second"):
            spec.entrants.add(name=name, address=address)
        spec.format.round_robin.rounds = hands // 8
        spec.format.boards.boards_per_match = 4
        seen: list[float] = []
        with capture_logs() as logs:
            await run_tournament(
                spec, room / "bench.db", lambda _: seen.append(time.perf_counter())
            )
        seconds = time.perf_counter() - seen[0]
    return seconds, sum(entry.get("messages_sent", 0) for entry in logs)


@contextmanager
def started(arguments: list[str]) -> Iterator[None]:
    """A Python process for the length of a block."""
    with subprocess.Popen([sys.executable, *arguments], stderr=subprocess.DEVNULL) as process:
        yield
        process.terminate()


def traffic(store: Store) -> tuple[int, float, float]:
    """Decisions in all, and the mean bytes of a request and an answer of a part of the log."""
    plan = plan_of(store, "bench")
    matches = {spec.number: spec for spec in schedule(plan).matches(["a@1", "b@1"])}
    asks = sum(len(hand.record.decisions) for hand in store.hands("bench"))
    sample = [hand.record for hand in store.hands_page("bench", 8)]
    table = Table(matches[sample[0].started.key.match])
    table.start()
    requests, answers = [], []
    for decided in (decision for record in sample for decision in record.decisions):
        ask = table.ask()
        assert ask is not None
        payload = ask_to_proto(ask, ID, table.spec.rules_hash).SerializeToString()
        requests.append(len(encode_decide([payload])))
        answers.append(answer_to_proto(ID, decided.action).ByteSize() + 2)
        table.reply(Reply(decided.action, 0))
    return asks, sum(requests) / len(requests), sum(answers) / len(answers)


async def echo(room: Path, messages: int, request_bytes: int, answer_bytes: int) -> float:
    """Seconds that as many bare messages take over as many streams, each answered in turn."""
    address = f"unix:{room / 'echo.sock'}"
    with started([__file__, "--echo-server", f"{answer_bytes},{address}"]):
        streams = 2 * SEATS
        async with grpc.aio.insecure_channel(address) as channel:
            await channel.channel_ready()
            payload = bytes(request_bytes)
            start = time.perf_counter()
            async with asyncio.TaskGroup() as group:
                for _ in range(streams):
                    group.create_task(talk(channel, messages // streams, payload))
            seconds = time.perf_counter() - start
    return seconds


async def talk(channel: grpc.aio.Channel, messages: int, payload: bytes) -> None:
    """Send and await so many messages on one stream."""
    method: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
    method = channel.stream_stream(ECHO, None, None)
    call = method()
    for _ in range(messages):
        await call.write(payload)
        await call.read()
    await call.done_writing()


async def serve_echo(where: str) -> None:
    """Answer every message on every stream with so many bytes until the process is ended."""
    size, _, address = where.partition(",")
    answer = bytes(int(size))

    async def stream(requests: AsyncIterator[bytes], _: object) -> AsyncIterator[bytes]:
        async for _request in requests:
            yield answer

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
        stream, None, None
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bench.Echo", {"Decide": handler}),)
    )
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    main()

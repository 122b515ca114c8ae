"""The benchmarks work: bots come up, hands are played, echoes echo; how fast is not asked."""

from pathlib import Path

from bench.latency import overshoot
from bench.rows import Terms
from bench.throughput import attached, stream_round, unary


async def test_streams_and_their_echo(tmp_path: Path) -> None:
    figures = await stream_round(Terms(tmp_path, 0.2), 1, 4)

    assert all(value > 0 for value in figures.values())
    assert figures["decisions a message"] <= 4


async def test_calls_and_their_echo(tmp_path: Path) -> None:
    figures = await unary(Terms(tmp_path, 0.2, 1))

    assert figures["decisions a message"] == 1


async def test_bots_that_dial_in(tmp_path: Path) -> None:
    assert (await attached(Terms(tmp_path, 0.2, 1)))["of dialled"] > 0


async def test_bots_that_never_answer(tmp_path: Path) -> None:
    assert (await overshoot(Terms(tmp_path, 0.5)))["timeouts"] > 0

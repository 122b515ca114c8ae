"""Rows that are measured by other programs of this directory, which tell their figures as JSON."""

import asyncio
import json
import sys
from typing import Any

from bench.processes import BENCHMARKS
from bench.rows import Figures, Terms

EUCHRE = "OpenSpiel euchre"
PARTS = 20
"""Parts of a look's seconds that each of thirty presets is played for."""


async def engine(terms: Terms) -> Figures:
    """The rules alone: the standard game, the slowest preset beside it, and OpenSpiel's euchre."""
    told = await told_by("engine.py", "--seconds", f"{terms.seconds / PARTS:g}")
    rates = {each["name"]: each["decisions_per_second"] for each in told["speeds"]}
    standard = told["speeds"][0]
    own = {name: rate for name, rate in rates.items() if not name.startswith(EUCHRE)}
    figures = {
        "slowest preset, times slower": standard["decisions_per_second"] / min(own.values()),
        "hands/s": standard["hands_per_second"],
        "decisions/s": standard["decisions_per_second"],
    }
    if EUCHRE in rates:
        figures["of OpenSpiel's euchre"] = standard["decisions_per_second"] / rates[EUCHRE]
    return figures


async def workers(_: Terms) -> Figures:
    """Two worker processes against one, with bots that think."""
    told = await told_by("workers.py")
    return {
        "of one": told["ratio"],
        "hands/s of one": told["hands_a_second_of_one"],
        "hands/s of two": told["hands_a_second_of_workers"],
    }


async def selfplay(terms: Terms) -> Figures:
    """Self-play in lock step, in one thread."""
    told = await told_by("selfplay.py", "--seconds", f"{terms.seconds / 2:g}")
    return {f"hands/s, {each['n']} at a time": each["hands_a_second"] for each in told["speeds"]}


async def told_by(name: str, *arguments: str) -> Any:
    """The JSON that a program prints; raises RuntimeError with its last words where it fails."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(BENCHMARKS / name),
        "--json",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"{name}: {errors.decode().strip().splitlines()[-1:]}")
    return json.loads(output)

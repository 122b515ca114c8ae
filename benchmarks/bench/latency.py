"""Rows of time: what the daemon takes for itself, and how exact it is with the bots' time."""

import asyncio
from itertools import pairwise

import psutil

from bench.meter import Lateness, Ledger, Meter, kept, quantile
from bench.play import daemon, spec_of
from bench.processes import bots
from bench.rows import Figures, Terms
from fivehundred.table.values import FaultKind

MANY = 1000
FEW = 8
"""Tables that warm the process up before its memory is looked at."""
AFTER_MS = 800
LIMIT_S = 1.0
LOOK_S = 0.5
MUTE_TABLES = 100
MUTE_LIMIT_S = 0.5


async def turnaround(terms: Terms) -> Figures:
    """One table: from an answer's arrival to the next request's departure."""
    meter = Meter()
    with bots(terms.room, ()) as processes:
        async with daemon(terms.room, processes, meter) as playing:
            playing.start(spec_of(processes.addresses * 2, tables=1))
            await playing.warm()
            meter.hands = playing.hands
            await playing.window(2 * terms.seconds)
    taken = [seconds * 1e6 for seconds, _ in meter.turnarounds]
    within = [
        gap * 1e6 for (_, before), (gap, hands) in pairwise(meter.turnarounds) if before == hands
    ]
    return {
        "p50 µs": quantile(within, 0.5),
        "p99 µs": quantile(within, 0.99),
        "p99 µs, waits for the disk included": quantile(taken, 0.99),
        "decisions": len(taken),
    }


async def many_tables(terms: Terms) -> Figures:
    """A thousand tables of four bots that use four fifths of their time at every decision."""
    ledger = Ledger()
    with bots(terms.room, *[("--after", str(AFTER_MS))] * 4) as processes, kept(ledger):
        async with daemon(terms.room, processes) as playing:
            few = spec_of(processes.addresses, tables=FEW, name="few", limit_s=LIMIT_S)
            playing.start(few)
            await asyncio.sleep(terms.seconds)
            await playing.director.pause(few.name)
            before = memory()
            many = spec_of(processes.addresses, tables=MANY, limit_s=LIMIT_S)
            playing.start(many)
            await asyncio.sleep(terms.seconds)
            lateness, highest = await _look_on(6 * terms.seconds)
    return {
        "false timeouts": ledger.faults.get(FaultKind.TIMEOUT, 0),
        "KB a table": (highest - before) / 1e3 / (MANY - FEW),
        "lag p99 ms": quantile(lateness, 0.99) * 1e3,
        "decisions": ledger.decisions,
    }


async def _look_on(seconds: float) -> tuple[list[float], int]:
    """How late the loop's ticks were within some seconds, and the most memory at a time."""
    lateness, highest = Lateness(), 0
    for _ in range(round(seconds / LOOK_S)):
        await asyncio.sleep(LOOK_S)
        highest = max(highest, memory())
    lateness.stop()
    return lateness.seconds, highest


def memory() -> int:
    """Bytes of memory that the process holds."""
    held: int = psutil.Process().memory_info().rss
    return held


async def overshoot(terms: Terms) -> Figures:
    """A hundred decisions at once that are never answered: how long beyond the limit they wait."""
    ledger = Ledger()
    with bots(terms.room, ("--mute",)) as processes, kept(ledger):
        spec = spec_of(processes.addresses * 2, tables=MUTE_TABLES, limit_s=MUTE_LIMIT_S)
        spec.time_control.first_decision.SetInParent()
        async with daemon(terms.room, processes) as playing:
            playing.start(spec)
            await asyncio.sleep(2 * terms.seconds)
    return {
        "p99 ms": quantile(ledger.over_us, 0.99) / 1e3,
        "p50 ms": quantile(ledger.over_us, 0.5) / 1e3,
        "p99 ms, own lag included": quantile(ledger.waited_us, 0.99) / 1e3,
        "timeouts": len(ledger.over_us),
    }

"""Rows of what things cost: the journal's share of the processor, and the start of the program."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from sqlalchemy import event

from bench.meter import JournalCost, costed
from bench.play import daemon, spec_of
from bench.processes import bots
from bench.rows import Figures, Terms
from fivehundred.storage.store import Store

STARTS = 10
PROGRAM = str(Path(sys.executable).parent / "fivehundred")


async def journal(terms: Terms) -> Figures:
    """Log and store at the full rate: their part of the daemon's processor time."""
    cost = JournalCost()
    with bots(terms.room, ()) as processes, costed(cost):
        async with daemon(terms.room, processes) as playing:
            playing.start(spec_of(processes.addresses * 2, tables=64))
            await playing.warm()
            commits = _commits(playing.store)
            before = cost.now()
            window = await playing.window(2 * terms.seconds)
            spent = cost.now() - before
    parts = {
        "of which append": spent.append_s,
        "of which flush": spent.flush_s,
        "of which finish_hand": spent.finish_s,
        "of which its thread": spent.thread_s,
    }
    return {
        "share of CPU": sum(parts.values()) / window.cpu_s,
        "hands a commit": window.hands / max(len(commits), 1),
        "hands/s": window.hands_a_second,
        **{name: seconds / window.cpu_s for name, seconds in parts.items()},
    }


def _commits(store: Store) -> list[object]:
    """A list that grows with every commit of a store."""
    seen: list[object] = []
    event.listen(store.engine, "commit", seen.append)
    return seen


async def start(_: Terms) -> Figures:
    """``fivehundred --help``, in turn with a Python that does nothing."""
    helps, bares = [], []
    for _round in range(STARTS):
        helps.append(_started([PROGRAM, "--help"]))
        bares.append(_started([sys.executable, "-c", "pass"]))
    seconds = median(wall for wall, _ in helps)
    return {
        "seconds": seconds,
        "times a bare Python": seconds / median(wall for wall, _ in bares),
        "CPU seconds": median(cpu for _, cpu in helps),
    }


def _started(command: Sequence[str]) -> tuple[float, float]:
    """Seconds and processor seconds of a program from its start to its end."""
    before = time.perf_counter(), _children_s()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - before[0], _children_s() - before[1]


def _children_s() -> float:
    """Processor seconds of all processes that have been waited for."""
    times = os.times()
    return times.children_user + times.children_system

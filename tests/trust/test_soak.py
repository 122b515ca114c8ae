"""Many hands later the process is what it was: no descriptor, task, child or memory more."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.progress import Progress
from fivehundred.storage.store import read_store
from real_play import NAME, bot, trial_spec

BOARDS = 4
MOST_KB_A_THOUSAND_HANDS = 200
SAMPLES = 20


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process holds after so many hands."""

    hands: int
    resident: int
    files: int
    tasks: int
    children: int


class Sampler:
    """Looks at this process every so many hands."""

    def __init__(self, every: int) -> None:
        self.samples: list[Sample] = []
        self._every = every
        self._process = psutil.Process()

    def look(self, progress: Progress) -> None:
        """Take a sample, if it is time."""
        if progress.hands >= self._every * (len(self.samples) + 1):
            self.samples.append(
                Sample(
                    progress.hands,
                    self._process.memory_info().rss,
                    self._process.num_fds(),
                    len(asyncio.all_tasks()),
                    len(self._process.children()),
                )
            )


def slope(samples: list[Sample]) -> float:
    """Bytes of memory more for each hand, by least squares."""
    hands = [sample.hands for sample in samples]
    middle = sum(hands) / len(hands)
    spread = sum((each - middle) ** 2 for each in hands)
    return sum((each.hands - middle) * each.resident for each in samples) / spread


@pytest.mark.timeout(3600)
async def test_a_long_tournament_leaves_nothing_behind(tmp_path: Path, nightly: bool) -> None:
    hands = 20_000 if nightly else 512
    sampler = Sampler(hands // SAMPLES - 1)
    with bot("random_bot:Random") as first, bot("random_bot:Random") as second:
        spec = trial_spec(
            *(("a", first), ("b", second)), rounds=hands // (2 * BOARDS), boards=BOARDS, tables=32
        )
        await run_tournament(spec, tmp_path / "soak.db", sampler.look)

    with read_store(tmp_path / "soak.db") as store:
        assert store.hand_count(NAME) == hands
    first_half, last = sampler.samples[: SAMPLES // 2], sampler.samples[SAMPLES // 2 :]
    grown = slope(last) * 1000 / 1024
    resident = " ".join(f"{each.resident / 1e6:.1f}" for each in sampler.samples)
    print(f"{hands} hands: {grown:.1f} KiB a thousand hands; MB: {resident}; {last[-1]}")
    for what in ("files", "tasks", "children"):
        before, after = ([getattr(each, what) for each in part] for part in (first_half, last))
        assert max(after) <= max(before), what
    if nightly:
        assert grown < MOST_KB_A_THOUSAND_HANDS

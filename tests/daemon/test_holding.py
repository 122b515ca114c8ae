"""Waiting for room on the disk: how it ends when it cannot go on."""

import asyncio
from pathlib import Path

from fivehundred.daemon.holding import Holding
from fivehundred.daemon.progress import Progress


class Tournament:
    """What is held."""

    def __init__(self) -> None:
        self.progress = Progress(0, 0, 0, 0)


async def test_a_stop_that_fails_is_told(tmp_path: Path) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()

    async def stop() -> None:
        raise ZeroDivisionError("oops")

    holding = Holding(tmp_path / "decisions", stop, lambda: None, told.put_nowait)

    holding.hold("test", Tournament())

    assert await told.get() == "oops"
    await holding.close()


async def test_nothing_waits_once_it_is_closed(tmp_path: Path) -> None:
    async def stop() -> None:
        raise AssertionError("nothing is played any more")

    holding = Holding(tmp_path / "decisions", stop, lambda: None, print)
    await holding.close()

    holding.hold("test", Tournament())

    assert (holding.is_on, holding.names()) == (False, ["test"])
    assert "waiting for room" not in {task.get_name() for task in asyncio.all_tasks()}

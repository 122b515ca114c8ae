"""Waits for room on the disk: tournaments are held while there is none, and go on by themselves."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import structlog

from fivehundred.daemon.errors import ROOM_LOOKED_FOR_S
from fivehundred.daemon.progress import Progress
from fivehundred.storage.errors import StorageError, is_disk_full
from fivehundred.storage.room import has_room

WAITS_FOR_ROOM = "the disk is full: play goes on by itself when there is room"
log = structlog.get_logger()


class Held(Protocol):
    """What is known of a tournament that is held."""

    progress: Progress


class Holding:
    """The tournaments that are held, and the one task that waits for room.

    ``stop`` ends all play, ``go_on`` takes it up again with what is held, and ``fail`` is told
    where that fails for another reason than want of room.
    """

    def __init__(
        self,
        decisions: Path,
        stop: Callable[[], Awaitable[None]],
        go_on: Callable[[], None],
        fail: Callable[[str], None],
    ) -> None:
        self.changes: asyncio.Queue[bool] = asyncio.Queue()
        """Whether play is held, at every change."""
        self._decisions = decisions
        self._stop = stop
        self._go_on = go_on
        self._fail = fail
        self._held: dict[str, Held] = {}
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def is_on(self) -> bool:
        """Whether play is held."""
        return self._task is not None

    def hold(self, name: str, held: Held) -> None:
        """Keep a tournament until there is room; the first one stops all play.

        Once closed nothing waits for room: the tournament goes on when a daemon resumes it.
        """
        held.progress = replace(held.progress, waits_for=WAITS_FOR_ROOM)
        self._held[name] = held
        if self._is_closed:
            log.critical("disk_full", tournament=name)
        elif self._task is None:
            log.critical("disk_full", tournament=name, look_every_s=ROOM_LOOKED_FOR_S)
            self.changes.put_nowait(True)
            self._task = asyncio.create_task(self._wait(), name="waiting for room")

    def progress(self, name: str) -> Progress | None:
        """How far a tournament is that is held; None for any other."""
        held = self._held.get(name)
        return held.progress if held else None

    def names(self) -> list[str]:
        """The tournaments that are held."""
        return list(self._held)

    def forget(self) -> None:
        """Hold nothing any more."""
        self._held.clear()

    async def close(self) -> None:
        """Wait no longer, and never again."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _wait(self) -> None:
        try:
            await self._stop()
            while not await self._has_gone_on():  # noqa: ASYNC110 - a disk tells nobody of its room
                await asyncio.sleep(ROOM_LOOKED_FOR_S)
        except Exception as error:  # noqa: BLE001 - or play would be held without a word
            log.critical("log_not_writable", reason=str(error))
            self._fail(str(error))
            return
        log.warning("disk_has_room")
        self._task = None
        self.changes.put_nowait(False)

    async def _has_gone_on(self) -> bool:
        if not await asyncio.to_thread(has_room, self._decisions):
            return False
        try:
            self._go_on()
        except StorageError as error:
            if is_disk_full(error):
                return False
            raise
        return True

"""Work beside the event loop: what is lost, and what is told."""

import asyncio
from threading import Event

import pytest
from structlog.testing import capture_logs

from fivehundred.daemon.aside import Aside
from fivehundred.wire.errors import NotFound


@pytest.mark.parametrize(
    ("error", "logged"), [(ZeroDivisionError("oops"), ["failed_aside"]), (NotFound("none"), [])]
)
async def test_a_failure_is_logged_where_nobody_waits_for_it_any_more(
    error: Exception, logged: list[str]
) -> None:
    aside, begun, left = Aside(), asyncio.Event(), Event()
    loop = asyncio.get_running_loop()

    def fail() -> None:
        loop.call_soon_threadsafe(begun.set)
        left.wait()
        raise error

    with capture_logs() as logs:
        asked = asyncio.create_task(aside.run(fail))
        await begun.wait()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        left.set()
        await asyncio.to_thread(aside.close)
        await asyncio.sleep(0)

    assert [each["event"] for each in logs] == logged


async def test_a_failure_is_raised_to_who_waits_and_not_logged() -> None:
    aside = Aside()

    def fail() -> None:
        raise ZeroDivisionError

    with capture_logs() as logs:
        with pytest.raises(ZeroDivisionError):
            await aside.run(fail)
        await asyncio.to_thread(aside.close)

    assert logs == []

"""One engine for all databases of a simulator: to compile its statements anew for each costs most.

An engine's connections are closed with the store that has it, and the next ones lead to wherever
the next store is.
"""

from collections.abc import Callable, MutableSequence
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from fivehundred.storage import store
from fivehundred.storage.database import reading_engine, writing_engine

Opened = Callable[[str | Path], Engine]


def share_engines(patch: pytest.MonkeyPatch) -> None:
    """Let every store have the same engine, and trust that its tables are there."""
    patch.setattr(store, "migrate", lambda _: None)
    patch.setattr(store, "require_readable", lambda _: "current")
    patch.setattr(store, "writing_engine", _Shared(writing_engine))
    patch.setattr(store, "reading_engine", _Shared(reading_engine))


class _Shared:
    """Gives the engine that it was first asked for, which leads elsewhere from then on."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._engine: Engine | None = None
        self._place = ""

    def __call__(self, where: str | Path) -> Engine:
        engine = self._opened(where)
        self._place = str(engine.url.database)
        if self._engine is None:
            self._engine = engine
            event.listen(engine, "do_connect", self._lead_here)
        return self._engine

    def _lead_here(
        self, _: object, record: object, arguments: MutableSequence[object], options: object
    ) -> None:
        arguments[0] = self._place

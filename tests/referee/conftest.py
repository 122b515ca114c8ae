"""Questions and what comes of them."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fivehundred.referee import BadQuestion, answer
from fivehundred.rules.actions import LegalExchange
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import FaultPolicy, Reply, TimeControl
from fivehundred.v1 import record_pb2
from fivehundred.wire.presets import load_preset
from fivehundred.wire.record import record_to_proto
from fivehundred.wire.ruleset import rules_hash

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "referee.md"
BLOCK = re.compile(r"^```json\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def ask() -> Callable[..., dict[str, Any]]:
    """Asks a question and gives its answer."""

    def asked(name: str, **members: Any) -> dict[str, Any]:
        return answer({"ask": name, **members})

    return asked


@pytest.fixture
def refused() -> Callable[..., tuple[str, str]]:
    """Asks a question that cannot be answered; gives the member that is wrong and why."""

    def asked(name: str, **members: Any) -> tuple[str, str]:
        with pytest.raises(BadQuestion) as caught:
            answer({"ask": name, **members})
        return caught.value.field, caught.value.message

    return asked


@pytest.fixture(scope="session")
def examples() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The questions of the documentation, each with its answer."""
    blocks = [json.loads(body) for body in BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))]
    return list(zip(blocks[::2], blocks[1::2], strict=True))


@pytest.fixture
def recorded() -> Callable[[str, int], record_pb2.HandRecord]:
    """Plays one hand at random and gives its record."""
    return _recorded


def _recorded(preset: str, seed: int) -> record_pb2.HandRecord:
    rules, random = load_preset(preset), Random(seed)
    seats = tuple(range(rules.players))
    table = Table(
        MatchSpec(
            tournament="played",
            number=0,
            rules=rules,
            rules_hash=rules_hash(rules),
            entrants=seats,
            bots=tuple(f"random-{seat}@1" for seat in seats),
            boards=(0,),
            seatings=(seats,),
            games=False,
            max_deals=1,
            time=TimeControl(),
            policy=FaultPolicy(),
            seed=bytes([seed] * 32),
        )
    )
    table.start()
    while (wanted := table.ask()) is not None:
        legal = wanted.legal
        action = legal.default() if isinstance(legal, LegalExchange) else random.choice([*legal])
        table.reply(Reply(action, 10))
    return record_to_proto(table.take_records()[0])
